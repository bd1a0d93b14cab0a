import type { KeySource } from "../../data/keys/key-source.ts";
import { ANSWER_CODES, NO_ANSWER } from "./answer-codes.ts";
import { COUNTED_ITEMS, COUNTED_REPEATS, countAnswers, type RunAnswers } from "./run-answers.ts";

/** What was predicted in one run. */
export interface PredictedRun extends RunAnswers {
  /** The values of the run columns; `["all"]` without them. */
  readonly name: readonly string[];
  /** Labels that no one knows, and how often they were predicted. */
  readonly unknownLabels: ReadonlyMap<string, number>;
  readonly promptHashes: ReadonlySet<string>;
}

/** The answers of one run while they are gathered. Repeats are named by their codes in the batch of the moment. */
export interface RunStore {
  /** Codes with room to grow, {@link NO_ANSWER} where nothing was predicted. */
  readonly codes: Uint8Array;
  /** How often each item got each answer; empty until there are many repeats. */
  readonly counts: Int32Array;
  /** Begins a batch. */
  beginBatch(repeats: KeySource | null): void;
  /** Where the codes of a repeat (−1 = missing) begin; `codes` and `counts` may be other arrays afterwards. */
  start(repeat: number): number;
  codeOf(repeat: number, item: number): number;
  /** Puts another answer in the place of one that is there. */
  replace(repeat: number, item: number, code: number): void;
  countUnknown(labels: readonly string[]): void;
  addHash(hash: string): void;
  finish(name: readonly string[]): PredictedRun;
}

/** Creates an empty {@link RunStore} for so many items. */
export function createRunStore(items: number): RunStore {
  let codes = new Uint8Array(0);
  let counts = new Int32Array(0);
  let source: KeySource | null = null;
  // The number of each repeat of the batch + 1, that of the missing one first.
  let known = new Int32Array(1);
  const numbers = new Map<string, number>();
  const unknownLabels = new Map<string, number>();
  const promptHashes = new Set<string>();
  const numberOf = (repeat: number): number => {
    const key = repeat < 0 || source === null ? "" : `=${source.keyOf(repeat)}`;
    const number = numbers.get(key) ?? numbers.size;
    known[repeat + 1] = number + 1;
    // A repeat that comes back in a later batch changes nothing.
    if (numbers.has(key)) return number;
    numbers.set(key, number);
    if (number === COUNTED_REPEATS && items <= COUNTED_ITEMS)
      counts = countAnswers(codes.subarray(0, number * items), items);
    const room = numbers.size * items;
    if (codes.length < room) codes = grown(codes, Math.max(room, 2 * codes.length));
    return number;
  };
  const start = (repeat: number): number => {
    const number = known[repeat + 1] as number;
    return (number === 0 ? numberOf(repeat) : number - 1) * items;
  };
  return {
    get codes() {
      return codes;
    },
    get counts() {
      return counts;
    },
    beginBatch(repeats) {
      source = repeats;
      known = new Int32Array((repeats?.size ?? 0) + 1);
    },
    start,
    codeOf: (repeat, item) => codes[start(repeat) + item] as number,
    replace(repeat, item, code) {
      const at = start(repeat) + item;
      if (counts.length > 0) moveCount(counts, item, codes[at] as number, code);
      codes[at] = code;
    },
    countUnknown(labels) {
      for (const label of labels) unknownLabels.set(label, (unknownLabels.get(label) ?? 0) + 1);
    },
    addHash: (hash) => void promptHashes.add(hash),
    finish: (name) => ({
      name,
      repeats: numbers.size,
      codes: codes.subarray(0, numbers.size * items),
      counts: counts.length > 0 ? counts : null,
      unknownLabels,
      promptHashes,
    }),
  };
}

function moveCount(counts: Int32Array, item: number, from: number, to: number): void {
  const base = item * ANSWER_CODES;
  counts[base + from] = (counts[base + from] as number) - 1;
  counts[base + to] = (counts[base + to] as number) + 1;
}

/** A run of one repeat in which no item was answered. */
export function createUnansweredRun(items: number): RunStore {
  const run = createRunStore(items);
  run.start(-1);
  return run;
}

function grown(codes: Uint8Array, room: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(room);
  larger.set(codes);
  larger.fill(NO_ANSWER, codes.length);
  return larger;
}
