import { describe, expect, it } from "vitest";
import { type RobustnessRow, robustness } from "../../../src/metrics/robustness/robustness.ts";
import { episodes } from "./episodes.ts";

describe("by fault type", () => {
  const rows = [
    ...episodes("t1", "injected", "10", { model: "base", fault_type: "timeout" }),
    ...episodes("t2", "injected", "0", { model: "base", fault_types: ["timeout", "Rate limit", "timeout"] }),
    ...episodes("t3", "injected", "1", { model: "base", fault_type: "none" }),
    ...episodes("t1", "injected", "1", { model: "btm", fault_type: "timeout", fault_types: ["stale"] }),
    ...episodes("t4", "injected", "1", { model: "btm", fault_type: "timeout" }),
    ...episodes("t4", "injected", "0", { model: "rl", fault_type: "solar_flare" }),
    ...episodes("t1", "clean", "0", { model: "rl", fault_type: "timeout" }),
    ...episodes("t1", "injected_alt", "0", { model: "rl", fault_type: "timeout" }),
  ];

  it("counts an episode under each of its types, in the paper's order, others behind", () => {
    const { byFaultType, systems, warnings } = robustness(rows, {
      systems: { base: "base", btm: "btm", rl: "rl" },
    });
    expect(systems.map(({ role, model }) => [role, model])).toEqual([
      ["base", "base"],
      ["btm", "btm"],
      ["rl", "rl"],
    ]);
    expect(
      byFaultType.map(({ faultType, group, rates }) => [
        faultType,
        group,
        ...rates.map((r) => r.denominator),
      ]),
    ).toEqual([
      ["timeout", "service", 3, 2, 0],
      ["rate_limit", "service", 1, 0, 0],
      ["server_error", "service", 0, 0, 0],
      ["malformed_response", "service", 0, 0, 0],
      ["auth_error", "auth-schema", 0, 0, 0],
      ["schema_drift", "auth-schema", 0, 0, 0],
      ["partial", "silent", 0, 0, 0],
      ["stale", "silent", 0, 1, 0],
      ["factual_error", "silent", 0, 0, 0],
      ["solar_flare", "other", 0, 0, 1],
    ]);
    const [timeout] = byFaultType;
    expect(timeout?.rates.map(({ value }) => value)).toEqual([1 / 3, 1, null]);
    expect(timeout?.deltaBtm).toMatchObject({ value: 1 - 1 / 3, pairedTasks: 1, beyondNoise: null });
    expect(timeout?.deltaRl).toMatchObject({ value: null, reason: "no episodes" });
    expect(warnings).toContain("1 clean rows have a fault type, which is ignored.");
  });

  it("has a column for every model where no system is named, and no table without fault types", () => {
    const { byFaultType, systems } = robustness(rows);
    expect(systems.map(({ model }) => model)).toEqual(["base", "btm", "rl"]);
    expect(byFaultType[0]).toMatchObject({ deltaBtm: null, deltaRl: null });
    expect(robustness(episodes("t", "injected", "1")).byFaultType).toEqual([]);
  });

  it("draws the tasks of both systems together: shared tasks make the difference surer", () => {
    const make = (shift: number): RobustnessRow[] =>
      Array.from({ length: 60 }, (_, i) => i).flatMap((i) => [
        ...episodes(`t${i}`, "injected", i % 2 ? "1" : "0", { model: "base", fault_type: "stale" }),
        ...episodes(`t${i + shift}`, "injected", i % 2 || i < 6 ? "1" : "0", {
          model: "btm",
          fault_type: "stale",
        }),
      ]);
    const width = (shift: number): number => {
      const { byFaultType } = robustness(make(shift), { systems: { base: "base", btm: "btm" } });
      const delta = byFaultType[7]?.deltaBtm;
      expect(delta?.value).toBeCloseTo(0.05, 12);
      return (delta?.high as number) - (delta?.low as number);
    };
    expect(width(0)).toBeLessThan(0.15);
    expect(width(100)).toBeGreaterThan(0.3);
  });
});
