import { createResampler } from "../../math/resample.ts";
import { seededRandom } from "../../math/seeded-random.ts";
import { METRIC_NAMES } from "../metric-info.ts";
import { cellMetrics } from "./cell-metrics.ts";
import type { UnitSums } from "./unit-sums.ts";

/** The values of every metric over resamples: by metric in the order of `METRIC_NAMES`, `(resamples)` each. */
export type MetricReplicates = readonly Float64Array[];

/** Resamples that are summed in one pass over the units: each value is loaded once for all of them. */
const LANES = 4;

/**
 * Draws units with replacement and computes every metric of each resample. All sides get the same draws: they must have
 * the same units. Metrics are NaN where there is no unit.
 */
export function resampleMetrics(
  sides: readonly UnitSums[],
  resamples: number,
  seed: number,
): MetricReplicates[] {
  const units = sides[0]?.units ?? 0;
  const replicates = sides.map(() => METRIC_NAMES.map(() => new Float64Array(resamples).fill(Number.NaN)));
  if (units === 0) return replicates;
  const draw = createResampler(units, seededRandom(seed));
  const drawn = new Int32Array(units);
  const counts = new Float64Array(units * LANES);
  for (let first = 0; first < resamples; first += LANES) {
    const lanes = Math.min(LANES, resamples - first);
    counts.fill(0);
    for (let lane = 0; lane < lanes; lane += 1) {
      draw(drawn);
      for (let unit = 0; unit < units; unit += 1) counts[unit * LANES + lane] = drawn[unit] as number;
    }
    sides.forEach((side, index) => {
      keepMetrics(side, laneSums(side, counts), replicates[index] as Float64Array[], { first, lanes });
    });
  }
  return replicates;
}

/** The sums of each lane's resample, `(cells · LANES)`. */
function laneSums({ units, starts, cells, values, layout }: UnitSums, counts: Float64Array): Float64Array {
  const sums = new Float64Array(layout.at.size * LANES);
  for (let unit = 0; unit < units; unit += 1) {
    const a = counts[unit * LANES] as number;
    const b = counts[unit * LANES + 1] as number;
    const c = counts[unit * LANES + 2] as number;
    const d = counts[unit * LANES + 3] as number;
    if (a + b + c + d === 0) continue;
    const end = starts[unit + 1] as number;
    for (let i = starts[unit] as number; i < end; i += 1) {
      const at = (cells[i] as number) * LANES;
      const value = values[i] as number;
      sums[at] = (sums[at] as number) + a * value;
      sums[at + 1] = (sums[at + 1] as number) + b * value;
      sums[at + 2] = (sums[at + 2] as number) + c * value;
      sums[at + 3] = (sums[at + 3] as number) + d * value;
    }
  }
  return sums;
}

function keepMetrics(
  { layout }: UnitSums,
  sums: Float64Array,
  columns: readonly Float64Array[],
  { first, lanes }: { readonly first: number; readonly lanes: number },
): void {
  const own = new Float64Array(layout.at.size);
  for (let lane = 0; lane < lanes; lane += 1) {
    for (let cell = 0; cell < own.length; cell += 1) own[cell] = sums[cell * LANES + lane] as number;
    const metrics = cellMetrics(own, layout);
    columns.forEach((column, metric) => {
      column[first + lane] = metrics[metric] as number;
    });
  }
}
