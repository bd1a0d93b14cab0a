import { CalibrantError } from "../../../errors.ts";
import { HEAP_AT } from "./layout.ts";
import type { WasmMemory } from "./web-assembly.ts";

/** Gives out parts of the kernel's memory, which grows when it must and never shrinks. */
export interface Arena {
  /** Bytes that may be given out before the memory grows again. */
  readonly size: number;
  /** The address of so many bytes, a multiple of 64. @throws CalibrantError `option` when the memory is full. */
  allocate(bytes: number): number;
  free(address: number): void;
  /** Whether an array lies in the memory: it was made over one of the buffers that the memory has had. */
  holds(array: Float32Array | Uint16Array): boolean;
}

interface Gap {
  start: number;
  end: number;
}

const PAGE = 65536;
const ALIGNMENT = 64;

/** An arena over a memory that nobody else divides. */
export function createArena(memory: WasmMemory): Arena {
  const gaps: Gap[] = [{ start: HEAP_AT, end: memory.buffer.byteLength }];
  const taken = new Map<number, number>();
  const buffers = new WeakSet<SharedArrayBuffer>();
  return {
    get size(): number {
      return memory.buffer.byteLength;
    },
    allocate(bytes: number): number {
      const size = Math.max(ALIGNMENT, Math.ceil(bytes / ALIGNMENT) * ALIGNMENT);
      const gap = gaps.find(({ start, end }) => end - start >= size) ?? grow(memory, gaps, size);
      const address = gap.start;
      gap.start += size;
      if (gap.start === gap.end) gaps.splice(gaps.indexOf(gap), 1);
      taken.set(address, size);
      buffers.add(memory.buffer);
      return address;
    },
    free(address: number): void {
      const size = taken.get(address);
      if (size === undefined) return;
      taken.delete(address);
      insertGap(gaps, { start: address, end: address + size });
    },
    holds: (array) => buffers.has(array.buffer as SharedArrayBuffer),
  };
}

/** Makes room for `size` bytes at the end of the memory. */
function grow(memory: WasmMemory, gaps: Gap[], size: number): Gap {
  const end = memory.buffer.byteLength;
  const last = gaps.at(-1);
  const open = last !== undefined && last.end === end ? end - last.start : 0;
  try {
    memory.grow(Math.ceil((size - open) / PAGE));
  } catch (cause) {
    const mib = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MiB`;
    throw new CalibrantError(
      "option",
      `the memory of the wasm back end, at most 4 GiB, is full: free logits that are done with, or score in smaller blocks; it holds ${mib(end)}, wanted ${mib(size)}`,
      { bytes: size, size: end },
      { cause },
    );
  }
  insertGap(gaps, { start: end, end: memory.buffer.byteLength });
  return gaps.at(-1) as Gap;
}

/** Keeps the gaps in order, neighbours joined. */
function insertGap(gaps: Gap[], gap: Gap): void {
  let at = gaps.findIndex(({ start }) => start > gap.start);
  if (at < 0) at = gaps.length;
  const before = gaps[at - 1];
  const after = gaps[at];
  if (after !== undefined && after.start === gap.end) {
    after.start = gap.start;
    if (before === undefined || before.end !== after.start) return;
    before.end = after.end;
    gaps.splice(at, 1);
  } else if (before !== undefined && before.end === gap.start) before.end = gap.end;
  else gaps.splice(at, 0, gap);
}
