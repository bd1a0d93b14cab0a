import { CalibrantError } from "../../errors.ts";
import type { BaselineOption } from "../../report/evaluation-options.ts";

/** `--compare` as it was written: `baseline=base` or `checkpoint=base`. */
export interface CompareWords {
  readonly column: string;
  readonly value: string;
}

/**
 * The baseline that `--compare` names. The word `baseline` is the first slicing column, unless one is called so.
 *
 * @throws CalibrantError `usage` without slicing columns, or for a column that is none of them.
 */
export function baselineOf(compare: CompareWords, by: readonly string[]): BaselineOption {
  const { column, value } = compare;
  const [first] = by;
  if (first === undefined) {
    const suggested = column === "baseline" ? "checkpoint" : column;
    throw new CalibrantError(
      "usage",
      `--compare needs --by: name the column whose values are compared, for example --by ${suggested}`,
    );
  }
  if (by.includes(column)) return { column, value };
  if (column === "baseline") return { column: first, value };
  throw new CalibrantError(
    "usage",
    `--compare: ${column} is not a column of --by; write baseline=${value}, or one of ${by.join(", ")}`,
    { column },
  );
}
