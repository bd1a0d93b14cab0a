import type { ColumnRenames } from "../../data/check-columns.ts";
import { createToolFaultReader, toolFaultNeeds } from "../../metrics/toolfault/read-items.ts";
import type { ToolFaultItem } from "../../metrics/toolfault/tool-fault-item.ts";
import { openBatches } from "../input/read-batches.ts";

/**
 * The items of ToolFault-Bench in files of any format, in order.
 *
 * @throws CalibrantError `io`, `schema` or `data` for files that cannot be read, lack columns or hold broken items.
 */
export async function readItems(files: readonly string[], columns: ColumnRenames): Promise<ToolFaultItem[]> {
  const input = await openBatches(files, columns);
  const reader = createToolFaultReader();
  for await (const { batch, file } of input.read(toolFaultNeeds())) reader.add(batch, file);
  return reader.finish();
}
