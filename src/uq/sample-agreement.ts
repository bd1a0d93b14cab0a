import { CalibrantError } from "../errors.ts";
import type { NumericArray } from "../types.ts";

/** How far the sampled decisions of each group agree; one entry a group in every array. */
export interface SampleAgreement {
  /** Decisions that count, `(groups)`. */
  readonly n: Int32Array;
  /** Rows of the group without a decision (code -1 or NaN), `(groups)`. */
  readonly missing: Int32Array;
  /** Different decisions, `(groups)`. */
  readonly distinct: Int32Array;
  /** The most frequent code, the smallest of equals; -1 without a decision, `(groups)`. */
  readonly majority: Int32Array;
  /** Share of the majority among the decisions, in (0, 1]; NaN without a decision, `(groups)`. */
  readonly agreement: Float64Array;
  /** Entropy of the decisions in nats, in [0, ln n]; NaN without a decision, `(groups)`. */
  readonly entropy: Float64Array;
}

/**
 * Uncertainty from sampling: how far the rollouts of a group (one prompt, sampled several times) agree on what to do. The
 * agreement is the self-consistency of Wang et al. 2023, the entropy that of the empirical distribution of the decisions
 * (no correction for few samples: with n samples it is at most ln n).
 *
 * @param codes decision of each row, whole numbers from 0, as of actions; -1 or NaN = missing, left out and counted, `(n)`
 * @param groups group of each row, whole numbers from 0; -1 or NaN = in no group, `(n)`
 * @returns arrays with one entry for each group from 0 to the largest
 * @throws CalibrantError `length-mismatch`; `data` for a code that is no whole number below 2^31.
 *
 * @example
 * ```ts
 * import { sampleAgreement } from "calibrant/uq";
 * const { majority, agreement } = sampleAgreement([1, 1, 3, 1, 0, -1], [0, 0, 0, 0, 1, 1]);
 * console.log(majority, agreement); // Int32Array(2) [ 1, 0 ] Float64Array(2) [ 0.75, 1 ]
 * ```
 */
export function sampleAgreement(codes: NumericArray, groups: NumericArray): SampleAgreement {
  const { starts, sorted, missing } = groupedCodes(codes, groups);
  const count = starts.length - 1;
  const result = {
    n: new Int32Array(count),
    missing,
    distinct: new Int32Array(count),
    majority: new Int32Array(count).fill(-1),
    agreement: new Float64Array(count).fill(Number.NaN),
    entropy: new Float64Array(count).fill(Number.NaN),
  };
  for (let group = 0; group < count; group++) {
    const start = starts[group] as number;
    const n = (starts[group + 1] as number) - start;
    result.n[group] = n;
    if (n > 0) describeGroup(sorted, start, start + n, group, result);
  }
  return result;
}

/**
 * Confidence from sampling: for each row the share of its group's decisions that are the row's own, in (0, 1], `(n)`. A
 * frequency that may serve as the `confidence` of a reliability diagram. NaN for a row without a decision or group.
 *
 * @param codes decision of each row, as for {@link sampleAgreement}, `(n)`
 * @param groups group of each row, `(n)`
 * @throws CalibrantError `length-mismatch`; `data` for a code that is no whole number below 2^31.
 *
 * @example
 * ```ts
 * import { agreementConfidence } from "calibrant/uq";
 * console.log(agreementConfidence([1, 1, 3, 1], [0, 0, 0, 0])); // Float64Array(4) [ 0.75, 0.75, 0.25, 0.75 ]
 * ```
 */
export function agreementConfidence(codes: NumericArray, groups: NumericArray): Float64Array {
  const { starts, sorted } = groupedCodes(codes, groups);
  const confidence = new Float64Array(codes.length).fill(Number.NaN);
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number;
    const group = groups[i] as number;
    if (!(code >= 0 && group >= 0)) continue;
    const start = starts[group] as number;
    const end = starts[group + 1] as number;
    const same = firstFrom(sorted, code + 1, start, end) - firstFrom(sorted, code, start, end);
    confidence[i] = same / (end - start);
  }
  return confidence;
}

interface GroupedCodes {
  /** Where each group begins in `sorted`, `(groups + 1)`. */
  readonly starts: Int32Array;
  /** The codes, ascending within their group. */
  readonly sorted: Float64Array;
  readonly missing: Int32Array;
}

function groupedCodes(codes: NumericArray, groups: NumericArray): GroupedCodes {
  if (codes.length !== groups.length) {
    throw new CalibrantError(
      "length-mismatch",
      `groups must have one entry for each of the ${codes.length} codes, got ${groups.length}`,
      { codes: codes.length, groups: groups.length },
    );
  }
  let largest = -1;
  for (let i = 0; i < codes.length; i++) {
    checkCode("codes", i, codes[i] as number);
    checkCode("groups", i, groups[i] as number);
    if ((groups[i] as number) > largest) largest = groups[i] as number;
  }
  const missing = new Int32Array(largest + 1);
  const starts = new Int32Array(largest + 2);
  for (let i = 0; i < codes.length; i++) {
    const group = groups[i] as number;
    if (!(group >= 0)) continue;
    if ((codes[i] as number) >= 0) starts[group + 1] = (starts[group + 1] as number) + 1;
    else missing[group] = (missing[group] as number) + 1;
  }
  for (let group = 0; group <= largest; group++) {
    starts[group + 1] = (starts[group + 1] as number) + (starts[group] as number);
  }
  return { starts, sorted: sortedWithinGroups(codes, groups, starts), missing };
}

function sortedWithinGroups(codes: NumericArray, groups: NumericArray, starts: Int32Array): Float64Array {
  const sorted = new Float64Array(starts[starts.length - 1] as number);
  const next = starts.slice();
  for (let i = 0; i < codes.length; i++) {
    const group = groups[i] as number;
    const code = codes[i] as number;
    if (!(group >= 0 && code >= 0)) continue;
    sorted[next[group] as number] = code;
    next[group] = (next[group] as number) + 1;
  }
  for (let group = 0; group + 1 < starts.length; group++) {
    sorted.subarray(starts[group], starts[group + 1]).sort();
  }
  return sorted;
}

function describeGroup(
  sorted: Float64Array,
  start: number,
  end: number,
  group: number,
  result: SampleAgreement,
): void {
  const n = end - start;
  let most = 0;
  let entropy = 0;
  for (let i = start; i < end; ) {
    const code = sorted[i] as number;
    const after = firstFrom(sorted, code + 1, i, end);
    const share = (after - i) / n;
    entropy -= share * Math.log(share);
    result.distinct[group] = (result.distinct[group] as number) + 1;
    if (after - i > most) {
      most = after - i;
      result.majority[group] = code;
    }
    i = after;
  }
  result.agreement[group] = most / n;
  // -0 for a single decision would print as such.
  result.entropy[group] = entropy + 0;
}

/** The first index from `start` on with a code of at least `code`. */
function firstFrom(sorted: Float64Array, code: number, start: number, end: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < code) low = middle + 1;
    else high = middle;
  }
  return low;
}

function checkCode(name: string, index: number, code: number): void {
  if (Number.isNaN(code) || code === -1) return;
  if (Number.isInteger(code) && code >= 0 && code < 2 ** 31 - 1) return;
  throw new CalibrantError("data", `${name}[${index}] must be a whole number from 0, or -1, got ${code}`, {
    index,
    value: code,
  });
}
