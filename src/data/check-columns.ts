import { CalibrantError } from "../errors.ts";
import { COLUMN_TYPES } from "./column-types.ts";
import type { ColumnNeeds, ColumnRequest, FoundColumn } from "./columns.ts";

/** `renames.get("group_id") === "prompt_id"` reads `group_id` from the column `prompt_id`; "" reads it from nowhere. */
export type ColumnRenames = ReadonlyMap<string, string>;

/**
 * The columns to read from a file: everything a job needs or can use that is there.
 *
 * @returns requests under the job's names; `sourceName` gives the file's name of each.
 * @throws CalibrantError `schema`, once, listing every missing or mistyped column with name, expected and found type.
 */
export function checkColumns(
  found: readonly FoundColumn[],
  needs: ColumnNeeds,
  fileName: string,
  renames: ColumnRenames = new Map(),
): ColumnRequest[] {
  const byName = new Map(found.map((column) => [column.name, column]));
  const problems: string[] = [];
  const chosen = new Map<string, ColumnRequest>();
  const consider = (request: ColumnRequest): boolean => {
    const source = sourceName(request.name, renames);
    const column = source === "" ? undefined : byName.get(source);
    if (column === undefined) return false;
    if (!column.kinds.includes(request.kind)) problems.push(mistyped(request, source, column));
    else if (!chosen.has(request.name) || request.fallbackFor === undefined)
      chosen.set(request.name, request);
    return true;
  };
  for (const alternatives of needs.required) {
    const there = alternatives.filter(consider);
    if (there.length === 0) problems.push(missing(alternatives, renames));
  }
  needs.optional.forEach(consider);
  for (const [name, source] of renames) {
    if (source !== "" && !byName.has(source))
      problems.push(`missing column ${source} (given as ${name}=${source})`);
  }
  if (problems.length > 0) throw schemaError([...new Set(problems)], found, fileName);
  return [...chosen.values()];
}

const KIND_WORDS: Readonly<Record<ColumnRequest["kind"], string>> = {
  number: "numbers or booleans",
  text: "text",
  key: "text or integers",
  list: "lists of numbers",
  json: "lists, structs or JSON text",
};

/** The file's name of a column that a job knows as `name`. */
export function sourceName(name: string, renames: ColumnRenames): string {
  return renames.get(name) ?? name;
}

function missing(alternatives: readonly ColumnRequest[], renames: ColumnRenames): string {
  const words = alternatives.map((request) => {
    const source = sourceName(request.name, renames);
    return `${source === "" ? request.name : source} (${COLUMN_TYPES[request.name] ?? request.kind})`;
  });
  return `missing column ${words.join(" or ")}`;
}

function mistyped(request: ColumnRequest, source: string, column: FoundColumn): string {
  const usual = COLUMN_TYPES[request.name];
  // A column that is asked for as something else than it usually is: text where labels are read, say.
  const expected = usual === undefined || usual.startsWith(column.type) ? KIND_WORDS[request.kind] : usual;
  return `column ${source}: expected ${expected}, found ${column.type}`;
}

function schemaError(
  problems: readonly string[],
  found: readonly FoundColumn[],
  fileName: string,
): CalibrantError {
  const names = found.map((column) => column.name);
  const listed = names.length > 30 ? [...names.slice(0, 30), "…"] : names;
  return new CalibrantError(
    "schema",
    `${fileName}: ${problems.join("; ")}; rename with --columns needed=present; columns present: ${listed.join(", ")}`,
    { fileName, problems, columns: names },
  );
}
