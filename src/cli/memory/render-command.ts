import type { RenderMemoryOptions } from "../../recovery/memory/render-memory.ts";
import { readMemoryFile } from "./read-memory-file.ts";

/**
 * Runs `calibrant memory render`: the prompt block on standard output.
 *
 * @throws CalibrantError for the memory and for options.
 */
export async function renderCommand(file: string, options: RenderMemoryOptions): Promise<void> {
  process.stdout.write(`${readMemoryFile(file).render(options)}\n`);
}
