/**
 * A number rounded to so many decimals as Python's `round(value, decimals)`: the exact binary value is rounded, exact ties
 * go to the even digit (0.03125 to 0.0312 with four decimals), and the nearest double to the result is returned. So
 * 2.675 gives 2.67: its binary value lies below. NaN, ±Infinity and −0 pass; a negative number that rounds to 0 gives −0.
 *
 * @param decimals integer in [0, 20]
 */
export function roundHalfEven(value: number, decimals: number): number {
  const size = Math.abs(value);
  if (!(size < 2 ** 52)) return value;
  const rounded = roundSize(size, decimals);
  return value < 0 || Object.is(value, -0) ? -rounded : rounded;
}

/** Powers of ten by exponent: a look-up costs a tenth of computing one. */
const POWERS: readonly number[] = Array.from({ length: 21 }, (_, decimals) => Number(`1e${decimals}`));

function roundSize(size: number, decimals: number): number {
  const power = POWERS[decimals] as number;
  const scaled = size * power;
  if (scaled < 2 ** 31) {
    // The product is off by less than 2^-22 here, so away from a tie it shows the right integer.
    const floor = Math.floor(scaled);
    const rest = scaled - floor;
    if (Math.abs(rest - 0.5) > 1e-6) return (rest < 0.5 ? floor : floor + 1) / power;
  }
  return isTie(size, decimals) ? evenNeighbour(size, decimals) : Number(size.toFixed(decimals));
}

/** A double halfway between two decimals is an odd multiple of 2^-(decimals + 1): powers of five do not divide a half. */
function isTie(size: number, decimals: number): boolean {
  return (size * 2 ** (decimals + 1)) % 2 === 1;
}

/** Of a tie one decimal more is exact, and ends in 5; `toFixed` rounds it up. */
function evenNeighbour(size: number, decimals: number): number {
  const below = size.toFixed(decimals + 1).slice(0, -1);
  const lastDigit = Number(decimals === 0 ? below.at(-2) : below.at(-1));
  return Number(lastDigit % 2 === 0 ? below : size.toFixed(decimals));
}
