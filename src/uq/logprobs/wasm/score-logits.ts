import { setImmediate } from "node:timers/promises";
import { type CheckedMatrix, type LogitsJob, SKIPPED_TARGET } from "../check-log-prob-input.ts";
import type { LogProbColumns } from "../log-prob-backend.ts";
import { closeColumns, openColumns } from "../log-prob-columns.ts";
import { copyIn } from "./copy-in.ts";
import { TYPE_BYTES, TYPE_CODES } from "./layout.ts";
import { allocateSlot, mostRows, type RowSlot, type RowsPlan, readRows, writeRows } from "./row-slot.ts";
import { TURN_BYTES } from "./thread-pool.ts";
import { type WasmEngine, withMemory } from "./wasm-engine.ts";

/** Numbers in JavaScript's own memory, or in the kernel's. */
export type HostMatrix = CheckedMatrix & { readonly data: Float32Array | Uint16Array };

/** Bytes of logits that are copied at a time: for one thread few enough to stay in its cache. */
const PIECE_BYTES = { alone: 512 << 10, shared: 2 << 20 };
/** Copied rows start at multiples of it. */
const ALIGNMENT = 64;

/** Log-probs from logits: in place where they lie in the kernel's memory, through it in pieces otherwise. */
export async function scoreLogits(
  engine: WasmEngine,
  job: LogitsJob,
  logits: HostMatrix,
  signal: AbortSignal | undefined,
): Promise<LogProbColumns> {
  const { targets, want, scale } = job;
  const plan: RowsPlan = { type: TYPE_CODES[logits.type], vocab: logits.columns, scale, want, targets };
  const call = {
    engine,
    plan,
    logits,
    signal,
    rows: scoredRows(targets),
    columns: openColumns(targets.length, want),
  };
  if (call.rows.length > 0) await (engine.arena.holds(logits.data) ? scoreInPlace(call) : scoreCopies(call));
  return closeColumns(call.columns);
}

/** The rows that are not to be skipped. */
export function scoredRows(targets: Int32Array): Int32Array {
  const rows = new Int32Array(targets.length);
  let count = 0;
  for (let row = 0; row < targets.length; row++) if (targets[row] !== SKIPPED_TARGET) rows[count++] = row;
  return rows.subarray(0, count);
}

interface Call {
  readonly engine: WasmEngine;
  readonly plan: RowsPlan;
  readonly logits: HostMatrix;
  readonly signal: AbortSignal | undefined;
  readonly rows: Int32Array;
  readonly columns: ReturnType<typeof openColumns>;
}

/** What a row costs, in bytes of logits: its result, and a second look where the best tokens are wanted, count too. */
function rowCost({ vocab, want: { topK } }: RowsPlan, bytes: number): number {
  return vocab * bytes * (topK > 0 ? 2 : 1) + 64 * topK + 1024;
}

async function scoreInPlace({ engine, plan, logits, signal, rows, columns }: Call): Promise<void> {
  const bytes = TYPE_BYTES[logits.type];
  const start = logits.data.byteOffset + logits.offset * bytes;
  const most = Math.min(rows.length, mostRows(plan.want));
  await withMemory(engine.arena, async (allocate) => {
    const slot = allocateSlot(allocate, most, plan.want, engine.pool.threads);
    for (let from = 0; from < rows.length; from += most) {
      const piece = rows.subarray(from, from + most);
      writeRows(
        engine,
        slot,
        plan,
        piece,
        (index) => start + (piece[index] as number) * logits.rowStride * bytes,
      );
      await engine.pool.run(slot.job, { units: piece.length, unitBytes: rowCost(plan, bytes), signal });
      readRows(engine, slot, plan, piece, columns);
      if (from + most < rows.length) await setImmediate();
      signal?.throwIfAborted();
    }
  });
}

/** With several threads the calling one copies a piece while the others compute the one before. */
async function scoreCopies({ engine, plan, logits, signal, rows, columns }: Call): Promise<void> {
  const { threads } = engine.pool;
  const unitBytes = rowCost(plan, TYPE_BYTES[logits.type]);
  const rowBytes = Math.ceil((plan.vocab * TYPE_BYTES[logits.type]) / ALIGNMENT) * ALIGNMENT;
  const pieceBytes = threads === 1 ? PIECE_BYTES.alone : PIECE_BYTES.shared;
  const most = Math.min(
    rows.length,
    mostRows(plan.want),
    Math.max(threads, Math.floor(pieceBytes / rowBytes)),
  );
  await withMemory(engine.arena, async (allocate) => {
    const slots = Array.from({ length: threads === 1 || most === rows.length ? 1 : 2 }, () => ({
      ...allocateSlot(allocate, most, plan.want, threads),
      data: allocate(most * rowBytes),
    }));
    const piece = (from: number): Int32Array => rows.subarray(from, from + most);
    const slotOf = (from: number): RowSlot & { data: number } =>
      slots[(from / most) % slots.length] as RowSlot & { data: number };
    const prepare = (from: number): void => {
      const { data } = slotOf(from);
      copyRows(engine, logits, piece(from), data, rowBytes);
      writeRows(engine, slotOf(from), plan, piece(from), (index) => data + index * rowBytes);
    };
    prepare(0);
    let sinceTurn = 0;
    for (let from = 0; from < rows.length; from += most) {
      const next = from + most;
      const hasNext = next < rows.length;
      const units = piece(from).length;
      const meanwhile = hasNext && slots.length > 1 ? { meanwhile: () => prepare(next) } : {};
      await engine.pool.run(slotOf(from).job, { units, unitBytes, signal, ...meanwhile });
      readRows(engine, slotOf(from), plan, piece(from), columns);
      signal?.throwIfAborted();
      if (hasNext && slots.length === 1) prepare(next);
      sinceTurn += units * unitBytes;
      if (sinceTurn < TURN_BYTES) continue;
      sinceTurn = 0;
      await setImmediate();
    }
  });
}

function copyRows(
  { kernel: { memory } }: WasmEngine,
  { data, offset, rowStride, columns }: HostMatrix,
  rows: Int32Array,
  to: number,
  rowBytes: number,
): void {
  for (let index = 0; index < rows.length; index++)
    copyIn(memory, data, offset + (rows[index] as number) * rowStride, columns, to + index * rowBytes);
}
