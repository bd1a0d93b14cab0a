import type { ListColumn, RolloutBatch } from "../data/columns.ts";
import { CalibrantError } from "../errors.ts";
import { logOfPpl } from "../uq/nll.ts";
import { type PerplexityOptions, perplexity } from "../uq/perplexity.ts";
import { FLAG_BIT } from "../uq/perplexity-flags.ts";
import { listColumn, numberColumn, placeOf } from "./batch-columns.ts";
import type { TrustSettings } from "./trust-settings.ts";
import { FLAG_SHIFT, TRUST_BIT } from "./trust-status.ts";

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
    let bits = (flags[row] as number) << FLAG_SHIFT;
    if ((flags[row] as number) === FLAG_BIT.noLogprobs && !Number.isNaN(value)) {
      bits = useGiven(value, row, ppl, nll) ? 0 : TRUST_BIT.badPpl;
    }
    status[row] = (status[row] as number) | bits;
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
  const absent = FLAG_BIT.noLogprobs | FLAG_BIT.empty;
  for (let row = 0; row < batch.rows; row++) {
    const value = given === null ? Number.NaN : (given[row] as number);
    const used = Number.isNaN(value)
      ? !Number.isNaN(ppl[row]) || ((flags[row] as number) & absent) !== 0
      : useGiven(value, row, ppl, nll);
    if (!used) status[row] = (status[row] as number) | TRUST_BIT.badPpl;
  }
  return { ppl, nll };
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
    if (found !== expected) {
      throw new CalibrantError(
        "length-mismatch",
        `${placeOf(batch, row)}: column logprob_mask: must be as long as logprobs, ${expected}; got ${found}`,
        { row, found, expected },
      );
    }
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
    if (value === 0 || value === 1) continue;
    throw new CalibrantError(
      "data",
      `${placeOf(batch, row)}: column logprob_mask: must hold 0 and 1 (or false and true), got ${value}`,
      { row, value },
    );
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
      if (!Number.isInteger(start) || start < last || start > lengthOf(logprobs, row)) {
        throw new CalibrantError(
          "data",
          `${placeOf(batch, row)}: column logprob_segments: must be ascending tokens of the row, got ${start}`,
          { row, start },
        );
      }
      last = start;
      found.push((logprobs.offsets[row] as number) + start);
    }
  }
  return Int32Array.from(found);
}

function lengthOf(list: ListColumn, row: number): number {
  return (list.offsets[row + 1] as number) - (list.offsets[row] as number);
}
