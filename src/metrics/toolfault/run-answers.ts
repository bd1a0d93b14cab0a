import { ANSWER_CODES, NO_ANSWER } from "./answer-codes.ts";

/** The answers of one run. */
export interface RunAnswers {
  /** Times that each item was asked. */
  readonly repeats: number;
  /** `(repeats · items)`: the code of the answer to each item, item by item within a repeat. */
  readonly codes: Uint8Array;
  /** `(items · codes)`: how often each item got each answer; null where there are few repeats. */
  readonly counts: Int32Array | null;
}

/** From so many repeats on answers are counted, up to so many items: then the counts are small beside the codes. */
export const COUNTED_REPEATS = 64;
export const COUNTED_ITEMS = 4096;

/** How often each item got each answer. */
export function countAnswers(codes: Uint8Array, items: number): Int32Array<ArrayBuffer> {
  const counts = new Int32Array(items * ANSWER_CODES);
  for (let at = 0; at < codes.length; ) {
    for (let base = 0; base < counts.length; base += ANSWER_CODES, at++) {
      const code = codes[at] as number;
      if (code !== NO_ANSWER) counts[base + code] = (counts[base + code] as number) + 1;
    }
  }
  return counts;
}
