import { listColumn, numberColumn, placeOf } from "../data/batch-columns.ts";
import type { ListColumn, RolloutBatch } from "../data/columns.ts";
import { logOfPpl } from "../uq/nll.ts";
import { type PerplexityOptions, perplexity } from "../uq/perplexity.ts";
import { FLAG_BIT } from "../uq/perplexity-flags.ts";
import type { TrustSettings } from "./trust-settings.ts";
import { FLAG_SHIFT, TRUST_BIT } from "./trust-status.ts";
import { isSegmentStart, maskLengthError, maskValueError, segmentError } from "./trust-token-errors.ts";

/** Perplexities of the rows of a batch, `(rows)`; NaN = none. */
export interface RowPerplexities {
  readonly ppl: Float64Array;
  readonly nll: Float64Array;
}

/**
 * Perplexity of every response: of its `logprobs`, else the given `ppl`. Adds the flags to `status`.
 *
 * @throws CalibrantError `length-mismatch` or `data` for a mask or segments that do not fit the log-probs.
 */
export function ownPerplexities(
  batch: RolloutBatch,
  settings: TrustSettings,
  status: Uint32Array,
): RowPerplexities {
  const logprobs = listColumn(batch, "logprobs");
  const given = numberColumn(batch, "ppl");
  const options = logprobs === null ? {} : ownOptions(batch, logprobs, settings);
  const { ppl, nll, flags } = listPerplexities(batch, logprobs, {
    ...options,
    sentinels: settings.sentinels,
  });
  for (let row = 0; row < batch.rows; row++) {
    const value = given === null ? Number.NaN : (given[row] as number);
    status[row] = (status[row] as number) | settleOwn(value, flags[row] as number, row, ppl, nll);
  }
  return { ppl, nll };
}

/**
 * Teacher-forced perplexity of every row: the number column `name`, else the list column `listName`. Values that are
 * no perplexity are left out, with their status.
 */
export function referencePerplexities(
  batch: RolloutBatch,
  names: { readonly ppl: string; readonly logprobs?: string },
  settings: TrustSettings,
  status: Uint32Array,
): RowPerplexities {
  const given = numberColumn(batch, names.ppl);
  const logprobs = names.logprobs === undefined ? null : listColumn(batch, names.logprobs);
  const { ppl, nll, flags } = listPerplexities(batch, logprobs, { sentinels: settings.sentinels });
  for (let row = 0; row < batch.rows; row++) {
    const value = given === null ? Number.NaN : (given[row] as number);
    status[row] = (status[row] as number) | settleReference(value, flags[row] as number, row, ppl, nll);
  }
  return { ppl, nll };
}

/**
 * Puts the given perplexity of a response (NaN = none) in place of that of its log-probs when it has none of those;
 * `flags` are what was said of them. Returns the status bits of the row.
 */
export function settleOwn(
  given: number,
  flags: number,
  row: number,
  ppl: Float64Array,
  nll: Float64Array,
): number {
  if (flags !== FLAG_BIT.noLogprobs || Number.isNaN(given)) return flags << FLAG_SHIFT;
  return useGiven(given, row, ppl, nll) ? 0 : TRUST_BIT.badPpl;
}

/** {@link settleOwn} of a reference, whose given perplexity goes first. */
export function settleReference(
  given: number,
  flags: number,
  row: number,
  ppl: Float64Array,
  nll: Float64Array,
): number {
  const isAbsent = (flags & (FLAG_BIT.noLogprobs | FLAG_BIT.empty)) !== 0;
  const used = Number.isNaN(given) ? !Number.isNaN(ppl[row]) || isAbsent : useGiven(given, row, ppl, nll);
  return used ? 0 : TRUST_BIT.badPpl;
}

/** Puts a given perplexity into a row; false, and nothing put, when it is none. */
function useGiven(value: number, row: number, ppl: Float64Array, nll: Float64Array): boolean {
  const log = logOfPpl(value);
  if (Number.isNaN(log)) return false;
  nll[row] = log;
  ppl[row] = Math.max(value, 1);
  return true;
}

function listPerplexities(
  batch: RolloutBatch,
  logprobs: ListColumn | null,
  options: PerplexityOptions,
): RowPerplexities & { readonly flags: Uint16Array } {
  if (logprobs === null) {
    return {
      ppl: new Float64Array(batch.rows).fill(Number.NaN),
      nll: new Float64Array(batch.rows).fill(Number.NaN),
      flags: new Uint16Array(batch.rows).fill(FLAG_BIT.noLogprobs),
    };
  }
  const { values, offsets, valueValid, rowValid } = logprobs;
  return perplexity(values, offsets, {
    ...options,
    ...(valueValid && { valueValid }),
    ...(rowValid && { rowValid }),
  });
}

function ownOptions(batch: RolloutBatch, logprobs: ListColumn, settings: TrustSettings): PerplexityOptions {
  const mask = listColumn(batch, "logprob_mask");
  if (mask !== null) checkMask(batch, mask, logprobs);
  const segments = settings.level === "segment" ? segmentOffsets(batch, logprobs) : null;
  return {
    ...(mask !== null && { mask }),
    ...(segments !== null && { level: "segment", segmentOffsets: segments }),
  };
}

function checkMask(batch: RolloutBatch, mask: ListColumn, logprobs: ListColumn): void {
  for (let row = 0; row < batch.rows; row++) {
    if (mask.rowValid?.[row] === 0 || logprobs.rowValid?.[row] === 0) continue;
    const found = lengthOf(mask, row);
    const expected = lengthOf(logprobs, row);
    if (found !== expected) throw maskLengthError(placeOf(batch, row), row, found, expected);
    checkMaskValues(batch, mask, row);
  }
}

function checkMaskValues(
  batch: RolloutBatch,
  { values, offsets, valueValid }: ListColumn,
  row: number,
): void {
  const end = offsets[row + 1] as number;
  for (let i = offsets[row] as number; i < end; i++) {
    const value = valueValid?.[i] === 0 ? null : (values[i] as number);
    if (value !== 0 && value !== 1) throw maskValueError(placeOf(batch, row), row, value);
  }
}

/** Where segments begin, as positions in the log-probs; the rows' own beginnings need no entry. */
function segmentOffsets(batch: RolloutBatch, logprobs: ListColumn): Int32Array {
  const segments = listColumn(batch, "logprob_segments");
  const found: number[] = [];
  for (let row = 0; segments !== null && row < batch.rows; row++) {
    if (segments.rowValid?.[row] === 0 || logprobs.rowValid?.[row] === 0) continue;
    let last = 0;
    for (let i = segments.offsets[row] as number; i < (segments.offsets[row + 1] as number); i++) {
      const start = segments.values[i] as number;
      if (!isSegmentStart(start, last, lengthOf(logprobs, row)))
        throw segmentError(placeOf(batch, row), row, start);
      last = start;
      found.push((logprobs.offsets[row] as number) + start);
    }
  }
  return Int32Array.from(found);
}

function lengthOf(list: ListColumn, row: number): number {
  return (list.offsets[row + 1] as number) - (list.offsets[row] as number);
}
