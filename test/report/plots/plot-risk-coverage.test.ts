import { describe, expect, it } from "vitest";
import { plotRiskCoverage } from "../../../src/report/plots/plot-risk-coverage.ts";
import { degenerateEvaluations, sampleEvaluation } from "../sample-evaluation.ts";
import { layersOf, panelsOf, textsOf, valuesOf } from "./spec-values.ts";

type Plotted = NonNullable<ReturnType<typeof plotRiskCoverage>>;

describe("plotRiskCoverage", () => {
  it("draws a curve a slice with the error rate of all rows as a level", () => {
    const { slices } = sampleEvaluation();
    const plot = plotRiskCoverage(slices) as Plotted;
    const panel = panelsOf(plot)[1];
    const curves = layersOf(panel, "line").map(valuesOf);
    expect(curves.map((curve) => curve.length)).toEqual([200, 200, 200]);
    expect(curves[0]?.[199]).toEqual({ x: 1, y: 0.38 });
    expect(layersOf(panel, "rule").map((rule) => valuesOf(rule)[0])).toEqual([
      { x: 0, x2: 1, y: 0.38 },
      { x: 0, x2: 1, y: 0.26 },
      { x: 0, x2: 1, y: 0.22 },
    ]);
    expect(textsOf(plot.spec)).toContain("TRUST: AURC 0.081 [0.061, 0.101]");
    expect(plot.description).toContain("TRUST: AURC 0.081 [0.061, 0.101], 0.22 wrong with all rows.");
    expect(plot.slice).toBeNull();
  });

  it("spreads eight curves over many slices and says so", () => {
    const slices = degenerateEvaluations()["two hundred slices"]?.slices ?? [];
    const plot = plotRiskCoverage(slices) as Plotted;
    const panel = panelsOf(plot)[1];
    expect(layersOf(panel, "line")).toHaveLength(8);
    expect(layersOf(panel, "rule")).toHaveLength(0);
    const texts = textsOf(plot.spec);
    expect(texts).toContain("8 of 200 slices, spread evenly over their order");
    expect(texts.some((text) => text.startsWith("step 0: AURC"))).toBe(true);
    expect(texts.some((text) => text.startsWith("step 9950: AURC"))).toBe(true);
  });

  it("draws a lone point, and nothing without a curve", () => {
    const { overall } = sampleEvaluation();
    const point = { ...overall, riskCurve: { coverage: [1], risk: [0.4] } };
    const plot = plotRiskCoverage([point]) as Plotted;
    expect(layersOf(panelsOf(plot)[1], "point").map(valuesOf)).toEqual([[{ x: 1, y: 0.4 }]]);
    expect(plot.slice).toBe("all rows");
    expect(plotRiskCoverage([{ ...overall, riskCurve: { coverage: [], risk: [] } }])).toBeNull();
    expect(plotRiskCoverage([])).toBeNull();
  });
});
