import { describe, expect, it } from "vitest";
import { type RobustnessRow, robustness } from "../../../src/metrics/robustness/robustness.ts";
import type { RobustnessResult } from "../../../src/metrics/robustness/robustness-result.ts";
import { episodes } from "./episodes.ts";

describe("severity", () => {
  const at = (p_clean: number, budget: number, k_max: number): Partial<RobustnessRow> => ({
    p_clean,
    budget,
    k_max,
  });
  const system = (model: string, passes: readonly string[]): RobustnessRow[] =>
    [at(0.8, 5, 2), at(0.6, 5, 2), at(0.6, 3, 1), at(0.9, 7, 3)].flatMap((setting, i) =>
      [...(passes[i] as string)].flatMap((digit, task) =>
        episodes(`t${task}`, "injected", digit, { model, ...setting }),
      ),
    );
  const rows = [
    ...system("base", ["1000", "0000", "0100", "1"]),
    ...system("rl", ["1110", "1000", "1100", "1"]),
    ...episodes("t0", "clean", "1", { model: "base" }),
  ];

  it("varies P(clean) at fixed limits and limits at a fixed P(clean), around the paper's setting", () => {
    const { sensitivity, setting, gap, excluded, warnings } = robustness(rows, {
      systems: { base: "base", rl: "rl" },
    });
    expect(setting).toEqual({ pClean: 0.6, budget: 5, kMax: 2 });
    const shown = (list: RobustnessResult["sensitivity"]["other"]): unknown[] =>
      list.map(({ pClean, budget, kMax, rates, delta }) => [
        pClean,
        budget,
        kMax,
        ...rates.map((r) => r.value),
        delta?.value,
      ]);
    expect(shown(sensitivity.pClean)).toEqual([
      [0.6, 5, 2, 0, 0.25, 0.25],
      [0.8, 5, 2, 0.25, 0.75, 0.5],
    ]);
    expect(shown(sensitivity.limits)).toEqual([
      [0.6, 3, 1, 0.25, 0.5, 0.25],
      [0.6, 5, 2, 0, 0.25, 0.25],
    ]);
    expect(shown(sensitivity.other)).toEqual([[0.9, 7, 3, 1, 1, 0]]);
    expect(gap.map(({ injected }) => [injected.numerator, injected.denominator])).toEqual([
      [0, 4],
      [1, 4],
    ]);
    expect(excluded.otherSettings).toBe(18);
    expect(warnings[0]).toBe(
      "Injected rows have 4 severities: all tables but the sensitivity rest on P(clean) 0.6, B 5, K_max 2, without 18 rows of the others.",
    );
  });

  it("rests on the severity asked for, and refuses one that no row has", () => {
    expect(robustness(rows, { setting: { pClean: 0.8 } }).gap[1]?.injected.numerator).toBe(3);
    expect(() => robustness(rows, { setting: { budget: 9 } })).toThrow(
      "setting: no injected row has it; there are P(clean) 0.6, B 3, K_max 1; P(clean) 0.6, B 5, K_max 2; P(clean) 0.8, B 5, K_max 2; P(clean) 0.9, B 7, K_max 3; got B 9",
    );
    expect(robustness(episodes("t", "injected", "1")).sensitivity).toEqual({
      pClean: [],
      limits: [],
      other: [],
    });
  });
});
