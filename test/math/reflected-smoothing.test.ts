import { describe, expect, it } from "vitest";
import { meanSmoothedArea, smoothedArea } from "../../src/math/reflected-smoothing.ts";

function masses(m: number, at: Readonly<Record<number, number>>): Float64Array {
  const values = new Float64Array(m + 1);
  for (const [node, mass] of Object.entries(at)) values[Number(node)] = mass;
  return values;
}

describe("smoothedArea", () => {
  it.each([0.02, 0.07, 0.2, 1])("keeps the mass of one sign at bandwidth %d", (sigma) => {
    expect(smoothedArea(masses(1024, { 3: 0.5, 700: 2, 1000: 1 }), sigma)).toBeCloseTo(3.5, 6);
  });

  it("loses half of the masses at the ends", () => {
    expect(smoothedArea(masses(1024, { 0: 1, 1024: -3 }), 0.05)).toBeCloseTo(2, 9);
  });

  it("is the closed form for two opposite masses inside", () => {
    // Two Gaussians at distance d: ∫|φ(t) − φ(t − d)| = 2(2Φ(d / 2σ) − 1); d = 2σ here.
    const sigma = 64 / 1024;
    expect(smoothedArea(masses(1024, { 448: 1, 576: -1 }), sigma)).toBeCloseTo(2 * 0.6826894921370859, 3);
  });

  it("cancels opposite masses at a wide bandwidth", () => {
    expect(smoothedArea(masses(1024, { 500: 1, 510: -1 }), 0.5)).toBeLessThan(0.03);
  });
});

describe("meanSmoothedArea", () => {
  it("is sqrt(2/π) times the standard deviation for one mass", () => {
    const inside = meanSmoothedArea(masses(1024, { 512: 4 }), 0.05);
    expect(inside).toBeCloseTo(2 * Math.sqrt(2 / Math.PI), 6);
    // Near an end the mirror image adds up with the mass itself.
    expect(meanSmoothedArea(masses(1024, { 20: 4 }), 0.05)).toBeCloseTo(inside, 3);
  });
});
