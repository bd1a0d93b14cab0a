import { FLAG_BIT } from "./perplexity-flags.ts";
import type { TokenSum } from "./token-sum.ts";

/** What the segments of a sequence add up to; a sequence that is not divided has one. */
export interface RowTotal extends TokenSum {
  /** Sum of the segments' mean log-probabilities. */
  means: number;
  /** Segments with tokens that counted. */
  segments: number;
}

/** The total of nothing. */
export function emptyTotal(): RowTotal {
  return { n: 0, sum: 0, flags: 0, means: 0, segments: 0 };
}

/** Makes a total that of nothing again. */
export function clearTotal(total: RowTotal): void {
  total.n = total.sum = total.flags = total.means = total.segments = 0;
}

/** Flags that hold for a sequence only if they hold for every segment of it that has tokens. */
const SHARED_FLAGS: number = FLAG_BIT.allZero;

/** Adds a segment. */
export function addSegment(total: RowTotal, segment: TokenSum): void {
  total.flags |= segment.flags & FLAG_BIT.firstNullSkipped;
  if (segment.n === 0) return;
  const shared = total.segments === 0 ? segment.flags : total.flags & segment.flags;
  total.flags = ((total.flags | segment.flags) & ~SHARED_FLAGS) | (shared & SHARED_FLAGS);
  total.n += segment.n;
  total.sum += segment.sum;
  total.means += segment.sum / segment.n;
  total.segments += 1;
}

/** Mean -ln p of a total; NaN without a segment. */
export function nllOf(total: RowTotal): number {
  // 0 - 0 is 0, where -0 would print as such.
  return total.segments === 0 ? Number.NaN : 0 - total.means / total.segments;
}

/** The flags of a total whose {@link nllOf} is `nll`. */
export function flagsOf(total: RowTotal, nll: number): number {
  if (total.segments === 0)
    return (total.flags & FLAG_BIT.noLogprobs) === 0 ? total.flags | FLAG_BIT.empty : total.flags;
  const overflows = Math.exp(nll) === Number.POSITIVE_INFINITY && nll < Number.POSITIVE_INFINITY;
  return overflows ? total.flags | FLAG_BIT.overflow : total.flags;
}
