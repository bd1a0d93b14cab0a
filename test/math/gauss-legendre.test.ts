import { describe, expect, it } from "vitest";
import { gaussLegendre } from "../../src/math/gauss-legendre.ts";

describe("gaussLegendre", () => {
  it("is the known rule of two nodes", () => {
    const { nodes, weights } = gaussLegendre(2);
    expect(nodes[0]).toBeCloseTo((1 - Math.sqrt(1 / 3)) / 2, 15);
    expect(Array.from(weights)).toEqual([0.5, 0.5].map((w) => expect.closeTo(w, 14)));
  });

  it("integrates powers exactly up to degree 2n - 1", () => {
    for (const n of [3, 8, 40]) {
      const { nodes, weights } = gaussLegendre(n);
      for (const degree of [0, 1, n, 2 * n - 1]) {
        const sum = nodes.reduce((total, node, i) => total + (weights[i] as number) * node ** degree, 0);
        expect(sum * (degree + 1)).toBeCloseTo(1, 13);
      }
    }
  });
});
