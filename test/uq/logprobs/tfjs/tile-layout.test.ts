import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tileLayout } from "../../../../src/uq/logprobs/tfjs/tile-layout.ts";

describe("the layout of a tile", () => {
  it.each([
    [1, 1, 1],
    [1003, 1, 1003],
    [1024, 1, 1024],
    [4099, 4, 1025],
    [32000, 16, 2000],
    [151936, 128, 1187],
  ])("cuts %d columns into %d blocks of %d", (columns, blocks, size) => {
    expect(tileLayout(columns)).toEqual({ columns, blocks, size, padded: blocks * size });
  });

  it("holds all columns, in blocks of 2,048 at most, and pads them with next to nothing", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 20 }), (columns) => {
        const { blocks, size, padded } = tileLayout(columns);
        expect(padded).toBe(blocks * size);
        expect(padded - columns).toBeGreaterThanOrEqual(0);
        expect(padded - columns).toBeLessThan(blocks);
        expect(size).toBeLessThanOrEqual(2048);
      }),
    );
  });
});
