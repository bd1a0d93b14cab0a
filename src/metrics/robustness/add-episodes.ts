import type { Column, ColumnNeeds, ColumnRequest, KeyColumn, RolloutBatch } from "../../data/columns.ts";
import { keysOfNumbers } from "../../data/keys/key-index.ts";
import { CalibrantError } from "../../errors.ts";
import { CONDITION_WORDS, conditionCode, withAlternatives } from "./conditions.ts";
import { type EpisodeColumns, type EpisodeStore, growColumns, UNSCORED } from "./episode-store.ts";

const number = (name: string, fallbackFor?: string): ColumnRequest => ({
  name,
  kind: "number",
  ...(fallbackFor !== undefined && { fallbackFor }),
});
const key = (name: string): ColumnRequest => ({ name, kind: "key" });

/** The columns of the robustness tables. */
export const ROBUSTNESS_NEEDS: ColumnNeeds = {
  required: [[key("model")], [key("condition")], [key("task_id")], [number("completed")]],
  optional: [
    key("subset"),
    number("alt"),
    key("seed"),
    key("fault_type"),
    { name: "fault_types", kind: "json" },
    number("turns"),
    number("num_turns", "turns"),
    number("tokens"),
    number("p_clean"),
    number("budget"),
    number("k_max"),
  ],
};

/** A reader of one number column of a batch: NaN where it is missing. */
type NumberAt = (row: number) => number;

/**
 * Adds the rows of a batch to the store (which is changed).
 *
 * @throws CalibrantError `data` naming the row, for a row without model, condition or task, an unknown condition, one that
 * contradicts `alt`, or a number that its column cannot have.
 */
export function addEpisodes(store: EpisodeStore, batch: RolloutBatch): void {
  const { columns } = store;
  const { rows } = batch;
  const fail = failIn(batch);
  const condition = conditionsOf(batch, fail);
  const model = namesOf(batch, "model", store.models.add(keyColumn(batch, "model"), rows), fail);
  const task = namesOf(batch, "task_id", store.tasks.add(keyColumn(batch, "task_id"), rows), fail);
  const subset = store.subsets.add(keyColumn(batch, "subset"), rows);
  const setting = settingsOf(store, batch, fail);
  const completed = flagAt(batch, "completed", fail);
  growColumns(columns, rows);
  const start = columns.rows;
  columns.task.set(task, start);
  columns.seed.set(store.seeds.add(keyColumn(batch, "seed"), rows), start);
  for (let row = 0; row < rows; row++) {
    const cell = store.cells.numberOf(
      model[row] as number,
      subset[row] as number,
      condition[row] as number,
      setting === null ? -1 : (setting[row] as number),
    );
    const passed = completed(row);
    columns.cell[start + row] = cell;
    columns.passed[start + row] = Number.isNaN(passed) ? UNSCORED : passed;
  }
  addCosts(store, batch, fail);
  addFaults(store, batch, fail);
  columns.rows += rows;
}

/** Throws for a value of a row. */
type Fail = (row: number, problem: string) => never;

function failIn(batch: RolloutBatch): Fail {
  return (row, problem) => {
    const place = batch.place?.(row) ?? `row ${row}`;
    throw new CalibrantError("data", `${place}: ${problem}`, { place });
  };
}

function conditionsOf(batch: RolloutBatch, fail: Fail): Int32Array {
  const column = keyColumn(batch, "condition");
  const alt = flagAt(batch, "alt", fail);
  const codes = (column?.keys ?? []).map(conditionCode);
  const conditions = new Int32Array(batch.rows);
  for (let row = 0; row < batch.rows; row++) {
    const at = column?.codes[row] ?? -1;
    if (at < 0) fail(row, `condition is missing: every row needs one of ${CONDITION_WORDS}`);
    const word = column?.keys[at];
    const code = codes[at] as number;
    if (code < 0) fail(row, `condition must be one of ${CONDITION_WORDS}, got ${JSON.stringify(word)}`);
    const stored = withAlternatives(code, alt(row));
    if (stored < 0) fail(row, `condition and alt contradict each other: alt is false, condition is ${word}`);
    conditions[row] = stored;
  }
  return conditions;
}

function namesOf(batch: RolloutBatch, name: string, numbers: Int32Array, fail: Fail): Int32Array {
  for (let row = 0; row < batch.rows; row++) {
    if ((numbers[row] as number) < 0) fail(row, `${name} is missing: every row needs one`);
  }
  return numbers;
}

/** The severity of each row; null where the batch says nothing of it. */
function settingsOf(store: EpisodeStore, batch: RolloutBatch, fail: Fail): Int32Array | null {
  const names = ["p_clean", "budget", "k_max"];
  if (!names.some((name) => batch.columns.has(name))) return null;
  const share = numberAt(batch, "p_clean", (value) => value >= 0 && value <= 1, "in [0, 1]", fail);
  const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0;
  const budget = numberAt(batch, "budget", isCount, "a whole number from 0 on", fail);
  const kMax = numberAt(batch, "k_max", isCount, "a whole number from 0 on", fail);
  const settings = new Int32Array(batch.rows);
  for (let row = 0; row < batch.rows; row++) {
    const [p, b, k] = [share(row), budget(row), kMax(row)];
    const isSaid = !(Number.isNaN(p) && Number.isNaN(b) && Number.isNaN(k));
    settings[row] = isSaid ? store.settings.numberOf(p, b, k) : -1;
  }
  return settings;
}

/** Sums turns and tokens of the episodes with a result. */
function addCosts({ columns, turns, tokens }: EpisodeStore, batch: RolloutBatch, fail: Fail): void {
  const isCost = (value: number): boolean => value >= 0 && value < Number.POSITIVE_INFINITY;
  const read = (name: string): NumberAt => numberAt(batch, name, isCost, "finite and 0 or more", fail);
  const [turnsAt, otherTurnsAt, tokensAt] = [read("turns"), read("num_turns"), read("tokens")];
  for (let row = 0; row < batch.rows; row++) {
    const own = turnsAt(row);
    const spent = Number.isNaN(own) ? otherTurnsAt(row) : own;
    const used = tokensAt(row);
    if (columns.passed[columns.rows + row] === UNSCORED) continue;
    const cell = columns.cell[columns.rows + row] as number;
    turns.add(cell, spent);
    tokens.add(cell, used);
  }
}

function addFaults({ columns, faults }: EpisodeStore, batch: RolloutBatch, fail: Fail): void {
  const single = keyColumn(batch, "fault_type");
  const lists = batch.columns.get("fault_types");
  if (single === undefined && lists === undefined) return;
  const singles = (single?.keys ?? []).map((name) => faults.numberOf([name]));
  for (let row = 0; row < batch.rows; row++) {
    const code = single?.codes[row] ?? -1;
    const list = lists?.kind === "json" ? faultList(lists.get(row), row, fail) : null;
    let set = code < 0 ? -1 : (singles[code] as number);
    if (list !== null) set = faults.numberOf(code < 0 ? list : [...list, single?.keys[code] as string]);
    if (set >= 0) storeFaultSet(columns, columns.rows + row, set);
  }
}

function storeFaultSet(columns: EpisodeColumns, row: number, set: number): void {
  columns.faultSet ??= new Int32Array(columns.cell.length).fill(-1);
  columns.faultSet[row] = set;
}

function faultList(value: unknown, row: number, fail: Fail): readonly string[] | null {
  if (value === null || value === undefined) return null;
  const isList = Array.isArray(value) && value.every((name) => typeof name === "string");
  return isList ? value : fail(row, `fault_types must be a list of names, got ${JSON.stringify(value)}`);
}

function keyColumn(batch: RolloutBatch, name: string): KeyColumn | undefined {
  const column: Column | undefined = batch.columns.get(name);
  if (column?.kind === "number") return keysOfNumbers(column.values);
  return column?.kind === "key" ? column : undefined;
}

/** Reads 1, 0 or NaN. */
function flagAt(batch: RolloutBatch, name: string, fail: Fail): NumberAt {
  return numberAt(batch, name, (value) => value === 0 || value === 1, "true, false, 1 or 0", fail);
}

function numberAt(
  batch: RolloutBatch,
  name: string,
  isLegal: (value: number) => boolean,
  legal: string,
  fail: Fail,
): NumberAt {
  const column = batch.columns.get(name);
  if (column?.kind !== "number") return () => Number.NaN;
  const { values } = column;
  return (row) => {
    const value = values[row] as number;
    if (Number.isNaN(value) || isLegal(value)) return value;
    return fail(row, `${name} must be ${legal}, got ${value}`);
  };
}
