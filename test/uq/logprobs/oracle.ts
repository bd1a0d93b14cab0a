import type {
  HiddenBlock,
  LogitsBlock,
  LogitType,
  OutputHead,
  Want,
} from "../../../src/uq/logprobs/log-prob-backend.ts";

/** What a row must give, in plain numbers; NaN, 0 and -1 as in LogProbColumns. */
export interface OracleRow {
  readonly status: number;
  readonly logprob: number;
  readonly entropy: number;
  readonly rank: number;
  readonly argmax: number;
  readonly topIds: readonly number[];
  readonly topLogprobs: readonly number[];
  readonly coveredMass: number;
  /** The logits, before the division by the temperature, and the target's. */
  readonly logits: Float64Array;
  readonly aim: number;
  readonly scale: number;
}

/** The value of one float16 bit pattern (IEEE 754 binary16), by its definition. */
export function float16Value(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** The value of one bfloat16 bit pattern: the upper half of a float32. */
export function bfloat16Value(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 7) & 255;
  const fraction = bits & 127;
  if (exponent === 255) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -133 : sign * (128 + fraction) * 2 ** (exponent - 134);
}

function storedValue(data: LogitsBlock["data"], type: LogitType | undefined, index: number): number {
  const value = (data as Float32Array | Uint16Array)[index] as number;
  if (type === "float16") return float16Value(value);
  return type === "bfloat16" ? bfloat16Value(value) : value;
}

/** Every row of a block by the definitions, in float64: the maximum first, then Math.exp, and a sort for the top. */
export function scoreOracle(block: LogitsBlock, targets: Int32Array, want: Want = {}): OracleRow[] {
  const { data, type, rows, vocab, rowStride = vocab, offset = 0, temperature = 1 } = block;
  return Array.from({ length: rows }, (_row, row) => {
    const start = offset + row * rowStride;
    const logits = new Float64Array(vocab);
    for (let i = 0; i < vocab; i++) logits[i] = storedValue(data, type, start + i);
    return oracleRow(logits, 1 / temperature, targets[row] as number, want);
  });
}

/** As {@link scoreOracle}, with logits that are dot products in float64. */
export function hiddenOracle(
  block: HiddenBlock,
  head: OutputHead,
  targets: Int32Array,
  want: Want = {},
): OracleRow[] {
  const { data, type, rows, width, rowStride = width, offset = 0 } = block;
  return Array.from({ length: rows }, (_row, row) => {
    const logits = Float64Array.from({ length: head.vocab }, (_logit, id) => {
      let sum = 0;
      for (let i = 0; i < width; i++)
        sum +=
          storedValue(data, type, offset + row * rowStride + i) *
          storedValue(head.weights, head.type, id * width + i);
      return sum + (head.bias?.[id] ?? 0);
    });
    return oracleRow(logits, (head.scale ?? 1) / (head.temperature ?? 1), targets[row] as number, want);
  });
}

function oracleRow(logits: Float64Array, scale: number, target: number, { topK = 0 }: Want): OracleRow {
  let max = Number.NEGATIVE_INFINITY;
  let finite = true;
  for (let id = 0; id < logits.length; id++) {
    const logit = logits[id] as number;
    if (Number.isNaN(logit) || logit === Number.POSITIVE_INFINITY) finite = false;
    if (logit > max) max = logit;
  }
  if (target === -100) return unscored(1, logits, scale, topK);
  if (!finite || max === Number.NEGATIVE_INFINITY) return unscored(2, logits, scale, topK);
  let sum = 0;
  for (let id = 0; id < logits.length; id++) sum += Math.exp(scale * ((logits[id] as number) - max));
  const logSum = Math.log(sum);
  const logprobs = logits.map((logit) => scale * (logit - max) - logSum);
  const aim = logits[target] as number;
  const top = topOf(logits, topK);
  return {
    status: 0,
    logprob: logprobs[target] as number,
    entropy: entropyOf(logprobs),
    rank: 1 + logits.reduce((above, logit) => above + (logit > aim ? 1 : 0), 0),
    argmax: logits.indexOf(max),
    topIds: pad(top, topK, -1),
    topLogprobs: pad(
      top.map((id) => logprobs[id] as number),
      topK,
      Number.NaN,
    ),
    coveredMass:
      topK === 0 ? Number.NaN : top.reduce((mass, id) => mass + Math.exp(logprobs[id] as number), 0),
    logits,
    aim,
    scale,
  };
}

function entropyOf(logprobs: Float64Array): number {
  let entropy = 0;
  for (let id = 0; id < logprobs.length; id++) {
    const logprob = logprobs[id] as number;
    const probability = Math.exp(logprob);
    if (probability > 0) entropy -= probability * logprob;
  }
  return entropy;
}

function topOf(logits: Float64Array, topK: number): number[] {
  if (topK === 0) return [];
  // NaN is not here, so that the k-th greatest is known from a plain sort.
  const least = logits.slice().sort()[logits.length - topK] as number;
  const ids: number[] = [];
  for (let id = 0; id < logits.length; id++) {
    const logit = logits[id] as number;
    if (logit >= least && logit !== Number.NEGATIVE_INFINITY) ids.push(id);
  }
  ids.sort((a, b) => (logits[b] as number) - (logits[a] as number) || a - b);
  return ids.slice(0, topK);
}

const pad = (values: readonly number[], length: number, filler: number): number[] => [
  ...values,
  ...Array.from({ length: length - values.length }, () => filler),
];

function unscored(status: number, logits: Float64Array, scale: number, topK: number): OracleRow {
  const nothing = { logprob: Number.NaN, entropy: Number.NaN, rank: 0, argmax: -1, coveredMass: Number.NaN };
  return {
    status,
    ...nothing,
    topIds: pad([], topK, -1),
    topLogprobs: pad([], topK, Number.NaN),
    logits,
    aim: Number.NaN,
    scale,
  };
}
