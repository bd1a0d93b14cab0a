import type { Estimate } from "../evaluation.ts";

/** Reasons of an estimate in words that end "not defined: …". */
const REASONS: Readonly<Record<string, string>> = { empty: "no rows", "single-class": "only one class" };

/** A number with a fixed number of decimals; `n/a` for NaN, `∞` for infinities, never `-0.00`. */
export function fixed(value: number, digits = 2): string {
  if (Number.isNaN(value)) return "n/a";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

/** `0.35 [0.33, 0.37]`, without brackets where there is no interval, or `not defined (only one class)`. */
export function withInterval(estimate: Estimate, digits = 2): string {
  if (Number.isNaN(estimate.value)) {
    const reason = estimate.reason === null ? "" : ` (${REASONS[estimate.reason] ?? estimate.reason})`;
    return `not defined${reason}`;
  }
  const value = fixed(estimate.value, digits);
  if (!hasInterval(estimate)) return value;
  return `${value} [${fixed(estimate.low, digits)}, ${fixed(estimate.high, digits)}]`;
}

/** Whether both ends of the interval are finite numbers. */
export function hasInterval(estimate: Estimate): boolean {
  return Number.isFinite(estimate.low) && Number.isFinite(estimate.high);
}

/** A text of at most `limit` characters, with an ellipsis for what was cut. */
export function shorten(text: string, limit: number): string {
  const letters = [...text];
  return letters.length <= limit
    ? text
    : `${letters
        .slice(0, limit - 1)
        .join("")
        .trimEnd()}…`;
}
