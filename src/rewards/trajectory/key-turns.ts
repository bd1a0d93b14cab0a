import { actionLabelCode } from "../../data/calls/action.ts";
import { nonFiniteFromWord } from "../../data/jsonl/non-finite.ts";
import { parseJsonLine } from "../../data/jsonl/parse-json-line.ts";
import { ACTIONS, type Action } from "../../types.ts";

/** An annotated key turn: the decision that is right in it, and what the right answer is. */
export interface KeyTurn {
  /** User turn, from 0. */
  readonly turn: number;
  readonly goldAction: Action;
  readonly targetAnswer: string | null;
  /** Perplexity of the target answer, teacher-forced; NaN = none. */
  readonly refPpl: number;
  /** Perplexity of a wrong decision, teacher-forced; NaN = none. */
  readonly negPpl: number;
  /** The functions that may be called, for the released scorer; null = none named. */
  readonly tools: unknown;
}

/** The annotations of a trajectory, and how many of them are of no use. */
export interface KeyTurns {
  readonly turns: readonly KeyTurn[];
  /** Annotations whose turn is none of the trajectory. */
  readonly outOfRange: number;
  /** Annotations that are no object, whose gold action is none of the four, or whose turn is no whole number. */
  readonly unreadable: number;
}

/**
 * Reads annotations as `calibrant annotate` writes them: objects with `turn_idx` (a whole number, from 0), `gt_action` (a
 * name, an alias or a letter), `target_answer`, and perhaps `ref_ppl`, `neg_ppl` and `tools`; a list of them, JSON text of one, or a
 * single one. What cannot be used is counted, never guessed.
 *
 * @param turns - user turns of the trajectory.
 */
export function readKeyTurns(value: unknown, turns: number): KeyTurns {
  const found: KeyTurn[] = [];
  let outOfRange = 0;
  let unreadable = 0;
  for (const entry of entriesOf(value)) {
    const goldAction = isFields(entry) ? goldActionOf(entry.gt_action) : null;
    const turn = isFields(entry) ? turnNumber(entry.turn_idx) : null;
    if (!isFields(entry) || goldAction === null || turn === null) unreadable++;
    else if (turn < 0 || turn >= turns) outOfRange++;
    else {
      found.push({
        turn,
        goldAction,
        targetAnswer: typeof entry.target_answer === "string" ? entry.target_answer : null,
        refPpl: numberOf(entry.ref_ppl),
        negPpl: numberOf(entry.neg_ppl),
        tools: entry.tools ?? null,
      });
    }
  }
  return { turns: found, outOfRange, unreadable };
}

function entriesOf(value: unknown): readonly unknown[] {
  const parsed = typeof value === "string" ? parsedOrNull(value) : value;
  if (parsed === null || parsed === undefined) return typeof value === "string" ? [value] : [];
  return Array.isArray(parsed) ? parsed : [parsed];
}

function parsedOrNull(text: string): unknown {
  try {
    return parseJsonLine(text, { exactIntegers: true }).value;
  } catch {
    return null;
  }
}

/** A whole number; null for anything else. */
export function turnNumber(value: unknown): number | null {
  const turn = typeof value === "bigint" ? Number(value) : value;
  return typeof turn === "number" && Number.isInteger(turn) ? turn : null;
}

function goldActionOf(value: unknown): Action | null {
  if (typeof value !== "string") return null;
  return ACTIONS[actionLabelCode(value.trim())] ?? null;
}

/** A perplexity that is not even a number is 0, which is none either and is said to be (`bad_ppl`). */
function numberOf(value: unknown): number {
  if (value === null || value === undefined) return Number.NaN;
  if (typeof value === "string") return nonFiniteFromWord(value) ?? 0;
  return typeof value === "number" ? value : 0;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
