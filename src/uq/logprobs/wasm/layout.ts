import type { LogitType } from "../log-prob-backend.ts";
import type { WasmMemory } from "./web-assembly.ts";

// What TypeScript and the kernel agree on; assembly/layout.ts is the other side. The kernel's table of constants lies from byte 1024 on.

/** The words in which threads find their work; see ThreadPool. */
export const CONTROL_AT = 64;
/** From here on memory is given out. */
export const HEAP_AT = 2048;

export const JOB_BYTES = 88;
export const ENTRY_BYTES = 8;
export const RESULT_BYTES = 40;
/** Of a thread, before the row of weights: one decoded block. */
export const BLOCK_BYTES = 4096;
/** Rows of weights in one unit of work. */
export const WEIGHTS_OF_UNIT = 16;

export const KIND_ROWS = 0;
export const KIND_PRODUCTS = 1;

/** How the kernel numbers the types. */
export const TYPE_CODES: Readonly<Record<LogitType, number>> = { float32: 0, float16: 1, bfloat16: 2 };

/** Bytes of one number. */
export const TYPE_BYTES: Readonly<Record<LogitType, number>> = { float32: 4, float16: 2, bfloat16: 2 };

/** A job, as `Job` of the kernel explains it. */
export interface JobFields {
  readonly units: number;
  readonly kind: number;
  readonly type: number;
  readonly columns: number;
  readonly all: boolean;
  readonly topK: number;
  readonly scale: number;
  readonly input: number;
  readonly output: number;
  readonly second: number;
  readonly third: number;
  readonly width: number;
  readonly padded: number;
  readonly rows: number;
  readonly outputStride: number;
  readonly scratch: number;
  readonly scratchBytes: number;
}

/** Writes a job that nobody has begun. */
export function writeJob(memory: WasmMemory, job: number, fields: JobFields): void {
  const words = new Int32Array(memory.buffer, job, JOB_BYTES / 4);
  words.set([0, 0, fields.units, fields.kind, fields.type, fields.columns, Number(fields.all), fields.topK]);
  new Float64Array(memory.buffer, job + 32, 1)[0] = fields.scale;
  words.set([fields.input, fields.output, fields.second, fields.third, fields.width, fields.padded], 10);
  words.set([fields.rows, fields.outputStride, fields.scratch, fields.scratchBytes], 16);
}

/** Tells all threads to draw no more units of a job. */
export function stopJob(memory: WasmMemory, job: number): void {
  Atomics.store(new Int32Array(memory.buffer, job, 2), 1, 1);
}
