import { addSegment, clearTotal, emptyTotal, flagsOf, nllOf, type RowTotal } from "./row-total.ts";
import { readSentinels, type Sentinels, sumTokens, type TokenRange, type TokenSum } from "./token-sum.ts";
import type { TokenValues } from "./token-values.ts";

/** Reads lists that lie apart, each where it lies; the numbers are those of `perplexity`. */
export interface ListReader {
  readonly sentinels: Sentinels;
  readonly range: TokenRange;
  readonly sum: TokenSum;
  readonly total: RowTotal;
  /** Of the list that was read last: mean -ln p, NaN where there is none, and bits of PERPLEXITY_FLAGS. */
  nll: number;
  flags: number;
}

/** @param sentinels values that stand for probability 0 */
export function createListReader(sentinels: readonly number[]): ListReader {
  return {
    sentinels: readSentinels(sentinels),
    range: { start: 0, end: 0, mask: null, maskShift: 0, firstNull: false },
    sum: { n: 0, sum: 0, flags: 0 },
    total: emptyTotal(),
    nll: Number.NaN,
    flags: 0,
  };
}

/**
 * Reads one list into `nll` and `flags` of the reader.
 *
 * @param mask as long as the values, 0 = leave out; null = all count
 * @param segments ascending tokens at which segments begin; null = one segment
 */
export function readList(
  reader: ListReader,
  input: TokenValues,
  mask: Uint8Array | Int8Array | null,
  segments: Int32Array | null,
): void {
  const { range, sum, total } = reader;
  const { length } = input.values;
  clearTotal(total);
  range.mask = mask;
  range.end = 0;
  for (let next = 0; segments !== null && next < segments.length; next++) {
    range.start = range.end;
    range.end = segments[next] as number;
    sumTokens(input, range, reader.sentinels, sum);
    addSegment(total, sum);
  }
  range.start = range.end;
  range.end = length;
  sumTokens(input, range, reader.sentinels, sum);
  addSegment(total, sum);
  reader.nll = nllOf(total);
  reader.flags = flagsOf(total, reader.nll);
}
