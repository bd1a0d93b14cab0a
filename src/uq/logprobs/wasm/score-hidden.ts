import type { HiddenJob } from "../check-log-prob-input.ts";
import type { LogProbColumns } from "../log-prob-backend.ts";
import { closeColumns, openColumns } from "../log-prob-columns.ts";
import { copyIn } from "./copy-in.ts";
import {
  BLOCK_BYTES,
  JOB_BYTES,
  KIND_PRODUCTS,
  TYPE_BYTES,
  TYPE_CODES,
  WEIGHTS_OF_UNIT,
  writeJob,
} from "./layout.ts";
import { allocateSlot, mostRows, type RowSlot, type RowsPlan, readRows, writeRows } from "./row-slot.ts";
import { type HostMatrix, scoredRows } from "./score-logits.ts";
import { type WasmEngine, withMemory } from "./wasm-engine.ts";

/** Bytes of the logits that are in memory at a time, and of the weights that are copied at a time. */
const LOGITS_BYTES = 32 << 20;
const WEIGHTS_BYTES = 4 << 20;
/** More hidden states than these at a time bring nothing more. */
const MOST_STATES = 256;

/** Log-probs from hidden states: the logits of some rows, then their log-probs, then the next rows. */
export async function scoreHiddenStates(
  engine: WasmEngine,
  job: HiddenJob,
  hidden: HostMatrix,
  weights: HostMatrix,
  signal: AbortSignal | undefined,
): Promise<LogProbColumns> {
  const { targets, want, scale, bias } = job;
  const vocab = weights.rows;
  const plan: RowsPlan = { type: TYPE_CODES.float32, vocab, scale, want, targets };
  const columns = openColumns(targets.length, want);
  const rows = scoredRows(targets);
  if (rows.length > 0)
    await withMemory(engine.arena, async (allocate) => {
      const sizes = sizesOf(rows.length, hidden, weights, plan);
      const room = allocateRoom(engine, allocate, sizes, plan, weights, bias);
      for (let from = 0; from < rows.length; from += sizes.states) {
        const piece = rows.subarray(from, from + sizes.states);
        fillStates(engine, hidden, piece, room, sizes);
        await multiply(engine, weights, piece.length, room, sizes, signal);
        writeRows(engine, room.slot, plan, piece, (index) => room.logits + index * vocab * 4);
        await engine.pool.run(room.slot.job, { units: piece.length, unitBytes: vocab * 4, signal });
        readRows(engine, room.slot, plan, piece, columns);
        signal?.throwIfAborted();
      }
    });
  return closeColumns(columns);
}

interface Sizes {
  /** Hidden states at a time, a multiple of four. */
  readonly states: number;
  /** Rows of weights at a time; all of them where they lie in the kernel's memory. */
  readonly tile: number;
  /** Numbers of a hidden state, filled up. */
  readonly padded: number;
}

function sizesOf(rows: number, hidden: HostMatrix, weights: HostMatrix, plan: RowsPlan): Sizes {
  const most = Math.min(rows, MOST_STATES, mostRows(plan.want), Math.floor(LOGITS_BYTES / (plan.vocab * 4)));
  const states = Math.max(4, Math.ceil(most / 4) * 4);
  const rowBytes = weights.columns * TYPE_BYTES[weights.type];
  const tile = Math.max(1, Math.floor(WEIGHTS_BYTES / rowBytes / WEIGHTS_OF_UNIT)) * WEIGHTS_OF_UNIT;
  return { states, tile: Math.min(tile, plan.vocab), padded: Math.ceil(hidden.columns / 8) * 8 };
}

interface Room {
  readonly slot: RowSlot;
  readonly job: number;
  readonly logits: number;
  readonly states: number;
  /** One hidden state or one tile of weights as they come, 0 where they are in the kernel's memory already. */
  readonly rawState: number;
  readonly rawWeights: number;
  /** 0 without one. */
  readonly bias: number;
  readonly scratch: number;
  readonly scratchBytes: number;
}

function allocateRoom(
  { kernel: { memory }, arena, pool }: WasmEngine,
  allocate: (bytes: number) => number,
  { states, tile, padded }: Sizes,
  plan: RowsPlan,
  weights: HostMatrix,
  bias: Float32Array | null,
): Room {
  const scratchBytes = BLOCK_BYTES + padded * 4;
  const biasAt = bias === null ? 0 : allocate(bias.byteLength);
  if (bias !== null) new Float32Array(memory.buffer, biasAt, bias.length).set(bias);
  return {
    slot: allocateSlot(allocate, states, plan.want, pool.threads),
    job: allocate(JOB_BYTES),
    logits: allocate(states * plan.vocab * 4),
    states: allocate(states * padded * 4),
    rawState: allocate(padded * 4),
    rawWeights: arena.holds(weights.data) ? 0 : allocate(tile * weights.columns * TYPE_BYTES[weights.type]),
    bias: biasAt,
    scratch: allocate(pool.threads * scratchBytes),
    scratchBytes,
  };
}

function fillStates(
  engine: WasmEngine,
  { data, type, columns, rowStride, offset }: HostMatrix,
  rows: Int32Array,
  { states, rawState }: Room,
  { padded }: Sizes,
): void {
  for (let index = 0; index < Math.ceil(rows.length / 4) * 4; index++) {
    const to = states + index * padded * 4;
    // What fills up the last four gives logits that nobody reads.
    const row = rows[Math.min(index, rows.length - 1)] as number;
    copyIn(engine.kernel.memory, data, offset + row * rowStride, columns, rawState);
    engine.kernel.decodeRow(rawState, TYPE_CODES[type], columns, to, padded);
  }
}

async function multiply(
  engine: WasmEngine,
  weights: HostMatrix,
  states: number,
  room: Room,
  { tile, padded }: Sizes,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { data, type, rows: vocab, columns: width } = weights;
  const isInPlace = room.rawWeights === 0;
  const step = isInPlace ? vocab : tile;
  for (let first = 0; first < vocab; first += step) {
    const rows = Math.min(step, vocab - first);
    if (!isInPlace) copyIn(engine.kernel.memory, data, first * width, rows * width, room.rawWeights);
    const units = Math.ceil(rows / WEIGHTS_OF_UNIT);
    writeJob(engine.kernel.memory, room.job, {
      units,
      kind: KIND_PRODUCTS,
      type: TYPE_CODES[type],
      columns: rows,
      all: false,
      topK: 0,
      scale: 1,
      input: isInPlace ? data.byteOffset : room.rawWeights,
      output: room.logits + first * 4,
      second: room.states,
      third: room.bias === 0 ? 0 : room.bias + first * 4,
      width,
      padded,
      rows: states,
      outputStride: vocab,
      scratch: room.scratch,
      scratchBytes: room.scratchBytes,
    });
    // A multiplication takes about as long as reading half a byte of logits.
    await engine.pool.run(room.job, { units, unitBytes: WEIGHTS_OF_UNIT * padded * states * 0.5, signal });
    signal?.throwIfAborted();
  }
}
