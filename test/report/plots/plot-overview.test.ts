import { describe, expect, it } from "vitest";
import type { Evaluation } from "../../../src/report/evaluation.ts";
import { OVERVIEW_LIMIT, plotOverview } from "../../../src/report/plots/plot-overview.ts";
import { degenerateEvaluations, sampleEvaluation } from "../sample-evaluation.ts";
import { layersOf, panelsOf, textsOf, valuesOf } from "./spec-values.ts";

type Plotted = NonNullable<ReturnType<typeof plotOverview>>;

describe("plotOverview", () => {
  it("lists all slices and then all rows, with interval, null mean and numbers", () => {
    const plot = plotOverview(sampleEvaluation()) as Plotted;
    const panel = panelsOf(plot)[1];
    const [labels, numbers] = layersOf(panel, "text").map((layer) =>
      valuesOf(layer).map(({ label }) => label),
    );
    expect(labels).toEqual(["base", "decision-only GRPO", "TRUST", "all rows"]);
    expect(numbers?.[2]).toBe("0.35 [0.33, 0.37], n=2,000");
    expect(valuesOf(layersOf(panel, "point")[0])).toHaveLength(4);
    expect(valuesOf(layersOf(panel, "rule")[0])).toHaveLength(4);
    expect(valuesOf(layersOf(panel, "tick")[0])).toHaveLength(4);
    expect(plot.description).toBe(
      "Calibration IoU of 3 slices: lowest base 0.33 [0.31, 0.35], highest decision-only GRPO 0.70 [0.68, 0.72]; all rows together 0.47 [0.46, 0.48].",
    );
  });

  it("shows the sixty slices with most rows, in the report's order", () => {
    const evaluation = degenerateEvaluations()["two hundred slices"] as Evaluation;
    const slices = evaluation.slices.map((slice, i) => ({
      ...slice,
      correct: slice.correct + (i % 3 === 0 ? 500 : 0),
    }));
    const plot = plotOverview({ ...evaluation, slices }) as Plotted;
    const labels = valuesOf(layersOf(panelsOf(plot)[1], "text")[0]).map(({ label }) => label as string);
    expect(labels).toHaveLength(OVERVIEW_LIMIT + 1);
    expect(labels.slice(0, 3)).toEqual(["0", "150", "300"]);
    expect(textsOf(plot.spec)).toContain("the 60 slices with most rows, of 200");
  });

  it("says in words why a slice has no IoU", () => {
    const evaluation = sampleEvaluation();
    const single = (degenerateEvaluations()["all correct"] as Evaluation).overall;
    const plot = plotOverview({
      ...evaluation,
      slices: [...evaluation.slices, { ...single, label: "easy" }],
    }) as Plotted;
    const panel = panelsOf(plot)[1];
    expect(textsOf(panel)).toContain("not defined (only one class), n=500");
    expect(valuesOf(layersOf(panel, "point")[0])).toHaveLength(4);
  });

  it("has no picture of fewer than two slices", () => {
    const evaluation = sampleEvaluation();
    expect(plotOverview({ ...evaluation, slices: evaluation.slices.slice(0, 1) })).toBeNull();
  });
});
