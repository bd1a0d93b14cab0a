import { type ColumnRenames, checkColumns } from "../../data/check-columns.ts";
import type { ColumnNeeds, ColumnRequest, FoundColumn } from "../../data/columns.ts";
import { CalibrantError } from "../../errors.ts";
import type { TaskSource } from "./input-task.ts";
import type { RunInput } from "./run-input.ts";

/** An input that has what a job needs. */
export interface CheckedInput {
  readonly input: RunInput;
  readonly columns: readonly FoundColumn[];
  /** The requests whose columns are there, under the job's names. */
  readonly present: readonly ColumnRequest[];
}

/**
 * Checks the columns of all inputs against what a job needs.
 *
 * @param found - the columns of each input.
 * @throws CalibrantError `schema` for missing or mistyped columns; `usage` for a name in `--columns` that nothing reads.
 */
export function checkInputs(
  inputs: readonly RunInput[],
  found: readonly (readonly FoundColumn[])[],
  needs: ColumnNeeds,
  renames: ColumnRenames,
): CheckedInput[] {
  checkRenames(renames, needs);
  return inputs.map((input, index) => {
    const columns = found[index] as readonly FoundColumn[];
    return { input, columns, present: checkColumns(columns, needs, input.name, renames) };
  });
}

/**
 * What to read of a checked input.
 *
 * @param added - names that the output adds and no row of JSONL may have already.
 */
export function taskSource(
  { input, present }: CheckedInput,
  needs: ColumnNeeds,
  renames: ColumnRenames,
  added: readonly string[] = [],
): TaskSource {
  const pairs = renamePairs(renames);
  if (input.format !== "jsonl") return { name: input.name, requests: present, renames: pairs, added: [] };
  return { name: input.name, requests: withLater(present, needs, renames), renames: pairs, added };
}

/** Job's name → the file's name, where `--columns` makes them differ. */
export function renamePairs(renames: ColumnRenames): (readonly [string, string])[] {
  return [...renames].filter(([name, source]) => source !== "" && source !== name);
}

function checkRenames(renames: ColumnRenames, needs: ColumnNeeds): void {
  const read = new Set([...needs.required.flat(), ...needs.optional].map((request) => request.name));
  for (const name of renames.keys()) {
    if (read.has(name)) continue;
    const known = [...read].join(", ");
    throw new CalibrantError("usage", `--columns: nothing reads ${name}; read are ${known}`, { name });
  }
}

/** Only the first lines of JSONL were looked at: a later one may hold any column that the job reads. */
function withLater(
  present: readonly ColumnRequest[],
  needs: ColumnNeeds,
  renames: ColumnRenames,
): ColumnRequest[] {
  const requests = new Map(present.map((request) => [request.name, request]));
  for (const request of [...needs.required.flat(), ...needs.optional]) {
    if (!requests.has(request.name) && renames.get(request.name) !== "") requests.set(request.name, request);
  }
  return [...requests.values()];
}
