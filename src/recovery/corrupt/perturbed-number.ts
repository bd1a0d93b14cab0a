import { drawBigInt, drawIndex } from "./draw.ts";

const SPELLING = /^(-?)(\d+)(?:\.(\d+))?([eE][+-]?\d+)?$/;

interface Digits {
  readonly sign: string;
  /** |n| in units of the last digit that may change. */
  readonly size: bigint;
  /** Zeros at the end that stay, because the number is an integer. */
  readonly zeros: number;
  readonly decimals: number;
  readonly exponent: string;
}

/**
 * Whether a number, as it is spelled, has another 10 to 25 % away: in units of the last digit that may change it must be ±4
 * or more (every n ≥ 4 has an integer d with 0.10 n ≤ d ≤ 0.25 n, no smaller one has).
 */
export function canPerturb(spelling: string): boolean {
  const value = Number(spelling);
  if (!Number.isFinite(value) || value === 0) return false;
  if (Number.isSafeInteger(value) && !/[.eE]/.test(spelling)) return Math.abs(value) >= 4;
  return digitsOf(spelling).size >= 4n;
}

/**
 * A number d away from the one that is spelled, with 0.10 |n| ≤ d ≤ 0.25 |n|: n is the integer of all digits as written, d an
 * integer drawn uniformly, up or down. Sign, decimals and exponent stay; an integer, however it is spelled (`40.00`, `5e3`),
 * stays one. For what is no integer of 53 bits, the two ends are left out where d may be another: in floating point they can
 * fall outside of the range.
 *
 * @param spelling - a number as JSON writes it, for which {@link canPerturb} holds.
 * @param keepDecimals - avoid a last decimal 0 where possible, which a number that is not text would lose.
 */
export function perturbedNumber(spelling: string, random: () => number, keepDecimals: boolean): string {
  const { sign, size, zeros, decimals, exponent } = digitsOf(spelling);
  const exact = zeros === decimals && exponent === "" && size <= BigInt(Number.MAX_SAFE_INTEGER);
  let [low, high] = [(size + 9n) / 10n, size / 4n];
  if (!exact) {
    const [innerLow, innerHigh] = [size / 10n + 1n, (size - 1n) / 4n];
    if (innerLow <= innerHigh) [low, high] = [innerLow, innerHigh];
  }
  const up = drawIndex(2, random) === 1;
  const moved = (by: bigint): bigint => (up ? size + by : size - by);
  let by = low + drawBigInt(high - low + 1n, random);
  if (keepDecimals && zeros < decimals && moved(by) % 10n === 0n && low < high) by += by < high ? 1n : -1n;
  const digits = `${moved(by)}${"0".repeat(zeros)}`.padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? "" : `.${digits.slice(-decimals)}`;
  return `${sign}${whole}${fraction}${exponent}`;
}

function digitsOf(spelling: string): Digits {
  const [, sign = "", whole = "0", fraction = "", exponent = ""] = SPELLING.exec(spelling) ?? [];
  const digits = whole + fraction;
  const zeros = Math.max(0, fraction.length - Number(exponent.slice(1) || 0));
  // An integer changes by whole units only: its digits after the point, 0 all of them, stay.
  const isInteger = zeros < digits.length && /^0*$/.test(digits.slice(digits.length - zeros));
  const kept = isInteger ? zeros : 0;
  return {
    sign,
    size: BigInt(digits.slice(0, digits.length - kept)),
    zeros: kept,
    decimals: fraction.length,
    exponent,
  };
}
