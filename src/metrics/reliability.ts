import { binomialQuantile } from "../math/binomial-window.ts";
import { checkLevel } from "../math/percentile-interval.ts";
import type { BinaryLabels, NumericArray } from "../types.ts";
import { meansOfBins, nullMeanOfBins } from "./calibration-error.ts";
import { type BinNull, binNull } from "./calibration-null.ts";
import { type BinSums, ConfidenceBins } from "./confidence-bins.ts";
import { uniformEdges } from "./confidence-edges.ts";
import { checkNanPolicy, type NanPolicy } from "./confidence-rows.ts";

/** What sums of confidences may be off a whole number by. */
const ROUNDING = 1e-6;

/** Options of {@link reliabilityDiagram}. */
export interface ReliabilityOptions {
  /** Number of uniform bins, 1 … 65535. Default 15. */
  readonly bins?: number;
  /** Level of the consistency band, in (0, 1). Default 0.95. */
  readonly level?: number;
  /** `(n)`, not negative; a row of weight k counts as k equal rows. */
  readonly weights?: NumericArray;
  /** What to do with a NaN confidence. Default `throw`. */
  readonly nan?: NanPolicy;
}

/** A reliability diagram: how often rows of each confidence are right. Arrays are `(bins)`, NaN for an empty bin. */
export interface ReliabilityDiagram {
  /** `(bins + 1)`; bin k is (edges[k], edges[k + 1]], the first bin is closed. */
  readonly edges: Float64Array;
  /** Rows, weights included; 0 for an empty bin. */
  readonly count: Float64Array;
  /** Mean confidence. */
  readonly confidence: Float64Array;
  /** Share of correct rows. */
  readonly accuracy: Float64Array;
  /** Consistency band: where `accuracy` lies with at least the chance `level` when every confidence is exact. */
  readonly bandLow: Float64Array;
  readonly bandHigh: Float64Array;
  /** The ECE that these confidences would show on average if they were exact; NaN without rows. */
  readonly nullMean: number;
  /** Rows left out because their confidence is NaN. */
  readonly excluded: number;
}

/**
 * Reliability diagram with a consistency band (Bröcker & Smith 2007): the quantiles at (1 ± level)/2 of a bin's share
 * of correct rows if each row were correct with a probability equal to its confidence. Bins are those of
 * {@link calibrationError}. Computed, not drawn: the number of correct rows is the binomial at the bin's mean confidence,
 * its deviations stretched to the variance Σp(1 − p) of the rows, in whole rows; exact when the confidences of the bin are
 * equal.
 *
 * @param confidence `(n)`, in [0, 1]
 * @param correct `(n)`, 0/1 or booleans
 * @throws CalibrantRangeError for a confidence outside [0, 1], a NaN one unless excluded, a negative weight, or a bad level.
 * @throws CalibrantError `data` for a label that is neither 0 nor 1, `length-mismatch`, `option`.
 *
 * @example
 * ```ts
 * import { reliabilityDiagram } from "calibrant/metrics";
 * const diagram = reliabilityDiagram([0.9, 0.9, 0.9, 0.9, 0.2], [1, 1, 0, 1, 0], { bins: 2 });
 * console.log(diagram.accuracy.join(" "), diagram.bandLow.join(" ")); // 0 0.75 0 0.5
 * ```
 */
export function reliabilityDiagram(
  confidence: NumericArray,
  correct: BinaryLabels,
  options: ReliabilityOptions = {},
): ReliabilityDiagram {
  const { bins = 15, level = 0.95, weights, nan = "throw" } = options;
  checkNanPolicy(nan);
  const gathered = new ConfidenceBins(uniformEdges(bins));
  gathered.add({ confidence, correct, weights }, nan);
  return { ...reliabilityOfBins(gathered.sums(), level), excluded: gathered.excluded };
}

/**
 * The {@link reliabilityDiagram} of gathered sums.
 *
 * @param level level of the consistency band, default 0.95
 * @throws CalibrantRangeError for a level outside (0, 1).
 */
export function reliabilityOfBins(sums: BinSums, level: number = 0.95): Omit<ReliabilityDiagram, "excluded"> {
  checkLevel(level);
  const nulls = Array.from(sums.count, (_, k) => binNull(sums, k));
  return {
    ...meansOfBins(sums),
    bandLow: Float64Array.from(nulls, (bin) => bandEnd(bin, (1 - level) / 2)),
    bandHigh: Float64Array.from(nulls, (bin) => bandEnd(bin, (1 + level) / 2)),
    nullMean: nullMeanOfBins(sums),
  };
}

/**
 * The quantile of the number of correct rows after stretching, rounded outwards to a number of rows: a stretch by 0.97
 * would otherwise exclude the very number that the band should end at.
 */
function bandEnd(bin: BinNull | null, probability: number): number {
  if (bin === null) return Number.NaN;
  const { trials, mean, stretch, window } = bin;
  const expected = trials * mean;
  const rows = expected + (binomialQuantile(window, probability) - expected) * stretch;
  const whole = probability < 0.5 ? Math.floor(rows + ROUNDING) : Math.ceil(rows - ROUNDING);
  return Math.min(trials, Math.max(0, whole)) / trials;
}
