import type { NumericArray } from "../../types.ts";

/** The exponent of Platt's sigmoid, a·score + b. */
export interface Line {
  readonly a: number;
  readonly b: number;
}

/** Rows with the target probability of either label. */
export interface TargetRows {
  readonly scores: NumericArray;
  readonly labels: Uint8Array;
  readonly weights: NumericArray | null;
  /** Target of label 1, and of label 0. */
  readonly high: number;
  readonly low: number;
}

interface Scale {
  readonly weight: number;
  readonly mean: number;
  readonly deviation: number;
}

interface Point {
  readonly value: number;
  readonly gradient: readonly [number, number];
  /** Second derivatives aa, ab, bb. */
  readonly hessian: readonly [number, number, number];
}

/**
 * The line of least cross-entropy, from (0, b): Newton's method with backtracking (Lin, Lin & Weng 2007, algorithm 1)
 * on standardised scores, which no scale of the scores can upset. It needs two distinct scores and both labels.
 *
 * @returns the line, and whether the Newton step became negligible; without an optimum it does not.
 */
export function fitLine(rows: TargetRows, b: number): Line & { readonly converged: boolean } {
  const scale = standardise(rows);
  let at: Line = { a: 0, b: Number.isFinite(b) ? b : 0 };
  let converged = false;
  let here = evaluate(rows, scale, at);
  for (let round = 0; round < 100 && !converged; round++) {
    const step = newtonStep(here);
    const gain = -(here.gradient[0] * step.a + here.gradient[1] * step.b);
    if (!(gain > 0)) {
      converged = gain === 0;
      break;
    }
    // So close that the value no longer tells steps apart: the last step squares what is left.
    converged = gain < 1e-14 * (1 + here.value);
    const next = converged ? added(at, step, 1) : backtrack(rows, scale, at, here, step, gain);
    if (next === null) break;
    at = next;
    here = evaluate(rows, scale, at);
  }
  return { a: at.a / scale.deviation, b: at.b - at.a * (scale.mean / scale.deviation), converged };
}

function backtrack(
  rows: TargetRows,
  scale: Scale,
  at: Line,
  here: Point,
  step: Line,
  gain: number,
): Line | null {
  for (let size = 1; size > 1e-10; size /= 2) {
    const next = added(at, step, size);
    if (evaluate(rows, scale, next).value < here.value - 1e-4 * size * gain) return next;
  }
  return null;
}

function added(line: Line, step: Line, size: number): Line {
  return { a: line.a + size * step.a, b: line.b + size * step.b };
}

function newtonStep({ gradient, hessian }: Point): Line {
  const [aa, ab, bb] = hessian;
  const determinant = aa * bb - ab * ab;
  return {
    a: -(bb * gradient[0] - ab * gradient[1]) / determinant,
    b: -(aa * gradient[1] - ab * gradient[0]) / determinant,
  };
}

/** Weighted mean and deviation of the scores, by way of their largest size so that squares stay finite. */
function standardise({ scores, labels, weights }: TargetRows): Scale {
  let weight = 0;
  let largest = 0;
  for (let i = 0; i < labels.length; i++) {
    const w = weights === null ? 1 : (weights[i] as number);
    weight += w;
    if (w > 0) largest = Math.max(largest, Math.abs(scores[i] as number));
  }
  let sum = 0;
  for (let i = 0; i < labels.length; i++) {
    sum += (weights === null ? 1 : (weights[i] as number)) * ((scores[i] as number) / largest);
  }
  const mean = sum / weight;
  let squares = 0;
  for (let i = 0; i < labels.length; i++) {
    const distance = (scores[i] as number) / largest - mean;
    squares += (weights === null ? 1 : (weights[i] as number)) * distance * distance;
  }
  return { weight, mean: mean * largest, deviation: Math.sqrt(squares / weight) * largest };
}

/** Mean cross-entropy with its derivatives by the line of the standardised scores. */
function evaluate(rows: TargetRows, { weight, mean, deviation }: Scale, { a, b }: Line): Point {
  const { scores, labels, weights, high, low } = rows;
  let value = 0;
  let da = 0;
  let db = 0;
  let aa = 0;
  let ab = 0;
  let bb = 0;
  for (let i = 0; i < labels.length; i++) {
    const w = weights === null ? 1 : (weights[i] as number);
    const score = ((scores[i] as number) - mean) / deviation;
    const target = labels[i] === 1 ? high : low;
    const exponent = a * score + b;
    const e = Math.exp(-Math.abs(exponent));
    const p = exponent >= 0 ? e / (1 + e) : 1 / (1 + e);
    value += w * (Math.log1p(e) + (exponent >= 0 ? target * exponent : (target - 1) * exponent));
    const residual = w * (target - p);
    const bend = w * (e / ((1 + e) * (1 + e)));
    da += residual * score;
    db += residual;
    aa += bend * score * score;
    ab += bend * score;
    bb += bend;
  }
  return {
    value: value / weight,
    gradient: [da / weight, db / weight],
    hessian: [aa / weight, ab / weight, bb / weight],
  };
}
