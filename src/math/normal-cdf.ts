import { polynomial } from "./polynomial.ts";

/** Numerator then denominator coefficients of W. J. Cody's three rational approximations (Math. Comp. 23, 1969). */
const CENTRE_TOP = [
  0.06568233791820745, 2.2352520354606837, 161.02823106855587, 1067.6894854603709, 18154.98125334356,
] as const;
const CENTRE_BOTTOM = [
  1, 47.202581904688245, 976.0985517377767, 10260.932208618979, 45507.78933502673,
] as const;
const MIDDLE_TOP = [
  1.0765576773720192e-8, 0.39894151208813466, 8.883149794388377, 93.50665613217785, 597.2702763948002,
  2494.5375852903726, 6848.190450536283, 11602.65143764735, 9842.714838383978,
] as const;
const MIDDLE_BOTTOM = [
  1, 22.266688044328117, 235.387901782625, 1519.3775994075547, 6485.558298266761, 18615.571640885097,
  34900.95272114598, 38912.00328609327, 19685.429676859992,
] as const;
const FAR_TOP = [
  0.023073441764940174, 0.215898534057957, 0.12740116116024736, 0.022235277870649807, 0.0014216191932278934,
  2.9112874951168793e-5,
] as const;
const FAR_BOTTOM = [
  1, 1.284260096144911, 0.4682382124808651, 0.06598813786892856, 0.0037823963320275824, 7.297515550839662e-5,
] as const;
const INVERSE_SQRT_2_PI = 0.3989422804014327;

/**
 * Distribution function of the standard normal, P(Z ≤ x), in [0, 1]: to a few units of the last place, relative, in
 * both the centre and the left tail (0 from about -38.5 down). NaN stays NaN. Source: W. J. Cody, Rational Chebyshev
 * approximations for the error function, Math. Comp. 23 (1969).
 */
export function normalCdf(x: number): number {
  const size = Math.abs(x);
  if (Number.isNaN(x)) return Number.NaN;
  if (size <= 0.67448975) {
    const square = x * x;
    return 0.5 + (x * polynomial(CENTRE_TOP, square)) / polynomial(CENTRE_BOTTOM, square);
  }
  const tail = leftTail(size);
  return x < 0 ? tail : 1 - tail;
}

/** P(Z ≤ -size) for size > 0.67. */
function leftTail(size: number): number {
  if (size > 40) return 0;
  // The square is split so that its rounding error does not end up in the exponent.
  const coarse = Math.trunc(size * 16) / 16;
  const gauss = Math.exp((-coarse * coarse) / 2) * Math.exp((-(size - coarse) * (size + coarse)) / 2);
  if (size <= Math.sqrt(32)) return (gauss * polynomial(MIDDLE_TOP, size)) / polynomial(MIDDLE_BOTTOM, size);
  const inverse = 1 / (size * size);
  const correction = (inverse * polynomial(FAR_TOP, inverse)) / polynomial(FAR_BOTTOM, inverse);
  return (gauss * (INVERSE_SQRT_2_PI - correction)) / size;
}
