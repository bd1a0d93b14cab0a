/** A remark on a fit that its user must know. */
export type CalibratorFlag =
  | "empty"
  | "single-class"
  | "unbounded-T->0"
  | "unbounded-T->inf"
  | "below-clamp"
  | "above-clamp"
  | "flat"
  | "separable"
  | "not-converged";

/** What every calibrator remembers of its fit. */
export interface CalibratorFit {
  /** Rows it was fitted to. */
  readonly n: number;
  /** Hash of the values and labels it was fitted to, in any row order; tells an evaluation on the same rows. */
  readonly fingerprint: string;
  /**
   * `empty`: no rows, or all weigh 0; the parameters are NaN. `single-class`: all labels agree.
   * `unbounded-T->0`, `unbounded-T->inf`: the likelihood has no optimum (every prediction is right, or they are no
   * better than chance); the temperature is the clamp. `below-clamp`, `above-clamp`: the optimum is outside the clamp.
   * `flat`: the values do not tell the rows apart. `separable`: a threshold splits the classes, so that without prior
   * targets the slope has no optimum. `not-converged`: the iteration ended before its tolerance.
   */
  readonly flags: readonly CalibratorFlag[];
}

/** Logits divided by one temperature. */
export interface TemperatureCalibrator extends CalibratorFit {
  readonly kind: "temperature";
  readonly temperature: number;
  /** Logits a row: 1 = the logit of a binary outcome, k = the logits of k classes. */
  readonly classes: number;
  /** Mean negative log-likelihood in nats of the fitting rows, at the temperature and at temperature 1. */
  readonly nll: number;
  readonly nllBefore: number;
}

/** Platt's sigmoid: P(1) = 1 / (1 + e^(a·score + b)); a < 0 where a higher score means 1. */
export interface PlattCalibrator extends CalibratorFit {
  readonly kind: "platt";
  readonly a: number;
  readonly b: number;
}

/** A monotone piecewise linear map. */
export interface IsotonicCalibrator extends CalibratorFit {
  readonly kind: "isotonic";
  readonly direction: "increasing" | "decreasing";
  /** Knots, strictly ascending, `(k)`, and the calibrated value at each, `(k)`. */
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** A fitted map from a score to a probability, as plain data. */
export type Calibrator = TemperatureCalibrator | PlattCalibrator | IsotonicCalibrator;

/** The name of a kind of calibrator. */
export type CalibratorKind = Calibrator["kind"];
