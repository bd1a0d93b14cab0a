import { CalibrantError } from "../../../errors.ts";
import { BASELINE_KERNEL, RELAXED_KERNEL } from "./kernel-binary.ts";
import { type WasmMemory, type WasmModule, webAssembly } from "./web-assembly.ts";

/** The two kernels: with the operations of relaxed SIMD, fused ones above all, and without. */
export type WasmSimd = "relaxed" | "baseline";

/** A compiled kernel, its memory, and the calling thread's instance of it. */
export interface Kernel {
  readonly simd: WasmSimd;
  readonly module: WasmModule;
  readonly memory: WasmMemory;
  /** Does at most `limit` units of the job at `job`; fewer when nothing is left to draw. */
  work(job: number, thread: number, limit: number): number;
  /** `count` numbers of a type as float32, filled up with zeros to `padded`. */
  decodeRow(from: number, type: number, count: number, to: number, padded: number): void;
}

/**
 * Which kernel this Node can run; null without WebAssembly, SIMD or shared memory.
 *
 * @example
 * ```ts
 * import { wasmSimd } from "calibrant/uq";
 * console.log(["relaxed", "baseline"].includes(String(wasmSimd()))); // true
 * ```
 */
export function wasmSimd(): WasmSimd | null {
  if (runs("relaxed")) return "relaxed";
  return runs("baseline") ? "baseline" : null;
}

/** Compiles a kernel; the best that runs here unless one is named. @throws CalibrantError `option` where it does not run. */
export async function loadKernel(wanted: WasmSimd | undefined): Promise<Kernel> {
  const simd = wanted ?? wasmSimd();
  const api = webAssembly();
  if (simd === null || api === null)
    throw new CalibrantError(
      "option",
      "the wasm back end needs WebAssembly with SIMD and shared memory, which this Node does not run: use the js back end",
    );
  if (!runs(simd))
    throw new CalibrantError("option", `simd must be one that this Node runs, got ${simd}`, {
      simd,
      runs: wasmSimd(),
    });
  const module = await api.compile(bytesOf(simd));
  const memory = newMemory();
  const instance = new api.Instance(module, { env: { memory } });
  const exports = instance.exports as Pick<Kernel, "work" | "decodeRow"> & { initialize(): void };
  exports.initialize();
  return { simd, module, memory, work: exports.work, decodeRow: exports.decodeRow };
}

/** Pages of 64 KiB; a process with little address space gets a smaller limit. */
const LIMITS = [65536, 32768, 16384, 4096];

function newMemory(): WasmMemory {
  const api = webAssembly();
  for (const maximum of LIMITS) {
    try {
      if (api !== null) return new api.Memory({ initial: 1, maximum, shared: true });
    } catch {
      // The next limit asks for less address space.
    }
  }
  throw new CalibrantError(
    "io",
    "the wasm back end could not reserve memory: give the process more address space, or use the js back end",
  );
}

function runs(simd: WasmSimd): boolean {
  const api = webAssembly();
  return api !== null && typeof SharedArrayBuffer === "function" && api.validate(bytesOf(simd));
}

function bytesOf(simd: WasmSimd): Uint8Array {
  return Buffer.from(simd === "relaxed" ? RELAXED_KERNEL : BASELINE_KERNEL, "base64");
}
