import type { RolloutBatch } from "../../data/columns.ts";
import { createSliceIndex } from "../../data/keys/slice-index.ts";
import { CalibrantError } from "../../errors.ts";
import { NO_ANSWER, UNPARSED } from "./answer-codes.ts";
import { type CompiledGold, listed } from "./compile-gold.ts";
import type { PredictionKeys } from "./prediction-needs.ts";
import { rowAnswers } from "./row-answers.ts";

/** What was predicted in one run. */
export interface PredictedRun {
  /** The values of the run columns; `["all"]` without them. */
  readonly name: readonly string[];
  readonly repeats: number;
  /** `(repeats · items)`: the code of the answer to each item, item by item within a repeat. */
  readonly codes: Uint8Array;
  /** Labels that no one knows, and how often they were predicted. */
  readonly unknownLabels: ReadonlyMap<string, number>;
  readonly promptHashes: ReadonlySet<string>;
}

/** What the rows of a batch were read as, `(rows)` each. */
export interface GatheredRows {
  /** Items of the dataset; −1 for an id that it does not have. */
  readonly items: Int32Array;
  readonly codes: Uint8Array;
}

/** Gathers predictions, batch by batch in any order. */
export interface PredictionGatherer {
  add(batch: RolloutBatch, file: string): GatheredRows;
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
  const repeatIndex = createSliceIndex(keys.repeat, fileIsColumn);
  const runs: RunStore[] = [];
  const strangers = new Set<string>();
  const twice = new Set<string>();
  return {
    add(batch, file) {
      const items = itemIndices(batch, gold, strangers);
      const { codes, unknownLabels } = rowAnswers(batch);
      const runOf = runIndex.add(batch, file);
      const repeatOf = repeatIndex.add(batch, file);
      while (runs.length < runIndex.size) runs.push(createRunStore());
      for (const run of runs) run.allowRepeats(repeatIndex.size);
      for (let row = 0; row < batch.rows; row++) {
        const item = items[row] as number;
        if (item < 0) continue;
        const run = runs[runOf[row] as number] as RunStore;
        const at = run.start(repeatOf[row] as number, n) + item;
        if (run.codes[at] !== NO_ANSWER) twice.add(gold.ids[item] as string);
        run.codes[at] = codes[row] as number;
        if (codes[row] === UNPARSED) for (const label of unknownLabels(row)) run.countUnknown(label);
      }
      addHashes(batch, runOf, runs);
      return { items, codes };
    },
    finish() {
      throwBadIds(strangers, twice, keys);
      if (runs.length === 0 && keys.run.length === 0) runs.push(createUnansweredRun(n));
      return runs
        .map((run, index) => run.finish(keys.run.length === 0 ? ["all"] : runIndex.values(index), n))
        .sort((a, b) => (a.name.join("\0") < b.name.join("\0") ? -1 : 1));
    },
  };
}

interface RunStore {
  /** Codes with room to grow, {@link NO_ANSWER} where nothing was predicted. */
  readonly codes: Uint8Array;
  allowRepeats(count: number): void;
  /** Where the codes of a repeat begin. */
  start(repeat: number, items: number): number;
  countUnknown(label: string): void;
  addHash(hash: string): void;
  finish(name: readonly string[], items: number): PredictedRun;
}

function createRunStore(): RunStore {
  let codes = new Uint8Array(0);
  // Number of each repeat of the file within this run, + 1.
  let known = new Int32Array(0);
  let repeats = 0;
  const unknownLabels = new Map<string, number>();
  const promptHashes = new Set<string>();
  return {
    get codes() {
      return codes;
    },
    allowRepeats(count) {
      if (known.length < count) known = grown(known, new Int32Array(Math.max(count, 2 * known.length)));
    },
    start(repeat, items) {
      if (known[repeat] === 0) {
        repeats += 1;
        known[repeat] = repeats;
        const room = repeats * items;
        if (codes.length < room)
          codes = grown(codes, new Uint8Array(Math.max(room, 2 * codes.length)).fill(NO_ANSWER));
      }
      return ((known[repeat] as number) - 1) * items;
    },
    countUnknown: (label) => void unknownLabels.set(label, (unknownLabels.get(label) ?? 0) + 1),
    addHash: (hash) => void promptHashes.add(hash),
    finish: (name, items) => ({
      name,
      repeats,
      codes: codes.subarray(0, repeats * items),
      unknownLabels,
      promptHashes,
    }),
  };
}

/** One repeat in which no item was answered. */
function createUnansweredRun(items: number): RunStore {
  const run = createRunStore();
  run.allowRepeats(1);
  run.start(0, items);
  return run;
}

function grown<T extends Uint8Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

function itemIndices(
  { rows, columns, place }: RolloutBatch,
  gold: CompiledGold,
  strangers: Set<string>,
): Int32Array {
  const ids = columns.get("id");
  const items = new Int32Array(rows).fill(-1);
  const isKey = ids?.kind === "key";
  const known = isKey ? Int32Array.from(ids.keys, (key) => gold.indexOf.get(key) ?? -1) : new Int32Array(0);
  for (let row = 0; row < rows; row++) {
    const code = isKey ? (ids.codes[row] as number) : -1;
    if (code < 0)
      throw new CalibrantError("data", `${place?.(row) ?? `row ${row}`}: the prediction has no id`);
    items[row] = known[code] as number;
    if (items[row] === -1) strangers.add(isKey ? (ids.keys[code] as string) : "");
  }
  return items;
}

function addHashes({ rows, columns }: RolloutBatch, runOf: Int32Array, runs: readonly RunStore[]): void {
  const hashes = columns.get("prompt_hash");
  if (hashes?.kind !== "key") return;
  let before = -1;
  let runBefore = -1;
  for (let row = 0; row < rows; row++) {
    const code = hashes.codes[row] as number;
    const run = runOf[row] as number;
    if (code < 0 || (code === before && run === runBefore)) continue;
    before = code;
    runBefore = run;
    runs[run]?.addHash(hashes.keys[code] as string);
  }
}

function throwBadIds(
  strangers: ReadonlySet<string>,
  twice: ReadonlySet<string>,
  { repeat, run }: PredictionKeys,
): void {
  const problems: string[] = [];
  if (strangers.size > 0) problems.push(`ids that are not in the dataset: ${listed([...strangers].sort())}`);
  if (twice.size > 0) {
    const where = [...run, ...repeat].length === 0 ? "" : ` within one ${[...run, ...repeat].join(" and ")}`;
    const way = "where a column tells repeats or models apart, name it as repeat or run";
    problems.push(`ids predicted twice${where} (${way}): ${listed([...twice].sort())}`);
  }
  if (problems.length > 0)
    throw new CalibrantError("data", `the predictions have ${problems.join("; and ")}`);
}
