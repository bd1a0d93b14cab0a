import { CalibrantError } from "../errors.ts";
import { BLOCK_ROWS, float64Block } from "../math/float64-block.ts";
import type { BinaryLabels, NumericArray } from "../types.ts";
import { checkedWeights, checkLength } from "./check-rows.ts";

/** Options of {@link confusionMatrix}; `labels` or `classes`, not both. */
export interface ConfusionOptions {
  /** The class codes in the order of the matrix, distinct whole numbers from 0. */
  readonly labels?: readonly number[];
  /** Number of classes: the codes 0 … classes − 1. Default: one more than the largest code that occurs, up to 4096. */
  readonly classes?: number;
  /** `(n)`, finite and not negative; a row of weight k counts as k equal rows. */
  readonly weights?: NumericArray;
}

/** Counts of rows by true and predicted class. */
export interface ConfusionMatrix {
  /** The class codes, `(c)`. */
  readonly labels: readonly number[];
  /** Row-major `(c · c)`: entry `t · c + p` counts rows of true class t predicted as p, weights included. */
  readonly counts: Float64Array;
  /** Rows of each true class without a prediction (code −1), `(c)`, weights included: misses of that class. */
  readonly missing: Float64Array;
  /** Rows counted, those without a prediction too, weights included. */
  readonly total: number;
  /** Number of rows left out because their true class is −1. */
  readonly excluded: number;
}

/** The code of a missing or unreadable prediction, or of an unknown truth. */
const MISSING = -1;
/** Stands for every value that is no code. */
const UNKNOWN = -2;
/** The matrix has a square of cells. */
const MAX_CLASSES = 4096;
/** Codes of `labels` are looked up in a table. */
const MAX_CODE = 1 << 20;
/** Room to begin with where the number of classes is to be found. */
const FIRST_WIDTH = 32;

/**
 * Confusion matrix over class codes, one pass, O(n + classes²).
 *
 * A prediction of −1 means that there is none (an answer that could not be read): it is counted apart in `missing`, as a
 * miss of the true class and a false alarm of no other. A true class of −1 leaves the row out and is counted in
 * `excluded`.
 *
 * @param truth `(n)`, class codes from 0, or −1; booleans are 0 and 1
 * @param predicted `(n)`, class codes from 0, or −1
 * @throws CalibrantError `data` for a code that is no class, naming its index; `length-mismatch`; `option`.
 * @throws CalibrantRangeError for a bad weight.
 *
 * @example
 * ```ts
 * import { confusionMatrix } from "calibrant/metrics";
 * const matrix = confusionMatrix([0, 0, 1, 1], [0, 1, 1, -1]);
 * console.log([...matrix.counts], [...matrix.missing], matrix.total); // [ 1, 1, 0, 1 ] [ 0, 1 ] 4
 * ```
 */
export function confusionMatrix(
  truth: BinaryLabels,
  predicted: BinaryLabels,
  options: ConfusionOptions = {},
): ConfusionMatrix {
  checkLength("predicted", predicted, "truth", truth.length);
  const weights = checkedWeights(options.weights, "truth", truth.length);
  const labels = classLabels(options);
  const table = options.labels === undefined ? null : positionOfCode(options.labels);
  const scratch: Scratch = [new Int32Array(BLOCK_ROWS), new Int32Array(BLOCK_ROWS)];
  let cells = emptyCells(labels === null ? FIRST_WIDTH : labels.length + 1, weights !== null);
  let excluded = 0;
  for (let start = 0; start < truth.length; start += BLOCK_ROWS) {
    const end = Math.min(truth.length, start + BLOCK_ROWS);
    const rows = positionBlock(truth, start, end, scratch[0], table);
    const columns = positionBlock(predicted, start, end, scratch[1], table);
    const w = weights === null ? null : weights.subarray(start, end);
    for (let at = addRows(cells, rows, columns, w, 0); at < rows.length; ) {
      const row = rows[at] as number;
      const column = columns[at] as number;
      const limit = labels?.length ?? MAX_CLASSES;
      if (row < MISSING || row >= limit) throwBadCode("truth", truth, start + at);
      if (column < MISSING || column >= limit) throwBadCode("predicted", predicted, start + at);
      cells = widerCells(cells, Math.max(row, column) + 2);
      at = addRows(cells, rows, columns, w, at);
    }
    for (let i = 0; i < rows.length; i++) if (rows[i] === MISSING) excluded += 1;
  }
  return matrixOfCells(cells, labels ?? codesBelow(classesFound(cells)), excluded);
}

type Scratch = readonly [Int32Array, Int32Array];

/**
 * Four squares of cells by turns, of `width` = classes + 1: the first row and column stand for −1. A row often meets the
 * cell of the one before it, and in a single square it would wait for that addition.
 */
interface Cells {
  readonly width: number;
  /** Cell (row, column) of square s at `4 · (row · width + column) + s`. Whole rows are counted in integers, which is faster. */
  readonly sums: Float64Array | Int32Array;
}

function emptyCells(width: number, weighted: boolean): Cells {
  const size = 4 * width * width;
  return { width, sums: weighted ? new Float64Array(size) : new Int32Array(size) };
}

/** The same cells with room for at least `width`. */
function widerCells(cells: Cells, width: number): Cells {
  const wider = emptyCells(
    Math.max(width, Math.min(2 * cells.width, MAX_CLASSES + 1)),
    cells.sums instanceof Float64Array,
  );
  for (let row = 0; row < cells.width; row++) {
    const from = 4 * row * cells.width;
    wider.sums.set(cells.sums.subarray(from, from + 4 * cells.width), 4 * row * wider.width);
  }
  return wider;
}

/** Adds the rows `from …` and returns the index of the first one outside the cells, or the number of rows. */
function addRows(
  { width, sums }: Cells,
  truth: Int32Array,
  predicted: Int32Array,
  weights: Float64Array | null,
  from: number,
): number {
  if (weights === null) return countRows(sums as Int32Array, width, truth, predicted, from);
  for (let i = from; i < truth.length; i++) {
    const row = (truth[i] as number) + 1;
    const column = (predicted[i] as number) + 1;
    // Negative numbers are large as unsigned ones.
    if (row >>> 0 >= width || column >>> 0 >= width) return i;
    const at = 4 * (row * width + column) + (i & 3);
    sums[at] = (sums[at] as number) + (weights[i] as number);
  }
  return truth.length;
}

/**
 * {@link addRows} without weights, twice as fast: everything stays a 32-bit integer (`| 0`). A cell holds 2^31 rows of every
 * fourth, more than an array has.
 */
function countRows(
  counts: Int32Array,
  width: number,
  truth: Int32Array,
  predicted: Int32Array,
  from: number,
): number {
  for (let i = from; i < truth.length; i++) {
    const row = ((truth[i] as number) + 1) | 0;
    const column = ((predicted[i] as number) + 1) | 0;
    if (row >>> 0 >= width || column >>> 0 >= width) return i;
    const at = (((Math.imul(row, width) + column) | 0) << 2) | (i & 3);
    counts[at] = ((counts[at] as number) + 1) | 0;
  }
  return truth.length;
}

function cellAt({ width, sums }: Cells, row: number, column: number): number {
  const at = 4 * (row * width + column);
  const [a = 0, b = 0, c = 0, d = 0] = sums.subarray(at, at + 4);
  return a + b + c + d;
}

/** One more than the largest code with rows of any weight. */
function classesFound(cells: Cells): number {
  for (let k = cells.width - 1; k > 0; k--) {
    for (let other = 0; other <= k; other++) {
      if (cellAt(cells, k, other) > 0 || cellAt(cells, other, k) > 0) return k;
    }
  }
  return 0;
}

function matrixOfCells(cells: Cells, labels: readonly number[], excluded: number): ConfusionMatrix {
  const c = labels.length;
  const counts = new Float64Array(c * c);
  const missing = new Float64Array(c);
  let total = 0;
  for (let t = 0; t < c; t++) {
    missing[t] = cellAt(cells, t + 1, 0);
    total += missing[t] as number;
    for (let p = 0; p < c; p++) {
      const count = cellAt(cells, t + 1, p + 1);
      counts[t * c + p] = count;
      total += count;
    }
  }
  return { labels, counts, missing, total, excluded };
}

/** Position of each code + 1; −1 for −1, {@link UNKNOWN} for codes that are no class. */
function positionOfCode(labels: readonly number[]): Int32Array {
  const largest = labels.reduce((max, label) => Math.max(max, label), MISSING);
  const positions = new Int32Array(largest + 2).fill(UNKNOWN);
  positions[0] = MISSING;
  labels.forEach((label, position) => {
    positions[label + 1] = position;
  });
  return positions;
}

/** The positions of the codes `start … end` in the matrix: by the table, or the codes themselves without one. */
function positionBlock(
  values: BinaryLabels,
  start: number,
  end: number,
  scratch: Int32Array,
  table: Int32Array | null,
): Int32Array {
  const codes = codeBlock(values, start, end, scratch);
  if (table === null) return codes;
  const positions = scratch.subarray(0, codes.length);
  for (let i = 0; i < codes.length; i++) positions[i] = table[(codes[i] as number) + 1] ?? UNKNOWN;
  return positions;
}

/** Codes `start … end` as int32: a view where they are int32 already, else a copy; a value that is no whole number is −2. */
function codeBlock(values: BinaryLabels, start: number, end: number, scratch: Int32Array): Int32Array {
  if (values instanceof Int32Array) return values.subarray(start, end);
  const block = scratch.subarray(0, end - start);
  if (isNarrowInteger(values)) {
    block.set(values.subarray(start, end));
    return block;
  }
  const floats = float64Block(values, start, end, new Float64Array(end - start));
  for (let i = 0; i < block.length; i++) {
    const code = floats[i] as number;
    block[i] = Number.isInteger(code) && code <= MAX_CODE && code >= MISSING ? code : UNKNOWN;
  }
  return block;
}

function isNarrowInteger(values: BinaryLabels): values is Int16Array | Int8Array | Uint16Array | Uint8Array {
  return (
    values instanceof Uint8Array ||
    values instanceof Int8Array ||
    values instanceof Uint16Array ||
    values instanceof Int16Array
  );
}

/** The codes in the order of the matrix; null when they are to be found. */
function classLabels({ labels, classes }: ConfusionOptions): readonly number[] | null {
  if (labels !== undefined) {
    if (classes !== undefined) throw new CalibrantError("option", "pass labels or classes, got both");
    checkLabels(labels);
    return [...labels];
  }
  if (classes === undefined) return null;
  if (Number.isInteger(classes) && classes >= 1 && classes <= MAX_CLASSES) return codesBelow(classes);
  const message = `classes must be a whole number from 1 to ${MAX_CLASSES}, got ${classes}`;
  throw new CalibrantError("option", message, { classes });
}

function checkLabels(labels: readonly number[]): void {
  if (labels.length > MAX_CLASSES) {
    const message = `labels must be at most ${MAX_CLASSES} codes, got ${labels.length}`;
    throw new CalibrantError("option", message, { labels: labels.length });
  }
  const seen = new Set<number>();
  for (const label of labels) {
    if (!(Number.isInteger(label) && label >= 0 && label <= MAX_CODE) || seen.has(label)) {
      const message = `labels must be distinct whole numbers from 0 to ${MAX_CODE}, got ${label}`;
      throw new CalibrantError("option", message, { label });
    }
    seen.add(label);
  }
}

function codesBelow(classes: number): number[] {
  return Array.from({ length: classes }, (_, code) => code);
}

function throwBadCode(name: string, codes: BinaryLabels, index: number): never {
  const message = `${name}[${index}] must be a class code or -1 for none, got ${codes[index]}`;
  throw new CalibrantError("data", message, { index, code: codes[index] });
}
