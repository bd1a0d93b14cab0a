import type { Table } from "apache-arrow";
import { checkColumns, sourceName } from "../../data/check-columns.ts";
import type { Column, ColumnRequest, FoundColumn, RolloutBatch } from "../../data/columns.ts";
import type { Row } from "../../data/jsonl/row-value.ts";
import { withNumberKeys } from "../../data/number-keys.ts";
import { plainTable } from "../../data/plain-table.ts";
import { ROBUSTNESS_NEEDS } from "./add-episodes.ts";
import { createRobustness } from "./create-robustness.ts";
import type { RobustnessColumn, RobustnessOptions } from "./robustness-options.ts";
import type { RobustnessResult } from "./robustness-result.ts";

/** One episode, named as the columns of files are. */
export interface RobustnessRow {
  readonly model: string | number;
  /** Part of the benchmark; null or absent = none. */
  readonly subset?: string | number | null;
  /** `clean`, `injected` (also `inject`), `injected_alt` (also `injected+alt`, `inject_alt`, `inject+alt`). */
  readonly condition: string;
  /** Whether alternative tools were there, instead of a condition with `alt` in its name. */
  readonly alt?: boolean | 0 | 1 | null;
  /** Unique in its subset. */
  readonly task_id: string | number;
  readonly seed?: string | number | null;
  /** null = no result: the row is left out and counted. */
  readonly completed: boolean | 0 | 1 | null;
  /** One fault type of the episode; absent, `none` or `clean` = none. */
  readonly fault_type?: string | null;
  /** All fault types of the episode, which counts under each. */
  readonly fault_types?: readonly string[] | null;
  readonly turns?: number | null;
  readonly num_turns?: number | null;
  readonly tokens?: number | null;
  /** Severity of the injection: P(clean) in [0, 1], B and K_max. */
  readonly p_clean?: number | null;
  readonly budget?: number | null;
  readonly k_max?: number | null;
}

/** Episodes by column, all of one length. */
export type RobustnessColumns = Partial<Readonly<Record<RobustnessColumn, ArrayLike<unknown>>>>;

/**
 * The robustness tables of rollouts (Bench2Robust, Tables 1, 3, 4, 12 and 14): pass rates by condition with intervals,
 * differences in pairs of tasks, spread over seeds, rates by fault type and by severity, and cost. Differences are fractions:
 * -0.404 is -40.4 percentage points.
 *
 * @param rows objects, or an object of columns; empty gives empty tables
 * @throws CalibrantError `schema` for missing columns, `data` naming the row for a value that cannot be, also for an episode
 * that is there twice; `option` for a bad option.
 *
 * @example
 * ```ts
 * import { robustness } from "calibrant/metrics";
 * const rows = ["a", "b", "c", "d"].flatMap((task_id, i) => [
 *   { model: "m", condition: "clean", task_id, completed: i < 3 },
 *   { model: "m", condition: "injected", task_id, completed: i < 1 },
 * ]);
 * const { gap, degraded } = robustness(rows);
 * console.log(gap[0]?.clean.value, gap[0]?.delta.value, degraded.largest?.delta); // 0.75 -0.5 -0.5
 * ```
 */
export function robustness(
  rows: readonly RobustnessRow[] | RobustnessColumns,
  options: RobustnessOptions = {},
): RobustnessResult {
  const accumulator = createRobustness(options);
  const isList = Array.isArray(rows);
  const name = isList ? "rows" : "columns";
  const table = plainTable(rows as readonly Row[] | RobustnessColumns, name);
  if (isList && table.isEmpty) return accumulator.finish();
  const batch = table.batch(requestsFor(table.found, options, name));
  accumulator.add(renamed(batch, options));
  return accumulator.finish();
}

/**
 * {@link robustness} of an Arrow table in any number of record batches. Arrow is loaded on the first call.
 *
 * @throws CalibrantError as {@link robustness}.
 *
 * @example
 * ```ts
 * import { tableFromArrays } from "apache-arrow";
 * import { robustnessFromTable } from "calibrant/metrics";
 * const table = tableFromArrays({
 *   model: ["m", "m"],
 *   condition: ["clean", "injected"],
 *   task_id: ["a", "a"],
 *   completed: Uint8Array.of(1, 0),
 * });
 * console.log((await robustnessFromTable(table)).gap[0]?.delta.value); // -1
 * ```
 */
export async function robustnessFromTable(
  table: Table,
  options: RobustnessOptions = {},
): Promise<RobustnessResult> {
  const { foundArrowColumns } = await import("../../data/arrow/arrow-types.ts");
  const { batchFromArrow } = await import("../../data/arrow/arrow-columns.ts");
  const accumulator = createRobustness(options);
  const requests = requestsFor(foundArrowColumns(table.schema), options, "table");
  let row = 0;
  for (const batch of table.batches) {
    accumulator.add(renamed(batchFromArrow(batch, requests, "table", row), options));
    row += batch.numRows;
  }
  return accumulator.finish();
}

function renamesOf({ columns = {} }: RobustnessOptions): ReadonlyMap<string, string> {
  return new Map(Object.entries(columns));
}

/** Requests under the names that the data has. */
function requestsFor(
  found: readonly FoundColumn[],
  options: RobustnessOptions,
  name: string,
): ColumnRequest[] {
  const renames = renamesOf(options);
  // Under the names that the tables know, as the needs are.
  const known = [...renames].flatMap(([own, source]) =>
    found.filter((column) => column.name === source).map((column) => ({ ...column, name: own })),
  );
  const needs = withNumberKeys(ROBUSTNESS_NEEDS, [
    [...found.filter(({ name: own }) => !renames.has(own)), ...known],
  ]);
  return checkColumns(found, needs, name, renames).map((request) => ({
    kind: request.kind,
    name: sourceName(request.name, renames),
  }));
}

/** The batch with its columns under the names that the tables know. */
function renamed(batch: RolloutBatch, options: RobustnessOptions): RolloutBatch {
  const renames = renamesOf(options);
  if (renames.size === 0) return batch;
  const { required, optional } = ROBUSTNESS_NEEDS;
  const columns = new Map<string, Column>();
  for (const { name } of [...required.flat(), ...optional]) {
    const column = batch.columns.get(sourceName(name, renames));
    if (column !== undefined) columns.set(name, column);
  }
  return { ...batch, columns };
}
