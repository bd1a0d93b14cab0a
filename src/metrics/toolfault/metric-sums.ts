import { ANSWER_CODES, actionOf, faultOf, NO_ANSWER, UNPARSED } from "./answer-codes.ts";
import type { CompiledGold } from "./compile-gold.ts";
import { FAULT_TYPES } from "./labels.ts";
import type { RunAnswers } from "./run-answers.ts";

const CLASSES = FAULT_TYPES.length;

/** Where each sum lies in a block of {@link SUMS} numbers; the first three are a number for every fault type. */
export const SUM: Readonly<Record<SumName, number>> = {
  hits: 0,
  predicted: CLASSES,
  support: 2 * CLASSES,
  rows: 3 * CLASSES,
  joint: 3 * CLASSES + 1,
  action: 3 * CLASSES + 2,
  critical: 3 * CLASSES + 3,
  withCritical: 3 * CLASSES + 4,
  falseAlarm: 3 * CLASSES + 5,
  hard: 3 * CLASSES + 6,
  missed: 3 * CLASSES + 7,
  faulty: 3 * CLASSES + 8,
  unparsed: 3 * CLASSES + 9,
  missing: 3 * CLASSES + 10,
};

type SumName =
  | "hits"
  | "predicted"
  | "support"
  | "rows"
  | "joint"
  | "action"
  | "critical"
  | "withCritical"
  | "falseAlarm"
  | "hard"
  | "missed"
  | "faulty"
  | "unparsed"
  | "missing";

/** Numbers of a block. */
export const SUMS: number = 3 * CLASSES + 11;

/** Adds all answers to one item to a block of sums that begins at `offset`. */
export function addItem(
  sums: Float64Array,
  offset: number,
  gold: CompiledGold,
  item: number,
  { codes, counts, repeats }: RunAnswers,
): void {
  if (counts === null) {
    for (let at = item; at < codes.length; at += gold.fault.length)
      addAnswers(sums, offset, gold, item, codes[at] as number, 1);
    return;
  }
  let answered = 0;
  for (let code = 0; code < ANSWER_CODES; code++) {
    const count = counts[item * ANSWER_CODES + code] as number;
    if (count === 0) continue;
    answered += count;
    addAnswers(sums, offset, gold, item, code, count);
  }
  if (answered < repeats) addAnswers(sums, offset, gold, item, NO_ANSWER, repeats - answered);
}

/** Adds `count` equal answers. An answer that is none is wrong everywhere, and not the answer `none`. */
function addAnswers(
  sums: Float64Array,
  offset: number,
  gold: CompiledGold,
  item: number,
  code: number,
  count: number,
): void {
  const truth = gold.fault[item] as number;
  const hard = gold.hard[item] === 1;
  const hasCritical = gold.critical[item] !== 0;
  const add = (at: number): void => {
    sums[offset + at] = (sums[offset + at] as number) + count;
  };
  add(SUM.rows);
  add(SUM.support + truth);
  if (hasCritical) add(SUM.withCritical);
  if (hard) add(SUM.hard);
  if (truth !== 0) add(SUM.faulty);
  if (code >= UNPARSED) {
    add(code === UNPARSED ? SUM.unparsed : SUM.missing);
    if (hard) add(SUM.falseAlarm);
    return;
  }
  const fault = faultOf(code);
  const action = 1 << actionOf(code);
  const right = fault === truth;
  const acceptable = ((gold.acceptable[item] as number) & action) !== 0;
  add(SUM.predicted + fault);
  if (right) add(SUM.hits + truth);
  if (acceptable) add(SUM.action);
  if (right && acceptable) add(SUM.joint);
  if (((gold.critical[item] as number) & action) !== 0) add(SUM.critical);
  if (hard && fault !== 0) add(SUM.falseAlarm);
  if (truth !== 0 && fault === 0) add(SUM.missed);
}

/** Counts of one run by true fault type (rows) and predicted one; the last column counts unreadable and missing answers. */
export function faultConfusion(gold: CompiledGold, answers: RunAnswers): Float64Array {
  const width = CLASSES + 1;
  const counts = new Float64Array(CLASSES * width);
  const block = new Float64Array(SUMS);
  for (let item = 0; item < gold.fault.length; item++) {
    block.fill(0);
    addItem(block, 0, gold, item, answers);
    const row = (gold.fault[item] as number) * width;
    for (let k = 0; k < CLASSES; k++)
      counts[row + k] = (counts[row + k] as number) + (block[SUM.predicted + k] as number);
    counts[row + CLASSES] =
      (counts[row + CLASSES] as number) + (block[SUM.unparsed] as number) + (block[SUM.missing] as number);
  }
  return counts;
}
