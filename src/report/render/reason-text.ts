import type { EvaluationSlice, ExcludedRows } from "../evaluation.ts";
import { formatCount } from "../format-number.ts";

/** Why a number of a slice is missing, in words; a reason that is already in words stays as it is. */
export function reasonText(reason: string | null, { correct, wrong }: RowCounts): string {
  if (reason === null) return "not computed";
  if (reason !== "empty" && reason !== "single-class") return reason.replace(/-/g, " ");
  if (correct + wrong === 0) return "no rows";
  if (wrong === 0) return "no wrong rows";
  if (correct === 0) return "no correct rows";
  return "no rows with a value";
}

type RowCounts = Pick<EvaluationSlice, "correct" | "wrong">;

/** Why rows are not used, with their numbers, as `15 uncertainty missing, 1 gold missing`; empty when all are used. */
export function excludedText(excluded: ExcludedRows): string {
  return Object.entries(excluded)
    .filter(([, rows]) => rows > 0)
    .map(([reason, rows]) => `${formatCount(rows)} ${reason}`)
    .join(", ");
}
