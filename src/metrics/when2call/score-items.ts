import { ACTIONS } from "../../types.ts";
import { emptyRate, type Rate, rateOf } from "../rate.ts";
import { WHEN2CALL_STATUSES, type When2CallStatus } from "./choice-outcome.ts";
import { classCounts, macroF1Rate, OUTCOMES } from "./macro-f1.ts";
import type { When2CallSettings } from "./when2call-options.ts";
import type { When2CallClass, When2CallConfusion, When2CallMetrics } from "./when2call-result.ts";

const [DIRECT, TOOL_CALL, REQUEST, CANNOT] = [0, 1, 2, 3] as const;
const NO_PREDICTION = OUTCOMES - 1;

/** Items and how they were answered, by item. */
export interface ScoredItems {
  /** Codes of the gold actions. */
  readonly gold: Uint8Array;
  /** 1 where it is known that no tools were given. */
  readonly noTools: Uint8Array;
  /** Predicted codes, -1 = none. */
  readonly acc: Int8Array;
  readonly norm: Int8Array;
  /** Places in `WHEN2CALL_STATUSES`. */
  readonly status: Uint8Array;
  /** Whether predictions have log-probs. */
  readonly usesLogProbs: boolean;
}

/** The metrics of some of the items, named by their numbers. */
export function scoreItems(
  items: ScoredItems,
  rows: ArrayLike<number>,
  settings: When2CallSettings,
): When2CallMetrics {
  const byNorm = settings.decision === "acc_norm";
  const tally = tallyItems(items, rows, byNorm ? items.norm : items.acc, byNorm);
  const { cells, statuses } = tally;
  const cell = (gold: number, predicted: number): number => cells[gold * OUTCOMES + predicted] as number;
  const classes = ACTIONS.map((_, code) => classCounts(cells, code));
  const share = (gold: number, predicted: number): Rate =>
    rateOf(cell(gold, predicted), (classes[gold] as { support: number }).support, settings.level);
  const scored = classes.reduce((sum, { support }) => sum + support, 0);
  const direct = (classes[DIRECT] as { predicted: number }).predicted;
  const toolHallucination = rateOf(tally.inventedCalls, tally.withoutTools, settings.level);
  return {
    items: rows.length,
    scored,
    acc: withReason(rateOf(tally.right.acc, rows.length - statuses.few_tokens, settings.level), statuses),
    accNorm: items.usesLogProbs
      ? withReason(
          rateOf(tally.right.norm, lengthNormalised(rows.length, statuses), settings.level),
          statuses,
        )
      : emptyRate("no-logprobs"),
    macroF1: withReason(macroF1Rate(cells, settings), statuses),
    macroF1Classes: ACTIONS.filter(
      (_, code) => settings.classes === 4 || (classes[code] as { support: number }).support > 0,
    ),
    perClass: ACTIONS.map((action, code) => classScores(cells, action, code, settings.level)),
    toolHallucination: settings.compat ? zeroWhereEmpty(toolHallucination) : toolHallucination,
    fdar:
      settings.fdarDenominator === "all" ? rateOf(direct, scored, settings.level) : share(TOOL_CALL, DIRECT),
    answerHallucination: share(CANNOT, DIRECT),
    paramHallucination: share(REQUEST, TOOL_CALL),
    confusion: tally.confusion,
    unparsed: statuses.unparsed_label + statuses.bad_logprob,
    missing: statuses.missing,
    fewTokens: statuses.few_tokens,
    noChoiceText: statuses.no_choice_text,
    statuses,
  };
}

type Statuses = Record<When2CallStatus, number>;

interface Tally {
  /** Counts of the deciding outcome by gold class, row-major `(4 · 5)`. */
  readonly cells: Float64Array;
  readonly statuses: Statuses;
  /** Items answered right by either argmax. */
  readonly right: { readonly acc: number; readonly norm: number };
  /** Gold `cannot_answer` without tools, and how many of them were predicted `tool_call`. */
  readonly withoutTools: number;
  readonly inventedCalls: number;
  readonly confusion: When2CallConfusion;
}

function tallyItems(
  { gold, noTools, acc, norm, status }: ScoredItems,
  rows: ArrayLike<number>,
  deciding: Int8Array,
  byNorm: boolean,
): Tally {
  const cells = new Float64Array(ACTIONS.length * OUTCOMES);
  const missing = ACTIONS.map(() => 0);
  const statuses = Object.fromEntries(WHEN2CALL_STATUSES.map((name) => [name, 0])) as Statuses;
  const right = { acc: 0, norm: 0 };
  let withoutTools = 0;
  let inventedCalls = 0;
  for (let i = 0; i < rows.length; i++) {
    const item = rows[i] as number;
    const truth = gold[item] as number;
    const read = WHEN2CALL_STATUSES[status[item] as number] as When2CallStatus;
    statuses[read] += 1;
    if (acc[item] === truth) right.acc += 1;
    if (norm[item] === truth) right.norm += 1;
    if (read === "few_tokens" || (byNorm && read === "no_choice_text")) continue;
    const predicted = deciding[item] as number;
    const at = truth * OUTCOMES + (predicted < 0 ? NO_PREDICTION : predicted);
    cells[at] = (cells[at] as number) + 1;
    if (read === "missing") missing[truth] = (missing[truth] as number) + 1;
    if (truth !== CANNOT || noTools[item] === 0) continue;
    withoutTools += 1;
    if (predicted === TOOL_CALL) inventedCalls += 1;
  }
  const confusion = confusionOf(cells, missing);
  return { cells, statuses, right, withoutTools, inventedCalls, confusion };
}

function confusionOf(cells: Float64Array, missing: readonly number[]): When2CallConfusion {
  const row = (gold: number): Float64Array => cells.subarray(gold * OUTCOMES, (gold + 1) * OUTCOMES);
  return {
    counts: ACTIONS.map((_, gold) => [...row(gold).subarray(0, NO_PREDICTION)]),
    unparsed: ACTIONS.map((_, gold) => (row(gold)[NO_PREDICTION] as number) - (missing[gold] as number)),
    missing,
  };
}

function lengthNormalised(items: number, statuses: Statuses): number {
  return items - statuses.few_tokens - statuses.no_choice_text;
}

/** Why nothing is left to score, where that is known better than `empty`. */
function withReason(rate: Rate, statuses: Statuses): Rate {
  if (rate.reason !== "empty") return rate;
  if (statuses.few_tokens > 0) return { ...rate, reason: "few-tokens" };
  return statuses.no_choice_text > 0 ? { ...rate, reason: "no-choice-text" } : rate;
}

function zeroWhereEmpty(rate: Rate): Rate {
  return rate.denominator > 0 ? rate : { ...rate, value: 0, reason: null };
}

function classScores(
  cells: Float64Array,
  action: When2CallClass["action"],
  code: number,
  level: number,
): When2CallClass {
  const { hits, support, predicted } = classCounts(cells, code);
  return {
    action,
    precision: rateOf(hits, predicted, level),
    recall: rateOf(hits, support, level),
    f1: support + predicted === 0 ? null : (2 * hits) / (support + predicted),
    support,
    predicted,
  };
}
