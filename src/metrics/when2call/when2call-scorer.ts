import type { ColumnNeeds, FoundColumn, KeyColumn, RolloutBatch } from "../../data/columns.ts";
import { CalibrantError } from "../../errors.ts";
import { ACTIONS } from "../../types.ts";
import { listedIds } from "../listed-ids.ts";
import { WHEN2CALL_STATUSES } from "./choice-outcome.ts";
import { itemIndex } from "./item-index.ts";
import { itemSlices } from "./item-slices.ts";
import { hasLabels, predictionNeeds, predictionRows } from "./prediction-reader.ts";
import { scoreItems } from "./score-items.ts";
import type { When2CallItem } from "./when2call-item.ts";
import { type When2CallOptions, when2callSettings } from "./when2call-options.ts";
import type { When2CallResult } from "./when2call-result.ts";
import { when2callWarnings } from "./when2call-warnings.ts";

/** Scores predictions batch by batch. */
export interface When2CallScorer {
  /** What to read of the predictions. */
  readonly needs: ColumnNeeds;
  /** @throws CalibrantError `data` naming the row of a prediction without an id. */
  add(batch: RolloutBatch): void;
  /**
   * The metrics: the same however the rows were cut into batches and ordered.
   *
   * @throws CalibrantError `data`, once, listing every id that was predicted twice or is no item's.
   */
  finish(): When2CallResult;
}

/**
 * The accumulator behind {@link when2callMetrics}.
 *
 * @param items as `when2callItems` or a reader gives them
 * @param found the columns of each input of predictions
 * @throws CalibrantError `option`, `schema`, or `data` for slicing columns and ids of items.
 *
 * @example
 * ```ts
 * import { createWhen2CallScorer, when2callItems } from "calibrant/metrics";
 * const items = when2callItems([{ uuid: "q1", tools: [], correct_answer: "cannot_answer" }]);
 * const scorer = createWhen2CallScorer(items, [[{ name: "label", type: "utf8", kinds: ["key"] }]]);
 * const keys = (value: string) => ({ kind: "key", codes: Int32Array.of(0), keys: [value] }) as const;
 * scorer.add({ rows: 1, columns: new Map([["id", keys("q1")], ["label", keys("tool_call")]]) });
 * console.log(scorer.finish().overall.toolHallucination.value); // 1
 * ```
 */
export function createWhen2CallScorer(
  items: readonly When2CallItem[],
  found: readonly (readonly FoundColumn[])[],
  options: When2CallOptions = {},
): When2CallScorer {
  const settings = when2callSettings(options);
  const index = itemIndex(items);
  const slices = itemSlices(items, settings.by);
  const needs = predictionNeeds(found);
  const labelled = hasLabels(found);
  const acc = new Int8Array(items.length).fill(-1);
  const norm = new Int8Array(items.length).fill(-1);
  const status = new Uint8Array(items.length).fill(WHEN2CALL_STATUSES.indexOf("missing"));
  const seen = new Uint8Array(items.length);
  const twice = new Set<string>();
  const unknown = new Set<string>();
  let usesLogProbs = !labelled && found.length > 0;
  return {
    needs,
    add(batch) {
      const rows = predictionRows(batch, labelled, settings);
      const itemOf = itemReader(batch, index, rows.id);
      for (let row = 0; row < batch.rows; row++) {
        const item = itemOf(row);
        if (item < 0) unknown.add(rows.id(row) as string);
        else if (seen[item] === 1) twice.add((items[item] as When2CallItem).id);
        else {
          seen[item] = 1;
          const outcome = rows.outcome(row, items[item] as When2CallItem);
          acc[item] = outcome.acc;
          norm[item] = outcome.norm;
          status[item] = WHEN2CALL_STATUSES.indexOf(outcome.status);
          usesLogProbs ||= rows.hasLogProbs(row);
        }
      }
    },
    finish() {
      checkIds([...unknown].sort(), [...twice].sort());
      const gold = Uint8Array.from(items, (item) => ACTIONS.indexOf(item.correct_answer));
      const noTools = Uint8Array.from(items, ({ tools }) => Number(tools !== null && tools.length === 0));
      const scored = { gold, noTools, acc, norm, status, usesLogProbs };
      return {
        overall: scoreItems(scored, Array.from(items.keys()), settings),
        slices: slices.map(({ values, rows }) => ({ values, ...scoreItems(scored, rows, settings) })),
        input: usesLogProbs ? "logprobs" : "labels",
        warnings: when2callWarnings(items, scored, settings),
        options: settings,
      };
    },
  };
}

/** The item of a row, -1 for an unknown id; an id is looked up once a batch. */
function itemReader(
  batch: RolloutBatch,
  index: ReadonlyMap<string, number>,
  id: (row: number) => string | null,
): (row: number) => number {
  const column = soleIds(batch);
  const items = column === null ? null : Int32Array.from(column.keys, (key) => index.get(key) ?? -1);
  return (row) => {
    const code = column === null ? -1 : (column.codes[row] as number);
    if (items !== null && code >= 0) return items[code] as number;
    const value = id(row);
    if (value !== null) return index.get(value) ?? -1;
    const place = batch.place?.(row) ?? `row ${row}`;
    throw new CalibrantError("data", `${place}: a prediction needs the id of its item`, { place });
  };
}

/** The first id column that a batch has: rows that lack it there are looked up one by one. */
function soleIds({ columns }: RolloutBatch): KeyColumn | null {
  const column = columns.get("uuid") ?? columns.get("id");
  return column?.kind === "key" ? column : null;
}

function checkIds(unknown: readonly string[], twice: readonly string[]): void {
  const problems: string[] = [];
  if (unknown.length > 0) problems.push(`no item has the id of ${counted(unknown)}: ${listedIds(unknown)}`);
  if (twice.length > 0)
    problems.push(`one prediction an item, more for ${counted(twice)}: ${listedIds(twice)}`);
  if (problems.length > 0)
    throw new CalibrantError("data", `predictions: ${problems.join("; ")}`, { unknown, twice });
}

function counted(ids: readonly string[]): string {
  return ids.length === 1 ? "1 id" : `${ids.length} ids`;
}
