import { describe, expect, it } from "vitest";
import { quantileEdges, uniformEdges } from "../../src/metrics/confidence-edges.ts";

describe("uniformEdges", () => {
  it("is exactly k/bins", () => {
    expect([...uniformEdges(3)]).toEqual([0, 1 / 3, 2 / 3, 1]);
  });
});

describe("quantileEdges", () => {
  it("is the type-7 quantiles", () => {
    expect([...quantileEdges([0.4, 0.1, 0.3, 0.2], 2)]).toEqual([0.1, 0.25, 0.4]);
  });

  it("merges edges that coincide; a first bin of zero width holds the ties at the minimum", () => {
    expect([...quantileEdges([0, 0, 0, 0, 0.8, 0.9], 3)]).toEqual([0, 0, expect.closeTo(0.8 / 3, 12), 0.9]);
    expect([...quantileEdges([0.5, 0.5, 0.5], 4)]).toEqual([0.5, 0.5]);
    expect([...quantileEdges([0.1, 1, 1, 1, 1], 2)]).toEqual([0.1, 1]);
  });

  it("leaves out NaN and rows of weight 0, and has no edges without rows", () => {
    expect([...quantileEdges([Number.NaN, 0.2, 0.4], 1)]).toEqual([0.2, 0.4]);
    expect([...quantileEdges([0.1, 0.2, 0.4], 1, [0, 1, 1])]).toEqual([0.2, 0.4]);
    expect(quantileEdges([], 3).length).toBe(0);
    expect(quantileEdges([Number.NaN], 3).length).toBe(0);
    expect(quantileEdges([0.5], 3, [0]).length).toBe(0);
  });
});
