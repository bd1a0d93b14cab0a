import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isAscii } from "../../../src/data/arrow/is-ascii.ts";

describe("isAscii", () => {
  it("looks at every byte of the range and at none outside, wherever it lies in memory", () => {
    const place = fc.record({
      shift: fc.nat(7),
      begin: fc.nat(9),
      length: fc.nat(20),
      odd: fc.option(fc.nat(40), { nil: -1 }),
      byte: fc.integer({ min: 128, max: 255 }),
    });
    fc.assert(
      fc.property(place, ({ shift, begin, length, odd, byte }) => {
        const bytes = new Uint8Array(new ArrayBuffer(64), shift, 48).fill(0x7f);
        if (odd >= 0) bytes[odd] = byte;
        expect(isAscii(bytes, begin, begin + length)).toBe(odd < begin || odd >= begin + length);
      }),
      { numRuns: 1000 },
    );
  });

  it("holds for an empty range, at the end of memory too", () => {
    expect(isAscii(new Uint8Array(0), 0, 0)).toBe(true);
    expect(isAscii(new Uint8Array([200, 200, 200]), 3, 3)).toBe(true);
    expect(isAscii(new Uint8Array(new ArrayBuffer(7), 5, 2), 2, 2)).toBe(true);
  });
});
