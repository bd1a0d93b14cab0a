/** Python's `round(value, digits)`: the exact binary value to so many decimals, an exact tie to the even digit. */
export function roundHalfEven(value: number, digits: number): number {
  if (!Number.isFinite(value)) return value;
  const [numerator, denominator] = exactFraction(Math.abs(value));
  const scaled = numerator * 10n ** BigInt(digits);
  let quotient = scaled / denominator;
  const twice = 2n * (scaled % denominator);
  if (twice > denominator || (twice === denominator && quotient % 2n === 1n)) quotient += 1n;
  const magnitude = Number(`${quotient}e-${digits}`);
  return value < 0 || Object.is(value, -0) ? -magnitude : magnitude;
}

function exactFraction(value: number): [bigint, bigint] {
  let whole = value;
  let denominator = 1n;
  // Doubling is exact unless it overflows, which no value with a fraction comes near.
  while (!Number.isInteger(whole)) {
    whole *= 2;
    denominator *= 2n;
  }
  return [BigInt(whole), denominator];
}
