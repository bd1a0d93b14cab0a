import { actionCode, actionFromLetter } from "../../data/calls/action.ts";
import type { Column, ColumnNeeds, ColumnRequest, FoundColumn, RolloutBatch } from "../../data/columns.ts";
import { CalibrantError } from "../../errors.ts";
import {
  BAD_LOG_PROB,
  choiceScores,
  LABEL_OUTCOMES,
  logProbOutcome,
  type Outcome,
} from "./choice-outcome.ts";
import { judgeLabelCode } from "./judge-label.ts";
import { WHEN2CALL_CHOICES, type When2CallItem } from "./when2call-item.ts";
import type { When2CallSettings } from "./when2call-options.ts";

/**
 * A prediction, named as the columns of a file are. Of a row's log-probs, label and judge's text the first that is there
 * counts, in this order.
 */
export interface When2CallPrediction {
  /** The item's id; a file may also call it `uuid`, as the dataset does. */
  readonly id?: string | number | bigint;
  readonly uuid?: string;
  /** A category in any spelling of `parseAction`; `prediction` and `action` are read where there is none. */
  readonly label?: string | null;
  readonly prediction?: string | null;
  readonly action?: string | null;
  /** The judge's verdict, or its whole text. */
  readonly judge_label?: string | null;
  readonly judge_output?: string | null;
  /** Summed natural log-probs of each choice's text, or the log-probs of its tokens. */
  readonly logprobs?: Readonly<Record<string, number | readonly number[] | null>> | null;
  /** The same as four columns. */
  readonly logprob_direct?: number | readonly number[] | null;
  readonly logprob_tool_call?: number | readonly number[] | null;
  readonly logprob_request_for_info?: number | readonly number[] | null;
  readonly logprob_cannot_answer?: number | readonly number[] | null;
  /** How many tokens each sum covers, where `logprobs` are sums; or as columns `num_tokens_direct`, …. */
  readonly num_tokens?: Readonly<Record<string, number>> | null;
}

const IDS: readonly ColumnRequest[] = [
  { name: "uuid", kind: "key" },
  { name: "id", kind: "key" },
];
const LABELS: readonly ColumnRequest[] = ["label", "prediction", "action"].map((name) => ({
  name,
  kind: "key",
}));
const JUDGED: readonly ColumnRequest[] = ["judge_label", "judge_output"].map((name) => ({
  name,
  kind: "text",
}));
const LOGPROB_COLUMNS: readonly string[] = WHEN2CALL_CHOICES.map((choice) => `logprob_${choice}`);
const TOKEN_COLUMNS: readonly string[] = WHEN2CALL_CHOICES.map((choice) => `num_tokens_${choice}`);

/**
 * The columns of predictions.
 *
 * @param found the columns of each input
 * @throws CalibrantError `schema` where an input has some but not all of the four log-prob columns.
 */
export function predictionNeeds(found: readonly (readonly FoundColumn[])[]): ColumnNeeds {
  for (const columns of found) checkFourColumns(columns);
  const logProbs = LOGPROB_COLUMNS.map((name): ColumnRequest => ({ name, kind: numberOrJson(name, found) }));
  const tokens = TOKEN_COLUMNS.map((name): ColumnRequest => ({ name, kind: "number" }));
  const nested: ColumnRequest = { name: "logprobs", kind: "json" };
  return {
    required: [IDS, [...LABELS, ...JUDGED, nested, logProbs[0] as ColumnRequest]],
    optional: [...logProbs.slice(1), { name: "num_tokens", kind: "json" }, ...tokens],
  };
}

function checkFourColumns(columns: readonly FoundColumn[]): void {
  const names = new Set(columns.map((column) => column.name));
  const missing = LOGPROB_COLUMNS.filter((name) => !names.has(name));
  if (missing.length === 0 || missing.length === LOGPROB_COLUMNS.length) return;
  const message = `predictions: every choice needs its log-prob, missing column ${missing.join(", ")}`;
  throw new CalibrantError("schema", message, { missing });
}

/** Sums are numbers; lists of the tokens' log-probs are read as JSON. */
function numberOrJson(name: string, found: readonly (readonly FoundColumn[])[]): "number" | "json" {
  const there = found.flat().filter((column) => column.name === name);
  return there.every((column) => column.kinds.includes("number")) ? "number" : "json";
}

/** The rows of a batch of predictions. */
export interface PredictionRows {
  /** The id of a row; null = it has none. */
  readonly id: (row: number) => string | null;
  readonly outcome: (row: number, item: When2CallItem) => Outcome;
  /** Whether a row has log-probs, be they good or bad. */
  readonly hasLogProbs: (row: number) => boolean;
}

/** Whether an input has labels or a judge's text; if not, a row without log-probs has bad ones. */
export function hasLabels(found: readonly (readonly FoundColumn[])[]): boolean {
  const names = new Set([...LABELS, ...JUDGED].map((request) => request.name));
  return found.flat().some((column) => names.has(column.name));
}

/**
 * Reads a batch; labels are parsed once a batch, not once a row.
 *
 * @param labelled whether the whole input has labels, as {@link hasLabels}: a batch of JSONL may lack the column
 */
export function predictionRows(
  { columns }: RolloutBatch,
  labelled: boolean,
  { letters, maxCharactersPerToken }: When2CallSettings,
): PredictionRows {
  const logProbs = logProbReader(columns);
  const tokens = tokenReader(columns);
  const labels = LABELS.flatMap(({ name }) => labelReader(columns.get(name), letters));
  const judged = JUDGED.flatMap(({ name }) => judgeReader(columns.get(name)));
  const ids = IDS.flatMap(({ name }) => keyReader(columns.get(name)));
  return {
    id: (row) => firstKnown(ids, row),
    hasLogProbs: (row) => logProbs(row) !== null,
    outcome(row, item) {
      const scores = logProbs(row);
      if (scores !== null)
        return logProbOutcome(choiceScores(scores, tokens(row)), item.answers, maxCharactersPerToken);
      const code = firstKnown(labels, row) ?? firstKnown(judged, row);
      if (code === null && !labelled) return BAD_LOG_PROB;
      return LABEL_OUTCOMES[(code ?? -1) + 1] as Outcome;
    },
  };
}

type Values = Readonly<Record<string, unknown>>;
type RowReader<T> = (row: number) => T | null;

function firstKnown<T>(readers: readonly RowReader<T>[], row: number): T | null {
  for (const read of readers) {
    const value = read(row);
    if (value !== null) return value;
  }
  return null;
}

function keyReader(column: Column | undefined): RowReader<string>[] {
  if (column?.kind !== "key") return [];
  const { codes, keys } = column;
  return [(row) => keys[codes[row] as number] ?? null];
}

function labelReader(column: Column | undefined, letters: boolean): RowReader<number>[] {
  if (column?.kind !== "key") return [];
  const { codes, keys } = column;
  const parsed = Int8Array.from(keys, (key) => {
    const code = actionCode(key);
    return code < 0 && letters ? actionCode(actionFromLetter(key)) : code;
  });
  return [(row) => parsed[codes[row] as number] ?? null];
}

function judgeReader(column: Column | undefined): RowReader<number>[] {
  if (column?.kind !== "text") return [];
  const { get } = column;
  return [
    (row) => {
      const text = get(row);
      return text === null ? null : judgeLabelCode(text);
    },
  ];
}

/** The log-probs of a row by choice; null where it has none. A plain list holds those of one response, not of choices. */
function logProbReader(columns: RolloutBatch["columns"]): (row: number) => Values | null {
  const nested = columns.get("logprobs");
  const flat = valuesReader(columns, LOGPROB_COLUMNS);
  return (row) => {
    const value = nested?.kind === "json" ? nested.get(row) : null;
    if (isRecord(value)) return value;
    const values = flat(row);
    return Object.values(values).some((one) => one !== null) ? values : null;
  };
}

function tokenReader(columns: RolloutBatch["columns"]): (row: number) => Values {
  const nested = columns.get("num_tokens");
  const flat = valuesReader(columns, TOKEN_COLUMNS);
  return (row) => {
    const value = nested?.kind === "json" ? nested.get(row) : null;
    return isRecord(value) ? value : flat(row);
  };
}

function isRecord(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Four columns as an object by choice. */
function valuesReader(columns: RolloutBatch["columns"], names: readonly string[]): (row: number) => Values {
  const readers = names.map((name): ((row: number) => unknown) => {
    const column = columns.get(name);
    if (column?.kind === "json") return column.get;
    if (column?.kind !== "number") return () => null;
    const { values } = column;
    return (row) => (Number.isNaN(values[row]) ? null : values[row]);
  });
  return (row) => Object.fromEntries(WHEN2CALL_CHOICES.map((choice, i) => [choice, readers[i]?.(row)]));
}
