import { CalibrantError } from "../../errors.ts";
import type { ToolFaultResult } from "../../metrics/toolfault/tool-fault-result.ts";

/**
 * Several results of ToolFault-Bench as one, with all their runs in order.
 *
 * @throws CalibrantError `data` for no results, for results over different datasets (by their hashes where both have one, numbers of
 * items and of hard negatives), or
 * with intervals that were made differently.
 */
export function mergeToolFaultResults(results: readonly ToolFaultResult[]): ToolFaultResult {
  const [first] = results;
  if (first === undefined) throw new CalibrantError("data", "there are no results to put side by side");
  for (const result of results) {
    checkSameIntervals(first, result);
    if (isSameDataset(first, result)) continue;
    const sizes = [first, result].map(
      ({ runs, items, hardNegatives }) =>
        `${runs[0]?.name.join(" / ")}: ${items} with ${hardNegatives} hard negatives`,
    );
    throw new CalibrantError("data", `the results are of different datasets (items: ${sizes.join("; ")})`);
  }
  const columns = new Set(results.map(({ runColumns }) => runColumns.join(" / ")));
  return {
    ...first,
    runColumns: columns.size === 1 ? first.runColumns : [],
    runs: results.flatMap(({ runs }) => runs),
    comparisons: results.flatMap(({ comparisons }) => comparisons),
  };
}

function isSameDataset(first: ToolFaultResult, other: ToolFaultResult): boolean {
  const isHashed = first.itemsHash !== null && other.itemsHash !== null;
  if (isHashed && first.itemsHash !== other.itemsHash) return false;
  return first.items === other.items && first.hardNegatives === other.hardNegatives;
}

/** A table says once how its intervals were made. */
function checkSameIntervals(first: ToolFaultResult, other: ToolFaultResult): void {
  for (const name of ["level", "resamples", "seed"] as const) {
    if (first[name] === other[name]) continue;
    const names = [first, other].map(({ runs }) => runs[0]?.name.join(" / "));
    throw new CalibrantError(
      "data",
      `the results were scored with different --${name}: ${names[0]} with ${first[name]}, ${names[1]} with ${other[name]}; score them alike`,
    );
  }
}
