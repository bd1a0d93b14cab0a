import { describe, expect, it } from "vitest";
import { fingerprintRows, mixed } from "../../../src/uq/calibrators/fingerprint.ts";

describe("fingerprintRows", () => {
  it("does not depend on row order or storage, and tells -0 and 0 no different", () => {
    const one = fingerprintRows([1.5, -0, 3], [0, 1, 1]);
    expect(one).toMatch(/^[0-9a-f]{16}$/);
    expect(fingerprintRows(Float32Array.of(3, 1.5, 0), Uint8Array.of(1, 0, 1))).toBe(one);
  });

  it("tells apart values, labels and which goes with which", () => {
    const rows: [number[], number[]][] = [
      [
        [1, 2],
        [0, 1],
      ],
      [
        [1, 2],
        [1, 0],
      ],
      [
        [1, 2],
        [1, 1],
      ],
      [
        [1, 3],
        [0, 1],
      ],
      [
        [1, 2, 2],
        [0, 1, 1],
      ],
      [[], []],
    ];
    expect(new Set(rows.map(([x, y]) => fingerprintRows(x, y))).size).toBe(rows.length);
  });

  it("keeps the values of a row together and in order", () => {
    const one = fingerprintRows([1, 2, 3, 4], [0, 1], 2);
    expect(fingerprintRows([3, 4, 1, 2], [1, 0], 2)).toBe(one);
    expect(fingerprintRows([2, 1, 3, 4], [0, 1], 2)).not.toBe(one);
    expect(fingerprintRows([1, 4, 3, 2], [0, 1], 2)).not.toBe(one);
  });
});

describe("mixed", () => {
  it("is a permutation of 32-bit numbers with 0 in place", () => {
    expect(mixed(0)).toBe(0);
    expect(mixed(1)).toBe(1364076727);
    expect(new Set(Array.from({ length: 10_000 }, (_, i) => mixed(i))).size).toBe(10_000);
  });
});
