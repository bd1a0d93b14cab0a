import { wasmSimd } from "../../uq/logprobs/wasm-backend.ts";
import type { WasmReport } from "./doctor-report.ts";
import { wasmFeatures } from "./wasm-features.ts";

/** What this Node's WebAssembly can do, and which variant of the kernel it takes. */
export function wasmReport(): WasmReport {
  return { ...wasmFeatures(), variant: wasmSimd() };
}
