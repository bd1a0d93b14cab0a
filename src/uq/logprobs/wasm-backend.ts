import { availableParallelism } from "node:os";
import { checkOptionNames } from "../../data/check-option-names.ts";
import { CalibrantError } from "../../errors.ts";
import { type CheckedMatrix, checkHiddenJob, checkLogitsJob, isOnDevice } from "./check-log-prob-input.ts";
import { createJsBackend } from "./js-backend.ts";
import type { LogitType, LogProbBackend } from "./log-prob-backend.ts";
import { type SharedLogits, withFree } from "./shared-logits.ts";
import { createArena } from "./wasm/arena.ts";
import { numbersAt } from "./wasm/copy-in.ts";
import { loadKernel, type WasmSimd } from "./wasm/kernel.ts";
import { TYPE_BYTES } from "./wasm/layout.ts";
import { scoreHiddenStates } from "./wasm/score-hidden.ts";
import { type HostMatrix, scoreLogits } from "./wasm/score-logits.ts";
import { MOST_THREADS, ThreadPool } from "./wasm/thread-pool.ts";
import type { WasmEngine } from "./wasm/wasm-engine.ts";

export { type WasmSimd, wasmSimd } from "./wasm/kernel.ts";

/** The embedded back end. */
export interface WasmBackend extends LogProbBackend {
  readonly name: "wasm";
  /**
   * Memory for logits `(rows, vocab)` that the kernel reads in place. It holds whatever was there before.
   *
   * @throws CalibrantError `option` when the memory, at most 4 GiB, is full; after `dispose`.
   */
  allocLogits(rows: number, vocab: number, type?: LogitType): SharedLogits;
}

/** Which threads and which kernel. */
export interface WasmBackendOptions {
  /** The calling thread and so many more that this number is reached, from 1 to 128. Default: what the machine has. */
  readonly threads?: number;
  /** Default: the best that runs here. The two differ in the last bits of their results. */
  readonly simd?: WasmSimd;
}

/**
 * The embedded back end: WebAssembly with SIMD, which needs nothing but Node. Results do not depend on the number of threads.
 *
 * Threads start with the first call that has enough to do for them, and do not keep the process alive. Calls wait for one another.
 * Plain arrays are copied through the kernel's memory in pieces; logits from `allocLogits` are not.
 *
 * @throws CalibrantError `option` for options that cannot be, or where WebAssembly with SIMD does not run.
 *
 * @example
 * ```ts
 * import { createWasmBackend } from "calibrant/uq";
 * const backend = await createWasmBackend({ threads: 1 });
 * const logits = backend.allocLogits(1, 4);
 * logits.data.set([0, 0, 0, 0]);
 * const { logprob } = await backend.score(logits, Int32Array.of(2));
 * console.log(logprob[0]?.toFixed(6)); // -1.386294
 * logits.free();
 * await backend.dispose();
 * ```
 */
export async function createWasmBackend(options: WasmBackendOptions = {}): Promise<WasmBackend> {
  checkOptionNames(options, ["threads", "simd"], "createWasmBackend");
  const threads = checkThreads(options.threads);
  if (options.simd !== undefined && options.simd !== "relaxed" && options.simd !== "baseline")
    throw new CalibrantError("option", `simd must be relaxed or baseline, got ${String(options.simd)}`);
  const kernel = await loadKernel(options.simd);
  const arena = createArena(kernel.memory);
  const pool = new ThreadPool(kernel, threads);
  const engine = { kernel, arena, pool };
  let isDisposed = false;
  let last: Promise<unknown> = Promise.resolve();

  function checkOpen(): void {
    if (isDisposed) throw new CalibrantError("option", "the log-prob back end is disposed");
  }

  function afterOthers<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }

  return {
    name: "wasm",
    device: "cpu",
    info: { threads, detail: kernel.simd === "relaxed" ? "relaxed SIMD" : "SIMD", tolerance: 2e-6 },
    async score(logits, targets, want, signal) {
      checkOpen();
      const job = checkLogitsJob(logits, targets, want);
      const matrix = onHost("logits", job.logits);
      return afterOthers(async () => {
        signal?.throwIfAborted();
        if (isExtreme(job.scale)) return createJsBackend().score(logits, targets, want, signal);
        return scoreLogits(engine, job, matrix, signal);
      });
    },
    async scoreHidden(hidden, head, targets, want, signal) {
      checkOpen();
      const job = checkHiddenJob(hidden, head, targets, want);
      const states = onHost("hidden states", job.hidden);
      const weights = onHost("weights", job.weights);
      return afterOthers(async () => {
        signal?.throwIfAborted();
        if (isExtreme(job.scale)) return createJsBackend().scoreHidden(hidden, head, targets, want, signal);
        return scoreHiddenStates(engine, job, states, weights, signal);
      });
    },
    allocLogits(rows, vocab, type = "float32") {
      checkOpen();
      return allocate(engine, rows, vocab, type);
    },
    async dispose() {
      isDisposed = true;
      await last;
      await pool.dispose();
    },
  };
}

function allocate({ kernel, arena }: WasmEngine, rows: number, vocab: number, type: LogitType): SharedLogits {
  checkSize("rows", rows);
  checkSize("vocab", vocab);
  if (!Object.hasOwn(TYPE_BYTES, type))
    throw new CalibrantError("option", `type must be ${Object.keys(TYPE_BYTES).join(", ")}, got ${type}`);
  const address = arena.allocate(rows * vocab * TYPE_BYTES[type]);
  const data = numbersAt(kernel.memory, address, rows * vocab, type === "float32");
  return withFree({ data, type, rows, vocab }, () => arena.free(address));
}

/** Temperatures with which float32 would overflow; JavaScript computes with them in float64. */
function isExtreme(scale: number): boolean {
  return scale < 1e-20 || scale > 1e20;
}

function checkThreads(threads: number | undefined): number {
  if (threads === undefined) return Math.min(availableParallelism(), MOST_THREADS);
  if (Number.isInteger(threads) && threads >= 1 && threads <= MOST_THREADS) return threads;
  throw new CalibrantError(
    "option",
    `threads must be a whole number from 1 to ${MOST_THREADS}, got ${threads}`,
  );
}

function checkSize(name: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 1) return;
  throw new CalibrantError("option", `${name} of allocLogits must be a whole number from 1, got ${value}`);
}

function onHost(what: string, matrix: CheckedMatrix): HostMatrix {
  const { data } = matrix;
  if (isOnDevice(data))
    throw new CalibrantError(
      "option",
      `the wasm back end reads ${what} in the memory of the process only: use the cuda back end for those on a device`,
    );
  return { ...matrix, data };
}
