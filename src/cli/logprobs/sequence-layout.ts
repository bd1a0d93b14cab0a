import { elementsOf } from "../../data/tensors/tensor.ts";
import { CalibrantError } from "../../errors.ts";
import { shapesWords, type TensorSeries } from "./tensor-series.ts";

/** Which positions, of all of them in order, belong to which sequence. */
export interface SequenceLayout {
  readonly sequences: number;
  readonly positions: number;
  /** The first position of a sequence. */
  start(sequence: number): number;
  /** The position behind its last one. */
  end(sequence: number): number;
}

/** What the shapes of all tensors say together. */
export interface CheckedShapes {
  readonly layout: SequenceLayout;
  /** Numbers of a position: the vocabulary, or the width of hidden states. */
  readonly width: number;
}

/**
 * Checks that numbers (N, V) go with tokens (N), or padded (R, T, V) with (R, T), and finds the sequences: between the offsets, all
 * positions as one where there are none, or the rows of padded tensors, whose T may differ from file to file.
 *
 * @param option - `--logits` or `--hidden`.
 * @throws CalibrantError `length-mismatch` naming both shapes; `data` for offsets that do not ascend from 0 to N; `usage` for offsets of
 *   padded tensors.
 */
export async function checkShapes(
  option: string,
  numbers: TensorSeries,
  tokens: TensorSeries,
  offsets: TensorSeries | null,
): Promise<CheckedShapes> {
  const widths = new Set(numbers.shapes.map((shape) => shape.at(-1) ?? 0));
  const ranks = new Set(numbers.shapes.map((shape) => shape.length));
  const [width = 0] = widths;
  const [rank = 0] = ranks;
  if (widths.size > 1 || ranks.size > 1 || rank < 2 || rank > 3 || width === 0)
    throw mismatch(
      `${option} must have shape (N, ${option === "--logits" ? "V" : "d"}) or padded (R, T, …), with one last axis, got ${shapesWords(numbers)}`,
    );
  const leading = numbers.shapes.map((shape) => shape.slice(0, -1));
  if (!isDeepEqual(runs(leading), runs(tokens.shapes)))
    throw mismatch(
      `${option} and --tokens must agree in all axes but the last of ${option}, got ${shapesWords(numbers)} and ${shapesWords(tokens)}`,
    );
  if (rank === 3) {
    if (offsets !== null)
      throw new CalibrantError(
        "usage",
        "--offsets goes with (N, V) and (N): padded tensors say themselves where sequences end",
      );
    return { width, layout: paddedLayout(runs(tokens.shapes)) };
  }
  const positions = tokens.elements;
  return {
    width,
    layout: rangedLayout(
      offsets === null ? Int32Array.of(0, positions) : await readOffsets(offsets, positions),
    ),
  };
}

/** Shapes with neighbours of the same length joined: how they are divided into files says nothing. */
function runs(shapes: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const joined: number[][] = [];
  for (const [rows = 0, ...rest] of shapes) {
    const last = joined.at(-1);
    if (last !== undefined && isDeepEqual([last.slice(1)], [rest])) last[0] = (last[0] as number) + rows;
    else joined.push([rows, ...rest]);
  }
  return joined;
}

function isDeepEqual(a: readonly (readonly number[])[], b: readonly (readonly number[])[]): boolean {
  return a.length === b.length && a.every((shape, i) => shape.join() === b[i]?.join());
}

function paddedLayout(shapes: readonly (readonly number[])[]): SequenceLayout {
  let sequences = 0;
  let positions = 0;
  const blocks = shapes.map(([rows = 0, length = 0]) => {
    const block = { first: sequences, position: positions, length };
    sequences += rows;
    positions += elementsOf([rows, length]);
    return block;
  });
  const blockOf = (sequence: number): (typeof blocks)[number] => {
    const after = blocks.findIndex(({ first }) => first > sequence);
    return blocks.at(after < 0 ? -1 : after - 1) as (typeof blocks)[number];
  };
  const start = (sequence: number): number => {
    const { first, position, length } = blockOf(sequence);
    return position + (sequence - first) * length;
  };
  return { sequences, positions, start, end: (sequence) => start(sequence) + blockOf(sequence).length };
}

function rangedLayout(offsets: Int32Array): SequenceLayout {
  return {
    sequences: offsets.length - 1,
    positions: offsets[offsets.length - 1] as number,
    start: (sequence) => offsets[sequence] as number,
    end: (sequence) => offsets[sequence + 1] as number,
  };
}

async function readOffsets(series: TensorSeries, positions: number): Promise<Int32Array> {
  const [shape = []] = series.shapes;
  if (shape.length !== 1 || series.elements < 1)
    throw mismatch(`--offsets must have shape (R + 1,), got ${shapesWords(series)}`);
  const offsets = new Int32Array(series.elements);
  await series.readIntegers(0, offsets);
  const fail = (at: number, expected: string): never => {
    throw new CalibrantError(
      "data",
      `${series.label}: offsets must ascend from 0 to ${positions}, the number of tokens: offset ${at} must be ${expected}, got ${offsets[at]}`,
      { at, offset: offsets[at] },
    );
  };
  if (offsets[0] !== 0) fail(0, "0");
  for (let at = 1; at < offsets.length; at += 1) {
    const before = offsets[at - 1] as number;
    if ((offsets[at] as number) < before) fail(at, `at least ${before}`);
  }
  const last = offsets.length - 1;
  if (offsets[last] !== positions) fail(last, String(positions));
  return offsets;
}

function mismatch(message: string): CalibrantError {
  return new CalibrantError("length-mismatch", message);
}
