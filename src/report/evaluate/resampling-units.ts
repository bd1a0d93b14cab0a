import { seededRandom } from "../../math/seeded-random.ts";

/** Which resampling unit each cluster belongs to. */
export interface ResamplingUnits {
  /** `(clusters)` */
  readonly unitOf: Int32Array;
  readonly units: number;
  /** Clusters were merged at random into fewer units. */
  readonly merged: boolean;
  /** Rows of up to twice so many clusters need no merging. */
  readonly most: number;
}

/** The units for rows of `clusters` clusters: the clusters themselves where they are few enough, else those of the report. */
export function unitsFor(clusters: number, units: ResamplingUnits): ResamplingUnits {
  if (!units.merged || clusters > 2 * units.most) return units;
  const unitOf = Int32Array.from(units.unitOf, (_, cluster) => cluster);
  return { ...units, unitOf, units: unitOf.length, merged: false };
}

/**
 * Assigns clusters to resampling units: each its own up to twice `most`; beyond that they are dealt at random into `most`
 * units of equal numbers of clusters, which keeps the variance of sums over clusters and costs a bounded time. With 1,024
 * units the standard error itself is known to 2.2 %.
 */
export function resamplingUnits(clusters: number, most: number, seed: number): ResamplingUnits {
  const merged = clusters > 2 * most;
  const units = merged ? most : clusters;
  const unitOf = new Int32Array(clusters);
  for (let i = 0; i < clusters; i += 1) unitOf[i] = i % units;
  if (!merged) return { unitOf, units, merged, most };
  const random = seededRandom(seed);
  for (let i = clusters - 1; i > 0; i -= 1) {
    const other = Math.floor(random() * (i + 1));
    const moved = unitOf[i] as number;
    unitOf[i] = unitOf[other] as number;
    unitOf[other] = moved;
  }
  return { unitOf, units, merged, most };
}

/** How many units a report of so many slices may resample: fewer where there are many, so that it stays quick. */
export function mostUnits(slices: number): number {
  return Math.min(1024, Math.max(256, Math.floor(16_384 / Math.max(1, slices))));
}
