/** The scores of each class, in row order, of the width of the input. */
export interface ClassSamples {
  readonly positive: Float64Array | Float32Array;
  readonly negative: Float64Array | Float32Array;
}

/**
 * Splits scores `(n)` by label `(n)` of 0 and 1. Two sorts of the parts and a merge then rank the rows without moving
 * labels along.
 */
export function classSamples(scores: Float64Array | Float32Array, labels: Uint8Array): ClassSamples {
  let positives = 0;
  for (let i = 0; i < labels.length; i++) positives += labels[i] as number;
  const Floats = scores instanceof Float32Array ? Float32Array : Float64Array;
  // Every score is written to both sides and only one side moves on: a branch on the label is guessed wrong too often.
  const positive = new Floats(positives + 1);
  const negative = new Floats(labels.length - positives + 1);
  let p = 0;
  let n = 0;
  for (let i = 0; i < labels.length; i++) {
    const score = scores[i] as number;
    const label = labels[i] as number;
    positive[p] = score;
    negative[n] = score;
    p += label;
    n += 1 - label;
  }
  return { positive: positive.subarray(0, p), negative: negative.subarray(0, n) };
}
