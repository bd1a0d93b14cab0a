import { type CheckedMatrix, isOnDevice, type LogitsJob } from "../check-log-prob-input.ts";
import type { LogProbColumns } from "../log-prob-backend.ts";
import { closeColumns, openColumns } from "../log-prob-columns.ts";
import type { ChunkJob } from "./chunk-job.ts";
import { layOutChunk, partsOf, rowsOfChunk } from "./chunk-layout.ts";
import type { ChunkSlot } from "./chunk-slot.ts";
import { type CudaEngine, makeRoom } from "./cuda-engine.ts";
import { devicePointer, sizeOf } from "./device-array.ts";
import { runChunks } from "./run-chunks.ts";

/** Logits of the host go to the device in pieces of about this size: many enough to overlap, large enough for the bus. */
const CHUNK_BYTES = 2 ** 24;

/** @throws CalibrantError as `LogProbBackend.score`, and `io` when the device fails. */
export async function scoreLogits(
  engine: CudaEngine,
  job: LogitsJob,
  signal: AbortSignal | undefined,
): Promise<LogProbColumns> {
  signal?.throwIfAborted();
  const columns = openColumns(job.logits.rows, job.want);
  engine.device.enter();
  await runChunks(engine, chunkJob(engine, job), columns, signal);
  return closeColumns(columns);
}

function chunkJob(engine: CudaEngine, { logits, scale, targets, want }: LogitsJob): ChunkJob {
  const { rows, columns: vocab, type } = logits;
  const { bound } = engine.memory;
  const parts = partsOf(vocab, engine.partCount ?? undefined);
  const common = { rows, vocab, scale, targets, want, parts };
  if (isOnDevice(logits.data)) {
    const pointer = devicePointer(engine.device, "logits", logits.data, logits);
    const layout = layOutChunk(rowsOfChunk(rows, bound / 2, want, parts, 0), want, parts, 0, 0);
    makeRoomForBoth(engine, layout.deviceBytes);
    const rowBytes = logits.rowStride * sizeOf(type);
    return {
      ...common,
      layout,
      inputBytes: (count) => 4 * count,
      stage: () => {},
      logits: (_, first) => ({
        pointer: pointer + BigInt(first * rowBytes),
        rowStride: logits.rowStride,
        type,
      }),
    };
  }
  // Rows start at multiples of 16 bytes on the device, whatever the vocabulary.
  const perVector = 16 / sizeOf(type);
  const rowStride = perVector * Math.ceil(vocab / perVector);
  const rowBytes = rowStride * sizeOf(type);
  const chunkRows = rowsOfChunk(rows, Math.min(CHUNK_BYTES, bound / 2), want, parts, rowBytes);
  const layout = layOutChunk(chunkRows, want, parts, rowBytes, 0);
  makeRoomForBoth(engine, layout.deviceBytes);
  return {
    ...common,
    layout,
    inputBytes: (count) => layout.input + count * rowBytes,
    stage: (slot, first, count) => stageRows(slot, layout.input, logits, targets, rowStride, first, count),
    logits: (slot) => ({ pointer: slot.pointer + BigInt(layout.input), rowStride, type }),
  };
}

function makeRoomForBoth(engine: CudaEngine, deviceBytes: number): void {
  if (engine.slots.some((slot) => slot.held < deviceBytes)) makeRoom(engine, 2 * deviceBytes);
}

/** Copies rows into the pinned memory; those that are skipped stay out. */
function stageRows(
  slot: ChunkSlot,
  at: number,
  logits: CheckedMatrix,
  targets: Int32Array,
  rowStride: number,
  first: number,
  count: number,
): void {
  const data = logits.data as Float32Array | Uint16Array;
  const length = count * rowStride;
  const staged =
    data instanceof Float32Array
      ? new Float32Array(slot.bytes, at, length)
      : new Uint16Array(slot.bytes, at, length);
  for (let i = 0; i < count; i++) {
    if ((targets[first + i] as number) < 0) continue;
    const start = logits.offset + (first + i) * logits.rowStride;
    staged.set(data.subarray(start, start + logits.columns), i * rowStride);
  }
}
