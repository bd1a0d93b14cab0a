import { sampleMultinomial } from "../../math/binomial-sample.ts";
import { percentileInterval } from "../../math/percentile-interval.ts";
import { seededRandom } from "../../math/seeded-random.ts";
import { ACTIONS } from "../../types.ts";
import { emptyRate, type Rate } from "../rate.ts";
import type { When2CallSettings } from "./when2call-options.ts";

const CLASSES = ACTIONS.length;

/** Cells a gold class: the four predictions, and none. */
export const OUTCOMES: number = CLASSES + 1;

/** True positives, gold items and predictions of a class. */
export interface ClassCounts {
  readonly hits: number;
  readonly support: number;
  readonly predicted: number;
}

/** The counts of a class. */
export function classCounts(cells: Float64Array, code: number): ClassCounts {
  let support = 0;
  let predicted = 0;
  for (let column = 0; column < OUTCOMES; column++) support += cells[code * OUTCOMES + column] as number;
  for (let gold = 0; gold < CLASSES; gold++) predicted += cells[gold * OUTCOMES + code] as number;
  return { hits: cells[code * OUTCOMES + code] as number, support, predicted };
}

/**
 * The mean F1 over the gold classes that occur, or over all four, where an absent class counts 0; NaN without items.
 *
 * @param cells counts by gold class and outcome, row-major `(4 · 5)`
 */
export function macroF1(cells: Float64Array, classes: 3 | 4): number {
  let sum = 0;
  let present = 0;
  for (let code = 0; code < CLASSES; code++) {
    const { hits, support, predicted } = classCounts(cells, code);
    if (support > 0) present += 1;
    if (support > 0 || classes === 4) sum += hits === 0 ? 0 : (2 * hits) / (support + predicted);
  }
  return present === 0 ? Number.NaN : sum / (classes === 4 ? CLASSES : present);
}

/**
 * {@link macroF1} with a percentile interval over resamples of the items (Efron & Tibshirani 1993): items with equal gold
 * class and outcome are alike, so a resample is one multinomial draw of the cells. The numbers do not depend on the order
 * of the items.
 */
export function macroF1Rate(
  cells: Float64Array,
  { classes, level, resamples, seed }: When2CallSettings,
): Rate {
  const items = cells.reduce((sum, count) => sum + count, 0);
  if (items === 0) return emptyRate("empty");
  const random = seededRandom(seed);
  const drawn = new Float64Array(cells.length);
  const replicates = Float64Array.from({ length: resamples }, () => {
    sampleMultinomial(items, cells, items, random, drawn);
    return macroF1(drawn, classes);
  });
  const interval = resamples === 0 ? null : percentileInterval(replicates, level);
  return {
    value: macroF1(cells, classes),
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    numerator: null,
    denominator: items,
    reason: null,
  };
}
