import { CalibrantError } from "../../errors.ts";
import type { Comparison, EvaluationSlice } from "../evaluation.ts";
import { type CompareContext, compareSlices, type NamedRows } from "./compare-slices.ts";
import type { EvaluatedSlice } from "./slice-evaluation.ts";
import type { SliceRows } from "./split-rows.ts";

/** A slice of the report with its rows. */
export type ComparableSlice = EvaluatedSlice & { readonly rows: SliceRows };

/**
 * Compares every slice with the baseline slice that agrees with it in all other slicing columns. Slices without such a
 * baseline are not compared.
 *
 * @throws CalibrantError `option` when no slice has the baseline's value.
 */
export function compareAll(slices: readonly ComparableSlice[], context: CompareContext): Comparison[] {
  const { by, options } = context.settings;
  if (options.baseline === undefined) return [];
  const column = options.baseline.column ?? (by[0] as string);
  const { value } = options.baseline;
  const others = by.filter((name) => name !== column);
  const restOf = ({ key }: EvaluationSlice): string => JSON.stringify(others.map((name) => key[name]));
  const baselines = new Map<string, ComparableSlice>();
  for (const each of slices) {
    if (each.slice.key[column] === value) baselines.set(restOf(each.slice), each);
  }
  if (baselines.size === 0) throw noBaseline(slices, column, value);
  return slices.flatMap((candidate) => {
    const baseline = baselines.get(restOf(candidate.slice));
    if (baseline === undefined || candidate.slice.key[column] === value) return [];
    return [compareSlices(named(baseline), named(candidate), context)];
  });
}

function named({ slice, ...rest }: ComparableSlice): NamedRows {
  return { label: slice.label, ...rest };
}

function noBaseline(slices: readonly ComparableSlice[], column: string, value: string): CalibrantError {
  const values = [...new Set(slices.map(({ slice }) => slice.key[column]))];
  const listed = values.length > 20 ? [...values.slice(0, 20), "…"] : values;
  return new CalibrantError(
    "option",
    `the baseline must be a value of ${column} (${listed.join(", ")}), got ${value}`,
    { column, value },
  );
}
