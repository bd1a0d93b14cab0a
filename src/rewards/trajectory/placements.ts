import { ACTIONS, type Action } from "../../types.ts";
import type { FinishedRows } from "../reward-job.ts";
import { statusWords } from "../status-text.ts";

/** One annotated decision of a key turn, scored; null = missing. */
export interface ScoredDecision {
  readonly gtAction: Action;
  /** Null = unparsed. */
  readonly action: Action | null;
  readonly reward: number | null;
  /** The parts of the reward: `ppl`, `margin`, `certainty`, `rAns`, `rCls`, … as `scoreTrust` or `scoreTrustReleased` names them. */
  readonly parts: Readonly<Record<string, number | null>>;
  /** The words of TRUST_STATUSES that hold, joined by `;`. */
  readonly status: string;
}

/** What lands at the end of a key turn. */
export interface TurnPlacement {
  /** User turn, from 0. */
  readonly turnIdx: number;
  /** The last assistant message of the turn, from 0. */
  readonly messageIdx: number;
  /** The last token of the turn, from 0; null when the input does not say where turns end. */
  readonly tokenIdx: number | null;
  /** The mean R_UQ of the turn's annotations. */
  readonly uqReward: number;
  /** That times its weight: what to add to the rewards of the tokens. */
  readonly reward: number;
  readonly decisions: readonly ScoredDecision[];
}

/** The scored decisions of a batch. */
export interface DecisionScores {
  /** Of each decision, in the order of rows. */
  readonly turns: Int32Array;
  readonly messages: Int32Array;
  readonly tokens: Int32Array;
  readonly actions: Int32Array;
  readonly golds: Int32Array;
  /** 1 = left out. */
  readonly dropped: Uint8Array;
  readonly finished: FinishedRows;
  /** The names of the parts of a decision, of the columns of `finished` but `reward`, in code and in files. */
  readonly partNames: PartNames;
  readonly statusNames: readonly string[];
  readonly weight: number;
}

/** Names of the same parts, in the same order. */
export interface PartNames {
  readonly code: readonly string[];
  readonly files: readonly string[];
}

/** The names of result columns in code (`rAns`) and in files (`r_ans`); without `reward`, which is the last one. */
export function partNames(columns: readonly string[]): PartNames {
  const files = columns.slice(0, -1);
  return {
    files,
    code: files.map((name) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())),
  };
}

/** A turn of a row that has a reward. */
export interface RewardedTurn {
  /** Numbers of its decisions, those without a reward too. */
  readonly decisions: readonly number[];
  /** The mean over those that have one. */
  readonly uqReward: number;
}

/**
 * The turns of a row that have a reward, in the order in which they are first annotated: a turn gets the mean over its
 * annotations that have one.
 *
 * @param decisions - of the row, in order: their numbers, from `start` up to, not including, `end`.
 */
export function rewardedTurns(
  { turns, dropped, finished }: Pick<DecisionScores, "turns" | "dropped" | "finished">,
  { start, end }: { readonly start: number; readonly end: number },
): RewardedTurn[] {
  const rewards = finished.columns.at(-1)?.values as Float64Array;
  const byTurn = new Map<number, number[]>();
  for (let decision = start; decision < end; decision++) {
    if (dropped[decision] === 1) continue;
    const turn = turns[decision] as number;
    const found = byTurn.get(turn);
    if (found === undefined) byTurn.set(turn, [decision]);
    else found.push(decision);
  }
  const all = Array.from(byTurn.values(), (decisions) => ({
    decisions,
    uqReward: meanReward(rewards, decisions),
  }));
  return all.filter(({ uqReward }) => !Number.isNaN(uqReward));
}

/** NaN when none has a reward. */
function meanReward(rewards: Float64Array, decisions: readonly number[]): number {
  let sum = 0;
  let n = 0;
  for (const decision of decisions) {
    const reward = rewards[decision] as number;
    if (Number.isNaN(reward)) continue;
    sum += reward;
    n++;
  }
  return n === 0 ? Number.NaN : sum / n;
}

/** What lands where in a row: its {@link rewardedTurns}, told in full. */
export function rowPlacements(
  scores: DecisionScores,
  range: { readonly start: number; readonly end: number },
): TurnPlacement[] {
  return rewardedTurns(scores, range).map(({ decisions, uqReward }) => {
    const first = decisions[0] as number;
    const token = scores.tokens[first] as number;
    return {
      turnIdx: scores.turns[first] as number,
      messageIdx: scores.messages[first] as number,
      tokenIdx: token < 0 ? null : token,
      uqReward,
      reward: scores.weight * uqReward,
      decisions: decisions.map((decision) => scoredDecision(scores, decision)),
    };
  });
}

function scoredDecision(scores: DecisionScores, decision: number): ScoredDecision {
  const { columns, status } = scores.finished;
  const parts: Record<string, number | null> = {};
  for (const [at, name] of scores.partNames.code.entries())
    parts[name] = numberOrNull(columns[at]?.values[decision]);
  return {
    gtAction: ACTIONS[scores.golds[decision] as number] as Action,
    action: ACTIONS[scores.actions[decision] as number] ?? null,
    reward: numberOrNull(columns.at(-1)?.values[decision]),
    parts,
    status: statusWords(status[decision] as number, scores.statusNames).join(";"),
  };
}

function numberOrNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}

/** Placements as JSON text under the names of files: `turn_idx`, `message_idx`, `token_idx`, … */
export function placementsText(placements: readonly TurnPlacement[], { code, files }: PartNames): string {
  const turns = placements.map((turn) => {
    const decisions = turn.decisions.map(({ gtAction, action, parts, reward, status }) => {
      let text = `{"gt_action":"${gtAction}","action":${action === null ? "null" : `"${action}"`}`;
      for (const [at, name] of files.entries()) text += `,"${name}":${numberText(parts[code[at] as string])}`;
      return `${text},"reward":${numberText(reward)},"status":"${status}"}`;
    });
    const { turnIdx, messageIdx, tokenIdx, reward, uqReward } = turn;
    const place = `"turn_idx":${turnIdx},"message_idx":${messageIdx},"token_idx":${tokenIdx}`;
    const rewards = `"reward":${numberText(reward)},"uq_reward":${numberText(uqReward)}`;
    return `{${place},${rewards},"decisions":[${decisions.join(",")}]}`;
  });
  return `[${turns.join(",")}]`;
}

/** JSON has no infinities: ours writes them as strings. */
function numberText(value: number | null | undefined): string {
  if (value === null || value === undefined) return "null";
  return Number.isFinite(value) ? String(value) : `"${value}"`;
}
