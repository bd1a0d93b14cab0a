import { CalibrantError } from "../../errors.ts";
import { mergeMemories } from "../../recovery/memory/merge-memories.ts";
import { writeWhole } from "../write-whole.ts";
import { memoryText } from "./memory-text.ts";
import { readMemoryFile } from "./read-memory-file.ts";

/**
 * Runs `calibrant memory merge`. All inputs are read before the output is written, so that it may be one of them.
 *
 * @param output - `-` is standard output
 * @throws CalibrantError for memories that cannot be read or do not belong together, naming the file.
 */
export async function mergeCommand(files: readonly string[], output: string): Promise<void> {
  const [first = "", ...others] = files;
  if (new Set(files).size < files.length)
    throw new CalibrantError("usage", `each memory is merged once, got one twice: ${files.join(", ")}`);
  let merged = readMemoryFile(first);
  for (const file of others) {
    const other = readMemoryFile(file);
    try {
      merged = mergeMemories(merged, other);
    } catch (error) {
      if (!(error instanceof CalibrantError)) throw error;
      throw new CalibrantError(error.code, `${file}: ${error.message}`, { ...error.details, file });
    }
  }
  if (output === "-") process.stdout.write(memoryText(merged));
  else await writeWhole(output, [memoryText(merged)]);
}
