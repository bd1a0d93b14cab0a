import { describe, expect, it } from "vitest";
import { madeUpLogits, madeUpTargets } from "../../../../src/cli/doctor/bench/made-up-logits.ts";

describe("madeUpLogits", () => {
  const logits = madeUpLogits(20_000, "float32", 1);

  it("has mean 0 and standard deviation 3, and is the same for the same seed only", () => {
    const values = Array.from(logits);
    const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
    const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length;
    expect(Math.abs(mean)).toBeLessThan(0.1);
    expect(Math.abs(Math.sqrt(variance) - 3)).toBeLessThan(0.05);
    expect(Buffer.from(madeUpLogits(20_000, "float32", 1).buffer).equals(Buffer.from(logits.buffer))).toBe(
      true,
    );
    expect(madeUpLogits(8, "float32", 2)).not.toEqual(logits.slice(0, 8));
  });

  it("is cut to the upper half for bfloat16", () => {
    const words = new Uint32Array((logits as Float32Array<ArrayBuffer>).buffer);
    const halves = madeUpLogits(100, "bfloat16", 1);
    expect(Array.from(halves)).toEqual(Array.from(words.subarray(0, 100), (word) => word >>> 16));
  });

  it("has targets within the vocabulary", () => {
    expect(Array.from(madeUpTargets(4, 10))).toEqual([3, 2, 1, 0]);
  });
});
