import fc from "fast-check";
import { expect } from "vitest";
import { seededRandom } from "../../src/math/seeded-random.ts";

/** Rows of a property test. */
export interface Rows {
  readonly confidence: number[];
  readonly correct: number[];
}

/** One to sixty rows; some confidences are ties, ends and bin edges. */
export const arbitraryRows: fc.Arbitrary<Rows> = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 0, max: 20 }).map((k) => k / 20),
      ),
      fc.constantFrom(0, 1),
    ),
    { minLength: 1, maxLength: 60 },
  )
  .map((rows) => ({ confidence: rows.map(([p]) => p), correct: rows.map(([, y]) => y) }));

/** Rows of a model whose confidences are exact. */
export function exactRows(confidence: readonly number[], random: () => number): Uint8Array {
  return Uint8Array.from(confidence, (p) => Number(random() < p));
}

/** Mean of a statistic over `draws` data sets in which every confidence is exact. */
export function simulatedMean(
  confidence: readonly number[],
  draws: number,
  statistic: (correct: Uint8Array) => number,
): number {
  const random = seededRandom(99);
  let total = 0;
  for (let draw = 0; draw < draws; draw++) total += statistic(exactRows(confidence, random));
  return total / draws;
}

/** Both NaN, or equal to so many digits. */
export function expectClose(actual: number, expected: number, digits: number): void {
  if (Number.isNaN(expected)) expect(actual).toBeNaN();
  else expect(actual).toBeCloseTo(expected, digits);
}
