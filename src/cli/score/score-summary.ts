import type { ResultColumn } from "../../data/columns.ts";
import { quantiles } from "../../math/quantile.ts";

/** Mean and quartiles of one added column over its non-null rows. */
export interface PartSummary {
  readonly n: number;
  readonly nulls: number;
  readonly mean: number | null;
  readonly quartiles: readonly [number, number, number] | null;
}

/** What a run did, as `--json` prints it. */
export interface ScoreSummary {
  readonly rows: number;
  readonly groups: number;
  /** For each status column, rows by word; a row with several words counts in each. */
  readonly status: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly parts: Readonly<Record<string, PartSummary>>;
  /** Rows that the quartiles are computed from: all of them, or a seeded random sample. */
  readonly quartileRows: number;
  readonly nonFinite: Readonly<Record<string, number>>;
}

/** Gathers a {@link ScoreSummary} in one pass and bounded memory. */
export interface SummaryCollector {
  add(columns: readonly ResultColumn[], rows: number): void;
  finish(groups: number, nonFinite: Readonly<Record<string, number>>): ScoreSummary;
}

const SAMPLE_ROWS = 65_536;

interface PartState {
  sample: Float64Array;
  n: number;
  nulls: number;
  sum: number;
  carry: number;
}

/**
 * Means are exact (compensated sums); quartiles (type 7) are exact up to 65,536 rows and beyond that those of a
 * uniform random sample of so many rows (reservoir sampling, algorithm R), seeded.
 */
export function createSummary(random: () => number): SummaryCollector {
  const parts = new Map<string, PartState>();
  const status = new Map<string, Map<string, number>>();
  let total = 0;
  const slots = (rows: number): Int32Array => {
    const chosen = new Int32Array(rows);
    for (let row = 0; row < rows; row += 1) {
      const seen = total + row;
      const slot = seen < SAMPLE_ROWS ? seen : Math.floor(random() * (seen + 1));
      chosen[row] = slot < SAMPLE_ROWS ? slot : -1;
    }
    return chosen;
  };
  return {
    add(columns, rows) {
      const chosen = slots(rows);
      total += rows;
      for (const column of columns) {
        if (column.type === "float64") addPart(partState(parts, column.name), column.values, chosen);
        else if (column.type === "utf8" && column.isJson !== true)
          countWords(column, countsOf(status, column.name));
      }
    },
    finish(groups, nonFinite) {
      const sampled = Math.min(total, SAMPLE_ROWS);
      const summaries = [...parts].map(([name, part]) => [name, summarise(part, sampled)] as const);
      return {
        rows: total,
        groups,
        status: Object.fromEntries([...status].map(([name, counts]) => [name, descending(counts)])),
        parts: Object.fromEntries(summaries),
        quartileRows: sampled,
        nonFinite,
      };
    },
  };
}

function countsOf(status: Map<string, Map<string, number>>, name: string): Map<string, number> {
  const known = status.get(name) ?? new Map<string, number>();
  status.set(name, known);
  return known;
}

function descending(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}

function partState(parts: Map<string, PartState>, name: string): PartState {
  const known = parts.get(name);
  if (known !== undefined) return known;
  const created = { sample: new Float64Array(SAMPLE_ROWS), n: 0, nulls: 0, sum: 0, carry: 0 };
  parts.set(name, created);
  return created;
}

function addPart(part: PartState, values: Float64Array, slots: Int32Array): void {
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] as number;
    const slot = slots[row] as number;
    if (slot >= 0) part.sample[slot] = value;
    if (Number.isNaN(value)) {
      part.nulls += 1;
      continue;
    }
    part.n += 1;
    const sum = part.sum + value;
    part.carry += Math.abs(part.sum) >= Math.abs(value) ? part.sum - sum + value : value - sum + part.sum;
    part.sum = sum;
  }
}

function countWords(column: Extract<ResultColumn, { type: "utf8" }>, status: Map<string, number>): void {
  const counts = new Float64Array(column.dictionary.length);
  for (const code of column.codes) if (code >= 0) counts[code] = (counts[code] as number) + 1;
  column.dictionary.forEach((text, code) => {
    for (const word of text.split(";")) status.set(word, (status.get(word) ?? 0) + (counts[code] as number));
  });
}

function summarise(part: PartState, sampled: number): PartSummary {
  const [low, median, high] = quantiles(
    part.sample.subarray(0, sampled),
    [0.25, 0.5, 0.75],
  ) as unknown as number[];
  const total = Number.isFinite(part.sum) ? part.sum + part.carry : part.sum;
  return {
    n: part.n,
    nulls: part.nulls,
    mean: part.n === 0 ? null : total / part.n,
    quartiles: Number.isNaN(median) ? null : [low as number, median as number, high as number],
  };
}
