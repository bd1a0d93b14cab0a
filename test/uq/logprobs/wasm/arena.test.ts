import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createArena } from "../../../../src/uq/logprobs/wasm/arena.ts";
import type { WasmMemory } from "../../../../src/uq/logprobs/wasm/web-assembly.ts";

/** A memory of at most 16 pages whose buffers are as long as they say, and hold nothing. */
function pages(): WasmMemory {
  let size = 1;
  return {
    get buffer() {
      return new SharedArrayBuffer(size * 65536);
    },
    grow(more) {
      if (size + more > 16) throw new RangeError("maximum");
      size += more;
      return size - more;
    },
  };
}

describe("createArena", () => {
  it("gives parts that do not overlap, and joins again what comes back", () => {
    const step = fc.record({ bytes: fc.integer({ min: 0, max: 40_000 }), free: fc.nat() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const arena = createArena(pages());
        const taken: { address: number; bytes: number }[] = [];
        for (const { bytes, free } of steps) {
          if (taken.length > 8) {
            const [gone] = taken.splice(free % taken.length, 1);
            arena.free(gone?.address ?? 0);
          }
          const address = arena.allocate(bytes);
          expect(address % 64).toBe(0);
          expect(address + bytes).toBeLessThanOrEqual(arena.size);
          for (const other of taken)
            expect(address + bytes <= other.address || other.address + other.bytes <= address).toBe(true);
          taken.push({ address, bytes });
        }
        for (const { address } of taken) arena.free(address);
        const { size } = arena;
        expect(arena.allocate(size - 2048)).toBe(2048);
        expect(arena.size).toBe(size);
      }),
    );
  });

  it("says when no more can be had, and has what it had before", () => {
    const arena = createArena(pages());
    const address = arena.allocate(900_000);
    expect(() => arena.allocate(200_000)).toThrow(/is full: .*it holds 1 MiB, wanted 1 MiB$/);
    arena.free(address);
    arena.free(address);
    expect(arena.allocate(1_000_000)).toBe(address);
  });
});
