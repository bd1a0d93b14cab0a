import type { Table } from "apache-arrow";
import { checkColumns } from "../../data/check-columns.ts";
import { itemIndex } from "./item-index.ts";
import { readItem } from "./read-item.ts";
import type { When2CallItem } from "./when2call-item.ts";
import { createWhen2CallReader } from "./when2call-reader.ts";

/**
 * Reads rows of the When2Call dataset (Ross et al. 2025), as its JSONL files hold them.
 *
 * - `uuid`, else `id`: text or an integer, unique. The item's `id`.
 * - `correct_answer`: `direct`, `tool_call`, `request_for_info`, `cannot_answer`, or another spelling that `parseAction`
 *   knows. The item has the canonical action.
 * - `tools`: a list of objects or JSON strings; empty = no tools given; absent = not known. `answers`: an object with the
 *   four texts, or absent. Both may be JSON text.
 *
 * All other columns are kept. Items that were read before may be read again.
 *
 * @throws CalibrantError `data` naming row (from 0) and field for a value that the field cannot have, or listing the ids
 * that occur twice.
 *
 * @example
 * ```ts
 * import { when2callItems } from "calibrant/metrics";
 * const rows = [{ uuid: "q1", question: "Weather?", tools: ['{"name": "weather"}'], correct_answer: "direct" }];
 * const [item] = when2callItems(rows);
 * console.log(item?.id, item?.correct_answer, item?.tools); // q1 direct_answer [ { name: 'weather' } ]
 * ```
 */
export function when2callItems(rows: readonly Readonly<Record<string, unknown>>[]): When2CallItem[] {
  const items = rows.map((row, index) => readItem(row, () => `items: row ${index}`));
  itemIndex(items);
  return items;
}

/**
 * {@link when2callItems} over an Arrow table, in any number of record batches; all columns of flat values are kept too.
 * Arrow is loaded on the first call.
 *
 * @throws CalibrantError as {@link when2callItems}; `schema` listing missing or mistyped columns.
 */
export async function when2callItemsFromTable(table: Table): Promise<When2CallItem[]> {
  const { foundArrowColumns } = await import("../../data/arrow/arrow-types.ts");
  const { batchFromArrow } = await import("../../data/arrow/arrow-columns.ts");
  const found = foundArrowColumns(table.schema);
  const reader = createWhen2CallReader({ found: [found], columns: found.map((column) => column.name) });
  const requests = checkColumns(found, reader.needs, "items");
  let row = 0;
  for (const batch of table.batches) {
    reader.add(batchFromArrow(batch, requests, "items", row));
    row += batch.numRows;
  }
  return reader.finish();
}
