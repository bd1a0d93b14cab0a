import type { CheckedWant } from "../check-log-prob-input.ts";

/** Bytes of what the kernels write for a row, or for a part of one; see `cuda/logprobs.cu`. */
export const RESULT_BYTES = 40;
export const PART_BYTES = 40;

/** Logits that one block adds up, about: enough to pay for the block, few enough that a single row keeps several busy. */
const PART_LENGTH = 32768;

/** The grid of a kernel has so many rows at most. */
export const MOST_ROWS = 32768;

/** Rows are cut so. It depends on the vocabulary alone, or results would depend on the number of rows. */
export interface Parts {
  readonly count: number;
  readonly length: number;
}

/** @param count - how many parts, where tests want to say. */
export function partsOf(vocab: number, count: number = Math.ceil(vocab / PART_LENGTH)): Parts {
  const length = 64 * Math.ceil(vocab / count / 64);
  return { count, length };
}

/**
 * Where things lie in the memory of a chunk, in bytes. What the host shares has the same place in the pinned memory and on the device:
 * inputs first (targets, logits), then outputs (results and the top tokens); then what the device has for itself.
 */
export interface ChunkLayout {
  readonly rows: number;
  readonly input: number;
  readonly results: number;
  readonly topLogprobs: number;
  readonly coveredMass: number;
  readonly topIds: number;
  readonly pinnedBytes: number;
  readonly parts: number;
  readonly workspace: number;
  readonly deviceBytes: number;
}

/** @param inputRowBytes - of logits that come from the host. @param workspaceBytes - on the device. */
export function layOutChunk(
  rows: number,
  { topK }: CheckedWant,
  { count }: Parts,
  inputRowBytes: number,
  workspaceBytes: number,
): ChunkLayout {
  const input = aligned(4 * rows);
  const results = aligned(input + rows * inputRowBytes);
  const topLogprobs = aligned(results + rows * RESULT_BYTES);
  const coveredMass = aligned(topLogprobs + rows * topK * 8);
  const topIds = aligned(coveredMass + (topK > 0 ? rows * 8 : 0));
  const pinnedBytes = aligned(topIds + rows * topK * 4);
  const parts = pinnedBytes;
  const workspace = aligned(parts + rows * count * PART_BYTES);
  const deviceBytes = workspace + workspaceBytes;
  return {
    rows,
    input,
    results,
    topLogprobs,
    coveredMass,
    topIds,
    pinnedBytes,
    parts,
    workspace,
    deviceBytes,
  };
}

/** How many rows a chunk of `bytes` has, of `rows` at most: one at least. */
export function rowsOfChunk(
  rows: number,
  bytes: number,
  want: CheckedWant,
  parts: Parts,
  ownRowBytes: number,
): number {
  const rowBytes = 4 + RESULT_BYTES + 8 + 12 * want.topK + parts.count * PART_BYTES + ownRowBytes;
  return Math.max(1, Math.min(rows, MOST_ROWS, Math.floor((bytes - 2048) / rowBytes)));
}

/** Addresses on the device are kept to multiples of it: loads of 16 bytes, and room for what cuBLAS likes. */
export function aligned(bytes: number): number {
  return 256 * Math.ceil(bytes / 256);
}
