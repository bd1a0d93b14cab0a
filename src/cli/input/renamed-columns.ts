import type { ColumnRenames } from "../../data/check-columns.ts";
import type { FoundColumn } from "../../data/columns.ts";

/**
 * The columns of an input under the names that a job knows: `ppl=perplexity` also shows `perplexity` as `ppl`, `ppl=`
 * hides `ppl`. A column that is not there is left to the check of the columns.
 */
export function renamedColumns(found: readonly FoundColumn[], renames: ColumnRenames): FoundColumn[] {
  const byName = new Map(found.map((column) => [column.name, column]));
  const kept = found.filter((column) => !renames.has(column.name));
  const renamed = [...renames].flatMap(([name, source]) => {
    const column = byName.get(source);
    return column === undefined ? [] : [{ ...column, name }];
  });
  return [...kept, ...renamed];
}
