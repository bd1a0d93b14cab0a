import { type HiddenJob, isOnDevice } from "../check-log-prob-input.ts";
import type { LogProbColumns } from "../log-prob-backend.ts";
import { closeColumns, openColumns } from "../log-prob-columns.ts";
import type { ChunkJob } from "./chunk-job.ts";
import { aligned, layOutChunk, partsOf, rowsOfChunk } from "./chunk-layout.ts";
import type { ChunkSlot } from "./chunk-slot.ts";
import { copyToDevice } from "./copy-to-device.ts";
import type { Cublas, DeviceMatrix } from "./cublas.ts";
import { type CudaEngine, makeRoom } from "./cuda-engine.ts";
import { devicePointer, sizeOf } from "./device-array.ts";
import { type OutputWeights, outputWeights } from "./output-weights.ts";
import { runChunks } from "./run-chunks.ts";
import { widenRows } from "./widen-rows.ts";

/** Rows of a chunk at most: enough for the matrix product to be at full speed. */
const CHUNK_ROWS = 1024;
/** Rows of a chunk that weights leave room for before they are brought block by block. */
const LEAST_ROWS = 64;
const BIAS_THREADS = 256;

/** @throws CalibrantError as `LogProbBackend.scoreHidden`, and `io` when the device or cuBLAS fails. */
export async function scoreHidden(
  engine: CudaEngine,
  cublas: Cublas,
  job: HiddenJob,
  signal: AbortSignal | undefined,
): Promise<LogProbColumns> {
  signal?.throwIfAborted();
  const columns = openColumns(job.hidden.rows, job.want);
  if (job.hidden.rows === 0) return closeColumns(columns);
  engine.device.enter();
  const shape = rowShape(job);
  const biasBytes = job.bias === null ? 0 : job.bias.byteLength;
  const parts = partsOf(job.weights.rows, engine.partCount ?? undefined);
  const leastRows = Math.min(LEAST_ROWS, job.hidden.rows);
  const least = layOutChunk(leastRows, job.want, parts, 0, leastRows * shape.bytes + 4096);
  const leastBytes = 2 * least.deviceBytes + biasBytes;
  const weights = await outputWeights(engine, job, leastBytes, signal);
  const spare = (engine.memory.bound - engine.weights.bytes - biasBytes) / 2 - weights.blockBytes - 4096;
  const mostRows = Math.min(job.hidden.rows, CHUNK_ROWS);
  const rows = rowsOfChunk(mostRows, spare, job.want, parts, shape.bytes);
  const places = workspacePlaces(rows, shape);
  const layout = layOutChunk(rows, job.want, parts, 0, places.bytes + weights.blockBytes);
  makeRoom(engine, 2 * layout.deviceBytes + biasBytes);
  const bias = job.bias === null ? null : engine.memory.allocate(biasBytes, "the bias");
  try {
    if (bias !== null) {
      await copyToDevice(engine.device, bias, job.bias as Float32Array, engine.slots[0].stream, signal);
      await engine.slots[0].settle();
    }
    const { scale, targets, want } = job;
    const chunks: ChunkJob = {
      ...{ rows: job.hidden.rows, vocab: job.weights.rows, scale, targets, want, parts, layout },
      inputBytes: (count) => 4 * count,
      stage: () => {},
      logits: async (slot, first, count) => {
        const workspace = slot.pointer + BigInt(layout.workspace);
        const hidden = await hiddenRows(engine, job, slot, workspace, places, first, count);
        const logits = workspace + BigInt(places.logits);
        const blocks = workspace + BigInt(places.bytes);
        await multiplyBlocks(cublas, job, weights, slot, hidden, logits, shape.logitsStride, blocks);
        if (bias !== null) addBias(engine, slot, job, logits, shape.logitsStride, bias, count);
        return { pointer: logits, rowStride: shape.logitsStride, type: "float32" };
      },
    };
    await runChunks(engine, chunks, columns, signal);
  } finally {
    if (bias !== null) engine.memory.free(bias);
  }
  return closeColumns(columns);
}

/** What a row needs in the workspace. */
interface RowShape {
  /** Rows of logits start at multiples of 16 bytes. */
  readonly logitsStride: number;
  /** Bytes of hidden states that come from the host; 0 when they are there. */
  readonly hiddenBytes: number;
  /** Bytes of them as float32, when they must be made that. */
  readonly wideBytes: number;
  readonly bytes: number;
}

function rowShape({ hidden, weights }: HiddenJob): RowShape {
  const logitsStride = 4 * Math.ceil(weights.rows / 4);
  const hiddenBytes = isOnDevice(hidden.data) ? 0 : hidden.columns * sizeOf(hidden.type);
  const isWidened = hidden.type !== weights.type && hidden.type !== "float32";
  const wideBytes = isWidened ? hidden.columns * 4 : 0;
  return { logitsStride, hiddenBytes, wideBytes, bytes: logitsStride * 4 + hiddenBytes + wideBytes };
}

interface WorkspacePlaces {
  readonly logits: number;
  readonly hidden: number;
  readonly wide: number;
  readonly bytes: number;
}

function workspacePlaces(rows: number, shape: RowShape): WorkspacePlaces {
  const hidden = aligned(rows * shape.logitsStride * 4);
  const wide = aligned(hidden + rows * shape.hiddenBytes);
  return { logits: 0, hidden, wide, bytes: aligned(wide + rows * shape.wideBytes) };
}

/** Starts what brings hidden states to the device in the type of the product. */
async function hiddenRows(
  engine: CudaEngine,
  { hidden, weights }: HiddenJob,
  slot: ChunkSlot,
  workspace: bigint,
  places: WorkspacePlaces,
  first: number,
  count: number,
): Promise<DeviceMatrix> {
  const { data, type, columns: width, rowStride, offset } = hidden;
  const start = offset + first * rowStride;
  let given: DeviceMatrix;
  if (isOnDevice(data)) {
    const pointer = devicePointer(engine.device, "hidden states", data, hidden);
    given = { pointer: pointer + BigInt(first * rowStride * sizeOf(type)), rows: count, rowStride };
  } else {
    const pointer = workspace + BigInt(places.hidden);
    await copyToDevice(engine.device, pointer, packedRows(data, start, width, rowStride, count), slot.stream);
    given = { pointer, rows: count, rowStride: width };
  }
  if (type === weights.type || type === "float32") return given;
  const wide = workspace + BigInt(places.wide);
  widenRows(engine, slot.stream, type, given, width, wide);
  return { pointer: wide, rows: count, rowStride: width };
}

function packedRows(
  data: Float32Array | Uint16Array,
  start: number,
  width: number,
  rowStride: number,
  count: number,
): Float32Array | Uint16Array {
  if (rowStride === width) return data.subarray(start, start + count * width);
  const packed =
    data instanceof Float32Array ? new Float32Array(count * width) : new Uint16Array(count * width);
  for (let i = 0; i < count; i++)
    packed.set(data.subarray(start + i * rowStride, start + i * rowStride + width), i * width);
  return packed;
}

async function multiplyBlocks(
  cublas: Cublas,
  { weights: matrix }: HiddenJob,
  weights: OutputWeights,
  slot: ChunkSlot,
  hidden: DeviceMatrix,
  logits: bigint,
  rowStride: number,
  workspace: bigint,
): Promise<void> {
  const { rows: vocab, columns: width } = matrix;
  for (let first = 0; first < vocab; first += weights.blockRows) {
    const count = Math.min(weights.blockRows, vocab - first);
    const block = await weights.block(slot, workspace, first, count);
    const product = { pointer: logits + BigInt(4 * first), rowStride };
    cublas.multiply(slot.stream, weights.type, width, hidden, block, product);
  }
}

function addBias(
  { launcher }: CudaEngine,
  slot: ChunkSlot,
  { weights }: HiddenJob,
  logits: bigint,
  rowStride: number,
  bias: bigint,
  count: number,
): void {
  const grid = [Math.ceil(weights.rows / BIAS_THREADS), count] as const;
  launcher.launch("add_bias", grid, BIAS_THREADS, slot.stream, [
    logits,
    { long: rowStride },
    { int: weights.rows },
    bias,
  ]);
}
