import { jsonReader, listColumn, numberColumn, placeOf } from "../../data/batch-columns.ts";
import { readMessages } from "../../data/calls/messages.ts";
import type { Column, KeyColumn, RolloutBatch } from "../../data/columns.ts";
import { ACTIONS } from "../../types.ts";
import { checklistReward } from "./checklist-reward.ts";
import { type KeyDecision, readTrajectory } from "./read-trajectory.ts";
import type { TrajectorySettings } from "./trajectory-settings.ts";
import { TRAJECTORY_BIT } from "./trajectory-status.ts";
import { readTurnJudgements } from "./turn-judgements.ts";
import { gatherTurnLogprobs, type TurnLogprobs } from "./turn-logprobs.ts";

/** Trajectories as rows, and their annotated decisions as rollouts of their own. */
export interface ExpandedBatch {
  /** Base reward of each trajectory, `(rows)`; NaN = none. */
  readonly base: Float64Array;
  /** Bits of TRAJECTORY_WORDS, `(rows)`. */
  readonly bits: Uint32Array;
  /** Whether any of them has a judgement. */
  readonly isJudged: boolean;
  /** Decisions as a reward job reads them; a group is one decision point with one gold action. */
  readonly decisions: RolloutBatch;
  /** Of each decision: its row, turn, message and last token (-1 = not known). */
  readonly rows: Int32Array;
  readonly turns: Int32Array;
  readonly messages: Int32Array;
  readonly tokens: Int32Array;
  /** 1 = the row has the same turn with the same gold action before: its perplexity counts once. */
  readonly repeats: Uint8Array;
  /** 1 = free text of which no judgement says what it is. */
  readonly unjudged: Uint8Array;
}

/** The annotations and judgements of a row. */
export interface RowNotes {
  readonly annotations: unknown;
  readonly judgements: unknown;
  /** Why there are no annotations where there should be some; null when there are. */
  readonly annotationGap: "annotation_failed" | "not_annotated" | null;
}

/** Notes that are no columns: those that are given win over the columns. */
export type NotesReader = (row: number) => Partial<RowNotes>;

/** One decision on its way into columns. */
interface FoundDecision extends KeyDecision {
  readonly row: number;
}

/**
 * Expands trajectories into their annotated decisions.
 *
 * @throws CalibrantError `data` or `length-mismatch` for a column that cannot be.
 */
export function expandBatch(
  batch: RolloutBatch,
  settings: TrajectorySettings,
  notesOf: NotesReader | null = null,
): ExpandedBatch {
  const base = new Float64Array(batch.rows);
  const bits = new Uint32Array(batch.rows);
  const found: FoundDecision[] = [];
  let isJudged = false;
  const baseOf = baseReader(batch, settings);
  const groupOf = batch.columns.get("group_id") as KeyColumn | undefined;
  const messagesOf = jsonReader(batch, "messages");
  const logprobs = gatherTurnLogprobs(batch);
  const columnNotes = columnNotesReader(batch);
  for (let row = 0; row < batch.rows; row++) {
    const { annotations, judgements, annotationGap } = { ...columnNotes(row), ...notesOf?.(row) };
    const value = messagesOf(row);
    const verdicts = readTurnJudgements(judgements);
    isJudged ||= verdicts.size > 0;
    const read = readTrajectory(readMessages(value), {
      annotations,
      judgements: verdicts,
      written: settings.isReleased && Array.isArray(value) ? (value as unknown[]) : null,
    });
    for (const decision of read.decisions) found.push({ ...decision, row });
    if (read.turns > 0) logprobs.checkTurns(row, read.turns);
    base[row] = baseOf(row);
    bits[row] =
      (annotationGap === null ? read.bits : read.bits & ~TRAJECTORY_BIT.no_key_turn) |
      (Number.isNaN(base[row]) ? TRAJECTORY_BIT.no_base : 0) |
      (annotationGap === null ? 0 : TRAJECTORY_BIT[annotationGap]) |
      (groupOf === undefined || (groupOf.codes[row] as number) < 0 ? TRAJECTORY_BIT.no_group : 0);
  }
  return { base, bits, isJudged, ...decisionColumns(batch, found, bits, logprobs) };
}

function baseReader(batch: RolloutBatch, { hasBase }: TrajectorySettings): (row: number) => number {
  if (!hasBase) return () => 0;
  const given = numberColumn(batch, "checklist_reward");
  const checklistsOf = jsonReader(batch, "checklists");
  return (row) => {
    const value = given === null ? Number.NaN : (given[row] as number);
    return Number.isNaN(value) ? checklistReward(checklistsOf(row)) : value;
  };
}

function columnNotesReader(batch: RolloutBatch): (row: number) => RowNotes {
  const annotationsOf = jsonReader(batch, "annotations");
  const judgementsOf = jsonReader(batch, "judgements");
  return (row) => ({
    annotations: annotationsOf(row),
    judgements: judgementsOf(row),
    annotationGap: null,
  });
}

type DecisionColumns = Omit<ExpandedBatch, "base" | "bits" | "isJudged">;

function decisionColumns(
  batch: RolloutBatch,
  found: readonly FoundDecision[],
  bits: Uint32Array,
  logprobs: TurnLogprobs,
): DecisionColumns {
  const lists = ["logprobs", "turn_ends", "turn_end_mask"].map((name) => listColumn(batch, name));
  const hasTokens = (row: number): boolean =>
    lists.some((list) => list !== null && list.rowValid?.[row] !== 0);
  const tokens = Int32Array.from(found, ({ row, key }) => {
    logprobs.add(row, key.turn);
    const end = logprobs.endOf(row, key.turn);
    const word = end === null ? hasTokens(row) && "no_turn_end" : logprobs.isMasked(row, end) && "end_masked";
    if (word) bits[row] = (bits[row] as number) | TRAJECTORY_BIT[word];
    return end ?? -1;
  });
  const rows = Int32Array.from(found, ({ row }) => row);
  return {
    decisions: {
      rows: found.length,
      place: (decision) => placeOf(batch, rows[decision] as number),
      columns: new Map([
        ...decisionTexts(found),
        ["group_id", groupColumn(batch, found)],
        ...perplexityColumns(batch, found, logprobs),
      ]),
    },
    rows,
    turns: Int32Array.from(found, ({ key }) => key.turn),
    messages: Int32Array.from(found, ({ message }) => message),
    tokens,
    unjudged: Uint8Array.from(found, ({ isUnjudged }) => (isUnjudged ? 1 : 0)),
    repeats: Uint8Array.from(found, ({ row, key }, at) => {
      const isSame = (other: FoundDecision): boolean =>
        other.key.turn === key.turn && other.key.goldAction === key.goldAction;
      let before = at - 1;
      while (before >= 0 && found[before]?.row === row && !isSame(found[before] as FoundDecision)) before--;
      return before >= 0 && found[before]?.row === row ? 1 : 0;
    }),
  };
}

/** A decision point of a group: one user turn and one gold action, whose rollouts are compared. */
function groupColumn(batch: RolloutBatch, found: readonly FoundDecision[]): KeyColumn {
  const groups = batch.columns.get("group_id") as KeyColumn | undefined;
  const keys: string[] = [];
  const known = new Map<string, number>();
  const codes = Int32Array.from(found, ({ row, key }) => {
    const group = groups === undefined ? undefined : groups.keys[groups.codes[row] as number];
    if (group === undefined) return -1;
    const name = `${key.turn} ${key.goldAction} ${group}`;
    const code = known.get(name) ?? keys.length;
    if (code === keys.length) {
      known.set(name, code);
      keys.push(name);
    }
    return code;
  });
  return { kind: "key", codes, keys };
}

function decisionTexts(found: readonly FoundDecision[]): [string, Column][] {
  const actions = (name: (decision: FoundDecision) => string | null): KeyColumn => ({
    kind: "key",
    codes: Int32Array.from(found, (decision) =>
      (ACTIONS as readonly (string | null)[]).indexOf(name(decision)),
    ),
    keys: ACTIONS,
  });
  const text = (read: (decision: FoundDecision) => string | null): Column => ({
    kind: "text",
    get: (decision) => read(found[decision] as FoundDecision),
  });
  return [
    ["tools", { kind: "json", get: (decision) => found[decision]?.key.tools ?? null }],
    ["gt_action", actions(({ key }) => key.goldAction)],
    ["action", actions(({ action }) => action)],
    // Without an answer there is an empty one: it was decided, and nothing was said.
    ["answer", text(({ answer }) => answer ?? "")],
    ["gt_answer", text(({ key }) => key.targetAnswer)],
    ["response", text(({ releasedText }) => releasedText)],
  ];
}

function perplexityColumns(
  batch: RolloutBatch,
  found: readonly FoundDecision[],
  logprobs: TurnLogprobs,
): [string, Column][] {
  const given = listColumn(batch, "turn_ppl");
  const values = (read: (decision: FoundDecision) => number): Column => ({
    kind: "number",
    values: Float64Array.from(found, read),
  });
  const ofTurn = ({ row, key }: FoundDecision): number => {
    if (given === null || given.rowValid?.[row] === 0) return Number.NaN;
    const at = (given.offsets[row] as number) + key.turn;
    const isThere = at < (given.offsets[row + 1] as number) && given.valueValid?.[at] !== 0;
    return isThere ? (given.values[at] as number) : Number.NaN;
  };
  return [
    ["logprobs", logprobs.finish()],
    ["ppl", values(ofTurn)],
    ["ref_ppl", values(({ key }) => key.refPpl)],
    ["neg_ppl", values(({ key }) => key.negPpl)],
  ];
}
