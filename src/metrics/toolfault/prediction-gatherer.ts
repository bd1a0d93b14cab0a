import type { RolloutBatch } from "../../data/columns.ts";
import type { KeySource } from "../../data/keys/key-source.ts";
import { createSliceIndex } from "../../data/keys/slice-index.ts";
import { CalibrantError } from "../../errors.ts";
import { listedIds } from "../listed-ids.ts";
import { UNPARSED } from "./answer-codes.ts";
import type { CompiledGold } from "./compile-gold.ts";
import type { PredictionKeys } from "./prediction-needs.ts";
import type { PredictionRows } from "./prediction-rows.ts";
import { createRepeatIndex } from "./repeat-index.ts";
import { answerPairs, textAnswer, unknownLabels } from "./row-answers.ts";
import { createRunStore, createUnansweredRun, type PredictedRun, type RunStore } from "./run-store.ts";
import { BLOCK_ROWS, type Block, createBlock, storeAnswers } from "./store-answers.ts";

/** What the rows of a batch were read as, `(rows)` each. */
export interface GatheredRows {
  /** Items of the dataset; −1 for an id that it does not have. */
  readonly items: Int32Array;
  readonly codes: Uint8Array;
  /** The run of each row; its name is `runName` of the gatherer. */
  readonly runs: Int32Array;
}

/** Gathers predictions, batch by batch in any order. */
export interface PredictionGatherer {
  /**
   * Takes the rows of a batch.
   *
   * @param kept is filled with what each row was read as
   * @throws CalibrantError `data` for a row without an id.
   */
  add(rows: PredictionRows, file: string, kept?: GatheredRows): void;
  /** The name of a run of {@link GatheredRows}. */
  runName(run: number): readonly string[];
  /**
   * The runs, sorted by name. Without run columns there is one, also when nothing was predicted.
   *
   * @throws CalibrantError `data` listing ids that were predicted twice or are not in the dataset.
   */
  finish(): readonly PredictedRun[];
}

/**
 * Creates a {@link PredictionGatherer}. It keeps a byte for each item of each repeat of each run, and nothing else of a row.
 *
 * @param fileIsColumn whether the predictions have a column called `file`
 */
export function createPredictionGatherer(
  gold: CompiledGold,
  keys: PredictionKeys,
  fileIsColumn: boolean,
): PredictionGatherer {
  const n = gold.ids.length;
  const runIndex = createSliceIndex(keys.run, fileIsColumn);
  const repeats = createRepeatIndex(keys.repeat, fileIsColumn);
  const runs: RunStore[] = [];
  const nameOf = (run: number): readonly string[] => (keys.run.length === 0 ? ["all"] : runIndex.values(run));
  const strangers = new Set<string>();
  const twice = new Set<string>();
  const scratch = createBlock();
  return {
    add(rows, file, kept) {
      const { batch, id } = rows;
      if (batch.rows === 0) return;
      const runOf = keys.run.length === 0 ? null : runIndex.add(batch, file);
      while (runs.length < Math.max(runIndex.size, runOf === null ? 1 : 0)) runs.push(createRunStore(n));
      const repeat = repeats.source(rows, file);
      const tables = { items: itemOfCode(id, gold), pairs: answerPairs(rows) };
      for (const run of runs) run.beginBatch(repeat);
      for (let start = 0; start < batch.rows; start += BLOCK_ROWS) {
        const block = { ...scratch, rows: Math.min(BLOCK_ROWS, batch.rows - start) };
        readBlock(block, rows, repeat, start);
        for (let from = 0; from < block.rows; ) {
          const to = runOf === null ? block.rows : segmentEnd(runOf, start, from, block.rows);
          const run = runs[runOf?.[start + from] ?? 0] as RunStore;
          const met = storeAnswers(block, from, to, tables, run);
          if (met.nameless >= 0) throw noId(batch, start + met.nameless);
          for (const item of met.twice) twice.add(gold.ids[item] as string);
          for (const code of met.strangers) strangers.add((id as KeySource).keyOf(code));
          readTexts(met.unparsed, { block, start, rows, run, items: tables.items });
          from = to;
        }
        if (kept !== undefined) keepBlock(block, start, tables.items, runOf, runs, kept);
      }
      addHashes(rows, runOf, runs);
    },
    runName: (run) => nameOf(run),
    finish() {
      throwBadIds(strangers, twice, keys);
      if (runs.length === 0 && keys.run.length === 0) runs.push(createUnansweredRun(n));
      return runs
        .map((run, index) => run.finish(nameOf(index)))
        .sort((a, b) => (a.name.join("\0") < b.name.join("\0") ? -1 : 1));
    },
  };
}

/** Where the rows of a block that share the run of row `from` end. */
function segmentEnd(runOf: Int32Array, start: number, from: number, rows: number): number {
  const run = runOf[start + from];
  let to = from + 1;
  while (to < rows && runOf[start + to] === run) to += 1;
  return to;
}

interface StoredBlock {
  readonly block: Block;
  /** The block's first row in its batch. */
  readonly start: number;
  readonly rows: PredictionRows;
  readonly run: RunStore;
  readonly items: Int32Array;
}

/** Gives rows without any label the answer of their text; labels that no one knows are counted. */
function readTexts(unparsed: readonly number[], { block, start, rows, run, items }: StoredBlock): void {
  const { output } = rows;
  for (const at of unparsed) {
    const [fault, action] = [block.faults[at] as number, block.actions[at] as number];
    if (output !== null && fault < 0 && action < 0) {
      const item = items[block.ids[at] as number] as number;
      run.replace(block.repeats[at] as number, item, textAnswer(output, start + at));
    } else run.countUnknown(unknownLabels(rows, fault, action));
  }
}

function readBlock(
  block: Block,
  { id, fault, action }: PredictionRows,
  repeat: KeySource | null,
  start: number,
): void {
  const columns = [
    [id, block.ids],
    [fault, block.faults],
    [action, block.actions],
    [repeat, block.repeats],
  ] as const;
  for (const [source, into] of columns) {
    if (source === null) into.fill(-1);
    else source.read(start, start + block.rows, into);
  }
}

function keepBlock(
  { rows, ids, repeats }: Block,
  start: number,
  items: Int32Array,
  runOf: Int32Array | null,
  runs: readonly RunStore[],
  kept: GatheredRows,
): void {
  for (let i = 0; i < rows; i++) {
    const item = items[ids[i] as number] as number;
    const run = runOf?.[start + i] ?? 0;
    kept.items[start + i] = item;
    kept.runs[start + i] = run;
    kept.codes[start + i] = item < 0 ? UNPARSED : (runs[run]?.codeOf(repeats[i] as number, item) as number);
  }
}

function itemOfCode(ids: KeySource | null, gold: CompiledGold): Int32Array {
  return Int32Array.from(
    { length: ids?.size ?? 0 },
    (_, code) => gold.indexOf.get(ids?.keyOf(code) ?? "") ?? -1,
  );
}

function noId(batch: RolloutBatch, row: number): CalibrantError {
  return new CalibrantError("data", `${batch.place?.(row) ?? `row ${row}`}: the prediction has no id`);
}

function addHashes(
  { batch, hash }: PredictionRows,
  runOf: Int32Array | null,
  runs: readonly RunStore[],
): void {
  if (hash === null) return;
  const codes = new Int32Array(BLOCK_ROWS);
  const seen = new Set<number>();
  for (let start = 0; start < batch.rows; start += BLOCK_ROWS) {
    const end = Math.min(batch.rows, start + BLOCK_ROWS);
    hash.read(start, end, codes);
    for (let row = start; row < end; row++) {
      const code = codes[row - start] as number;
      const run = runOf?.[row] ?? 0;
      const pair = code * runs.length + run;
      if (code < 0 || seen.has(pair)) continue;
      seen.add(pair);
      runs[run]?.addHash(hash.keyOf(code));
    }
  }
}

function throwBadIds(
  strangers: ReadonlySet<string>,
  twice: ReadonlySet<string>,
  { repeat, run }: PredictionKeys,
): void {
  const problems: string[] = [];
  if (strangers.size > 0)
    problems.push(`ids that are not in the dataset: ${listedIds([...strangers].sort())}`);
  if (twice.size > 0) {
    const where = [...run, ...repeat].length === 0 ? "" : ` within one ${[...run, ...repeat].join(" and ")}`;
    const way = "where a column tells repeats or models apart, name it as repeat or run";
    problems.push(`ids predicted twice${where} (${way}): ${listedIds([...twice].sort())}`);
  }
  if (problems.length > 0)
    throw new CalibrantError("data", `the predictions have ${problems.join("; and ")}`);
}
