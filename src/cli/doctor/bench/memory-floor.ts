import { Worker } from "node:worker_threads";
import {
  type WasmMemory,
  type WasmModule,
  type WebAssemblyApi,
  webAssembly,
} from "../../../uq/logprobs/wasm/web-assembly.ts";
import { FLOOR_STEP, floorModule } from "./floor-module.ts";

/** Reads memory and does nothing else: what no computation over the same bytes can beat. */
export interface MemoryFloor {
  readonly how: "wasm" | "typed-array";
  /** Reads every byte of buffer `index` once with so many threads, and returns their sum as 32-bit integers. */
  read(index: number, threads: number): number;
  dispose(): Promise<void>;
}

/** What a thread that reads for the floor is given. */
export interface FloorWork {
  readonly module: WasmModule;
  readonly memory: WasmMemory;
  readonly signals: Int32Array;
  /** Its place among the threads, from 1. */
  readonly slot: number;
}

/** A page of WebAssembly's memory. */
const PAGE = 65_536;
/** Words of the workers' signals: the round, workers that are done, then (from, to, sum) for each. */
export const SIGNAL_ROUND = 0;
export const SIGNAL_DONE = 1;
export const SIGNAL_SLICES = 2;

/**
 * Takes `buffers` times `bytes` of memory, filled with a pattern, and starts threads to read it.
 *
 * @param least - bytes of a buffer, rounded up to a multiple of {@link FLOOR_STEP}; all buffers together below 2 GiB
 * @param threads - the most that will be asked for; the calling one is among them
 */
export async function createMemoryFloor(
  least: number,
  buffers: number,
  threads: number,
): Promise<MemoryFloor> {
  const bytes = Math.ceil(least / FLOOR_STEP) * FLOOR_STEP;
  const wasm = webAssembly();
  const binary = floorModule();
  if (wasm === null || !wasm.validate(binary)) return typedArrayFloor(bytes, buffers);
  const module = await wasm.compile(binary);
  const pages = Math.ceil((bytes * buffers) / PAGE);
  const memory = new wasm.Memory({ initial: pages, maximum: pages, shared: true });
  fill(new Int32Array(memory.buffer));
  const signals = new Int32Array(new SharedArrayBuffer(4 * (SIGNAL_SLICES + 3 * threads)));
  const workers = Array.from({ length: threads - 1 }, (_, i) => {
    const workerData: FloorWork = { module, memory, signals, slot: i + 1 };
    return new Worker(new URL("./floor-worker.js", import.meta.url), { workerData });
  });
  await Promise.all(workers.map((worker) => ready(worker)));
  const sum = floorSum(wasm, module, memory);
  return {
    how: "wasm",
    read: (index, used) => readAll(signals, sum, index * bytes, bytes, used, workers.length),
    async dispose() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

/** The loop over a memory. */
export function floorSum(
  wasm: WebAssemblyApi,
  module: WasmModule,
  memory: WasmMemory,
): (from: number, to: number) => number {
  const { exports } = new wasm.Instance(module, { m: { memory } });
  return (exports as { readonly sum: (from: number, to: number) => number }).sum;
}

function readAll(
  signals: Int32Array,
  sum: (from: number, to: number) => number,
  start: number,
  bytes: number,
  threads: number,
  workers: number,
): number {
  const share = Math.ceil(bytes / threads / FLOOR_STEP) * FLOOR_STEP;
  for (let slot = 0; slot <= workers; slot++) {
    signals[SIGNAL_SLICES + 3 * slot] = start + Math.min(bytes, slot * share);
    signals[SIGNAL_SLICES + 3 * slot + 1] =
      start + (slot < threads ? Math.min(bytes, (slot + 1) * share) : 0);
  }
  Atomics.store(signals, SIGNAL_DONE, 0);
  if (threads > 1) {
    Atomics.add(signals, SIGNAL_ROUND, 1);
    Atomics.notify(signals, SIGNAL_ROUND);
  }
  let total = sum(start, start + Math.min(bytes, share));
  if (threads === 1) return total;
  for (
    let done = Atomics.load(signals, SIGNAL_DONE);
    done < workers;
    done = Atomics.load(signals, SIGNAL_DONE)
  )
    Atomics.wait(signals, SIGNAL_DONE, done);
  for (let slot = 1; slot <= workers; slot++)
    total = (total + (signals[SIGNAL_SLICES + 3 * slot + 2] as number)) | 0;
  return total;
}

function ready(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once("message", () => resolve());
    worker.once("error", reject);
  });
}

function typedArrayFloor(bytes: number, buffers: number): MemoryFloor {
  const arrays = Array.from({ length: buffers }, () => new Int32Array(bytes / 4));
  for (const array of arrays) fill(array);
  return {
    how: "typed-array",
    read: (index) => sumOf(arrays[index] as Int32Array),
    dispose: async () => undefined,
  };
}

function sumOf(array: Int32Array): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let i = 0; i < array.length; i += 4) {
    a = (a + (array[i] as number)) | 0;
    b = (b + (array[i + 1] as number)) | 0;
    c = (c + (array[i + 2] as number)) | 0;
    d = (d + (array[i + 3] as number)) | 0;
  }
  return (a + b + c + d) | 0;
}

/** Memory that was never written may all be one page of zeros. */
function fill(words: Int32Array): void {
  for (let i = 0; i < words.length; i++) words[i] = i;
}
