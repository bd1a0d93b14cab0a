import { type Rate, rateOf } from "../rate.ts";
import { nameOrNull, type RobustnessAnalysis } from "./analysis.ts";
import { CONDITIONS } from "./conditions.ts";
import { UNSCORED } from "./episode-store.ts";
import { compareNames } from "./name-order.ts";
import type { RobustnessCondition, SeedRow } from "./robustness-result.ts";

/** Mean and spread of the pass rate over seeds, for every model, subset and condition that has episodes. */
export function seedTable(analysis: RobustnessAnalysis, setting: number): SeedRow[] {
  return analysis.models.flatMap((model) =>
    analysis.subsetsOf(model).flatMap((subset) =>
      CONDITIONS.flatMap((condition) => {
        const perSeed = ratesBySeed(analysis, analysis.cellsOf(model, subset, condition, setting));
        return perSeed.length === 0 ? [] : [seedRow(analysis, model, subset, condition, perSeed)];
      }),
    ),
  );
}

function seedRow(
  { store }: RobustnessAnalysis,
  model: number,
  subset: number,
  condition: RobustnessCondition,
  perSeed: SeedRow["perSeed"],
): SeedRow {
  return {
    model: store.models.key(model),
    subset: nameOrNull(store.subsets, subset),
    condition,
    seeds: perSeed.length,
    ...meanAndDeviation(perSeed.map(({ rate }) => rate)),
    perSeed,
  };
}

/**
 * Mean and sample standard deviation (n - 1) of the rates; the deviation is null with one. Seeds of the same size are
 * computed from their counts, so that a tie such as 1.25 % is one when it is printed.
 */
function meanAndDeviation(rates: readonly Rate[]): { mean: number; std: number | null } {
  const seeds = rates.length;
  const size = rates[0]?.denominator ?? 0;
  const alike = rates.every(({ denominator }) => denominator === size);
  const values = rates.map(({ numerator, value }) => (alike ? numerator : value) as number);
  const scale = alike ? size : 1;
  const sum = values.reduce((total, value) => total + value, 0);
  const squares = values.reduce((total, value) => total + (seeds * value - sum) ** 2, 0);
  const std = seeds < 2 ? null : Math.sqrt(squares / (seeds - 1)) / (seeds * scale);
  return { mean: sum / (seeds * scale), std };
}

/** The rate of each seed with a result, seeds by name; rows without a seed are one seed. */
function ratesBySeed(
  { store, rowsOf, intervals }: RobustnessAnalysis,
  cells: readonly number[],
): { seed: string | null; rate: Rate }[] {
  const { seed, passed } = store.columns;
  const bySeed = new Map<number, { n: number; passes: number }>();
  for (const cell of cells) {
    const rows = rowsOf(cell);
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      if (passed[row] === UNSCORED) continue;
      const sums = bySeed.get(seed[row] as number) ?? { n: 0, passes: 0 };
      sums.n += 1;
      sums.passes += passed[row] as number;
      bySeed.set(seed[row] as number, sums);
    }
  }
  return [...bySeed]
    .map(([number, { n, passes }]) => ({
      seed: nameOrNull(store.seeds, number),
      rate: rateOf(passes, n, intervals.level),
    }))
    .sort((a, b) => compareNames(a.seed, b.seed));
}
