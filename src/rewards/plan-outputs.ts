import type { ColumnRequest, ResultColumn } from "../data/columns.ts";
import { CalibrantError } from "../errors.ts";

/** An added column. */
export interface PlanOutput {
  readonly name: string;
  readonly type: "float64" | "utf8";
  /** The column repeats the input's own of the same name, unless this other column is there. */
  readonly echoUnless?: string;
}

/**
 * The outputs that are to be written beside the columns of an input: those that would only repeat one are left out.
 *
 * @param names - all columns of the input.
 * @param requests - those that the plan reads.
 * @throws CalibrantError `schema` when an output has the name of a column and does not repeat it.
 */
export function newOutputs(
  plan: { readonly outputs: readonly PlanOutput[] },
  names: ReadonlySet<string>,
  requests: readonly ColumnRequest[],
  inputName: string,
): PlanOutput[] {
  const read = new Set(requests.map((request) => request.name));
  const outputs = plan.outputs.filter(
    ({ name, echoUnless }) =>
      !(names.has(name) && echoUnless !== undefined && read.has(name) && !read.has(echoUnless)),
  );
  const twice = outputs.map((output) => output.name).filter((name) => names.has(name));
  if (twice.length === 0) return outputs;
  throw new CalibrantError(
    "schema",
    `${inputName} already has ${twice.join(", ")}: name the added columns apart with a prefix, for example --prefix new_`,
    { columns: twice },
  );
}

/** The result columns that are outputs, in the order of `columns`. */
export function pickColumns(
  columns: readonly ResultColumn[],
  outputs: readonly PlanOutput[],
): ResultColumn[] {
  return columns.filter((column) => outputs.some((output) => output.name === column.name));
}
