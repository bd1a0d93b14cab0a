import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../src/math/seeded-random.ts";
import { calibrationError } from "../../src/metrics/calibration-error.ts";
import { ConfidenceBins } from "../../src/metrics/confidence-bins.ts";
import { uniformEdges } from "../../src/metrics/confidence-edges.ts";
import { reliabilityDiagram, reliabilityOfBins } from "../../src/metrics/reliability.ts";
import { arbitraryRows, exactRows } from "./confidence-rows.ts";

describe("reliabilityDiagram", () => {
  it("has binomial bands for equal confidences, NaN for empty bins", () => {
    const diagram = reliabilityDiagram(new Array(10).fill(0.3), [1, 0, 0, 0, 0, 0, 0, 0, 0, 1], { bins: 2 });
    expect([...diagram.count]).toEqual([10, 0]);
    expect(diagram.accuracy[0]).toBe(0.2);
    // scipy.stats.binom(10, 0.3).ppf([0.025, 0.975]) = 0, 6.
    expect(diagram.bandLow[0]).toBe(0);
    expect(diagram.bandHigh[0]).toBe(0.6);
    expect([diagram.accuracy[1], diagram.bandLow[1], diagram.bandHigh[1]]).toEqual([NaN, NaN, NaN]);
    expect(reliabilityDiagram([0.3], [1], { level: 0.1 }).excluded).toBe(0);
  });

  it("has the bins and null mean of calibrationError", () => {
    fc.assert(
      fc.property(arbitraryRows, ({ confidence, correct }) => {
        const diagram = reliabilityDiagram(confidence, correct, { bins: 7 });
        const { bins, nullMean } = calibrationError(confidence, correct, { bins: 7 });
        expect(diagram).toMatchObject({ ...bins, nullMean });
        diagram.count.forEach((count, k) => {
          if (count === 0) return;
          expect(diagram.bandLow[k]).toBeGreaterThanOrEqual(0);
          expect(diagram.bandHigh[k]).toBeGreaterThanOrEqual(diagram.bandLow[k] as number);
          expect(diagram.bandHigh[k]).toBeLessThanOrEqual(1);
        });
      }),
    );
  });

  it("covers the share of correct rows of exact confidences at its level", () => {
    const random = seededRandom(12);
    const confidence = Array.from({ length: 600 }, () => random());
    let inside = 0;
    let all = 0;
    for (let draw = 0; draw < 200; draw++) {
      const diagram = reliabilityDiagram(confidence, exactRows(confidence, random), { bins: 10, level: 0.9 });
      for (let k = 0; k < 10; k++) {
        const accuracy = diagram.accuracy[k] as number;
        all++;
        if (accuracy >= (diagram.bandLow[k] as number) && accuracy <= (diagram.bandHigh[k] as number))
          inside++;
      }
    }
    expect(inside / all).toBeGreaterThan(0.89);
    expect(inside / all).toBeLessThan(0.96);
  });

  it("narrows where confidences differ inside a bin", () => {
    // Two sure rows and nothing random: the share can only be 1/2.
    const diagram = reliabilityDiagram([0, 1, 0, 1], [0, 1, 0, 1], { bins: 1 });
    expect([diagram.bandLow[0], diagram.bandHigh[0]]).toEqual([0.5, 0.5]);
  });

  it("is what gathered sums give", () => {
    const bins = new ConfidenceBins(uniformEdges(3));
    bins.add({ confidence: [0.2, 0.5], correct: [0, 1] });
    bins.add({ confidence: [0.9], correct: [1] });
    const { excluded: _, ...whole } = reliabilityDiagram([0.2, 0.5, 0.9], [0, 1, 1], { bins: 3, level: 0.8 });
    expect(reliabilityOfBins(bins.sums(), 0.8)).toEqual(whole);
  });

  it("refuses a level outside (0, 1) and counts NaN rows", () => {
    expect(() => reliabilityDiagram([0.5], [1], { level: 1 })).toThrow(RangeError);
    expect(() => reliabilityDiagram([Number.NaN], [1])).toThrow(RangeError);
    const { excluded, nullMean } = reliabilityDiagram([Number.NaN], [1], { nan: "exclude" });
    expect([excluded, nullMean]).toEqual([1, Number.NaN]);
  });
});
