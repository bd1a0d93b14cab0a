import type { CheckedWant } from "../check-log-prob-input.ts";
import { ROW_STATUS } from "../log-prob-backend.ts";
import type { OpenColumns } from "../log-prob-columns.ts";
import { BLOCK_BYTES, ENTRY_BYTES, JOB_BYTES, KIND_ROWS, RESULT_BYTES, writeJob } from "./layout.ts";
import type { WasmEngine } from "./wasm-engine.ts";

/** Addresses of a job over rows of logits, and of what it reads and writes. */
export interface RowSlot {
  readonly job: number;
  readonly entries: number;
  readonly results: number;
  readonly values: number;
  readonly ids: number;
  readonly scratch: number;
}

/** What the rows of a call have in common. */
export interface RowsPlan {
  /** The kernel's number of their type. */
  readonly type: number;
  readonly vocab: number;
  readonly scale: number;
  readonly want: CheckedWant;
  /** Of all rows of the call. */
  readonly targets: Int32Array;
}

/** Bytes of the best tokens that one job may give. */
const TOP_BYTES = 4 << 20;

/** How many rows a job may have. */
export function mostRows({ topK }: CheckedWant): number {
  return topK === 0 ? 4096 : Math.max(1, Math.min(4096, Math.floor(TOP_BYTES / (8 * topK))));
}

/** Room for a job of `rows` rows. */
export function allocateSlot(
  allocate: (bytes: number) => number,
  rows: number,
  { topK }: CheckedWant,
  threads: number,
): RowSlot {
  return {
    job: allocate(JOB_BYTES),
    entries: allocate(rows * ENTRY_BYTES),
    results: allocate(rows * RESULT_BYTES),
    values: allocate(rows * topK * 4),
    ids: allocate(rows * topK * 4),
    scratch: allocate(threads * BLOCK_BYTES),
  };
}

/** Writes the job of some of the call's rows, which lie at `addressOf` their place among them. */
export function writeRows(
  { kernel: { memory } }: WasmEngine,
  slot: RowSlot,
  plan: RowsPlan,
  rows: Int32Array,
  addressOf: (index: number) => number,
): void {
  const entries = new Int32Array(memory.buffer, slot.entries, rows.length * 2);
  for (let index = 0; index < rows.length; index++) {
    entries[2 * index] = addressOf(index);
    entries[2 * index + 1] = plan.targets[rows[index] as number] as number;
  }
  const { entropy, rank, argmax, topK } = plan.want;
  writeJob(memory, slot.job, {
    units: rows.length,
    kind: KIND_ROWS,
    type: plan.type,
    columns: plan.vocab,
    all: entropy || rank || argmax,
    topK,
    scale: plan.scale,
    input: slot.entries,
    output: slot.results,
    second: slot.values,
    third: slot.ids,
    width: 0,
    padded: 0,
    rows: 0,
    outputStride: 0,
    scratch: slot.scratch,
    scratchBytes: BLOCK_BYTES,
  });
}

/** Puts what a finished job found into the columns of the call; the last steps are in float64. */
export function readRows(
  { kernel: { memory } }: WasmEngine,
  slot: RowSlot,
  plan: RowsPlan,
  rows: Int32Array,
  columns: OpenColumns,
): void {
  const { scale } = plan;
  const doubles = new Float64Array(memory.buffer, slot.results, (rows.length * RESULT_BYTES) / 8);
  const floats = new Float32Array(memory.buffer, slot.results, (rows.length * RESULT_BYTES) / 4);
  const words = new Int32Array(memory.buffer, slot.results, floats.length);
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] as number;
    const at = index * (RESULT_BYTES / 4);
    const status = words[at + 8] as number;
    columns.status[row] = status;
    if (status !== ROW_STATUS.ok) continue;
    const sum = doubles[at / 2] as number;
    const reference = floats[at + 4] as number;
    // Rounding may leave either a little beyond the bound that it has.
    columns.logprob[row] = Math.min(0, scale * ((floats[at + 5] as number) - reference) - Math.log(sum));
    if (columns.entropy !== null)
      columns.entropy[row] = Math.max(0, Math.log(sum) - (scale * (doubles[at / 2 + 1] as number)) / sum);
    if (columns.rank !== null) columns.rank[row] = 1 + (words[at + 6] as number);
    if (columns.argmax !== null) columns.argmax[row] = words[at + 7] as number;
    if (plan.want.topK === 0) continue;
    const found = words[at + 9] as number;
    readTop(memory.buffer, slot, plan, { index, row, found, reference, logSum: Math.log(sum) }, columns);
  }
}

interface ScoredRow {
  readonly index: number;
  readonly row: number;
  readonly found: number;
  readonly reference: number;
  readonly logSum: number;
}

function readTop(
  buffer: SharedArrayBuffer,
  slot: RowSlot,
  { scale, want: { topK } }: RowsPlan,
  { index, row, found, reference, logSum }: ScoredRow,
  { topIds, topLogprobs, coveredMass }: OpenColumns,
): void {
  if (topIds === null || topLogprobs === null || coveredMass === null) return;
  const values = new Float32Array(buffer, slot.values + index * topK * 4, found);
  const ids = new Int32Array(buffer, slot.ids + index * topK * 4, found);
  let mass = 0;
  for (let i = 0; i < found; i++) {
    const logprob = Math.min(0, scale * ((values[i] as number) - reference) - logSum);
    topIds[row * topK + i] = ids[i] as number;
    topLogprobs[row * topK + i] = logprob;
    mass += Math.exp(logprob);
  }
  coveredMass[row] = Math.min(1, mass);
}
