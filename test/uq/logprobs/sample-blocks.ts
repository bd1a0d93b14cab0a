import { seededRandom } from "../../../src/math/seeded-random.ts";
import type { HiddenBlock, LogitsBlock, LogitType } from "../../../src/uq/logprobs/log-prob-backend.ts";
import { seededGaussian } from "../iou-samples.ts";

export const TYPES: readonly LogitType[] = ["float32", "float16", "bfloat16"];

/** How a block lies in its array. */
export interface Layout {
  readonly type: LogitType;
  readonly rows: number;
  readonly vocab: number;
  /** Numbers between two rows. */
  readonly gap?: number;
  readonly offset?: number;
  /** Numbers of the buffer before the array, so that the array itself is not aligned. */
  readonly before?: number;
  readonly temperature?: number;
}

/** Numbers in the memory of the computer. */
export interface Stored {
  readonly data: Float32Array | Uint16Array;
}

/** The float16 pattern nearest to a number. */
export function toFloat16(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (Number.isNaN(size)) return 0x7e00;
  if (size >= 65520) return sign | 0x7c00;
  const exponent = Math.max(-14, Math.floor(Math.log2(size)));
  return sign | (((exponent + 14) << 10) + Math.round(size / 2 ** (exponent - 10)));
}

/** The bfloat16 pattern nearest to a number. */
export function toBfloat16(value: number): number {
  if (Number.isNaN(value)) return 0x7fc0;
  const bits = new Uint32Array(Float32Array.of(value).buffer)[0] as number;
  return ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16) & 0xffff;
}

/** Numbers stored as a type. */
export function store(values: ArrayLike<number>, type: LogitType): Float32Array | Uint16Array {
  if (type === "float32") return Float32Array.from(values);
  return Uint16Array.from(values, type === "float16" ? toFloat16 : toBfloat16);
}

/** A block of given logits; what lies between, before and behind its rows is NaN. */
export function blockOf(layout: Layout, logit: (row: number, id: number) => number): LogitsBlock & Stored {
  const { type, rows, vocab, gap = 0, offset = 0, before = 0, temperature } = layout;
  const rowStride = vocab + gap;
  const values = new Float64Array(before + offset + rows * rowStride + 3).fill(Number.NaN);
  for (let row = 0; row < rows; row++)
    for (let id = 0; id < vocab; id++) values[before + offset + row * rowStride + id] = logit(row, id);
  return {
    data: store(values, type).subarray(before),
    type,
    rows,
    vocab,
    ...(gap > 0 && { rowStride }),
    ...(offset > 0 && { offset }),
    ...(temperature !== undefined && { temperature }),
  };
}

/**
 * Logits like those of a language model: a Gaussian bulk and a few peaks. Every fourth row rises from end to end, and the
 * greatest logit of others is the last or the first, so that a running maximum moves late, often, or never.
 */
export function realistic(layout: Layout, seed: number): LogitsBlock & Stored {
  const gaussian = seededGaussian(seed);
  const { vocab } = layout;
  const peak = (row: number): number => [Math.floor(vocab / 3), -1, vocab - 1, 0][row % 4] as number;
  return blockOf(layout, (row, id) => {
    const rise = row % 4 === 1 ? (24 * id) / vocab - 12 : 0;
    return -2 + rise + 2.5 * gaussian() + (id === peak(row) ? 13 : 0) + (id % 97 === row ? 5 : 0);
  });
}

/** Target ids: some likely, some not, the first and the last among them. */
export function targetsFor(rows: number, vocab: number, seed: number = 1): Int32Array {
  const random = seededRandom(seed);
  return Int32Array.from({ length: rows }, (_target, row) =>
    row % 3 === 0 ? Math.floor(vocab / 3) : row % 3 === 1 ? vocab - 1 : Math.floor(random() * vocab),
  );
}

/** Hidden states or weights that are standard normal numbers times `spread`. */
export function gaussianRows(
  { type, rows, vocab: width, gap, offset, before }: Layout,
  seed: number,
  spread: number = 1,
): HiddenBlock & Stored {
  const gaussian = seededGaussian(seed);
  const layout = {
    type,
    rows,
    vocab: width,
    ...(gap && { gap }),
    ...(offset && { offset }),
    ...(before && { before }),
  };
  const { vocab: _vocab, ...block } = blockOf(layout, () => spread * gaussian());
  return { ...block, width };
}
