import type { KeyColumn, RolloutBatch } from "../../data/columns.ts";
import { createGroupIndex } from "../../data/keys/group-index.ts";
import { type AdvantageOptions, type Advantages, groupAdvantages } from "../advantage.ts";
import { RELEASED_KEPT } from "../released-groups.ts";
import type { RowParts } from "../reward-job.ts";
import { statusWords } from "../status-text.ts";
import { type PartNames, rewardedTurns, rowPlacements, type TurnPlacement } from "./placements.ts";
import { type ExpandedBatch, expandBatch, type NotesReader } from "./trajectory-batch.ts";
import type { TrajectorySettings } from "./trajectory-settings.ts";
import { TRAJECTORY_BIT, TRAJECTORY_WORDS } from "./trajectory-status.ts";

/** Scored trajectories, in the order in which they were added; NaN = null. */
export interface TrajectoryRewards {
  readonly baseReward: Float64Array;
  /** Σ of R_UQ over key turns, without its weight. */
  readonly uqReward: Float64Array;
  /** Key turns that are in that sum. */
  readonly keyTurns: Float64Array;
  readonly reward: Float64Array;
  readonly advantage: Float64Array;
  readonly status: readonly string[];
}

/** The rewards of a run, with what is made row by row when it is asked for. */
export interface FinishedTrajectories extends TrajectoryRewards {
  readonly groups: number;
  /** Whether anything was judged. */
  readonly isJudged: boolean;
  /** What lands where in a row, by turn. */
  readonly placementsOf: (row: number) => readonly TurnPlacement[];
  /** The names of the parts of their decisions. */
  readonly partNames: PartNames;
}

/** Scores trajectories whose groups may lie anywhere: everything is added first. */
export interface TrajectoryScorer {
  /** Adds rows. `notesOf` gives annotations and judgements that are no columns. */
  add(batch: RolloutBatch, notesOf?: NotesReader | null): void;
  /**
   * Once, when everything was added.
   *
   * @param isJudged - something was judged, even if no row has a judgement.
   */
  finish(isJudged?: boolean): FinishedTrajectories;
}

/** A batch whose decisions wait for their groups. */
interface WaitingBatch extends Omit<ExpandedBatch, "decisions"> {
  readonly parts: RowParts;
  readonly actions: Int32Array;
  readonly golds: Int32Array;
  readonly points: Int32Array;
  readonly groups: Int32Array;
}

/** Starts to score. Memory grows with the trajectories and their key turns, not with their texts or tokens. */
export function createTrajectoryScorer(
  settings: TrajectorySettings,
  advantage: AdvantageOptions = {},
): TrajectoryScorer {
  const { job } = settings;
  const state = job.createGroups();
  const points = createGroupIndex();
  const groups = createGroupIndex();
  const waiting: WaitingBatch[] = [];
  return {
    add(batch, notesOf = null) {
      const { decisions, ...expanded } = expandBatch(batch, settings, notesOf);
      const column = (name: string): KeyColumn => decisions.columns.get(name) as KeyColumn;
      const parts = job.scoreRows(decisions);
      waiting.push({
        ...expanded,
        // The released scorer reads its own letter from the text.
        actions: settings.isReleased
          ? Int32Array.from(parts.kept[RELEASED_KEPT.indexOf("letter")] as Float64Array)
          : column("action").codes,
        golds: column("gt_action").codes,
        parts,
        points: points.add(column("group_id"), decisions.rows),
        groups: groups.add(batch.columns.get("group_id") as KeyColumn | undefined, batch.rows),
      });
    },
    finish(isJudged = false) {
      // Only now is it known whether free text without a judgement was left out or never to be judged.
      const drops = isJudged || waiting.some((batch) => batch.isJudged);
      for (const batch of waiting) state.add(batch.parts, countedPoints(batch, drops));
      const parts = waiting.map((batch) =>
        finishBatch(batch, state.finish(batch.parts.kept, batch.points), { ...settings, drops }),
      );
      const reward = joined(parts.map((part) => part.reward));
      const ofRows = Int32Array.from(waiting.flatMap((batch) => Array.from(batch.groups)));
      const advantages = groupAdvantages(reward, ofRows, advantage);
      const words = parts.flatMap((part) => part.words);
      return {
        baseReward: joined(parts.map((part) => part.base)),
        uqReward: joined(parts.map((part) => part.uq)),
        keyTurns: joined(parts.map((part) => part.keyTurns)),
        reward,
        advantage: advantages.advantage,
        status: words.map((row, index) => rowStatus(row, advantages, index)),
        groups: groups.size,
        isJudged: drops,
        placementsOf: rowFinder(parts),
        partNames: settings.partNames,
      };
    },
  };
}

/** The decision point of each decision whose perplexity counts in it; -1 for the others. */
function countedPoints({ points, repeats, unjudged }: WaitingBatch, drops: boolean): Int32Array {
  return points.map((point, decision) =>
    repeats[decision] === 1 || (drops && unjudged[decision] === 1) ? -1 : point,
  );
}

/** Finds the batch of a row. */
function rowFinder(parts: readonly FinishedBatch[]): FinishedTrajectories["placementsOf"] {
  const ends: number[] = [];
  for (const part of parts) ends.push((ends.at(-1) ?? 0) + part.base.length);
  let at = 0;
  return (row) => {
    // Rows are asked for in order as a rule.
    while (at > 0 && row < (ends[at - 1] as number)) at--;
    while (at + 1 < ends.length && row >= (ends[at] as number)) at++;
    return parts[at]?.placementsOf(row - (ends[at - 1] ?? 0)) ?? [];
  };
}

/** Rows of a batch whose decisions are scored. */
interface FinishedBatch {
  readonly base: Float64Array;
  readonly uq: Float64Array;
  readonly keyTurns: Float64Array;
  readonly reward: Float64Array;
  readonly placementsOf: (row: number) => readonly TurnPlacement[];
  readonly words: readonly (readonly string[])[];
}

/** Settings, and whether decisions that nobody judged are left out. */
interface FinishSettings extends TrajectorySettings {
  readonly drops: boolean;
}

type Finished = ReturnType<ReturnType<TrajectorySettings["job"]["createGroups"]>["finish"]>;

/** Words that leave a row without a reward: something that would be in it is not known. */
const REWARDLESS =
  TRAJECTORY_BIT.no_group |
  TRAJECTORY_BIT.no_base |
  TRAJECTORY_BIT.annotation_failed |
  TRAJECTORY_BIT.not_annotated |
  TRAJECTORY_BIT.not_judged |
  TRAJECTORY_BIT.judge_failed;

function finishBatch(batch: WaitingBatch, finished: Finished, settings: FinishSettings): FinishedBatch {
  const { weights, job } = settings;
  const rows = batch.base.length;
  const dropped = settings.drops ? batch.unjudged : new Uint8Array(batch.unjudged.length);
  const bits = rowBits(batch, dropped);
  const starts = decisionStarts(batch.rows, rows);
  const scores = {
    ...batch,
    dropped,
    finished,
    partNames: settings.partNames,
    statusNames: job.statusNames,
    weight: weights.uq,
  };
  const rangeOf = (row: number): { start: number; end: number } => ({
    start: starts[row] as number,
    end: starts[row + 1] as number,
  });
  const uq = new Float64Array(rows);
  const keyTurns = new Float64Array(rows);
  const reward = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    const turns = rewardedTurns(scores, rangeOf(row));
    for (const turn of turns) uq[row] = (uq[row] as number) + turn.uqReward;
    keyTurns[row] = turns.length;
    const total = weights.base * (batch.base[row] as number) + weights.uq * (uq[row] as number);
    const own = bits[row] as number;
    const unread = (own & TRAJECTORY_BIT.no_messages) !== 0 && (own & UNUSED_ANNOTATION) !== 0;
    reward[row] = (own & REWARDLESS) !== 0 || unread ? Number.NaN : total;
  }
  const words = decisionWords(batch.rows, bits, dropped, finished, settings);
  const placementsOf = (row: number): TurnPlacement[] => rowPlacements(scores, rangeOf(row));
  return { base: batch.base, uq, keyTurns, reward, placementsOf, words };
}

/** The first decision of each row, and behind the last row their number. */
function decisionStarts(ofDecisions: Int32Array, rows: number): Int32Array {
  const starts = new Int32Array(rows + 1);
  for (const row of ofDecisions) starts[row + 1] = (starts[row + 1] as number) + 1;
  for (let row = 0; row < rows; row++)
    starts[row + 1] = (starts[row + 1] as number) + (starts[row] as number);
  return starts;
}

/** What is said of annotations of a conversation that cannot be read. */
const UNUSED_ANNOTATION = TRAJECTORY_BIT.turn_out_of_range | TRAJECTORY_BIT.bad_annotation;

/** The words of every row: its own, then those of its decisions, in the order of their lists. */
function decisionWords(
  ofDecisions: Int32Array,
  bits: Uint32Array,
  dropped: Uint8Array,
  { status }: Finished,
  { job }: TrajectorySettings,
): string[][] {
  const masks = new Uint32Array(bits.length);
  ofDecisions.forEach((row, decision) => {
    if (dropped[decision] === 0) masks[row] = (masks[row] as number) | (status[decision] as number);
  });
  return Array.from(masks, (mask, row) => {
    const mine = bits[row] as number;
    const own = mine === 0 ? [] : statusWords(mine, TRAJECTORY_WORDS);
    const words = mask === 0 ? [] : statusWords(mask, job.statusNames);
    return [...own, ...words.filter((word) => word !== "separated" && !own.includes(word))];
  });
}

/** The bits of rows, with those that have a decision nobody judged. */
function rowBits({ bits, rows }: WaitingBatch, dropped: Uint8Array): Uint32Array {
  const all = bits.slice();
  rows.forEach((row, decision) => {
    if (dropped[decision] === 1) all[row] = (all[row] as number) | TRAJECTORY_BIT.not_judged;
  });
  return all;
}

function rowStatus(words: readonly string[], { filtered }: Advantages, row: number): string {
  const all = filtered[row] === 1 ? [...words, "filtered"] : words;
  return all.length === 0 ? "ok" : all.join(";");
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
