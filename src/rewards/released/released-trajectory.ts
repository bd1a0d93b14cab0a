import { userTurns } from "../../data/calls/user-turns.ts";
import { roundHalfEven } from "../../math/round-half-even.ts";
import type { BinaryLabels } from "../../types.ts";
import { pythonInt } from "./python-int.ts";
import { parsePythonJson } from "./python-json.ts";
import { readPythonFloat } from "./python-number.ts";
import { pythonStrip } from "./python-text.ts";

/** A trajectory with the annotations of its key turns. */
export interface ReleasedTrajectoryInput {
  /** A list of messages with a `role`, `{messages}` of one, or JSON text of a list. */
  readonly messages: unknown;
  /**
   * A list of `{turn_idx, gt_action, score}`, each an object or JSON text of one, or JSON text of the list; `label` stands
   * in for an empty gt_action, and `score` is the reward of the decision, a number or the text of one, 0 if absent.
   */
  readonly annotations: unknown;
  /** `(tokens)`: the k-th position that is not zero is the last token of turn k. */
  readonly turnEndMask: BinaryLabels;
  readonly rewardWeight: number;
}

/** The reward of one turn, on one token. */
export interface ReleasedPlacement {
  readonly turnIdx: number;
  readonly tokenPosition: number;
  readonly reward: number;
}

/** Where the rewards of a trajectory's key turns land. */
export interface ReleasedTrajectory {
  /** Indices of the messages of each user turn; see `userTurns`. */
  readonly turnMessageIndices: readonly (readonly number[])[];
  /** By the first accepted annotation of each turn. */
  readonly placements: readonly ReleasedPlacement[];
  /** Accepted annotations; the others are skipped. */
  readonly usedAnnotations: number;
  /** Sum of the rewards, to 4 decimals. */
  readonly rawSum: number;
}

interface Annotation {
  readonly turn: number;
  readonly score: number;
}

/**
 * The key-turn rewards of a trajectory as TRUST's released code places them (revision 2b5be3e): an annotation counts where
 * its `turn_idx` is an integer by Python's `int()` and names a turn that the conversation and the mask have, and its
 * gt_action is a letter A to D. Several annotations of a turn average; the mean, times the weight, lands on the last token of
 * the turn. Linear; empty or unreadable messages, annotations or mask place nothing.
 *
 * The original keeps rewards in float32; these are float64.
 *
 * @example
 * ```ts
 * import { releasedTrajectory } from "calibrant/rewards";
 * const messages = [{ role: "user" }, { role: "assistant" }, { role: "user" }, { role: "assistant" }];
 * const annotations = [{ turn_idx: 1, gt_action: "B", score: 0.5 }];
 * const turnEndMask = [0, 0, 1, 0, 1];
 * const { placements } = releasedTrajectory({ messages, annotations, turnEndMask, rewardWeight: 1 });
 * console.log(placements); // [ { turnIdx: 1, tokenPosition: 4, reward: 0.5 } ]
 * ```
 */
export function releasedTrajectory(input: ReleasedTrajectoryInput): ReleasedTrajectory {
  const turns = userTurns(listedMessages(input.messages).map((message) => ({ role: roleOf(message) })));
  const ends = endPositions(input.turnEndMask);
  const limit = Math.min(turns.length, ends.length);
  const accepted = listOf(input.annotations).flatMap((item) => annotationOf(item, limit) ?? []);
  const placements = placed(accepted, ends, input.rewardWeight);
  return {
    turnMessageIndices: turns.map(({ start, end }) =>
      Array.from({ length: end - start }, (_, i) => start + i),
    ),
    placements,
    usedAnnotations: accepted.length,
    rawSum: roundHalfEven(
      placements.reduce((sum, { reward }) => sum + reward, 0),
      4,
    ),
  };
}

function placed(
  accepted: readonly Annotation[],
  ends: readonly number[],
  weight: number,
): ReleasedPlacement[] {
  const byTurn = new Map<number, { sum: number; count: number }>();
  for (const { turn, score } of accepted) {
    const { sum, count } = byTurn.get(turn) ?? { sum: 0, count: 0 };
    byTurn.set(turn, { sum: sum + score * weight, count: count + 1 });
  }
  return [...byTurn].map(([turn, { sum, count }]) => ({
    turnIdx: turn,
    tokenPosition: ends[turn] as number,
    reward: sum / count,
  }));
}

function annotationOf(item: unknown, limit: number): Annotation | null {
  const fields = typeof item === "string" ? (parsePythonJson(item)?.value ?? null) : item;
  const turn = pythonInt(fieldOf(fields, "turn_idx"));
  if (turn === null || turn < 0n || turn >= BigInt(limit)) return null;
  const gold = fieldOf(fields, "gt_action") || fieldOf(fields, "label");
  if (typeof gold !== "string" || !/^[A-D]$/.test(pythonStrip(gold).toUpperCase())) return null;
  return { turn: Number(turn), score: readPythonFloat(fieldOf(fields, "score")) ?? 0 };
}

function listedMessages(value: unknown): readonly unknown[] {
  const messages = fieldOf(value, "messages");
  return listOf(messages === undefined ? value : messages);
}

/** A list, or the list that JSON text holds; empty for anything else. */
function listOf(value: unknown): readonly unknown[] {
  const list: unknown = typeof value === "string" ? parsePythonJson(value)?.value : value;
  return Array.isArray(list) ? list : [];
}

function roleOf(message: unknown): string {
  const role = fieldOf(message, "role");
  return typeof role === "string" ? role : "";
}

/** A field of an object, whether plain or read by parsePythonJson; undefined without one. */
function fieldOf(value: unknown, name: string): unknown {
  if (value instanceof Map) return value.get(name);
  if (value === null || typeof value !== "object" || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function endPositions(mask: BinaryLabels): number[] {
  const ends: number[] = [];
  for (let at = 0; at < mask.length; at += 1) if (mask[at]) ends.push(at);
  return ends;
}
