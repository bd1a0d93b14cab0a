import { BayesianToolMemory } from "./bayesian-tool-memory.ts";
import type { ReadMemoryOptions } from "./memory-options.ts";

/**
 * Reads a memory back from JSON, counts observed since its initial beliefs included: `toJSON` gives the same bytes again.
 *
 * @param value - parsed JSON, nothing assumed of it
 * @param options - what to replace: the mode of updating, fallbacks, constraints
 * @throws CalibrantError `data` naming the field for anything malformed: counts that are negative or not whole, unknown failures,
 * a pair that is there twice, fields that are missing or not known, another version; `option` for an option that cannot be.
 *
 * @example
 * ```ts
 * import { BayesianToolMemory, readMemory } from "calibrant/recovery";
 * const text = JSON.stringify(new BayesianToolMemory());
 * console.log(JSON.stringify(readMemory(JSON.parse(text))) === text); // true
 * ```
 */
export function readMemory(value: unknown, options: ReadMemoryOptions = {}): BayesianToolMemory {
  return BayesianToolMemory.from(value, options);
}
