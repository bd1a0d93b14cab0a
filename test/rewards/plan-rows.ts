import { checkColumns } from "../../src/data/check-columns.ts";
import type { ResultColumn, RolloutBatch } from "../../src/data/columns.ts";
import { batchFromRows, foundRowColumns } from "../../src/data/jsonl/rows-columns.ts";
import type { RewardPlan } from "../../src/rewards/reward-plan.ts";
import { scoreBatches } from "../../src/rewards/score-batches.ts";

export type Row = Readonly<Record<string, unknown>>;

/** Rows as a batch of what a plan reads; columns are those of `all`. */
export function planBatch(plan: RewardPlan, rows: readonly Row[], all: readonly Row[] = rows): RolloutBatch {
  return batchFromRows(rows, checkColumns(foundRowColumns(all), plan.needs, "rows"), "rows");
}

/** Runs a plan over rows that are cut into batches of these sizes, the last with all that is left. */
export function scoreRows(
  plan: RewardPlan,
  rows: readonly Row[],
  sizes: readonly number[] = [],
): ResultColumn[][] {
  const batches: RolloutBatch[] = [];
  let at = 0;
  for (const size of [...sizes, rows.length]) {
    batches.push(planBatch(plan, rows.slice(at, at + size), rows));
    at += size;
  }
  return scoreBatches(plan, batches);
}

/** The values of result columns by name, batches one after the other; null = missing. */
export function valuesByName(
  results: readonly (readonly ResultColumn[])[],
): Record<string, (number | string | null)[]> {
  const all: Record<string, (number | string | null)[]> = {};
  for (const column of results.flat()) {
    const values =
      column.type === "utf8"
        ? Array.from(column.codes, (code) => column.dictionary[code] ?? null)
        : Array.from(column.values, (value) => (Number.isNaN(value) ? null : value));
    all[column.name] = [...(all[column.name] ?? []), ...values];
  }
  return all;
}
