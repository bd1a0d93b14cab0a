import { CalibrantError } from "../errors.ts";
import { checkTau } from "../uq/certainty.ts";
import { DEFAULT_SENTINELS } from "../uq/perplexity.ts";
import { checkSentinels } from "./trust-settings.ts";

/** Options of the reward `trust-released`. The defaults are those of the authors' training code. */
export interface TrustReleasedOptions {
  /** Temperature of the certainty, in perplexity units. Default 0.1. */
  readonly tau?: number;
  /** Weight of the certainty inside r_ans. Default 1. */
  readonly lambda?: number;
  /**
   * What is scored: the response as it is (`"raw"`, the authors' turn-level training, default), or as their
   * trajectory-level training rewrites it first (`"normalised"`), see `normaliseReleased`.
   */
  readonly text?: "raw" | "normalised";
  /** Log-probabilities that stand for probability 0. Default: those of `perplexity`. */
  readonly sentinels?: readonly number[];
}

/** {@link TrustReleasedOptions} with every default filled in. */
export type TrustReleasedSettings = Required<TrustReleasedOptions>;

/** @throws CalibrantError `option` for a value that an option cannot have. */
export function releasedSettings(options: TrustReleasedOptions = {}): TrustReleasedSettings {
  const { tau = 0.1, lambda = 1, text = "raw", sentinels = DEFAULT_SENTINELS } = options;
  checkTau(tau);
  checkSentinels(sentinels);
  if (!Number.isFinite(lambda))
    throw new CalibrantError("option", `lambda must be a finite number, got ${lambda}`, { lambda });
  if (text !== "raw" && text !== "normalised")
    throw new CalibrantError("option", `text must be raw, normalised, got ${String(text)}`, { text });
  return { tau, lambda, text, sentinels };
}
