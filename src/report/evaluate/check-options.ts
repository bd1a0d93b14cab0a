import { CalibrantError } from "../../errors.ts";
import type { EvaluationOptions } from "../evaluation-options.ts";

/**
 * Checks the options of a report that do not depend on its inputs.
 *
 * @throws CalibrantError `option` naming the option and its value.
 */
export function checkOptions(options: EvaluationOptions): void {
  integer("bins", options.bins, 1, 10_000);
  integer("eceBins", options.eceBins, 1, 1000);
  integer("resamples", options.resamples, 0, 1_000_000);
  integer("permutations", options.permutations, 0, 1_000_000);
  integer("seed", options.seed, 0, 2 ** 32 - 1);
  const { level, edges, by, baseline } = options;
  if (level !== undefined && !(level > 0 && level < 1)) throw bad("level", "a number in (0, 1)", level);
  if (edges !== undefined) checkEdges(edges);
  if (edges !== undefined && options.bins !== undefined)
    throw bad("bins", "left out where edges are given", options.bins);
  if (by !== undefined && new Set(by).size < by.length) throw bad("by", "each column once", by.join(","));
  if (baseline !== undefined) checkBaseline(by ?? [], baseline.column);
}

function integer(name: string, value: number | undefined, min: number, max: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= min && value <= max)) return;
  throw bad(name, `an integer from ${min} to ${max}`, value);
}

function checkEdges(edges: readonly number[]): void {
  const ascending = edges.every(
    (edge, i) => Number.isFinite(edge) && (i === 0 || edge > (edges[i - 1] as number)),
  );
  if (edges.length < 2 || !ascending)
    throw bad("edges", "two or more finite ascending numbers", edges.join(","));
}

function checkBaseline(by: readonly string[], column: string | undefined): void {
  if (by.length === 0)
    throw bad("baseline", "given together with a slicing column (by)", "no slicing column");
  if (column !== undefined && !by.includes(column))
    throw bad("baseline", `one of the slicing columns ${by.join(", ")}`, column);
}

function bad(name: string, expected: string, value: unknown): CalibrantError {
  return new CalibrantError("option", `${name} must be ${expected}, got ${String(value)}`, { [name]: value });
}
