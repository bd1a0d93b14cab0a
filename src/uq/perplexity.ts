import { CalibrantError } from "../errors.ts";
import type { NumericArray } from "../types.ts";
import { checkOffsets, checkRow, checkSegments } from "./check-offsets.ts";
import { FLAG_BIT } from "./perplexity-flags.ts";
import { addSegment, clearTotal, emptyTotal, flagsOf, nllOf, type RowTotal } from "./row-total.ts";
import { readSentinels, type Sentinels, sumTokens, type TokenRange, type TokenSum } from "./token-sum.ts";
import { readTokenMask, readTokenValues, type TokenMask, type TokenValues } from "./token-values.ts";

/** A mask with offsets of its own: row i is `values[offsets[i]] … values[offsets[i + 1] - 1]`. */
export interface RaggedMask {
  readonly values: NumericArray | readonly boolean[];
  readonly offsets: Int32Array;
  /** 0 where a row has no mask (all its tokens count); absent = every row has one. */
  readonly rowValid?: Uint8Array;
  /** 0 where an element is null, which is an error; absent = none is. */
  readonly valueValid?: Uint8Array;
}

/** How {@link perplexity} reads log-probabilities. */
export interface PerplexityOptions {
  /**
   * What the rows are. In a `"prompt"` a null at the first position of a row is skipped: servers send it because
   * nothing predicts the first token. Default `"completion"`.
   */
  readonly kind?: "completion" | "prompt";
  /** 1 or true = a token that counts; indexed like the values, or ragged with its own offsets. Default: all count. */
  readonly mask?: NumericArray | readonly boolean[] | RaggedMask;
  /** 0 where an element of a typed array is null. */
  readonly valueValid?: Uint8Array;
  /** 0 where the list of a row is missing. */
  readonly rowValid?: Uint8Array;
  /** Ids of the same tokens; only their number is checked. */
  readonly tokenIds?: { readonly length: number };
  /** Values that stand for probability 0, compared exactly. Default {@link DEFAULT_SENTINELS}. */
  readonly sentinels?: readonly number[];
  /** `"segment"` averages inside each segment first (TRUST Eq. 3 as written). Default `"token"`. */
  readonly level?: "token" | "segment";
  /**
   * For `"segment"`: ascending positions in the values at which a segment begins. The beginning of a row always
   * begins one.
   */
  readonly segmentOffsets?: Int32Array;
}

/** Perplexities of rows, by column, `(rows)` each. */
export interface PerplexityColumns {
  /** Tokens that counted: selected by the mask, without a skipped first null. */
  readonly n: Int32Array;
  /** Σ ln p in nats, ≤ 0; NaN where there is none, -Infinity for probability 0. */
  readonly sumLogprob: Float64Array;
  /** -mean ln p in nats, ≥ 0; NaN where there is none. */
  readonly nll: Float64Array;
  /** e^nll, ≥ 1; NaN where there is none. */
  readonly ppl: Float64Array;
  /** Bits of PERPLEXITY_FLAGS; 0 = nothing to say. */
  readonly flags: Uint16Array;
}

/** What inference servers send in place of -Infinity: vLLM's clamp, a common mask value, the float16 minimum. */
export const DEFAULT_SENTINELS: readonly number[] = [-9999, -1e9, -65504];

/**
 * Sequence perplexity of every row of a ragged array: PPL = exp(−mean ln p) over its tokens (TRUST Eq. 3).
 *
 * Sums are compensated and in float64 whatever the storage type. Tokens are masked by selection: a masked value is
 * not even looked at. What cannot be scored is NaN with a flag (see PERPLEXITY_FLAGS), never 0 or 1. With several
 * odd values in one row, one that is no log-probability (null, NaN, positive) decides over an infinite one.
 *
 * With `level: "segment"`, nll is the mean over segments of each segment's mean −ln p, so that a long segment weighs
 * as much as a short one: Eq. 3 averages over the sequences z(j) of a response, whose p is already a mean over
 * tokens. Segments without a counted token are left out; `n` and `sumLogprob` still count tokens.
 *
 * @param logprobs natural-log probabilities of all rows, one after the other; null = missing. Float32Array and
 *   Float64Array are read in place
 * @param offsets `(rows + 1)`, ascending: row i is `logprobs[offsets[i]] … logprobs[offsets[i + 1] - 1]`. They need
 *   not start at 0
 * @throws CalibrantError `length-mismatch` when offsets, mask, token ids or segments do not fit the values; `data`
 *   for offsets that fall, or an element that is no number; `option` for an unknown level or a missing
 *   `segmentOffsets`.
 *
 * @example
 * ```ts
 * import { perplexity } from "calibrant/uq";
 * const { n, ppl } = perplexity(Float32Array.of(-1, -3, -0.5), Int32Array.of(0, 2, 3));
 * console.log(n, ppl); // Int32Array(2) [ 2, 1 ] Float64Array(2) [ 7.38905609893065, 1.6487212707001282 ]
 * ```
 */
export function perplexity(
  logprobs: NumericArray | readonly (number | null)[],
  offsets: Int32Array,
  options: PerplexityOptions = {},
): PerplexityColumns {
  const reader = createReader(logprobs, offsets, options);
  const rows = offsets.length - 1;
  const columns: PerplexityColumns = {
    n: new Int32Array(rows),
    sumLogprob: new Float64Array(rows),
    nll: new Float64Array(rows),
    ppl: new Float64Array(rows),
    flags: new Uint16Array(rows),
  };
  const total = emptyTotal();
  for (let row = 0; row < rows; row++) {
    readRow(reader, row, total);
    storeRow(columns, row, total);
  }
  return columns;
}

interface Reader {
  readonly input: TokenValues;
  readonly offsets: Int32Array;
  readonly rowValid: Uint8Array | undefined;
  readonly mask: TokenMask | null;
  readonly maskRows: RaggedMask | null;
  readonly sentinels: Sentinels;
  readonly segments: Int32Array | null;
  readonly range: TokenRange;
  readonly sum: TokenSum;
  readonly prompt: boolean;
  /** The first segment offset that has not been passed yet. */
  segment: number;
}

function createReader(
  logprobs: NumericArray | readonly (number | null)[],
  offsets: Int32Array,
  options: PerplexityOptions,
): Reader {
  const { kind = "completion", mask, level = "token", sentinels = DEFAULT_SENTINELS, tokenIds } = options;
  checkOffsets("logprobs", offsets, logprobs.length);
  if (tokenIds !== undefined && tokenIds.length !== logprobs.length) {
    throw mismatch("tokenIds", tokenIds.length, logprobs.length);
  }
  if (kind !== "completion" && kind !== "prompt") throw badOption("kind", "completion or prompt", kind);
  const ragged = mask !== undefined && "offsets" in mask ? mask : null;
  return {
    input: readTokenValues(logprobs, options.valueValid),
    offsets,
    rowValid: options.rowValid,
    mask: mask === undefined ? null : readMask(mask, offsets, logprobs.length),
    maskRows: ragged,
    sentinels: readSentinels(sentinels),
    segments: readSegments(level, options.segmentOffsets),
    range: { start: 0, end: 0, mask: null, maskShift: 0, firstNull: false },
    sum: { n: 0, sum: 0, flags: 0 },
    prompt: kind === "prompt",
    segment: 0,
  };
}

function readMask(
  mask: NonNullable<PerplexityOptions["mask"]>,
  offsets: Int32Array,
  length: number,
): TokenMask {
  if (!("offsets" in mask)) {
    if (mask.length !== length) throw mismatch("mask", mask.length, length);
    return readTokenMask(mask, offsets[0] as number, offsets[offsets.length - 1] as number);
  }
  if (mask.offsets.length !== offsets.length) {
    throw mismatch("mask rows", mask.offsets.length - 1, offsets.length - 1);
  }
  checkOffsets("mask", mask.offsets, mask.values.length);
  const from = mask.offsets[0] as number;
  const to = mask.offsets[mask.offsets.length - 1] as number;
  return readTokenMask(mask.values, from, to, mask.valueValid);
}

function readSegments(level: string, segmentOffsets: Int32Array | undefined): Int32Array | null {
  if (level === "token") return null;
  if (level !== "segment") throw badOption("level", "token or segment", level);
  if (segmentOffsets === undefined) {
    throw new CalibrantError(
      "option",
      'level "segment" needs segmentOffsets, the positions at which segments begin',
    );
  }
  checkSegments(segmentOffsets);
  return segmentOffsets;
}

function readRow(reader: Reader, row: number, total: RowTotal): void {
  clearTotal(total);
  if (reader.rowValid !== undefined && reader.rowValid[row] === 0) {
    total.flags = FLAG_BIT.noLogprobs;
    return;
  }
  const { range, segments, sum } = reader;
  const rowStart = reader.offsets[row] as number;
  const rowEnd = reader.offsets[row + 1] as number;
  selectMask(reader, row, rowStart, rowEnd);
  let start = rowStart;
  do {
    const end = segments === null ? rowEnd : segmentEnd(reader, segments, start, rowEnd);
    range.start = start;
    range.end = end;
    range.firstNull = reader.prompt && start === rowStart;
    sumTokens(reader.input, range, reader.sentinels, sum);
    addSegment(total, sum);
    start = end;
  } while (start < rowEnd);
}

function selectMask(reader: Reader, row: number, rowStart: number, rowEnd: number): void {
  const { range, mask, maskRows } = reader;
  range.mask = null;
  if (mask === null || (maskRows?.rowValid !== undefined && maskRows.rowValid[row] === 0)) return;
  range.mask = mask.bits;
  range.maskShift = -mask.shift;
  if (maskRows === null) return;
  const maskStart = maskRows.offsets[row] as number;
  checkRow("mask", row, (maskRows.offsets[row + 1] as number) - maskStart, rowEnd - rowStart);
  range.maskShift += maskStart - rowStart;
}

function segmentEnd(reader: Reader, segments: Int32Array, start: number, rowEnd: number): number {
  while (reader.segment < segments.length && (segments[reader.segment] as number) <= start)
    reader.segment += 1;
  return Math.min(reader.segment < segments.length ? (segments[reader.segment] as number) : rowEnd, rowEnd);
}

function storeRow(columns: PerplexityColumns, row: number, total: RowTotal): void {
  const nll = nllOf(total);
  columns.n[row] = total.n;
  columns.sumLogprob[row] = total.segments === 0 ? Number.NaN : total.sum;
  columns.nll[row] = nll;
  columns.ppl[row] = Math.exp(nll);
  columns.flags[row] = flagsOf(total, nll);
}

function mismatch(name: string, found: number, expected: number): CalibrantError {
  return new CalibrantError(
    "length-mismatch",
    `${name} must number ${expected}, one for each of the log-probs; got ${found}`,
    {
      name,
      found,
      expected,
    },
  );
}

function badOption(name: string, expected: string, found: string): CalibrantError {
  return new CalibrantError("option", `${name} must be ${expected}, got ${found}`, { [name]: found });
}
