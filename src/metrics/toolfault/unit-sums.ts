import { createResampler } from "../../math/resample.ts";
import { seededRandom } from "../../math/seeded-random.ts";
import type { CompiledGold } from "./compile-gold.ts";
import { addItem, SUMS } from "./metric-sums.ts";
import { metricValues } from "./metric-values.ts";
import type { RunAnswers } from "./run-answers.ts";
import { TOOLFAULT_METRICS } from "./tool-fault-result.ts";

/** Up to so many items each is resampled by itself, more in random blocks. */
const MOST_UNITS = 2048;
const BLOCKS = 1024;

/** The sums of the units that are resampled, those that are not 0: unit u has the places `starts[u] … starts[u + 1] - 1`. */
export interface UnitSums {
  readonly units: number;
  readonly starts: Int32Array;
  /** Which of the {@link SUMS} numbers, `(filled)`. */
  readonly cells: Uint8Array;
  readonly values: Float64Array;
}

/** Which unit each of some items belongs to, `(n)`: its own, or one of 1,024 random blocks of more than 2,048 items. */
function unitsOf(items: number, seed: number): { readonly unitOf: Int32Array; readonly units: number } {
  if (items <= MOST_UNITS) return { unitOf: Int32Array.from({ length: items }, (_, i) => i), units: items };
  const unitOf = Int32Array.from({ length: items }, (_, i) => i % BLOCKS);
  const random = seededRandom(seed);
  for (let i = items - 1; i > 0; i--) {
    const other = Math.trunc(random() * (i + 1));
    const kept = unitOf[i] as number;
    unitOf[i] = unitOf[other] as number;
    unitOf[other] = kept;
  }
  return { unitOf, units: BLOCKS };
}

/** The sums of each unit of some items. */
export function unitSums(gold: CompiledGold, answers: RunAnswers, items: Int32Array, seed: number): UnitSums {
  const { unitOf, units } = unitsOf(items.length, seed);
  const sums = new Float64Array(units * SUMS);
  for (let i = 0; i < items.length; i++)
    addItem(sums, (unitOf[i] as number) * SUMS, gold, items[i] as number, answers);
  return compressed(sums, units);
}

/** An item without repeats has 5 to 10 sums that are not 0. */
function compressed(sums: Float64Array, units: number): UnitSums {
  const filled = sums.reduce((count, value) => (value === 0 ? count : count + 1), 0);
  const starts = new Int32Array(units + 1);
  const cells = new Uint8Array(filled);
  const values = new Float64Array(filled);
  let at = 0;
  for (let unit = 0; unit < units; unit++) {
    for (let cell = 0; cell < SUMS; cell++) {
      const value = sums[unit * SUMS + cell] as number;
      if (value === 0) continue;
      cells[at] = cell;
      values[at++] = value;
    }
    starts[unit + 1] = at;
  }
  return { units, starts, cells, values };
}

/** The sums of all units together. */
export function totalSums(unitSums: UnitSums): Float64Array {
  return weightedSums(unitSums, new Int32Array(unitSums.units).fill(1), new Float64Array(SUMS));
}

/**
 * Every metric in resamples of the units: `(metrics)` arrays `(resamples)`, NaN where a resample has no denominator. Runs
 * that are given together share each resample.
 */
export function resampledMetrics(
  runs: readonly UnitSums[],
  resamples: number,
  seed: number,
): readonly (readonly Float64Array[])[] {
  const units = runs[0]?.units ?? 0;
  const draw = createResampler(units, seededRandom(seed));
  const multiplicities = new Int32Array(units);
  const replicates = runs.map(() => TOOLFAULT_METRICS.map(() => new Float64Array(resamples)));
  const total = new Float64Array(SUMS);
  for (let resample = 0; resample < resamples; resample++) {
    draw(multiplicities);
    runs.forEach((run, index) => {
      const values = metricValues(weightedSums(run, multiplicities, total));
      for (let metric = 0; metric < values.length; metric++)
        (replicates[index]?.[metric] as Float64Array)[resample] = values[metric] as number;
    });
  }
  return replicates;
}

/** Overwrites `total` with the sums of the units, each taken so many times. */
function weightedSums(
  { units, starts, cells, values }: UnitSums,
  multiplicities: Int32Array,
  total: Float64Array,
): Float64Array {
  total.fill(0);
  for (let unit = 0; unit < units; unit++) {
    const times = multiplicities[unit] as number;
    if (times === 0) continue;
    const end = starts[unit + 1] as number;
    for (let at = starts[unit] as number; at < end; at++) {
      const cell = cells[at] as number;
      total[cell] = (total[cell] as number) + times * (values[at] as number);
    }
  }
  return total;
}
