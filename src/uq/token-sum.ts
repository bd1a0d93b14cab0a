import { FLAG_BIT } from "./perplexity-flags.ts";
import type { TokenValues } from "./token-values.ts";

/** Log-probabilities above 0 up to this are rounding and count as 0; larger ones are no log-probabilities. */
export const POSITIVE_TOLERANCE: number = 1e-3;

/** One range of tokens to sum: which values, which of them, and how to read them. */
export interface TokenRange {
  start: number;
  end: number;
  /** 0 leaves a token out; null = all are in. Token i is read at `i + maskShift`. */
  mask: Uint8Array | Int8Array | null;
  maskShift: number;
  /** Whether a null at `start` is the entry that servers send for the first token of a prompt. */
  firstNull: boolean;
}

/** What a range adds up to. `sum` is NaN, or -Infinity, where a flag says so, and NaN for an empty range. */
export interface TokenSum {
  n: number;
  sum: number;
  flags: number;
}

/** Values that servers send for probability 0, and the bound above which none of them lies. */
export interface Sentinels {
  readonly values: readonly number[];
  readonly bound: number;
}

/** Prepares a list of sentinels for {@link sumTokens}. */
export function readSentinels(values: readonly number[]): Sentinels {
  let bound = Number.NEGATIVE_INFINITY;
  for (const value of values) bound = Math.max(bound, value);
  return { values, bound };
}

/**
 * Sums the selected log-probabilities of a range into `out`, compensated (see compensatedSum in math).
 *
 * The plain loops give up, with a NaN, at the first value outside (bound, 0]; the careful loop then starts over and
 * says what was odd. All of them add the same values in the same order, so their sums are identical.
 */
export function sumTokens(input: TokenValues, range: TokenRange, sentinels: Sentinels, out: TokenSum): void {
  out.n = range.end - range.start;
  out.flags = 0;
  if (input.valid !== undefined && hasNull(input.valid, range)) out.sum = Number.NaN;
  else if (range.mask === null) out.sum = plainSum(input.values, range.start, range.end, sentinels.bound);
  else maskedSum(input.values, range, range.mask, sentinels.bound, out);
  if (Number.isNaN(out.sum)) carefulSum(input, range, sentinels, out);
  else if (out.n === 0) setEmpty(out);
  else if (out.sum === 0) out.flags = FLAG_BIT.allZero;
}

function hasNull(valid: Uint8Array, { start, end }: TokenRange): boolean {
  for (let i = start; i < end; i++) if (valid[i] === 0) return true;
  return false;
}

function setEmpty(out: TokenSum): void {
  out.flags |= FLAG_BIT.empty;
  out.sum = Number.NaN;
}

function plainSum(values: Float32Array | Float64Array, start: number, end: number, bound: number): number {
  let sum = 0;
  let error = 0;
  for (let i = start; i < end; i++) {
    const x = values[i] as number;
    if (!(x <= 0 && x > bound)) return Number.NaN;
    const total = sum + x;
    const rounded = total - sum;
    error += sum - (total - rounded) + (x - rounded);
    sum = total;
  }
  return sum + error;
}

/** Counts as well: a pass of its own over the mask would cost as much again. */
function maskedSum(
  values: Float32Array | Float64Array,
  { start, end, maskShift }: TokenRange,
  mask: Uint8Array | Int8Array,
  bound: number,
  out: TokenSum,
): void {
  let n = 0;
  let sum = 0;
  let error = 0;
  out.sum = Number.NaN;
  for (let i = start; i < end; i++) {
    if (mask[i + maskShift] === 0) continue;
    const x = values[i] as number;
    if (!(x <= 0 && x > bound)) return;
    n += 1;
    const total = sum + x;
    const rounded = total - sum;
    error += sum - (total - rounded) + (x - rounded);
    sum = total;
  }
  out.n = n;
  out.sum = sum + error;
}

function carefulSum(input: TokenValues, range: TokenRange, sentinels: Sentinels, out: TokenSum): void {
  const { values, valid } = input;
  const { start, end, mask, maskShift } = range;
  let n = 0;
  let flags = 0;
  let sum = 0;
  let error = 0;
  let allZero = true;
  for (let i = start; i < end; i++) {
    if (mask !== null && mask[i + maskShift] === 0) continue;
    const isNull = valid !== undefined && valid[i] === 0;
    if (isNull && i === start && range.firstNull) {
      flags |= FLAG_BIT.firstNullSkipped;
      continue;
    }
    n += 1;
    const x = values[i] as number;
    const usual = x <= 0 && x > sentinels.bound;
    const flag = isNull ? FLAG_BIT.null : usual ? 0 : oddity(x, sentinels.values);
    flags |= flag;
    if (x !== 0) allZero = false;
    if (flag !== 0) continue;
    const total = sum + x;
    const rounded = total - sum;
    error += sum - (total - rounded) + (x - rounded);
    sum = total;
  }
  if (n > 0 && allZero && (flags & IMPOSSIBLE) === 0) flags |= FLAG_BIT.allZero;
  out.n = n;
  out.flags = flags;
  out.sum = resolve(Number.isFinite(sum) ? sum + error : sum, flags);
  if (n === 0) setEmpty(out);
}

const IMPOSSIBLE: number = FLAG_BIT.null | FLAG_BIT.nan | FLAG_BIT.positive;
const INFINITE: number = FLAG_BIT.negInf | FLAG_BIT.sentinel;

function oddity(x: number, sentinels: readonly number[]): number {
  if (sentinels.includes(x)) return FLAG_BIT.sentinel;
  if (x <= 0) return x === Number.NEGATIVE_INFINITY ? FLAG_BIT.negInf : 0;
  if (Number.isNaN(x)) return FLAG_BIT.nan;
  return x > POSITIVE_TOLERANCE ? FLAG_BIT.positive : FLAG_BIT.clampedPositive;
}

/** A value that is no log-probability decides over one that is infinite: the row cannot be trusted at all. */
function resolve(sum: number, flags: number): number {
  if ((flags & IMPOSSIBLE) !== 0) return Number.NaN;
  return (flags & INFINITE) !== 0 ? Number.NEGATIVE_INFINITY : sum;
}
