import { CONSTANTS } from "./layout";

// 2^f = (q(f) / 1665)² for |f| ≤ 1/2, q(f) = f⁴ + C3 f³ + C2 f² + C1 f + 1665: a minimax fit of 2^(f/2) with a relative error of 1.8e-7
// after the square, exact at 0. The factor 1665² saves a multiplication: it stays in the sums and is divided out at the end.
const C3: f32 = 11.57313060760498;
const C2: f32 = 99.99464416503906;
const C1: f32 = 577.0437622070312;
const C0: f32 = 1665;
/** 1665². */
export const UNIT: f64 = 2772225;
/** 1.5 · 2²³ + 127: adding it rounds to a whole number n, and leaves n + 127, the exponent of 2^n, in the lowest bits. */
const MAGIC: f32 = 12583039;

export const POWER_CONSTANTS: usize = CONSTANTS;

/** Fills the constants. With fused operations the polynomial is one in −f, which saves an operation. */
export function fillPowerConstants(): void {
  v128.store(POWER_CONSTANTS, f32x4.splat(MAGIC));
  v128.store(POWER_CONSTANTS, f32x4.splat(ASC_FEATURE_RELAXED_SIMD ? -C3 : C3), 16);
  v128.store(POWER_CONSTANTS, f32x4.splat(C2), 32);
  v128.store(POWER_CONSTANTS, f32x4.splat(ASC_FEATURE_RELAXED_SIMD ? -C1 : C1), 48);
  v128.store(POWER_CONSTANTS, f32x4.splat(C0), 64);
}

@inline
export function madd(a: v128, b: v128, c: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? f32x4.relaxed_madd(a, b, c) : f32x4.add(f32x4.mul(a, b), c);
}

/** 1665² · 2^(d · factor) for −127 < d · factor < 127; NaN stays NaN. */
@inline
export function power(d: v128, factor: v128, magic: v128, c3: v128, c2: v128, c1: v128, c0: v128): v128 {
  const n = madd(d, factor, magic);
  const whole = f32x4.sub(n, magic);
  const f = ASC_FEATURE_RELAXED_SIMD
    ? f32x4.relaxed_nmadd(d, factor, whole)
    : f32x4.sub(f32x4.mul(d, factor), whole);
  const q = madd(madd(madd(f32x4.add(f, c3), f, c2), f, c1), f, c0);
  return f32x4.mul(f32x4.mul(q, q), i32x4.shl(n, 23));
}

/** 2^(d · factor) of one number. */
export function powerOf(d: f32, factor: f32): f64 {
  const magic = v128.load(POWER_CONSTANTS);
  const c3 = v128.load(POWER_CONSTANTS, 16);
  const c2 = v128.load(POWER_CONSTANTS, 32);
  const c1 = v128.load(POWER_CONSTANTS, 48);
  const c0 = v128.load(POWER_CONSTANTS, 64);
  const e = power(f32x4.splat(d), f32x4.splat(factor), magic, c3, c2, c1, c0);
  return f32x4.extract_lane(e, 0) / UNIT;
}
