import { firstFour, halfMask, halfScale, magnitudeMask, nextFour } from "./decode";
import { POWER_CONSTANTS, power } from "./exponential";

// What `sumBlock` found; globals are each thread's own.
export let blockMax: f32 = 0;
/** Sum of 1665² · exp(scale · (x − reference)). */
export let blockSum: f64 = 0;
/** Sum of the same times (x − reference). */
export let blockMoment: f64 = 0;
/** Numbers greater than the target's. */
export let blockGreater: i32 = 0;
/** Whether a float16 was infinite or NaN: all else is wrong then. */
export let blockSpecial: bool = false;

/** The four numbers of a vector together, in float64. */
export function sumLanes(v: v128): f64 {
  const low = f64x2.promote_low_f32x4(v);
  const high = f64x2.promote_low_f32x4(i64x2.shuffle(v, v, 1, 0));
  const both = f64x2.add(low, high);
  return f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1);
}

function maxLanes(v: v128): f32 {
  const two = f32x4.pmax(v, i64x2.shuffle(v, v, 1, 0));
  const one = f32x4.pmax(two, i32x4.shuffle(two, two, 1, 0, 3, 2));
  return f32x4.extract_lane(one, 0);
}

/**
 * One pass over the numbers from `pointer` to `end`, a multiple of 32. T: f32 = float32, i16 = float16, u16 = bfloat16; A: i64 = all,
 * i32 = without moment and count.
 *
 * Differences below `lowest` count as `lowest`, so that masks stay finite. `pmax(a, b)` is `a < b ? b : a`: the maximum passes NaN over,
 * the difference keeps it, and it reaches the sum. The rounds are written out because neither compiler unrolls a loop.
 */
export function sumBlock<T, A>(
  pointer: usize,
  end: usize,
  reference: f32,
  factor: f32,
  lowest: f32,
  target: f32,
): void {
  const magic = v128.load(POWER_CONSTANTS);
  const c3 = v128.load(POWER_CONSTANTS, 16);
  const c2 = v128.load(POWER_CONSTANTS, 32);
  const c1 = v128.load(POWER_CONSTANTS, 48);
  const c0 = v128.load(POWER_CONSTANTS, 64);
  const half = halfScale();
  const mask = halfMask();
  const magnitude = magnitudeMask();
  const ref = f32x4.splat(reference);
  const fac = f32x4.splat(factor);
  const low = f32x4.splat(lowest);
  const tar = f32x4.splat(target);
  let max = f32x4.splat(-Infinity);
  let sum = f32x4.splat(0);
  let moment = f32x4.splat(0);
  let greater = i32x4.splat(0);
  let special = i16x8.splat(0);
  while (pointer < end) {
    // A sum of the round first: the sum of the block then has an eighth of the additions, and of their rounding.
    let ofRound: v128;
    let momentOfRound = moment;
    {
      const raw = v128.load(pointer, isFloat<T>() ? 0 : 0);
      const next = isFloat<T>() ? v128.load(pointer, 16) : raw;
      if (isInteger<T>() && isSigned<T>()) special = i16x8.max_s(special, v128.and(raw, magnitude));
      const x0 = firstFour<T>(raw, half, mask);
      const x1 = nextFour<T>(raw, next, half, mask);
      max = f32x4.pmax(f32x4.pmax(max, x0), x1);
      const d0 = f32x4.pmax(f32x4.sub(x0, ref), low);
      const d1 = f32x4.pmax(f32x4.sub(x1, ref), low);
      const e0 = power(d0, fac, magic, c3, c2, c1, c0);
      const e1 = power(d1, fac, magic, c3, c2, c1, c0);
      ofRound = f32x4.add(e0, e1);
      if (sizeof<A>() == 8) {
        const m = f32x4.add(f32x4.mul(e0, d0), f32x4.mul(e1, d1));
        momentOfRound = m;
        greater = i32x4.sub(i32x4.sub(greater, f32x4.gt(x0, tar)), f32x4.gt(x1, tar));
      }
    }
    {
      const raw = v128.load(pointer, isFloat<T>() ? 32 : 16);
      const next = isFloat<T>() ? v128.load(pointer, 48) : raw;
      if (isInteger<T>() && isSigned<T>()) special = i16x8.max_s(special, v128.and(raw, magnitude));
      const x0 = firstFour<T>(raw, half, mask);
      const x1 = nextFour<T>(raw, next, half, mask);
      max = f32x4.pmax(f32x4.pmax(max, x0), x1);
      const d0 = f32x4.pmax(f32x4.sub(x0, ref), low);
      const d1 = f32x4.pmax(f32x4.sub(x1, ref), low);
      const e0 = power(d0, fac, magic, c3, c2, c1, c0);
      const e1 = power(d1, fac, magic, c3, c2, c1, c0);
      ofRound = f32x4.add(ofRound, f32x4.add(e0, e1));
      if (sizeof<A>() == 8) {
        const m = f32x4.add(f32x4.mul(e0, d0), f32x4.mul(e1, d1));
        momentOfRound = f32x4.add(momentOfRound, m);
        greater = i32x4.sub(i32x4.sub(greater, f32x4.gt(x0, tar)), f32x4.gt(x1, tar));
      }
    }
    {
      const raw = v128.load(pointer, isFloat<T>() ? 64 : 32);
      const next = isFloat<T>() ? v128.load(pointer, 80) : raw;
      if (isInteger<T>() && isSigned<T>()) special = i16x8.max_s(special, v128.and(raw, magnitude));
      const x0 = firstFour<T>(raw, half, mask);
      const x1 = nextFour<T>(raw, next, half, mask);
      max = f32x4.pmax(f32x4.pmax(max, x0), x1);
      const d0 = f32x4.pmax(f32x4.sub(x0, ref), low);
      const d1 = f32x4.pmax(f32x4.sub(x1, ref), low);
      const e0 = power(d0, fac, magic, c3, c2, c1, c0);
      const e1 = power(d1, fac, magic, c3, c2, c1, c0);
      ofRound = f32x4.add(ofRound, f32x4.add(e0, e1));
      if (sizeof<A>() == 8) {
        const m = f32x4.add(f32x4.mul(e0, d0), f32x4.mul(e1, d1));
        momentOfRound = f32x4.add(momentOfRound, m);
        greater = i32x4.sub(i32x4.sub(greater, f32x4.gt(x0, tar)), f32x4.gt(x1, tar));
      }
    }
    {
      const raw = v128.load(pointer, isFloat<T>() ? 96 : 48);
      const next = isFloat<T>() ? v128.load(pointer, 112) : raw;
      if (isInteger<T>() && isSigned<T>()) special = i16x8.max_s(special, v128.and(raw, magnitude));
      const x0 = firstFour<T>(raw, half, mask);
      const x1 = nextFour<T>(raw, next, half, mask);
      max = f32x4.pmax(f32x4.pmax(max, x0), x1);
      const d0 = f32x4.pmax(f32x4.sub(x0, ref), low);
      const d1 = f32x4.pmax(f32x4.sub(x1, ref), low);
      const e0 = power(d0, fac, magic, c3, c2, c1, c0);
      const e1 = power(d1, fac, magic, c3, c2, c1, c0);
      ofRound = f32x4.add(ofRound, f32x4.add(e0, e1));
      if (sizeof<A>() == 8) {
        const m = f32x4.add(f32x4.mul(e0, d0), f32x4.mul(e1, d1));
        momentOfRound = f32x4.add(momentOfRound, m);
        greater = i32x4.sub(i32x4.sub(greater, f32x4.gt(x0, tar)), f32x4.gt(x1, tar));
      }
    }
    sum = f32x4.add(sum, ofRound);
    if (sizeof<A>() == 8) moment = f32x4.add(moment, momentOfRound);
    pointer += isFloat<T>() ? 128 : 64;
  }
  blockMax = maxLanes(max);
  blockSum = sumLanes(sum);
  if (sizeof<A>() == 8) {
    blockMoment = sumLanes(moment);
    blockGreater =
      i32x4.extract_lane(greater, 0) +
      i32x4.extract_lane(greater, 1) +
      i32x4.extract_lane(greater, 2) +
      i32x4.extract_lane(greater, 3);
  }
  if (isInteger<T>() && isSigned<T>())
    blockSpecial = v128.any_true(i16x8.gt_s(special, i16x8.splat(0x7bff)));
}
