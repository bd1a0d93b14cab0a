import { CalibrantError, CalibrantRangeError } from "../errors.ts";
import { BLOCK_ROWS, float64Block } from "../math/float64-block.ts";
import type { BinaryLabels, NumericArray } from "../types.ts";
import { checkLength, throwBadLabel, throwBadWeight } from "./check-rows.ts";

/** What to do with a row whose confidence is NaN. */
export type NanPolicy = "throw" | "exclude";

/** Rows of confidence and correctness, arrays of one length `(n)`. */
export interface ConfidenceRows {
  /** In [0, 1]. */
  readonly confidence: NumericArray;
  /** 0/1 or booleans. */
  readonly correct: BinaryLabels;
  /** Not negative; undefined = every row counts 1. */
  readonly weights?: NumericArray | undefined;
}

/** Some consecutive rows as float64. */
export interface RowBlock {
  /** Index of the block's first row. */
  readonly start: number;
  readonly confidence: Float64Array;
  readonly correct: Float64Array;
  /** Null when every row counts 1. */
  readonly weights: Float64Array | null;
}

/**
 * Adds the rows `from …` of a block and returns the index within the block of the first row that it cannot add (by
 * {@link isUsable}), or the block's length.
 */
export type RowKernel = (block: RowBlock, from: number) => number;

/**
 * Runs a kernel over all rows. A row that it stops at is left out when its confidence is NaN and `nan` says so; every other
 * row that it stops at is an error.
 *
 * @returns the number of rows left out
 * @throws CalibrantRangeError for a confidence outside [0, 1], a NaN one unless excluded, or a bad weight.
 * @throws CalibrantError `data` for a label that is neither 0 nor 1, `length-mismatch` for arrays of unequal length.
 */
export function forConfidenceRows(rows: ConfidenceRows, nan: NanPolicy, kernel: RowKernel): number {
  const { confidence, correct, weights } = rows;
  checkLength("correct", correct, "confidence", confidence.length);
  if (weights !== undefined) checkLength("weights", weights, "confidence", confidence.length);
  const x = new Float64Array(BLOCK_ROWS);
  const y = new Float64Array(BLOCK_ROWS);
  const w = new Float64Array(BLOCK_ROWS);
  let excluded = 0;
  for (let start = 0; start < confidence.length; start += BLOCK_ROWS) {
    const end = Math.min(confidence.length, start + BLOCK_ROWS);
    const block: RowBlock = {
      start,
      confidence: float64Block(confidence, start, end, x),
      correct: float64Block(correct, start, end, y),
      weights: weights === undefined ? null : float64Block(weights, start, end, w),
    };
    for (let at = kernel(block, 0); at < end - start; at = kernel(block, at + 1)) {
      checkRow(rows, start + at, nan);
      excluded++;
    }
  }
  return excluded;
}

/**
 * True for a row that counts: p in [0, 1], y 0 or 1, w finite and not negative. The label is tested by one product, as
 * `y === 0 || y === 1` is a branch that processors guess wrong every other row.
 */
export function isUsable(p: number, y: number, w: number): boolean {
  return p >= 0 && p <= 1 && y * (1 - y) === 0 && w >= 0 && w < Number.POSITIVE_INFINITY;
}

/** Returns when the row is only to be left out; throws for every other reason to stop at it. */
function checkRow(rows: ConfidenceRows, index: number, nan: NanPolicy): void {
  const confidence = rows.confidence[index] as number;
  const label: unknown = rows.correct[index];
  const weight = rows.weights === undefined ? 1 : (rows.weights[index] as number);
  if (!(confidence >= 0 && confidence <= 1) && !(Number.isNaN(confidence) && nan === "exclude")) {
    const wayOut = Number.isNaN(confidence) ? ' (or pass nan: "exclude")' : "";
    const message = `confidence[${index}] must be in [0, 1]${wayOut}, got ${confidence}`;
    throw new CalibrantRangeError("data", message, { index, confidence });
  }
  if (label !== 0 && label !== 1 && typeof label !== "boolean") throwBadLabel("correct", index, label);
  if (!(weight >= 0 && weight < Number.POSITIVE_INFINITY)) throwBadWeight(index, weight);
}

/** Checks what to do with NaN. @throws CalibrantError `option` for another value. */
export function checkNanPolicy(nan: string): void {
  if (nan === "throw" || nan === "exclude") return;
  throw new CalibrantError("option", `nan must be "throw" or "exclude", got ${JSON.stringify(nan)}`, { nan });
}
