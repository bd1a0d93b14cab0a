import { type TableOutputFlags, tableOutputOptions } from "../tables/table-output-options.ts";
import { checkTableOutputs, writeTableDocument } from "../tables/write-table-document.ts";
import { memoryDocument } from "./memory-document.ts";
import { readMemoryFile } from "./read-memory-file.ts";

/**
 * Runs `calibrant memory show`.
 *
 * @throws CalibrantError for the memory, the level, and outputs.
 */
export async function showCommand(file: string, level: number, output: TableOutputFlags): Promise<void> {
  const outputs = tableOutputOptions(output, [file]);
  await checkTableOutputs(outputs);
  const memory = readMemoryFile(file);
  const { prior, update, episodes, fallbacks, constraints } = memory;
  const beliefs = memory.beliefs({ level });
  const document = memoryDocument(memory, level, [["memory", file]]);
  const result = { prior, update, level, episodes, ...beliefs, fallbacks, constraints };
  await writeTableDocument(document, result, outputs);
}
