import { ANSWER_CODES, NO_ANSWER, UNPARSED } from "./answer-codes.ts";
import type { AnswerPairs } from "./row-answers.ts";
import type { RunStore } from "./run-store.ts";

/** Rows that are read together: their codes stay in the fastest memory. */
export const BLOCK_ROWS = 4096;

/** The codes of some consecutive rows; −1 = missing. */
export interface Block {
  readonly rows: number;
  readonly ids: Int32Array;
  readonly faults: Int32Array;
  readonly actions: Int32Array;
  readonly repeats: Int32Array;
}

/** Room for the codes of a block. */
export function createBlock(): Block {
  const [ids, faults, actions, repeats] = [0, 1, 2, 3].map(() => new Int32Array(BLOCK_ROWS));
  return { rows: 0, ids, faults, actions, repeats } as Block;
}

/** What the codes of a batch mean. */
export interface BatchTables {
  /** The item of each code of an id, −1 for an id that the dataset does not have. */
  readonly items: Int32Array;
  readonly pairs: AnswerPairs;
}

/** What among the stored rows needs a second look. */
export interface MetRows {
  /** Items that have an answer already. */
  readonly twice: readonly number[];
  /** Codes of ids that the dataset does not have. */
  readonly strangers: readonly number[];
  /** Rows of the block whose labels are no answer. */
  readonly unparsed: readonly number[];
  /** The first row without an id, where storing ends; −1 = none. */
  readonly nameless: number;
}

/**
 * Stores the answers of the rows `from … to − 1` of a block in a run: the one loop over all predictions. Rows of a repeat
 * stand together as a rule.
 */
export function storeAnswers(
  { ids, faults, actions, repeats }: Block,
  from: number,
  to: number,
  { items, pairs }: BatchTables,
  run: RunStore,
): MetRows {
  const twice: number[] = [];
  const strangers: number[] = [];
  const unparsed: number[] = [];
  const { codes: pairCodes, width } = pairs;
  let store = run.codes;
  let { counts } = run;
  let begin = 0;
  let last = -2;
  for (let i = from; i < to; i++) {
    const id = ids[i] as number;
    if (id < 0) return { twice, strangers, unparsed, nameless: i };
    const item = items[id] as number;
    if (item < 0) {
      strangers.push(id);
      continue;
    }
    const repeat = repeats[i] as number;
    if (repeat !== last) {
      begin = run.start(repeat);
      store = run.codes;
      counts = run.counts;
      last = repeat;
    }
    const pair = (Math.imul((faults[i] as number) + 1, width) + (actions[i] as number) + 1) | 0;
    const code = pairCodes[pair] as number;
    const at = begin + item;
    if (store[at] !== NO_ANSWER) twice.push(item);
    store[at] = code;
    const cell = (Math.imul(item, ANSWER_CODES) + code) | 0;
    if (cell < counts.length) counts[cell] = ((counts[cell] as number) + 1) | 0;
    if (code === UNPARSED) unparsed.push(i);
  }
  return { twice, strangers, unparsed, nameless: -1 };
}
