import fc from "fast-check";

/** Rows of a ranking metric. */
export interface RankingRows {
  readonly scores: number[];
  readonly labels: number[];
  readonly weights: number[];
}

const score = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
  fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0),
);

/** Rows with ties, infinities and small whole weights. */
export const rankingRows: fc.Arbitrary<RankingRows> = fc
  .array(fc.tuple(score, fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 40 })), { maxLength: 25 })
  .map((rows) => ({
    scores: rows.map(([value]) => value),
    labels: rows.map(([, label]) => label),
    weights: rows.map(([, , weight]) => weight),
  }));

/** Every row as often as its weight says. */
export function repeated({ scores, labels, weights }: RankingRows): Omit<RankingRows, "weights"> {
  const rows = weights.flatMap((weight, i) => Array.from({ length: weight }, () => i));
  return { scores: rows.map((i) => scores[i] as number), labels: rows.map((i) => labels[i] as number) };
}

/** The rows in another order, decided by `keys`. */
export function shuffled(rows: RankingRows, keys: readonly number[]): RankingRows {
  const order = rows.scores.map((_, i) => i).sort((a, b) => (keys[a] ?? a) - (keys[b] ?? b));
  const pick = (values: number[]): number[] => order.map((i) => values[i] as number);
  return { scores: pick(rows.scores), labels: pick(rows.labels), weights: pick(rows.weights) };
}

/** Equal within `tolerance`, or both NaN. */
export function isNear(a: number, b: number, tolerance: number = 1e-12): boolean {
  return (Number.isNaN(a) && Number.isNaN(b)) || Math.abs(a - b) <= tolerance;
}
