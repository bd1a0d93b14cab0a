import type { Table } from "apache-arrow";
import { checkColumns } from "../../data/check-columns.ts";
import type { ColumnKind, ColumnNeeds, ColumnRequest, RolloutBatch } from "../../data/columns.ts";
import { batchFromRows, foundRowColumns } from "../../data/jsonl/rows-columns.ts";
import { checkedItem } from "./check-item.ts";
import { cellValue, createIdCheck } from "./item-cells.ts";
import type { ToolFaultItem } from "./tool-fault-item.ts";

/** Gathers the items of ToolFault-Bench from batches of its columns. */
export interface ToolFaultReader {
  /**
   * Reads the rows of a batch, columns as {@link toolFaultNeeds} asks for them.
   *
   * @param file - what errors call the source of a batch that does not know its places.
   * @throws CalibrantError `data` naming row and column of the first value that no item can have.
   */
  add(batch: RolloutBatch, file: string): void;
  /**
   * The items, in the order they came.
   *
   * @throws CalibrantError `data` listing the ids that occur more than once.
   */
  finish(): ToolFaultItem[];
}

const REQUIRED: readonly ColumnRequest[] = [
  { name: "id", kind: "key" },
  { name: "fault_type", kind: "key" },
  { name: "next_action", kind: "key" },
  { name: "acceptable_next_actions", kind: "json" },
  { name: "critical_next_actions", kind: "json" },
  { name: "tools", kind: "json" },
  { name: "messages", kind: "json" },
];

const OPTIONAL: readonly ColumnRequest[] = [
  { name: "is_hard_negative", kind: "number" },
  ...requests("key", ["domain", "subtype", "difficulty", "last_tool_name"]),
  ...requests("text", ["current_time", "user_request", "last_tool_result", "gold_recovery", "rationale"]),
  { name: "num_tool_calls", kind: "number" },
  { name: "meta", kind: "json" },
];

function requests(kind: ColumnKind, names: readonly string[]): ColumnRequest[] {
  return names.map((name) => ({ name, kind }));
}

/** The columns that make an item of ToolFault-Bench: those that it cannot do without, and the others. */
export function toolFaultNeeds(): ColumnNeeds {
  return { required: REQUIRED.map((request) => [request]), optional: OPTIONAL };
}

/** Creates a {@link ToolFaultReader}. */
export function createToolFaultReader(): ToolFaultReader {
  const items: ToolFaultItem[] = [];
  const ids = createIdCheck();
  return {
    add(batch, file) {
      const firstRow = items.length;
      for (let row = 0; row < batch.rows; row += 1) {
        const place = batch.place?.(row) ?? `${file}: row ${firstRow + row}`;
        const item = checkedItem((name) => cellValue(batch.columns.get(name), row), place);
        ids.add(item.id, place);
        items.push(item);
      }
    },
    finish() {
      ids.finish();
      return items.slice();
    },
  };
}

/**
 * The items of ToolFault-Bench from plain objects, as a parsed line of its JSONL has them. Lists may be JSON text.
 *
 * @throws CalibrantError `schema` listing missing or mistyped columns; `data` naming row (from 0) and column of a value
 * that no item can have, or listing ids that occur more than once.
 *
 * @example
 * ```ts
 * import { toolFaultItems } from "calibrant/metrics";
 * const [item] = toolFaultItems([
 *   {
 *     id: "1",
 *     fault_type: "timeout",
 *     next_action: "retry_same",
 *     acceptable_next_actions: ["retry_same"],
 *     critical_next_actions: ["proceed"],
 *     tools: "[]",
 *     messages: [{ role: "tool", content: "timed out" }],
 *   },
 * ]);
 * console.log(item?.is_hard_negative, item?.tools, item?.domain); // false [] null
 * ```
 */
export function toolFaultItems(rows: readonly Readonly<Record<string, unknown>>[]): ToolFaultItem[] {
  if (rows.length === 0) return [];
  const columns = checkColumns(foundRowColumns(rows), toolFaultNeeds(), "items");
  const reader = createToolFaultReader();
  reader.add(batchFromRows(rows, columns, "items"), "items");
  return reader.finish();
}

/**
 * The items of ToolFault-Bench from an Arrow table, in any number of record batches. Arrow is loaded on the first call.
 *
 * @throws CalibrantError as {@link toolFaultItems}.
 */
export async function toolFaultItemsFromTable(table: Table): Promise<ToolFaultItem[]> {
  const { foundArrowColumns } = await import("../../data/arrow/arrow-types.ts");
  const { batchFromArrow } = await import("../../data/arrow/arrow-columns.ts");
  const columns = checkColumns(foundArrowColumns(table.schema), toolFaultNeeds(), "table");
  const reader = createToolFaultReader();
  let row = 0;
  for (const batch of table.batches) {
    reader.add(batchFromArrow(batch, columns, "table", row), "table");
    row += batch.numRows;
  }
  return reader.finish();
}
