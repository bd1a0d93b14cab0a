import { type Data, type DataType, DateUnit, TimeUnit } from "apache-arrow";

const DAY_SECONDS = 86400n;
/** The last second that a JavaScript date holds, in the year 275760. */
const LAST_SECOND = 8_640_000_000_000n;

/** Digits behind the second, and values a second, of Arrow's time units. */
const UNITS: Readonly<Record<TimeUnit, { readonly digits: number; readonly perSecond: bigint }>> = {
  [TimeUnit.SECOND]: { digits: 0, perSecond: 1n },
  [TimeUnit.MILLISECOND]: { digits: 3, perSecond: 1_000n },
  [TimeUnit.MICROSECOND]: { digits: 6, perSecond: 1_000_000n },
  [TimeUnit.NANOSECOND]: { digits: 9, perSecond: 1_000_000_000n },
};

/** The integer behind a decimal of 32 to 256 bits: the value times 10^scale. */
export function unscaledDecimal(data: Data<DataType>, index: number): bigint {
  const words = data.values as Uint32Array;
  const top = (index + 1) * data.stride - 1;
  let value = BigInt((words[top] as number) | 0);
  for (let i = top - 1; i >= top + 1 - data.stride; i -= 1)
    value = (value << 32n) | BigInt(words[i] as number);
  return value;
}

/** A decimal with exactly `scale` digits behind the point; a negative scale appends zeros. */
export function decimalText(unscaled: bigint, scale: number): string {
  if (scale <= 0) return (unscaled * 10n ** BigInt(-scale)).toString();
  const sign = unscaled < 0n ? "-" : "";
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, "0");
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/**
 * ISO 8601 with as many digits behind the second as the unit has, `Z` when the type has a time zone (Arrow then stores
 * UTC). Beyond the years a JavaScript date holds: the stored integer.
 */
export function timestampText(value: bigint, unit: TimeUnit, hasZone: boolean): string {
  const { digits, perSecond } = UNITS[unit];
  const [seconds, fraction] = floorDivide(value, perSecond);
  if (seconds < -LAST_SECOND || seconds > LAST_SECOND) return value.toString();
  const iso = new Date(Number(seconds) * 1000).toISOString();
  return `${iso.slice(0, -5)}${fractionText(fraction, digits)}${hasZone ? "Z" : ""}`;
}

/** YYYY-MM-DD of a date in days or milliseconds since 1970; beyond the years a date holds, the stored integer. */
export function dateText(value: number | bigint, unit: DateUnit): string {
  const seconds = unit === DateUnit.DAY ? BigInt(value) * DAY_SECONDS : floorDivide(BigInt(value), 1000n)[0];
  if (seconds < -LAST_SECOND || seconds > LAST_SECOND) return value.toString();
  const iso = new Date(Number(seconds) * 1000).toISOString();
  return iso.slice(0, iso.indexOf("T"));
}

/** HH:MM:SS of a time of day, with as many digits behind the second as the unit has. */
export function timeText(value: number | bigint, unit: TimeUnit): string {
  const { digits, perSecond } = UNITS[unit];
  const [seconds, fraction] = floorDivide(BigInt(value), perSecond);
  const two = (part: bigint): string => part.toString().padStart(2, "0");
  const clock = `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}`;
  return `${clock}${fractionText(fraction, digits)}`;
}

function fractionText(fraction: bigint, digits: number): string {
  return digits === 0 ? "" : `.${fraction.toString().padStart(digits, "0")}`;
}

/** Quotient and remainder with a remainder that is never negative. */
function floorDivide(value: bigint, divisor: bigint): [bigint, bigint] {
  const remainder = ((value % divisor) + divisor) % divisor;
  return [(value - remainder) / divisor, remainder];
}
