import { polynomial } from "./polynomial.ts";

/** Coefficients of algorithm AS 241 (PPND16), highest power first. */
const CENTRE_TOP = [
  2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946,
  1971.5909503065513, 133.14166789178438, 3.3871328727963665,
] as const;
const CENTRE_BOTTOM = [
  5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751,
  687.1870074920579, 42.31333070160091, 1,
] as const;
const MIDDLE_TOP = [
  0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045,
  5.769497221460691, 4.630337846156546, 1.4234371107496835,
] as const;
const MIDDLE_BOTTOM = [
  1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008, 0.6897673349851,
  1.6763848301838038, 2.053191626637759, 1,
] as const;
const FAR_TOP = [
  2.0103343992922881e-7, 2.7115555687434876e-5, 0.0012426609473880784, 0.026532189526576124,
  0.29656057182850487, 1.7848265399172913, 5.463784911164114, 6.657904643501103,
] as const;
const FAR_BOTTOM = [
  2.0442631033899397e-15, 1.421511758316446e-7, 1.8463183175100548e-5, 0.0007868691311456133,
  0.014875361290850615, 0.1369298809227358, 0.599832206555888, 1,
] as const;

/**
 * Quantile of the standard normal: the x with P(Z ≤ x) = p, to a few units of the last place, relative, down to the
 * smallest double. -Infinity at 0, Infinity at 1, NaN outside [0, 1]. Source: M. J. Wichura, algorithm AS 241
 * (PPND16), Applied Statistics 37 (1988).
 */
export function normalQuantile(p: number): number {
  const centred = p - 0.5;
  if (Math.abs(centred) <= 0.425) {
    const r = 0.180625 - centred * centred;
    return (centred * polynomial(CENTRE_TOP, r)) / polynomial(CENTRE_BOTTOM, r);
  }
  if (!(p >= 0 && p <= 1)) return Number.NaN;
  const tail = Math.min(p, 1 - p);
  if (tail === 0) return p === 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const size = tailQuantile(Math.sqrt(-Math.log(tail)));
  return p < 0.5 ? -size : size;
}

function tailQuantile(root: number): number {
  if (root <= 5) {
    const r = root - 1.6;
    return polynomial(MIDDLE_TOP, r) / polynomial(MIDDLE_BOTTOM, r);
  }
  const r = root - 5;
  return polynomial(FAR_TOP, r) / polynomial(FAR_BOTTOM, r);
}
