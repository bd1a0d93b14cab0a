import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { CalibrantError } from "../../../src/errors.ts";
import { BayesianToolMemory } from "../../../src/recovery/memory/bayesian-tool-memory.ts";
import type { MemoryData, OutcomeCounts } from "../../../src/recovery/memory/memory-data.ts";

interface GoldenBelief extends OutcomeCounts {
  readonly prior: readonly [number, number];
  readonly level: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  readonly scipy_low: number;
  readonly scipy_high: number;
  readonly refined: boolean;
}

const golden: readonly GoldenBelief[] = JSON.parse(
  readFileSync(new URL("../../golden/memory-quantiles.json", import.meta.url), "utf8"),
);

/** A memory that has these counts for one pair and one switch. */
function memoryWith(
  { recovered, failed }: OutcomeCounts,
  [alpha, beta]: readonly [number, number],
): BayesianToolMemory {
  const empty: MemoryData = new BayesianToolMemory({ prior: { alpha, beta } }).toJSON();
  const none = { recovered: 0, failed: 0 };
  const observed = { recovered, failed };
  return BayesianToolMemory.from({
    ...empty,
    episodes: { ...empty.episodes, observed: { clean: 0, skipped: 0, recovered, failed } },
    recovery: [{ tool: "t", fault: "timeout", initial: none, observed }],
    switching: [{ source: "t", target: "u", initial: none, observed }],
  });
}

describe("beliefs", () => {
  it("are scipy's means and quantiles", () => {
    let [worst, worstScipy] = [0, 0];
    for (const row of golden) {
      const memory = memoryWith(row, row.prior);
      const belief = memory.recovery("t", "timeout", { level: row.level });
      const { alpha, beta, mean, low, high, ...rest } = belief;
      expect([alpha, beta]).toEqual([row.prior[0] + row.recovered, row.prior[1] + row.failed]);
      expect(rest).toEqual({ level: row.level, recovered: row.recovered, failed: row.failed });
      expect(Math.abs(mean / row.mean - 1)).toBeLessThan(1e-15);
      for (const [ours, theirs, scipy] of [
        [low, row.low, row.scipy_low],
        [high, row.high, row.scipy_high],
      ] as const) {
        worst = Math.max(worst, Math.abs(ours / theirs - 1));
        worstScipy = Math.max(worstScipy, Math.abs(ours / scipy - 1));
      }
      expect(memory.switching("t", "u", { level: row.level })).toEqual(belief);
    }
    expect(golden.length).toBe(48);
    expect(worst).toBeLessThan(1e-13);
    expect(worstScipy).toBeLessThan(1e-12);
  });

  it("are the prior for a pair that was never met", () => {
    const uniform = new BayesianToolMemory().recovery("any", "blocked", { level: 0.9 });
    expect(uniform).toMatchObject({ alpha: 1, beta: 1, mean: 0.5, recovered: 0, failed: 0, level: 0.9 });
    expect(uniform.low).toBeCloseTo(0.05, 14);
    expect(uniform.high).toBeCloseTo(0.95, 14);
    const other = new BayesianToolMemory({ prior: { alpha: 0.5, beta: 1.5 } }).switching("a", "b");
    expect(other).toMatchObject({ alpha: 0.5, beta: 1.5, mean: 0.25, level: 0.95 });
  });

  it("refuse levels, failures and options that cannot be", () => {
    const memory = new BayesianToolMemory();
    for (const level of [0, 1, -0.1, Number.NaN])
      expect(() => memory.recovery("a", "stale", { level }), String(level)).toThrow(/level must be between/);
    expect(() => memory.beliefs({ level: 2 })).toThrow(/level/);
    expect(() => memory.recovery("a", "timeot" as "timeout")).toThrow(
      "fault must be known (timeout?), got timeot",
    );
    expect(() => memory.recovery(3 as unknown as string, "timeout")).toThrow("tool must be text, got 3");
    expect(() => memory.switching("a", "b", { levels: 0.9 } as object)).toThrow(/no option levels/);
  });
});

describe("priors of a memory", () => {
  it("are positive and finite, and come alone", () => {
    const codes = [
      { prior: { alpha: 0, beta: 1 } },
      { prior: { alpha: 1, beta: Number.POSITIVE_INFINITY } },
      { prior: { alpha: 1 } },
      { prior: "jeffreys" },
      { prior: "uniform", initial: new BayesianToolMemory() },
      { update: "sometimes" },
      { fallback: {} },
    ].map((options) => {
      try {
        new BayesianToolMemory(options as object);
      } catch (error) {
        return (error as CalibrantError).code;
      }
      return "accepted";
    });
    expect(codes).toEqual(codes.map(() => "option"));
  });
});
