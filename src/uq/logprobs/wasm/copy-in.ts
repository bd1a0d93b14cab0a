import type { WasmMemory } from "./web-assembly.ts";

/** Numbers in the kernel's memory: float32, or 16-bit patterns. */
export function numbersAt(
  { buffer }: WasmMemory,
  address: number,
  count: number,
  isFloat: boolean,
): Float32Array | Uint16Array {
  return isFloat ? new Float32Array(buffer, address, count) : new Uint16Array(buffer, address, count);
}

/** Copies `count` numbers from place `start` on into the kernel's memory. */
export function copyIn(
  memory: WasmMemory,
  data: Float32Array | Uint16Array,
  start: number,
  count: number,
  address: number,
): void {
  numbersAt(memory, address, count, data instanceof Float32Array).set(data.subarray(start, start + count));
}
