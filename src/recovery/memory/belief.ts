import { betaQuantile } from "../../math/beta-quantile.ts";
import type { MetFault } from "../../types.ts";
import type { BetaPrior, OutcomeCounts } from "./memory-data.ts";

/**
 * What is believed of the share of episodes that end recovered after a failure or a switch: Beta(alpha, beta). It is a rate
 * of episodes, not the chance that one retry or one switch succeeds.
 */
export interface Belief extends BetaPrior {
  /** alpha / (alpha + beta). */
  readonly mean: number;
  /** The equal-tailed credible interval: quantiles of the distribution at (1 − level)/2 and (1 + level)/2. */
  readonly low: number;
  readonly high: number;
  readonly level: number;
  /** Episodes behind it, those of initial beliefs too; without the prior. */
  readonly recovered: number;
  readonly failed: number;
}

/** The belief in a failure of a tool. */
export interface RecoveryBelief extends Belief {
  readonly tool: string;
  readonly fault: MetFault;
}

/** The belief in a switch from one tool to another. */
export interface SwitchBelief extends Belief {
  readonly source: string;
  readonly target: string;
}

/** Options of a belief. */
export interface BeliefOptions {
  /** Level of the credible interval, in (0, 1). Default 0.95. */
  readonly level?: number;
}

/**
 * The Beta posterior of counts. Ends of the interval are accurate to about 1e-14 relative.
 *
 * @param level - in (0, 1), checked
 */
export function beliefOf(prior: BetaPrior, counts: OutcomeCounts, level: number): Belief {
  const { recovered, failed } = counts;
  const alpha = prior.alpha + recovered;
  const beta = prior.beta + failed;
  const tail = (1 - level) / 2;
  return {
    alpha,
    beta,
    mean: alpha / (alpha + beta),
    low: betaQuantile(tail, alpha, beta),
    high: betaQuantile(1 - tail, alpha, beta),
    level,
    recovered,
    failed,
  };
}
