import type { BayesianToolMemory } from "../../recovery/memory/bayesian-tool-memory.ts";
import { readMemory } from "../../recovery/memory/read-memory.ts";
import { readJsonFile } from "../read-json-file.ts";

/**
 * The memory in a file.
 *
 * @throws CalibrantError `io` or `data`, naming the file and what is wrong in it.
 */
export function readMemoryFile(path: string): BayesianToolMemory {
  return readMemory(readJsonFile(path), { name: path });
}
