import type { FoundColumn } from "../../data/columns.ts";
import { arrowOptions, type RunInput } from "./run-input.ts";

/** How much of a JSONL input is looked at for its columns. */
const INSPECT_BYTES = 1 << 18;

/**
 * The columns of an input before any of its rows is read: from its schema, or (JSONL) from its first lines.
 *
 * @throws CalibrantError `data` when the input is empty, broken or truncated.
 */
export async function inspectInput(input: RunInput): Promise<FoundColumn[]> {
  if (input.format === "parquet") {
    const { foundParquetColumns } = await import("../../data/parquet/parquet-schema.ts");
    return foundParquetColumns(input.path as string);
  }
  if (input.format === "arrow") {
    const { readArrowSchema } = await import("../../data/arrow/arrow-messages.ts");
    const { foundArrowColumns } = await import("../../data/arrow/arrow-types.ts");
    return foundArrowColumns(await readArrowSchema(input.peek(), input.name, arrowOptions(input)));
  }
  const { jsonlChunks } = await import("../../data/jsonl/jsonl-chunks.ts");
  const { parseJsonlChunk } = await import("../../data/jsonl/parse-jsonl-chunk.ts");
  const { foundRowColumns } = await import("../../data/jsonl/rows-columns.ts");
  for await (const bytes of jsonlChunks(input.peek(), input.name, { chunkBytes: INSPECT_BYTES })) {
    return foundRowColumns(parseJsonlChunk(bytes, input.name, 1).rows);
  }
  return [];
}
