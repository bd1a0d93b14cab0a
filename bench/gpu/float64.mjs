// What the kernels are compared with: the same numbers in float64, by the definition.

const buffer = new DataView(new ArrayBuffer(4));

/** The value of a bit pattern. */
export function decode(type, bits) {
  if (type === "bfloat16") {
    buffer.setUint32(0, bits << 16);
    return buffer.getFloat32(0);
  }
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

/** The pattern next to a number, near enough for made-up logits (it cuts). */
export function encode(type, value) {
  if (type === "bfloat16") {
    buffer.setFloat32(0, value);
    return buffer.getUint32(0) >>> 16;
  }
  const sign = value < 0 ? 0x8000 : 0;
  const size = Math.abs(value);
  if (Number.isNaN(value)) return 0x7e00;
  if (size >= 65504) return sign | 0x7c00;
  if (size < 2 ** -14) return sign | Math.floor(size * 2 ** 24);
  const exponent = Math.floor(Math.log2(size));
  return sign | ((exponent + 15) << 10) | (Math.floor(size * 2 ** (10 - exponent)) & 1023);
}

/** Numbers as the back end takes them. */
export function store(type, values) {
  if (type === "float32") return Float32Array.from(values);
  return Uint16Array.from(values, (value) => encode(type, value));
}

/** The numbers that are stored. */
export function valuesOf(type, data) {
  return type === "float32" ? Float64Array.from(data) : Float64Array.from(data, (bits) => decode(type, bits));
}

/** Log-prob and entropy, rank and argmax of a row of logits; null for a row that is no distribution. */
export function scoreRow(logits, target, scale) {
  let greatest = Number.NEGATIVE_INFINITY;
  for (const x of logits) if (!(x <= greatest)) greatest = x;
  if (!Number.isFinite(greatest)) return null;
  let sum = 0;
  let weighted = 0;
  let rank = 1;
  for (const x of logits) {
    if (Number.isNaN(x)) return null;
    if (x > logits[target]) rank++;
    if (x === Number.NEGATIVE_INFINITY) continue;
    const t = scale * (x - greatest);
    sum += Math.exp(t);
    weighted += Math.exp(t) * t;
  }
  const logSum = Math.log(sum);
  return {
    logprob: scale * (logits[target] - greatest) - logSum,
    entropy: logSum - weighted / sum,
    rank,
    argmax: logits.indexOf(greatest),
  };
}

/** Standard normal numbers, the same in every run. */
export function gaussian(seed) {
  let state = seed >>> 0 || 1;
  const uniform = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) + 0.5) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}
