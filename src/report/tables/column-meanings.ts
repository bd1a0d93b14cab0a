import type { TableDocument } from "./table-document.ts";

/** The titles of all columns with what they mean, each once, in the order of the tables. */
export function columnMeanings({
  tables,
}: TableDocument): { readonly name: string; readonly value: string }[] {
  const seen = new Set<string>();
  return tables
    .flatMap(({ columns }) => columns)
    .filter(({ title, meaning }) => {
      const key = JSON.stringify([title, meaning]);
      if (meaning === "" || seen.has(key)) return false;
      seen.add(key);
      return true;
    })
    .map(({ title, meaning }) => ({ name: title, value: meaning }));
}
