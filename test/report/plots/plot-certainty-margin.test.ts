import { describe, expect, it } from "vitest";
import { plotCertaintyMargin } from "../../../src/report/plots/plot-certainty-margin.ts";
import { sampleEvaluation } from "../sample-evaluation.ts";
import { layersOf, panelsOf, textsOf, valuesOf } from "./spec-values.ts";

const { overall } = sampleEvaluation();
const small = {
  ...overall,
  certaintyMargin: {
    edges: [-0.2, 0, 0.2, 0.4],
    correct: [1, 5, 0],
    wrong: [4, 2, 0],
    certainty: [0.25, 0.75, Number.NaN],
  },
};

describe("plotCertaintyMargin", () => {
  it("draws mean certainty at the bin's middle, correct rows upwards and wrong rows downwards", () => {
    const [plot] = plotCertaintyMargin([{ index: 4, slice: small }]);
    if (plot === undefined) throw new Error("no plot");
    expect(plot.id).toBe("certainty-margin-4");
    const [, certainty, counts] = panelsOf(plot);
    expect(valuesOf(layersOf(certainty, "line")[0])).toEqual([
      { x: -0.1, y: 0.25 },
      { x: 0.1, y: 0.75 },
    ]);
    expect(layersOf(counts, "rect").map(valuesOf)).toEqual([
      [
        { from: -0.2, to: 0, rows: 1, none: 0 },
        { from: 0, to: 0.2, rows: 5, none: 0 },
      ],
      [
        { from: -0.2, to: 0, rows: -4, none: 0 },
        { from: 0, to: 0.2, rows: -2, none: 0 },
      ],
    ]);
    expect(valuesOf(layersOf(counts, "rule")[0])).toEqual([{ x: 0 }]);
    expect(plot.description).toContain("1 correct and 4 wrong rows lie in bins below margin 0.");
    expect(textsOf(plot.spec)).toContain("margin (perplexity units; outliers in the end bins)");
  });

  it("widens a lone bin of no width", () => {
    const slice = {
      ...overall,
      certaintyMargin: { edges: [0, 0], correct: [3], wrong: [1], certainty: [0.5] },
    };
    const [plot] = plotCertaintyMargin([{ index: 0, slice }]);
    const counts = plot === undefined ? undefined : panelsOf(plot)[2];
    expect(valuesOf(layersOf(counts, "rect")[0])).toEqual([{ from: -0.01, to: 0.01, rows: 3, none: 0 }]);
  });

  it("has no picture without margins, rows or finite edges", () => {
    const none = { edges: [0, 1], correct: [0], wrong: [0], certainty: [Number.NaN] };
    const open = { edges: [Number.NEGATIVE_INFINITY, 1], correct: [1], wrong: [0], certainty: [0.5] };
    for (const certaintyMargin of [null, none, open]) {
      expect(plotCertaintyMargin([{ index: 0, slice: { ...overall, certaintyMargin } }])).toEqual([]);
    }
  });
});
