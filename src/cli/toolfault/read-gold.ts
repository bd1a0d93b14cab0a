import type { ColumnRenames } from "../../data/check-columns.ts";
import { CalibrantError } from "../../errors.ts";
import type { SliceColumns } from "../../metrics/toolfault/compile-gold.ts";
import { createGoldReader } from "../../metrics/toolfault/gold-reader.ts";
import type { ToolFaultGold } from "../../metrics/toolfault/tool-fault-item.ts";
import { openBatches } from "../input/read-batches.ts";

/**
 * The gold labels of a dataset in files of any format, with the columns that are sliced by.
 *
 * @throws CalibrantError `usage` for no files; `io`, `schema` or `data` for files that cannot be read, lack columns or hold
 * broken items.
 */
export async function readGold(
  files: readonly string[],
  columns: ColumnRenames,
  by: readonly SliceColumns[],
): Promise<ToolFaultGold[]> {
  if (files.length === 0) throw new CalibrantError("usage", "the dataset is missing: give --items FILE");
  const input = await openBatches(files, columns);
  const reader = createGoldReader(input.renamed, by);
  for await (const { batch, file } of input.read(reader.needs)) reader.add(batch, file);
  return reader.finish();
}
