import { CONSTANTS, FLOAT16, FLOAT32 } from "./layout";

/** 2^112 makes a float32 of the bits of a finite float16 that were moved to a float32's place; exact for subnormal ones too. */
const HALF_SCALE: f32 = 5192296858534827628530496329220096.0;
const HALF_CONSTANTS: usize = CONSTANTS + 128;

export function fillDecodeConstants(): void {
  v128.store(HALF_CONSTANTS, f32x4.splat(HALF_SCALE));
  v128.store(HALF_CONSTANTS, i32x4.splat(0x8fffffff), 16);
  v128.store(HALF_CONSTANTS, i16x8.splat(0x7fff), 32);
}

@inline
export function halfScale(): v128 {
  return v128.load(HALF_CONSTANTS);
}

@inline
export function halfMask(): v128 {
  return v128.load(HALF_CONSTANTS, 16);
}

/** Of eight 16-bit numbers: what takes away their signs. */
@inline
export function magnitudeMask(): v128 {
  return v128.load(HALF_CONSTANTS, 32);
}

/** The first four of eight 16-bit numbers, in the upper halves of 32 bits. */
@inline
function lowerFour(raw: v128): v128 {
  return i8x16.shuffle(i32x4.splat(0), raw, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23);
}

/** The last four. */
@inline
function upperFour(raw: v128): v128 {
  return i8x16.shuffle(i32x4.splat(0), raw, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31);
}

@inline
function finiteHalf(upper: v128, scale: v128, mask: v128): v128 {
  return f32x4.mul(v128.and(i32x4.shr_s(upper, 3), mask), scale);
}

/**
 * The first four numbers of 16 bytes as float32. T: f32 = float32, i16 = float16, u16 = bfloat16. A float16 that is infinite or NaN becomes
 * a number from 65536 on, with its sign.
 */
@inline
export function firstFour<T>(raw: v128, scale: v128, mask: v128): v128 {
  if (isFloat<T>()) return raw;
  return isSigned<T>() ? finiteHalf(lowerFour(raw), scale, mask) : lowerFour(raw);
}

/** The next four: those of the next 16 bytes for float32. */
@inline
export function nextFour<T>(raw: v128, next: v128, scale: v128, mask: v128): v128 {
  if (isFloat<T>()) return next;
  return isSigned<T>() ? finiteHalf(upperFour(raw), scale, mask) : upperFour(raw);
}

/** Bytes of a number. */
@inline
export function sizeOf(type: i32): usize {
  return type == FLOAT32 ? 4 : 2;
}

/** One number, exactly. */
export function decodeOne(pointer: usize, type: i32): f32 {
  if (type == FLOAT32) return load<f32>(pointer);
  const bits: u32 = load<u16>(pointer);
  if (type != FLOAT16) return reinterpret<f32>(bits << 16);
  const sign = (bits & 0x8000) << 16;
  if ((bits & 0x7c00) == 0x7c00) return reinterpret<f32>(sign | 0x7f800000 | ((bits & 0x3ff) << 13));
  return reinterpret<f32>(sign | ((bits & 0x7fff) << 13)) * HALF_SCALE;
}

/** Four float16 in upper halves, exactly. */
@inline
function exactHalf(upper: v128, scale: v128, mask: v128): v128 {
  const exponent = i32x4.splat(0x7c000000);
  const special = i32x4.eq(v128.and(upper, exponent), exponent);
  return v128.or(finiteHalf(upper, scale, mask), v128.and(special, i32x4.splat(0x7f800000)));
}

/** `count` numbers as float32, exactly. */
export function decode(from: usize, type: i32, count: i32, to: usize): void {
  const size = sizeOf(type);
  if (type == FLOAT32) {
    memory.copy(to, from, (<usize>count) << 2);
    return;
  }
  const scale = halfScale();
  const mask = halfMask();
  let i = 0;
  for (; i + 8 <= count; i += 8) {
    const raw = v128.load(from + ((<usize>i) << 1));
    const low = lowerFour(raw);
    const high = upperFour(raw);
    const at = to + ((<usize>i) << 2);
    v128.store(at, type == FLOAT16 ? exactHalf(low, scale, mask) : low);
    v128.store(at, type == FLOAT16 ? exactHalf(high, scale, mask) : high, 16);
  }
  for (; i < count; i++) store<f32>(to + ((<usize>i) << 2), decodeOne(from + (<usize>i) * size, type));
}
