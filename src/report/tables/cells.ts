import type { Rate } from "../../metrics/rate.ts";
import { formatCount } from "../format-number.ts";
import { formatPercentage, formatPoints, formatShare } from "./format-share.ts";
import type { TableCell } from "./table-document.ts";

/**
 * A share in percent with one decimal and its interval in small print, `16.2` and `[9.7, 25.9]`; it sorts in full
 * precision. A number without counts (a macro-F1, a mean over seeds) is rounded as a double.
 *
 * @param empty what stands for the reason `empty`, as `no item has a critical set`
 */
export function shareCell(rate: Rate, empty = "no rows"): TableCell {
  const { value, numerator, denominator } = rate;
  if (isMissing(value)) return missingCell(reasonWords(rate.reason, empty));
  const text = numerator === null ? formatPercentage(value) : formatShare(numerator, denominator);
  return { text, detail: intervalText(rate), sort: value, missing: null };
}

/** A difference of shares in percentage points with its sign, `−46.7`, and its interval in small print. */
export function pointsCell(
  difference: Omit<Rate, "numerator" | "denominator">,
  empty = "no rows",
): TableCell {
  const { value, reason } = difference;
  if (isMissing(value)) return missingCell(reasonWords(reason, empty));
  return { text: formatPoints(value), detail: intervalText(difference), sort: value, missing: null };
}

/** A number of rows with thousands separators. */
export function countCell(count: number | null, missing = "not counted"): TableCell {
  if (isMissing(count)) return missingCell(missing);
  return { text: formatCount(count), detail: "", sort: count, missing: null };
}

/** A text, with small print. */
export function textCell(text: string, detail = ""): TableCell {
  return { text, detail, sort: null, missing: null };
}

/** A dash, and why there is no number. */
export function missingCell(reason: string): TableCell {
  return { text: "", detail: "", sort: null, missing: reason };
}

function isMissing(value: number | null): value is null {
  return value === null || Number.isNaN(value);
}

/** Reasons are short codes, as `no-hard-negatives`, or words already. */
function reasonWords(reason: string | null, empty: string): string {
  if (reason === null) return "not computed";
  return reason === "empty" ? empty : reason.replace(/-/g, " ");
}

function intervalText({ low, high }: Pick<Rate, "low" | "high">): string {
  if (isMissing(low) || isMissing(high)) return "";
  return `[${formatPercentage(low)}, ${formatPercentage(high)}]`;
}
