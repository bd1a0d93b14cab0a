import type { BayesianToolMemory } from "../../recovery/memory/bayesian-tool-memory.ts";

/** The file of a memory: the same bytes for the same memory. */
export function memoryText(memory: BayesianToolMemory): string {
  return `${JSON.stringify(memory, null, 2)}\n`;
}
