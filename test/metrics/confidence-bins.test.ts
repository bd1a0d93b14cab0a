import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binConfidence, ConfidenceBins } from "../../src/metrics/confidence-bins.ts";
import { quantileEdges, uniformEdges } from "../../src/metrics/confidence-edges.ts";
import { arbitraryRows } from "./confidence-rows.ts";

/** The neighbour of a positive double below 1. */
function next(value: number, step: 1 | -1): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigUint64(0, view.getBigUint64(0) + BigInt(step));
  return view.getFloat64(0);
}

function countsOf(values: readonly number[], edges: Float64Array): number[] {
  const bins = new ConfidenceBins(edges);
  bins.add({ confidence: values, correct: values.map(() => 0) });
  return [...bins.sums().count];
}

describe("ConfidenceBins", () => {
  it("puts a value at every edge k/B into bin k, and its neighbours on their sides, for every B to 400", () => {
    for (let bins = 2; bins <= 400; bins++) {
      const edges = uniformEdges(bins);
      const inner = [...edges.subarray(1, bins)];
      const at = new Array<number>(bins).fill(1);
      expect(countsOf([...inner, 1], edges)).toEqual(at);
      expect(countsOf([...inner.map((edge) => next(edge, -1)), 1], edges)).toEqual(at);
      expect(countsOf([0, ...inner.map((edge) => next(edge, 1))], edges)).toEqual(at);
    }
  });

  it("has the same bins with weights and by code", () => {
    fc.assert(
      fc.property(arbitraryRows, fc.integer({ min: 1, max: 60 }), ({ confidence, correct }, bins) => {
        const edges = uniformEdges(bins);
        const plain = new ConfidenceBins(edges);
        plain.add({ confidence, correct });
        const weighted = new ConfidenceBins(edges);
        weighted.add({ confidence, correct, weights: confidence.map(() => 1) });
        expect(weighted.sums()).toEqual(plain.sums());
        const counts = new Float64Array(bins);
        for (const code of binConfidence(confidence, edges)) counts[code] = (counts[code] as number) + 1;
        expect(plain.sums().count).toEqual(counts);
      }),
    );
  });

  it("gives the same bits for any split into batches", () => {
    fc.assert(
      fc.property(arbitraryRows, fc.nat(60), fc.boolean(), ({ confidence, correct }, cut, quantile) => {
        const rows = confidence.map((p, i) => (i % 7 === 3 ? Number.NaN : p));
        const edges = quantile ? quantileEdges(confidence, 5) : uniformEdges(15);
        const whole = new ConfidenceBins(edges);
        whole.add({ confidence: rows, correct }, "exclude");
        const parts = new ConfidenceBins(edges);
        parts.add({ confidence: rows.slice(0, cut), correct: correct.slice(0, cut) }, "exclude");
        parts.add({ confidence: rows.slice(cut), correct: correct.slice(cut) }, "exclude");
        expect(parts.sums()).toEqual(whole.sums());
        expect([parts.rows, parts.excluded]).toEqual([whole.rows, whole.excluded]);
      }),
    );
  });

  it("keeps its edges when the caller's change", () => {
    const edges = uniformEdges(2);
    const bins = new ConfidenceBins(edges);
    edges[1] = 0.9;
    bins.add({ confidence: [0.7], correct: [true] });
    expect([...bins.sums().count]).toEqual([0, 1]);
    expect([...bins.sums().edges]).toEqual([0, 0.5, 1]);
    expect([...bins.sums().variance]).toEqual([0, 0.7 * (1 - 0.7)]);
  });
});

describe("binConfidence", () => {
  it("gives NaN the number of bins and values outside the end bins", () => {
    expect([...binConfidence([-1, 0, 0.5, 0.6, 2, Number.NaN], uniformEdges(2))]).toEqual([0, 0, 0, 1, 1, 2]);
    expect([...binConfidence(new Float32Array([0.5]), uniformEdges(2))]).toEqual([0]);
  });
});
