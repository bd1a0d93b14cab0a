import { messageCalls } from "../../data/calls/messages.ts";
import { userTurns } from "../../data/calls/user-turns.ts";
import type { Action, Message } from "../../types.ts";
import { ACTIONS } from "../../types.ts";
import { ACTION_LETTERS } from "../action-letters.ts";
import { normaliseReleased, releasedTurnText, renderReleasedCalls } from "../released/released-normalise.ts";
import { type KeyTurn, readKeyTurns } from "./key-turns.ts";
import { TRAJECTORY_BIT } from "./trajectory-status.ts";
import { turnDecision } from "./turn-decision.ts";
import type { TurnVerdict } from "./turn-judgements.ts";

/** A decision that was annotated. */
export interface KeyDecision {
  readonly key: KeyTurn;
  readonly action: Action | null;
  /** Free text of which no judgement says what it is: not judged if others were, else unparsed. */
  readonly isUnjudged: boolean;
  readonly answer: string | null;
  /** What the released scorer reads; null for the paper's. */
  readonly releasedText: string | null;
  /** The last assistant message of the turn. */
  readonly message: number;
}

/** The annotated decisions of a trajectory. */
export interface TrajectoryDecisions {
  readonly decisions: readonly KeyDecision[];
  /** Words of the row, see TRAJECTORY_WORDS. */
  readonly bits: number;
  /** User turns. */
  readonly turns: number;
}

/** What is known of a trajectory beside its messages. */
export interface TrajectoryNotes {
  readonly annotations: unknown;
  readonly judgements: ReadonlyMap<number, TurnVerdict>;
  /** The messages as they were written, for the released scorer; null for the paper's. */
  readonly written: readonly unknown[] | null;
}

/** The annotated decisions of a trajectory, in the order of its annotations. `messages` null = none can be read. */
export function readTrajectory(
  messages: readonly Message[] | null,
  { annotations, judgements, written }: TrajectoryNotes,
): TrajectoryDecisions {
  const turns = userTurns(messages ?? []);
  const keys = readKeyTurns(annotations, turns.length);
  let bits =
    (turns.length === 0 ? TRAJECTORY_BIT.no_messages : 0) |
    (keys.outOfRange > 0 ? TRAJECTORY_BIT.turn_out_of_range : 0) |
    (keys.unreadable > 0 ? TRAJECTORY_BIT.bad_annotation : 0);
  const decisions: KeyDecision[] = [];
  for (const key of keys.turns) {
    const { start, end } = turns[key.turn] as (typeof turns)[number];
    const turn = (messages ?? []).slice(start, end);
    const read = readDecision(turn, judgements, key.turn, written?.slice(start, end) ?? null);
    if (typeof read === "number") bits |= read;
    else decisions.push({ ...read, key, message: start + read.message });
  }
  if (decisions.length === 0 && (bits & TRAJECTORY_BIT.judge_failed) === 0)
    bits |= TRAJECTORY_BIT.no_key_turn;
  return { decisions, bits, turns: turns.length };
}

type TurnReading = Omit<KeyDecision, "key">;

/** The decision of a turn, or the word that says why there is none. */
function readDecision(
  turn: readonly Message[],
  judgements: TrajectoryNotes["judgements"],
  index: number,
  written: readonly unknown[] | null,
): TurnReading | number {
  const message = turn.findLastIndex(({ role }) => role === "assistant");
  const { action, answer, source } = turnDecision(turn);
  if (source === "no_assistant") return TRAJECTORY_BIT.no_assistant;
  const verdict = source === "unparsed" ? judgements.get(index) : undefined;
  if (verdict?.action === null) return TRAJECTORY_BIT.judge_failed;
  const releasedText = written === null ? null : releasedTextOf(turn, written, verdict);
  const isUnjudged = source === "unparsed" && verdict === undefined;
  return { ...(verdict ?? { action, answer }), isUnjudged, releasedText, message };
}

/** The text that the authors' trajectory code hands to its scorer, normalised. */
function releasedTextOf(
  turn: readonly Message[],
  written: readonly unknown[],
  verdict: TurnVerdict | undefined,
): string {
  const calling = turn.findIndex(({ role, toolCalls }) => role === "assistant" && toolCalls.length > 0);
  if (calling >= 0) {
    const answer = renderReleasedCalls(messageCalls(written[calling]));
    const think = "source=structured suggested_action=tool_call <B>";
    return normaliseReleased(releasedTurnText({ action: "tool_call", letter: "B", answer, think }));
  }
  if (verdict !== undefined && verdict.action !== null) {
    const letter = ACTION_LETTERS[ACTIONS.indexOf(verdict.action)] as string;
    const answer = verdict.answer ?? "";
    return normaliseReleased(releasedTurnText({ action: verdict.action, letter, answer, think: "" }));
  }
  return normaliseReleased(turn.findLast(({ role }) => role === "assistant")?.content ?? "");
}
