/**
 * A float as Python's `repr` writes it: the shortest digits that read back as the same number, always with a fraction
 * or an exponent (`1.0`, `-0.0`), with an exponent from 1e16 up and below 1e-4 (`1e+16`, `1e-07`); `nan`, `inf`, `-inf`.
 */
export function pythonFloatText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const size = Math.abs(value);
  if (size >= 1e16 || size < 1e-4) return exponentText(value);
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

function exponentText(value: number): string {
  const text = value.toExponential();
  const sign = text.lastIndexOf("e") + 1;
  return text.slice(0, sign + 1) + text.slice(sign + 1).padStart(2, "0");
}
