import { type CheckedMatrix, type HiddenJob, isOnDevice } from "../check-log-prob-input.ts";
import type { LogitType } from "../log-prob-backend.ts";
import { MOST_ROWS } from "./chunk-layout.ts";
import type { ChunkSlot } from "./chunk-slot.ts";
import { copyToDevice } from "./copy-to-device.ts";
import type { DeviceMatrix } from "./cublas.ts";
import { type CudaEngine, makeRoom } from "./cuda-engine.ts";
import { devicePointer, sizeOf } from "./device-array.ts";
import { widenRows } from "./widen-rows.ts";

/** The output layer as the matrix product takes it: block by block of the vocabulary. */
export interface OutputWeights {
  /** The type that hidden states and weights are multiplied in: theirs, or float32 when they differ. */
  readonly type: LogitType;
  /** Tokens of a block; the whole vocabulary when nothing is to be done to the weights. */
  readonly blockRows: number;
  /** Bytes that a block needs in the workspace of a slot. */
  readonly blockBytes: number;
  /** Starts what brings `count` tokens from `first` on to the device, with `workspace` for it. */
  block(
    slot: ChunkSlot,
    workspace: bigint,
    first: number,
    count: number,
  ): Promise<DeviceMatrix> | DeviceMatrix;
}

/**
 * Weights of the host go to the device once and stay there, when they fit beside `rowsBytes` for the chunks; else they are brought
 * anew, block by block, for every chunk of rows.
 *
 * @throws CalibrantError `option` for an address that is no memory of the GPU; `io` when the device fails; the signal's reason.
 */
export async function outputWeights(
  engine: CudaEngine,
  { hidden, weights }: HiddenJob,
  rowsBytes: number,
  signal: AbortSignal | undefined,
): Promise<OutputWeights> {
  const type = hidden.type === weights.type ? weights.type : "float32";
  const size = sizeOf(weights.type);
  const { rows: vocab, columns: width } = weights;
  const isWidened = type !== weights.type;
  const resident = await residentPointer(engine, weights, rowsBytes, signal);
  if (resident !== null && !isWidened)
    return {
      type,
      blockRows: vocab,
      blockBytes: 0,
      block: () => ({ pointer: resident, rows: vocab, rowStride: width }),
    };
  const rawBytes = resident === null ? width * size : 0;
  const rowBytes = rawBytes + (isWidened ? width * 4 : 0);
  const spare = (engine.memory.bound - engine.weights.bytes) / 2;
  const blockRows = Math.max(1, Math.min(vocab, MOST_ROWS, Math.floor(spare / 3 / rowBytes)));
  return {
    type,
    blockRows,
    blockBytes: blockRows * rowBytes + 256,
    block: async (slot, workspace, first, count) => {
      const raw = resident === null ? workspace : resident + BigInt(first * width * size);
      if (resident === null) {
        const start = weights.offset + first * width;
        const data = (weights.data as Float32Array).subarray(start, start + count * width);
        await copyToDevice(engine.device, raw, data, slot.stream, signal);
      }
      if (!isWidened) return { pointer: raw, rows: count, rowStride: width };
      const wide = workspace + BigInt(256 * Math.ceil((blockRows * rawBytes) / 256));
      widenRows(
        engine,
        slot.stream,
        weights.type,
        { pointer: raw, rows: count, rowStride: width },
        width,
        wide,
      );
      return { pointer: wide, rows: count, rowStride: width };
    },
  };
}

/** Where all weights lie on the device; null when they do not fit. */
async function residentPointer(
  engine: CudaEngine,
  weights: CheckedMatrix,
  rowsBytes: number,
  signal: AbortSignal | undefined,
): Promise<bigint | null> {
  const { data } = weights;
  if (isOnDevice(data)) return devicePointer(engine.device, "the weights of the output layer", data, weights);
  const known = engine.weights.find(data);
  if (known !== null) return known;
  const length = weights.rows * weights.columns;
  const bytes = length * data.BYTES_PER_ELEMENT;
  if (bytes + rowsBytes > engine.memory.bound) return null;
  makeRoom(engine, bytes + rowsBytes);
  const pointer = engine.memory.allocate(bytes, "the output layer");
  try {
    const { stream } = engine.slots[0];
    await copyToDevice(engine.device, pointer, data.subarray(0, length), stream, signal);
    // The other slot's stream must not start before the weights are there.
    await engine.slots[0].settle();
  } catch (error) {
    await engine.slots[0].settle();
    engine.memory.free(pointer);
    throw error;
  }
  engine.weights.keep(data, pointer, bytes);
  return pointer;
}
