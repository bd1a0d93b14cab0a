import { CalibrantRangeError } from "../../errors.ts";
import { MISSING } from "../format-number.ts";

/**
 * A share of counts as a percentage with one decimal and no `%` sign, halves to even and exact on the fraction: 13 of 80
 * is 16.25 % and gives `16.2`, where `toFixed` gives 16.3. `–` when the denominator is 0.
 *
 * @param numerator whole number from 0 up to 2^53
 * @param denominator whole number from 0 up to 2^53
 * @throws CalibrantRangeError `data` for counts that are not whole or are negative.
 *
 * @example
 * ```ts
 * import { formatShare } from "calibrant/report";
 * console.log(formatShare(13, 80), formatShare(355, 441), formatShare(0, 0)); // 16.2 80.5 –
 * ```
 */
export function formatShare(numerator: number, denominator: number): string {
  checkCount("numerator", numerator);
  checkCount("denominator", denominator);
  if (denominator === 0) return MISSING;
  // 1000 · numerator may be beyond 2^53.
  const whole = BigInt(denominator);
  const scaled = BigInt(numerator) * 1000n;
  const floor = scaled / whole;
  const twiceRest = 2n * (scaled % whole);
  const up = twiceRest > whole || (twiceRest === whole && floor % 2n === 1n);
  const tenths = up ? floor + 1n : floor;
  return `${tenths / 10n}.${tenths % 10n}`;
}

function checkCount(name: string, count: number): void {
  if (count >= 0 && count <= 2 ** 53 && Number.isInteger(count)) return;
  throw new CalibrantRangeError("data", `${name} of a share must be a whole number from 0, got ${count}`, {
    [name]: count,
  });
}

/**
 * A number that is no ratio of counts (a macro-F1, a mean over seeds, an end of an interval) as a percentage with one
 * decimal and no `%` sign: the digits that Python prints for `f"{100 * fraction:.1f}"`, that is the exact value of the
 * double `100 * fraction` rounded with ties to even. Minus is U+2212, a rounded 0 has no sign, infinities are `∞`.
 *
 * @param fraction null and NaN are `–`
 *
 * @example
 * ```ts
 * import { formatPercentage } from "calibrant/report";
 * console.log(formatPercentage(0.0236), formatPercentage(0.1625), formatPercentage(null)); // 2.4 16.2 –
 * ```
 */
export function formatPercentage(fraction: number | null): string {
  return formatTenths(fraction, "");
}

/**
 * A difference of two shares in percentage points with its sign, `+3.1` or `−46.7` (U+2212); what rounds to 0 is `0.0`.
 * Rounded like {@link formatPercentage}.
 *
 * @param difference of fractions, so that 0.01 is one point; null and NaN are `–`
 *
 * @example
 * ```ts
 * import { formatPoints } from "calibrant/report";
 * console.log(formatPoints(-0.467), formatPoints(0.031), formatPoints(-0.0001)); // −46.7 +3.1 0.0
 * ```
 */
export function formatPoints(difference: number | null): string {
  return formatTenths(difference, "+");
}

function formatTenths(fraction: number | null, plus: string): string {
  if (fraction === null || Number.isNaN(fraction)) return MISSING;
  const digits = oneDecimal(Math.abs(100 * fraction));
  if (digits === "0.0") return digits;
  return `${fraction < 0 ? "−" : plus}${digits}`;
}

/** `toFixed` is exact on the double except that ties go up; with one decimal only n.25 and n.75 are ties. */
function oneDecimal(size: number): string {
  if (size === Number.POSITIVE_INFINITY) return "∞";
  if (size >= 2 ** 53) return `${BigInt(size)}.0`;
  return size % 1 === 0.25 ? `${Math.floor(size)}.2` : size.toFixed(1);
}
