/** What stands in a table where a number could not be computed. */
export const MISSING: string = "–";

/**
 * A number as a report shows it: three decimals for fractions (and all units below 100), one decimal with thousands
 * separators from 100 on, an exponent from 1e7 on and for tiny numbers of other units. NaN is {@link MISSING},
 * infinities are `∞`, and the minus sign is U+2212 so that digits line up. This is the only place that rounds.
 *
 * @param unit the unit of a metric; only `fraction` matters: it never gets an exponent
 */
export function formatNumber(value: number, unit = "fraction"): string {
  if (Number.isNaN(value)) return MISSING;
  const size = Math.abs(value);
  const digits = size === Number.POSITIVE_INFINITY ? "∞" : formatSize(size, unit);
  return value < 0 && /[1-9∞]/.test(digits) ? `−${digits}` : digits;
}

function formatSize(size: number, unit: string): string {
  if (size >= 1e7) return size.toExponential(2);
  if (size >= 99.9995) return withThousands(size.toFixed(1));
  if (unit !== "fraction" && size > 0 && size < 0.0005) return size.toExponential(2).replace("-", "−");
  return size.toFixed(3);
}

/** A number with its sign, `+0.012` or `−0.012`: for differences. See {@link formatNumber}. */
export function formatSigned(value: number, unit = "fraction"): string {
  const text = formatNumber(value, unit);
  return value > 0 ? `+${text}` : text;
}

/**
 * A number of rows with thousands separators; weighted counts keep one decimal.
 */
export function formatCount(value: number): string {
  if (!Number.isFinite(value)) return formatNumber(value);
  return withThousands(Number.isInteger(value) ? String(value) : value.toFixed(1));
}

/** The interval as `[low, high]`; empty text where there is none. See {@link formatNumber}. */
export function formatInterval(low: number, high: number, unit = "fraction"): string {
  if (Number.isNaN(low) || Number.isNaN(high)) return "";
  return `[${formatNumber(low, unit)}, ${formatNumber(high, unit)}]`;
}

/** A number and its interval, as `0.342 [0.310, 0.371]`; the number alone where there is no interval. */
export function formatEstimate(
  estimate: { readonly value: number; readonly low: number; readonly high: number },
  unit = "fraction",
): string {
  return `${formatNumber(estimate.value, unit)} ${formatInterval(estimate.low, estimate.high, unit)}`.trim();
}

/** A share in [0, 1] as a percentage without trailing zeros: 0.95 as `95%`. */
export function formatPercent(share: number): string {
  return `${Number((share * 100).toPrecision(6))}%`;
}

function withThousands(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ",");
}
