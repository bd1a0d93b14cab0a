/** The types of 16-bit numbers. */
export type HalfType = "float16" | "bfloat16";

/**
 * The exact value of a bit pattern: float16 is IEEE 754 binary16 (5 bits of exponent, 10 of fraction), bfloat16 the upper
 * half of a binary32 (8 and 7).
 *
 * @param bits - from 0 to 65535.
 * @returns NaN and the infinities for the patterns that stand for them; subnormal numbers and -0 as they are.
 */
export function decodeHalf(bits: number, type: HalfType): number {
  return type === "float16" ? decode(bits, 10, 15) : decode(bits, 7, 127);
}

/** The values of all 65,536 float16 patterns, by pattern: 512 KiB, which whoever decodes much keeps. */
export function float16Values(): Float64Array {
  return Float64Array.from({ length: 65536 }, (_value, bits) => decodeHalf(bits, "float16"));
}

/** The values of all 65,536 bfloat16 patterns, as {@link float16Values}. */
export function bfloat16Values(): Float64Array {
  return Float64Array.from({ length: 65536 }, (_value, bits) => decodeHalf(bits, "bfloat16"));
}

function decode(bits: number, fractionBits: number, bias: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const one = 2 ** fractionBits;
  const fraction = bits & (one - 1);
  const exponent = (bits & 0x7fff) >> fractionBits;
  if (exponent === 2 * bias + 1) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  if (exponent === 0) return sign * fraction * 2 ** (1 - bias - fractionBits);
  return sign * (one + fraction) * 2 ** (exponent - bias - fractionBits);
}
