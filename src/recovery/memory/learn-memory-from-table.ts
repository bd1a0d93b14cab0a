import type { Table } from "apache-arrow";
import { checkColumns } from "../../data/check-columns.ts";
import { createMemoryLearner, type LearnedMemory, type LearnMemoryOptions } from "./create-memory-learner.ts";

/**
 * A memory of an Arrow table of trajectories, in any number of record batches; rows in order. Arrow is loaded on the first call.
 *
 * @throws CalibrantError `schema` for missing columns, `data` naming the row for a value that cannot be, `option` for an
 * option that cannot be.
 *
 * @example
 * ```ts
 * import { tableFromArrays } from "apache-arrow";
 * import { learnMemoryFromTable } from "calibrant/recovery";
 * const messages = [JSON.stringify([{ role: "assistant", content: "Done." }]), "null"];
 * const { memory, rows, unreadable } = await learnMemoryFromTable(tableFromArrays({ messages }));
 * console.log(rows, unreadable, memory.episodes.observed.clean); // 2 1 1
 * ```
 */
export async function learnMemoryFromTable(
  table: Table,
  options: LearnMemoryOptions = {},
): Promise<LearnedMemory> {
  const { foundArrowColumns } = await import("../../data/arrow/arrow-types.ts");
  const { batchFromArrow } = await import("../../data/arrow/arrow-columns.ts");
  const learner = createMemoryLearner(options);
  const requests = checkColumns(foundArrowColumns(table.schema), learner.needs, "table");
  let row = 0;
  for (const batch of table.batches) {
    learner.add(batchFromArrow(batch, requests, "table", row));
    row += batch.numRows;
  }
  return learner.finish();
}
