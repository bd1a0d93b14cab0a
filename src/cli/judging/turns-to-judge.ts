import { userTurns } from "../../data/calls/user-turns.ts";
import type { KeyTurnAnnotation } from "../../judge/annotation.ts";
import { readTurn, type WithoutModel } from "../../judge/judge-turn.ts";
import type { TurnToJudge } from "../../judge/turn-to-judge.ts";
import { type KeyTurn, readKeyTurns } from "../../rewards/trajectory/key-turns.ts";
import type { JudgeOptions } from "./judging-options.ts";
import type { AnnotationFile } from "./read-note-file.ts";
import type { Trajectories, Trajectory } from "./trajectories.ts";

/** A user turn that is judged. */
export interface JudgedTurn {
  readonly id: string | number;
  readonly turn: TurnToJudge;
  /** What can be said of it without a model. */
  readonly reading: WithoutModel;
}

/** The turns of all trajectories that are judged, and what there is to say about their annotations. */
export interface TurnsToJudge {
  readonly turns: readonly JudgedTurn[];
  /** Trajectories without annotations. */
  readonly withoutAnnotations: number;
  /** Of each annotation whose turn its trajectory does not have, the trajectory's id. */
  readonly outOfRange: readonly (string | number)[];
  /** The same for annotations that are no object or have no known action. */
  readonly unreadable: readonly (string | number)[];
}

/**
 * The turns to judge, each once, in the order of the trajectories and of their annotations.
 *
 * @param file - annotations by id; null = the trajectories have their own.
 */
export function turnsToJudge(
  { rows }: Trajectories,
  file: AnnotationFile | null,
  which: JudgeOptions["turns"],
): TurnsToJudge {
  const turns: JudgedTurn[] = [];
  const outOfRange: (string | number)[] = [];
  const unreadable: (string | number)[] = [];
  let withoutAnnotations = 0;
  for (const row of rows) {
    const annotations = annotationsOf(row, file);
    if (annotations === null) withoutAnnotations++;
    const count = userTurns(row.messages).length;
    const byTurn = new Map<number, KeyTurnAnnotation>();
    for (const entry of entriesOf(annotations)) {
      const read = readKeyTurns(entry, count);
      if (read.outOfRange > 0) outOfRange.push(row.id);
      if (read.unreadable > 0) unreadable.push(row.id);
      for (const key of read.turns) {
        if (!byTurn.has(key.turn)) byTurn.set(key.turn, annotationOf(key, entry));
      }
    }
    const wanted = which === "all" ? Array.from({ length: count }, (_, index) => index) : byTurn.keys();
    for (const turnIdx of wanted) {
      const turn = { messages: row.messages, turnIdx, annotation: byTurn.get(turnIdx) ?? null };
      turns.push({ id: row.id, turn, reading: readTurn(row.messages, turnIdx) });
    }
  }
  return { turns, withoutAnnotations, outOfRange, unreadable };
}

function annotationsOf(row: Trajectory, file: AnnotationFile | null): unknown {
  if (file === null) return row.annotations;
  return row.secondId === null ? null : (file.byId.get(row.secondId) ?? null);
}

function entriesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === null ? [] : [value];
}

function annotationOf({ turn, goldAction, targetAnswer }: KeyTurn, entry: unknown): KeyTurnAnnotation {
  const { rationale } = entry as { readonly rationale?: unknown };
  return {
    turn_idx: turn,
    gt_action: goldAction,
    rationale: typeof rationale === "string" ? rationale : "",
    target_answer: targetAnswer ?? "",
  };
}
