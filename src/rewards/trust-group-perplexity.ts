import type { ColumnRequest } from "../data/columns.ts";
import { mistyped, otherNumber, putNumbers } from "../data/jsonl/rows-columns.ts";
import { createListReader, type ListReader, readList } from "../uq/list-perplexity.ts";
import { FLAG_BIT } from "../uq/perplexity-flags.ts";
import type { TokenValues } from "../uq/token-values.ts";
import {
  type GroupRow,
  groupPlace,
  listOf,
  numberOf,
  SHARED,
  type TrustGroupInput,
  type TrustGroupRollout,
} from "./trust-group-rows.ts";
import { type RowPerplexities, settleOwn, settleReference } from "./trust-perplexity.ts";
import type { TrustSettings } from "./trust-settings.ts";
import { isSegmentStart, maskLengthError, maskValueError, segmentError } from "./trust-token-errors.ts";

type ListSettings = Pick<TrustSettings, "sentinels" | "level">;

/**
 * Perplexity of every rollout of a group, as `ownPerplexities` has it; adds the flags to `status`. Float32Array and
 * Float64Array are read where they lie.
 *
 * @throws CalibrantError `length-mismatch` or `data` for a mask or segments that do not fit the log-probs.
 */
export function groupPerplexities(
  { rollouts }: TrustGroupInput,
  settings: ListSettings,
  status: Uint32Array,
): RowPerplexities {
  const reader = createListReader(settings.sentinels);
  const ppl = new Float64Array(rollouts.length);
  const nll = new Float64Array(rollouts.length);
  for (let row = 0; row < rollouts.length; row++) {
    const rollout = rollouts[row] as TrustGroupRollout;
    const given = numberOf(rollout.ppl, "ppl", row);
    readRollout(reader, rollout, settings, row);
    nll[row] = reader.nll;
    ppl[row] = Math.exp(reader.nll);
    status[row] = (status[row] as number) | settleOwn(given, reader.flags, row, ppl, nll);
  }
  return { ppl, nll };
}

/** A perplexity of the group itself; NaN = none. `bits` say what was wrong with it. */
export interface SharedPerplexity {
  readonly ppl: number;
  readonly nll: number;
  readonly bits: number;
}

/** Perplexity of the gold answer, teacher-forced: the given one, else that of its log-probs. */
export function referencePerplexity(group: TrustGroupInput, settings: ListSettings): SharedPerplexity {
  const given = numberOf(group.refPpl, "ref_ppl", SHARED);
  const list = listOf(group.refLogprobs, "ref_logprobs", SHARED);
  return sharedPerplexity(given, list, settings);
}

/** Perplexity of a counterfactual wrong decision, teacher-forced. */
export function counterfactualPerplexity(group: TrustGroupInput, settings: ListSettings): SharedPerplexity {
  return sharedPerplexity(numberOf(group.negPpl, "neg_ppl", SHARED), null, settings);
}

function sharedPerplexity(
  given: number,
  list: ArrayLike<unknown> | null,
  settings: ListSettings,
): SharedPerplexity {
  const reader = createListReader(settings.sentinels);
  if (list === null) setAbsent(reader);
  else readList(reader, readNumbers(list, "ref_logprobs", SHARED), null, null);
  const nll = Float64Array.of(reader.nll);
  const ppl = Float64Array.of(Math.exp(reader.nll));
  const bits = settleReference(given, reader.flags, 0, ppl, nll);
  return { ppl: ppl[0] as number, nll: nll[0] as number, bits };
}

function readRollout(
  reader: ListReader,
  { logprobs, logprobMask, logprobSegments }: TrustGroupRollout,
  { level }: ListSettings,
  row: GroupRow,
): void {
  const list = listOf(logprobs, "logprobs", row);
  const maskList = listOf(logprobMask, "logprob_mask", row);
  const segmentList = level === "segment" ? listOf(logprobSegments, "logprob_segments", row) : null;
  if (list === null) {
    setAbsent(reader);
    return;
  }
  const mask = maskList === null ? null : readMask(maskList, list.length, row);
  const segments = segmentList === null ? null : readSegments(segmentList, list.length, row);
  readList(reader, readNumbers(list, "logprobs", row), mask, segments);
}

function setAbsent(reader: ListReader): void {
  reader.nll = Number.NaN;
  reader.flags = FLAG_BIT.noLogprobs;
}

function readNumbers(list: ArrayLike<unknown>, name: string, row: GroupRow): TokenValues {
  if (list instanceof Float64Array || list instanceof Float32Array) return { values: list };
  const values = new Float64Array(list.length);
  const valid = putNumbers(list, values, 0, undefined, notANumber(name, row));
  return valid === undefined ? { values } : { values, valid };
}

function readMask(list: ArrayLike<unknown>, tokens: number, row: GroupRow): Uint8Array | Int8Array {
  if (list.length !== tokens) throw maskLengthError(groupPlace(row), row, list.length, tokens);
  const isBytes = list instanceof Uint8Array || list instanceof Int8Array;
  const bits = isBytes ? list : new Uint8Array(tokens);
  const notABit = notANumber("logprob_mask", row);
  for (let i = 0; i < tokens; i++) {
    const value = list[i];
    const bit = typeof value === "number" ? value : (otherNumber(value) ?? notABit(value, i));
    if (bit !== 0 && bit !== 1) throw maskValueError(groupPlace(row), row, value == null ? null : bit);
    if (!isBytes) bits[i] = bit;
  }
  return bits;
}

function readSegments(list: ArrayLike<unknown>, tokens: number, row: GroupRow): Int32Array {
  const starts = new Int32Array(list.length);
  let last = 0;
  for (let i = 0; i < list.length; i++) {
    const start = otherNumber(list[i]) ?? notANumber("logprob_segments", row)(list[i], i);
    if (!isSegmentStart(start, last, tokens)) throw segmentError(groupPlace(row), row, start);
    starts[i] = last = start;
  }
  return starts;
}

function notANumber(name: string, row: GroupRow): (value: unknown, index: number) => never {
  const request: ColumnRequest = { name, kind: "list" };
  return (value, index) => mistyped(request, groupPlace(row), value, index);
}
