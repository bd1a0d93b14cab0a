/** The value at `x` of the polynomial with these coefficients, highest power first (Horner's scheme). */
export function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (const coefficient of coefficients) sum = sum * x + coefficient;
  return sum;
}
