import { describe, expect, it } from "vitest";
import { blockTable, createBlockResampler, dealBlocks } from "../../src/math/block-table.ts";
import { createResampler } from "../../src/math/resample.ts";
import { seededRandom } from "../../src/math/seeded-random.ts";

const parts = [
  { blocks: Int32Array.of(0, 0, 1), cells: Int32Array.of(0, 0, 1), weights: null, firstCell: 0 },
  { blocks: Int32Array.of(1, 2), cells: Int32Array.of(0, 1), weights: Float64Array.of(2, 0.5), firstCell: 2 },
];

describe("blockTable", () => {
  it("sums rows by block and cell", () => {
    const table = blockTable(parts, 3, 4);
    expect([...table.starts]).toEqual([0, 1, 3, 4]);
    expect([...table.cells]).toEqual([0, 1, 2, 3]);
    expect([...table.sums]).toEqual([2, 1, 2, 0.5]);
  });
});

describe("createBlockResampler", () => {
  it("sums the drawn blocks", () => {
    const drawn = createResampler(3, seededRandom(4));
    const resample = createBlockResampler(blockTable(parts, 3, 4), 4, seededRandom(4));
    const times = new Int32Array(3);
    const target = new Float64Array(4);
    for (let i = 0; i < 10; i++) {
      drawn(times);
      resample(target);
      const [a, b, c] = [...times] as [number, number, number];
      expect([...target]).toEqual([2 * a, b, 2 * b, 0.5 * c]);
    }
  });
});

describe("dealBlocks", () => {
  it("deals units to blocks of nearly equal size, the same for a seed", () => {
    const dealt = dealBlocks(103, 10, seededRandom(1));
    const sizes = new Array(10).fill(0);
    for (const block of dealt) sizes[block] += 1;
    expect(sizes.sort()).toEqual([10, 10, 10, 10, 10, 10, 10, 11, 11, 11]);
    expect(dealBlocks(103, 10, seededRandom(1))).toEqual(dealt);
    expect(dealBlocks(103, 10, seededRandom(2))).not.toEqual(dealt);
  });
});
