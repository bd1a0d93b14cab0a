import { ROW_STATUS } from "../log-prob-backend.ts";
import type { OpenColumns } from "../log-prob-columns.ts";
import { topTokens } from "./top-tokens.ts";

/**
 * Everything about one row, in float64: the maximum first, then Math.exp of what lies below it.
 *
 * @param logits - `(vocab)`, as they are stored.
 * @param scale - what they are multiplied by.
 */
export function scoreRow(
  logits: Float64Array,
  scale: number,
  target: number,
  row: number,
  columns: OpenColumns,
): void {
  const first = greatest(logits);
  if (first === -1) {
    columns.status[row] = ROW_STATUS.notFinite;
    return;
  }
  const max = logits[first] as number;
  const aim = logits[target] as number;
  const { entropy, rank, argmax } = columns;
  columns.status[row] = ROW_STATUS.ok;
  const logSum = Math.log(sumOfPowers(logits, scale, max));
  columns.logprob[row] = scale * (aim - max) - logSum;
  if (entropy !== null) entropy[row] = entropyOf(logits, scale, max, logSum);
  if (rank !== null) rank[row] = 1 + countAbove(logits, aim);
  if (argmax !== null) argmax[row] = first;
  putTop(logits, scale, max, logSum, row, columns);
}

/** The first of the greatest logits; -1 when they are no distribution. */
function greatest(logits: Float64Array): number {
  let first = -1;
  let max = Number.NEGATIVE_INFINITY;
  for (let id = 0; id < logits.length; id++) {
    const logit = logits[id] as number;
    if (logit <= max) continue;
    // Not less and not greater: NaN.
    if (!(logit < Number.POSITIVE_INFINITY)) return -1;
    max = logit;
    first = id;
  }
  return first;
}

function sumOfPowers(logits: Float64Array, scale: number, max: number): number {
  let sum = 0;
  for (let id = 0; id < logits.length; id++) sum += Math.exp(scale * ((logits[id] as number) - max));
  return sum;
}

function entropyOf(logits: Float64Array, scale: number, max: number, logSum: number): number {
  let entropy = 0;
  for (let id = 0; id < logits.length; id++) {
    const logprob = scale * ((logits[id] as number) - max) - logSum;
    const probability = Math.exp(logprob);
    // 0 · -Infinity would be NaN.
    if (probability > 0) entropy -= probability * logprob;
  }
  return Math.max(0, entropy);
}

function countAbove(logits: Float64Array, aim: number): number {
  let count = 0;
  for (let id = 0; id < logits.length; id++) if ((logits[id] as number) > aim) count += 1;
  return count;
}

function putTop(
  logits: Float64Array,
  scale: number,
  max: number,
  logSum: number,
  row: number,
  { topIds, topLogprobs, coveredMass, logprob }: OpenColumns,
): void {
  if (topIds === null || topLogprobs === null || coveredMass === null) return;
  const k = topIds.length / logprob.length;
  const ids = topIds.subarray(row * k, (row + 1) * k);
  const found = topTokens(logits, ids);
  let mass = 0;
  for (let place = 0; place < found; place++) {
    const top = scale * ((logits[ids[place] as number] as number) - max) - logSum;
    topLogprobs[row * k + place] = top;
    mass += Math.exp(top);
  }
  coveredMass[row] = Math.min(1, mass);
}
