import { CalibrantRangeError } from "../../errors.ts";
import { largestDrop } from "./gap-table.ts";
import type { NamedDelta } from "./robustness-result.ts";

/** A published pair of pass rates. */
export interface PublishedRates {
  readonly model: string;
  readonly subset: string | null;
  /** Episodes behind each rate; null or absent = not published. */
  readonly n?: number | null;
  /** In percent, as published: 56.1. */
  readonly clean: number;
  readonly injected: number;
}

/** The difference of a published pair, in percentage points. */
export interface PublishedDelta extends PublishedRates {
  /** Completed episodes behind the two rates; null where n is unknown or no count gives the rate. */
  readonly counts: { readonly clean: number; readonly injected: number } | null;
  /** Whether the counts give both rates by rounding once to the decimals published; null without counts. */
  readonly roundedOnce: boolean | null;
  /** The difference of the counts; null without counts. */
  readonly fromCounts: number | null;
  /** The difference of the two published numbers. */
  readonly fromRates: number;
  /** `fromCounts` where there are counts, else `fromRates`. */
  readonly delta: number;
}

/** The differences of a published table, in percentage points. */
export interface PublishedDeltas {
  readonly rows: readonly PublishedDelta[];
  readonly pairs: number;
  readonly degraded: number;
  /** The most negative difference; null when none is negative. */
  readonly largest: NamedDelta | null;
}

/**
 * Differences in percentage points of published pass rates. Where n is known the counts are recovered, `round(rate n / 100)`,
 * and the difference is theirs: 56.1 and 15.8 of 114 are 64 and 18, a difference of -40.35, which prints -40.4, while the two
 * rounded rates give -40.3. A rate that no count of n can give leaves the pair without counts. Rates are taken to have one
 * decimal; they may have been rounded to two decimals first.
 *
 * @throws CalibrantRangeError for a rate outside [0, 100] or an n that is not a whole number from 1 on.
 *
 * @example
 * ```ts
 * import { deltasFromRates } from "calibrant/metrics";
 * const { rows } = deltasFromRates([{ model: "4B", subset: "retail", n: 114, clean: 56.1, injected: 15.8 }]);
 * console.log(rows[0]?.counts, rows[0]?.fromCounts?.toFixed(1), rows[0]?.fromRates); // { clean: 64, injected: 18 } -40.4 -40.3
 * ```
 */
export function deltasFromRates(published: readonly PublishedRates[]): PublishedDeltas {
  const rows = published.map(publishedDelta);
  return {
    rows,
    pairs: rows.length,
    degraded: rows.filter(({ delta }) => delta < 0).length,
    largest: largestDrop(rows.map(({ model, subset, delta }) => ({ model, subset, delta }))),
  };
}

/** How far a rate of one decimal can be from the exact one: rounded once, and first to two decimals. */
const ONCE = 0.05 + 1e-9;
const TWICE = 0.055 + 1e-9;

function publishedDelta(row: PublishedRates, index: number): PublishedDelta {
  const n = row.n ?? null;
  checkRate("clean", row.clean, index);
  checkRate("injected", row.injected, index);
  if (n !== null && !(Number.isInteger(n) && n > 0))
    throw outOfRange("n", "a whole number from 1 on", n, index);
  const clean = n === null ? null : countOf(row.clean, n);
  const injected = n === null ? null : countOf(row.injected, n);
  const fromRates = withoutNoise(row.injected - row.clean);
  if (n === null || clean === null || injected === null)
    return { ...row, counts: null, roundedOnce: null, fromCounts: null, fromRates, delta: fromRates };
  const fromCounts = (100 * (injected - clean)) / n;
  return {
    ...row,
    counts: { clean, injected },
    roundedOnce: error(row.clean, clean, n) <= ONCE && error(row.injected, injected, n) <= ONCE,
    fromCounts,
    fromRates,
    delta: fromCounts,
  };
}

/** The count whose share of n is nearest to the rate; null when it cannot have been printed as the rate. */
function countOf(rate: number, n: number): number | null {
  const count = Math.round((rate * n) / 100);
  return error(rate, count, n) <= TWICE ? count : null;
}

function error(rate: number, count: number, n: number): number {
  return Math.abs(rate - (100 * count) / n);
}

/** Differences of decimals carry binary noise: 15.8 − 56.1 is −40.3, not −40.300000000000004. */
function withoutNoise(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

function checkRate(name: string, rate: number, index: number): void {
  if (!(rate >= 0 && rate <= 100)) throw outOfRange(name, "a percentage in [0, 100]", rate, index);
}

function outOfRange(name: string, legal: string, value: number, index: number): CalibrantRangeError {
  return new CalibrantRangeError("data", `rows[${index}].${name} must be ${legal}, got ${value}`, {
    index,
    value,
  });
}
