// Made-up logits and hidden states, the same in every run.

const bits = new DataView(new ArrayBuffer(4));

/** Standard normal numbers. */
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

function toBfloat16(value) {
  if (Number.isNaN(value)) return 0x7fc0;
  bits.setFloat32(0, value);
  const word = bits.getUint32(0);
  return ((word + 0x7fff + ((word >>> 16) & 1)) >>> 16) & 0xffff;
}

function toFloat16(value) {
  const sign = value < 0 ? 0x8000 : 0;
  const size = Math.abs(value);
  if (Number.isNaN(size)) return 0x7e00;
  if (size >= 65520) return sign | 0x7c00;
  const exponent = Math.max(-14, Math.floor(Math.log2(size)));
  return sign | (((exponent + 14) << 10) + Math.round(size / 2 ** (exponent - 10)));
}

/** Numbers as a back end takes them, rounded to the nearest. */
export function store(type, values) {
  if (type === "float32") return Float32Array.from(values);
  return Uint16Array.from(values, type === "float16" ? toFloat16 : toBfloat16);
}

const MASKED = Number.NEGATIVE_INFINITY;
const usual = (id, vocab, normal) => -2 + 2.5 * normal + (id === Math.floor(vocab / 3) ? 13 : 0);
const masked = (id, vocab, normal) => (id % 3 === 1 ? MASKED : usual(id, vocab, normal));

/** Rows by what is odd about them; a target, where it matters which. */
const ROWS = [
  { logit: usual },
  { logit: (id, vocab, normal) => (24 * id) / vocab - 12 + normal },
  { logit: masked },
  { logit: (id, vocab, normal) => (id === 0 ? Number.NaN : usual(id, vocab, normal)), target: -100 },
  { logit: (id, vocab, normal) => (id === vocab - 1 ? Number.NaN : usual(id, vocab, normal)) },
  { logit: (id, vocab, normal) => (id === vocab >> 1 ? Number.POSITIVE_INFINITY : usual(id, vocab, normal)) },
  { logit: () => MASKED },
  { logit: masked, target: 1 },
];

/**
 * Logits whose rows are usual, rising, masked, skipped, with NaN, with +Infinity, all masked, and masked at the target, in turn.
 *
 * @param layout - numbers between rows, before the first one, and a temperature. @param first - the kind of the first row.
 */
export function logitsBlock({ type, rows, vocab, gap, offset, temperature, first }) {
  const rowStride = vocab + gap;
  const normal = gaussian(vocab + rows + gap);
  const values = new Float64Array(offset + rows * rowStride).fill(Number.NaN);
  const targets = new Int32Array(rows);
  for (let row = 0; row < rows; row++) {
    const { logit, target } = ROWS[(row + first) % ROWS.length];
    targets[row] = target ?? (row % 16 < 8 ? Math.floor(vocab / 3) : (row * 7919) % vocab);
    const start = offset + row * rowStride;
    for (let id = 0; id < vocab; id++) values[start + id] = logit(id, vocab, normal());
  }
  const data = store(type, values);
  return { block: { data, type, rows, vocab, rowStride, offset, temperature }, targets };
}

/** A block without gaps, `times` times below itself. */
export function repeated({ block, targets }, times) {
  const { data, rows } = block;
  const whole = new data.constructor(data.length * times);
  for (let i = 0; i < times; i++) whole.set(data, i * data.length);
  const ids = Int32Array.from({ length: rows * times }, (_, row) => targets[row % rows]);
  return { block: { ...block, data: whole, rows: rows * times }, targets: ids };
}

/** Hidden states (the third row holds NaN, the fourth is skipped) and an output layer with a bias, some of it masks, and a scale. */
export function hiddenBlock({ type, weightsType, rows, width, vocab }) {
  const normal = gaussian(vocab + width);
  const states = Float64Array.from({ length: rows * width }, normal);
  states[2 * width + 1] = Number.NaN;
  const spread = 2 / Math.sqrt(width);
  const weights = Float64Array.from({ length: vocab * width }, () => spread * normal());
  const bias = Float32Array.from({ length: vocab }, (_, id) => (id % 11 === 5 ? MASKED : Math.sin(id)));
  const targets = Int32Array.from({ length: rows }, (_, row) => (row === 3 ? -100 : (row * 7919) % vocab));
  return {
    hidden: { data: store(type, states), type, rows, width },
    head: { weights: store(weightsType, weights), type: weightsType, vocab, width, bias, scale: 0.7 },
    targets,
  };
}
