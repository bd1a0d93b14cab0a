import type { EvaluationSlice } from "../evaluation.ts";
import type { LabelPart } from "./sentence.ts";

/** A slice inside a sentence: its label, and before a bare number the column that it is of, as `step 200`. */
export function sliceName({ label, key }: Pick<EvaluationSlice, "label" | "key">): LabelPart {
  const [column, ...others] = Object.keys(key);
  const bare = column !== undefined && others.length === 0 && label !== "" && Number.isFinite(Number(label));
  return { label: bare ? `${column} ${label}` : label };
}
