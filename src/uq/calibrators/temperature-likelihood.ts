import type { NumericArray } from "../../types.ts";

/** Mean negative log-likelihood of logits times β, in nats, with its first two derivatives by β. */
export interface LikelihoodPoint {
  readonly value: number;
  readonly slope: number;
  readonly curvature: number;
}

/** The likelihood of a set of rows as a function of β = 1 / temperature. */
export interface Likelihood {
  /** Sum of the row weights. */
  readonly weight: number;
  /** Mean distance of the largest logit to the label's: 0 when every row is predicted right. */
  readonly regret: number;
  /** No row's logits differ: the likelihood is constant. */
  readonly flat: boolean;
  /** Cost O(logits). */
  at(beta: number): LikelihoodPoint;
}

/** The likelihood of the logits `(n)` of binary outcomes `(n)`. */
export function binaryLikelihood(
  logits: NumericArray,
  labels: NumericArray,
  weights: NumericArray | null,
): Likelihood {
  let weight = 0;
  let regret = 0;
  let flat = true;
  for (let i = 0; i < labels.length; i++) {
    const w = weights === null ? 1 : (weights[i] as number);
    const margin = labels[i] === 1 ? (logits[i] as number) : -(logits[i] as number);
    weight += w;
    regret += w * Math.max(0, -margin);
    if (w > 0 && margin !== 0) flat = false;
  }
  const at = (beta: number): LikelihoodPoint => {
    let value = 0;
    let slope = 0;
    let curvature = 0;
    for (let i = 0; i < labels.length; i++) {
      const w = weights === null ? 1 : (weights[i] as number);
      const margin = labels[i] === 1 ? (logits[i] as number) : -(logits[i] as number);
      const scaled = beta * margin;
      const e = Math.exp(-Math.abs(scaled));
      const wrong = scaled >= 0 ? e / (1 + e) : 1 / (1 + e);
      value += w * (Math.log1p(e) + Math.max(0, -scaled));
      slope -= w * margin * wrong;
      curvature += w * margin * margin * (e / ((1 + e) * (1 + e)));
    }
    return { value: value / weight, slope: slope / weight, curvature: curvature / weight };
  };
  return { weight, regret: regret / weight, flat, at };
}

/** The likelihood of the logits of classes, row-major `(n · classes)`, for the class labels `(n)`. */
export function classLikelihood(
  logits: NumericArray,
  labels: NumericArray,
  weights: NumericArray | null,
  classes: number,
): Likelihood {
  const n = labels.length;
  const largest = new Float64Array(n);
  let weight = 0;
  let regret = 0;
  let flat = true;
  for (let row = 0, at = 0; row < n; row++, at += classes) {
    const w = weights === null ? 1 : (weights[row] as number);
    let max = logits[at] as number;
    let min = max;
    for (let j = 1; j < classes; j++) {
      max = Math.max(max, logits[at + j] as number);
      min = Math.min(min, logits[at + j] as number);
    }
    largest[row] = max;
    weight += w;
    regret += w * (max - (logits[at + (labels[row] as number)] as number));
    if (w > 0 && max > min) flat = false;
  }
  const at = (beta: number): LikelihoodPoint => {
    let value = 0;
    let slope = 0;
    let curvature = 0;
    for (let row = 0, start = 0; row < n; row++, start += classes) {
      const w = weights === null ? 1 : (weights[row] as number);
      const max = largest[row] as number;
      let sum = 0;
      let first = 0;
      let second = 0;
      for (let j = start; j < start + classes; j++) {
        const below = (logits[j] as number) - max;
        const e = Math.exp(beta * below);
        sum += e;
        first += e * below;
        second += e * below * below;
      }
      const mean = first / sum;
      const chosen = (logits[start + (labels[row] as number)] as number) - max;
      value += w * (Math.log(sum) - beta * chosen);
      slope += w * (mean - chosen);
      curvature += w * (second / sum - mean * mean);
    }
    return { value: value / weight, slope: slope / weight, curvature: curvature / weight };
  };
  return { weight, regret: regret / weight, flat, at };
}
