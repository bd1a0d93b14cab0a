import { describe, expect, it } from "vitest";
import type { Evaluation } from "../../../src/report/evaluation.ts";
import { buildPlots } from "../../../src/report/plots/build-plots.ts";
import { LIGHT } from "../../../src/report/plots/plot-theme.ts";
import { degenerateEvaluations, sampleEvaluation } from "../sample-evaluation.ts";
import { layersOf, panelsOf, plotOf, type SpecPart, textsOf, valuesOf } from "./spec-values.ts";

function panel(evaluation: Evaluation, id: string): SpecPart | undefined {
  return panelsOf(plotOf(buildPlots(evaluation), id))[1];
}

function odd(name: string): Evaluation {
  return degenerateEvaluations()[name] as Evaluation;
}

/** The area under steps: the last height is that of the step before it. */
function areaUnder(values: readonly Record<string, unknown>[]): number {
  let sum = 0;
  for (let k = 0; k + 1 < values.length; k++) {
    const [here, next] = [values[k], values[k + 1]];
    sum += (here?.y as number) * ((next?.x as number) - (here?.x as number));
  }
  return sum;
}

function channelOf(part: SpecPart | undefined, channel: string): SpecPart {
  return (part?.encoding as SpecPart | undefined)?.[channel] as SpecPart;
}

function scaleOf(part: SpecPart | undefined, channel: string): SpecPart {
  return channelOf(part, channel).scale as SpecPart;
}

function axisOf(part: SpecPart | undefined, channel: string): SpecPart {
  return channelOf(part, channel).axis as SpecPart;
}

describe("plotDistributions", () => {
  it("draws two densities of area 1 and their overlap, whose area gives the IoU", () => {
    const evaluation = sampleEvaluation();
    const [correct, wrong, overlap] = layersOf(panel(evaluation, "distributions-1"), "area").map(valuesOf);
    expect(areaUnder(correct ?? [])).toBeCloseTo(1, 12);
    expect(areaUnder(wrong ?? [])).toBeCloseTo(1, 12);
    const common = areaUnder(overlap ?? []);
    expect(common / (2 - common)).toBeCloseTo(evaluation.slices[0]?.metrics.iou.value as number, 12);
  });

  it("writes the IoU, its interval, what identical classes would read, the counts and the medians", () => {
    const plot = plotOf(buildPlots(sampleEvaluation()), "distributions-3");
    const texts = textsOf(plot.spec);
    expect(texts).toContain("IoU 0.35 [0.33, 0.37]; identical classes would read 0.92");
    expect(texts).toContain("medians: 1.22 correct, 1.35 wrong (thin rules)");
    expect(texts).toContain("correct (n=1,560)");
    expect(texts).toContain("wrong (n=440)");
    expect(plot.description).toBe(
      "Distribution of perplexity of 1,560 correct and 440 wrong rows of TRUST: IoU 0.35 [0.33, 0.37]; identical classes would read 0.92. The median of correct rows is 1.22. The median of wrong rows is 1.35.",
    );
  });

  it("shares both axes over the slices, with round perplexities on the x axis", () => {
    const evaluation = sampleEvaluation();
    const panels = ["distributions-1", "distributions-2", "distributions-3"].map((id) =>
      panel(evaluation, id),
    );
    const [base] = panels;
    expect(scaleOf(base, "x").domain).toEqual([0, 0.75 + 2 / 32]);
    expect(axisOf(base, "x").title).toBe("perplexity (log scale)");
    expect(
      (axisOf(base, "x").values as number[]).slice(0, -1).map((value) => Math.exp(value).toPrecision(3)),
    ).toEqual(["1.00", "1.20", "1.40", "1.60", "1.80", "2.00"]);
    expect(axisOf(base, "y").title).toBe("share of class per unit of ln PPL");
    for (const other of panels) expect(scaleOf(other, "x").domain).toEqual(scaleOf(base, "x").domain);
    const heights = panels.map((one) => (scaleOf(one, "y").domain as number[])[1] as number);
    expect(heights[0]).toBeGreaterThanOrEqual(heights[1] as number);
    expect(heights[1]).toBe(heights[2]);
  });

  it("tells the classes apart by colour and dash", () => {
    const [correct, wrong] = layersOf(panel(sampleEvaluation(), "distributions-1"), "line");
    expect(correct?.mark).toMatchObject({ color: LIGHT.correct });
    expect(correct?.mark).not.toHaveProperty("strokeDash");
    expect(wrong?.mark).toMatchObject({ color: LIGHT.wrong, strokeDash: [6, 3] });
  });

  it("draws a rule at each median, on the axis", () => {
    const evaluation = sampleEvaluation();
    const rules = layersOf(panel(evaluation, "distributions-1"), "rule").flatMap(valuesOf);
    const { ppl_correct, ppl_wrong } = (evaluation.slices[0] as Evaluation["overall"]).metrics;
    expect(rules.map(({ x }) => x)).toEqual([Math.log(ppl_correct.value), Math.log(ppl_wrong.value)]);
  });

  it("gives infinite uncertainty a cell of its own at the right edge, as wide as a bin", () => {
    const part = panel(sampleEvaluation(), "distributions-1");
    const steps = valuesOf(layersOf(part, "area")[1]).slice(-3);
    expect(steps).toEqual([
      { x: 0.75, y: 0 },
      { x: 0.75 + 1 / 32, y: expect.closeTo((6 / 760) * 32, 12) },
      { x: 0.75 + 2 / 32, y: expect.closeTo((6 / 760) * 32, 12) },
    ]);
    expect((axisOf(part, "x").values as number[])[6]).toBeCloseTo(0.75 + 1.5 / 32, 12);
    expect(axisOf(part, "x").labelExpr).toMatch(/^datum\.value > 0\.78125 \? '∞' : /);
    const finite = panel(odd("all correct"), "distributions-0");
    expect(scaleOf(finite, "x").domain).toEqual([0, 0.75]);
  });

  it("says in words how many rows are infinite", () => {
    const texts = textsOf(panel(sampleEvaluation(), "distributions-1"));
    expect(texts).toContain("6 wrong of infinite perplexity (∞)");
    expect(textsOf(panel(sampleEvaluation(), "distributions-2")).join()).not.toContain("infinite");
  });

  it("draws one class alone and says why there is no IoU", () => {
    const plots = buildPlots(odd("all correct"));
    const plot = plotOf(plots, "distributions-0");
    expect(textsOf(plot.spec)).toContain("IoU not defined (only one class)");
    expect(layersOf(panelsOf(plot)[1], "area")).toHaveLength(1);
    expect(textsOf(plot.spec).join()).not.toContain("overlap");
  });

  it("draws one bin of share 1 where all rows are equal", () => {
    const part = panel(odd("all equal"), "distributions-0");
    const [correct] = layersOf(part, "area").map(valuesOf);
    expect(correct?.map(({ y }) => y)).toEqual([1, 1]);
    expect(axisOf(part, "y").title).toBe("share of class");
    expect(scaleOf(part, "x").domain).toEqual([0.25, 0.35]);
  });

  it("keeps the column's name and unit without a logarithm", () => {
    const part = panel(odd("identity scale"), "distributions-0");
    expect(axisOf(part, "x").title).toBe("entropy");
    expect(axisOf(part, "y").title).toBe("share of class per unit of entropy");
  });

  it("draws rows instead of shares for normalize count", () => {
    const part = panel(odd("counts"), "distributions-0");
    expect(axisOf(part, "y").title).toBe("rows per unit of ln PPL");
    const [correct, wrong] = layersOf(part, "area").map(valuesOf);
    expect(areaUnder(correct ?? [])).toBeCloseTo(1480, 8);
    expect(areaUnder(wrong ?? [])).toBeCloseTo(520, 8);
  });

  it("names the method of the IoU where it is not the histogram", () => {
    const evaluation = sampleEvaluation();
    const plots = buildPlots({ ...evaluation, iou: { ...evaluation.iou, method: "ks" } });
    const texts = textsOf(plotOf(plots, "distributions-3").spec);
    expect(texts).toContain("IoU (from the KS distance: an upper bound) 0.35 [0.33, 0.37]");
    expect(texts).toContain("identical classes would read 0.92");
  });

  it("has no picture where an edge is infinite", () => {
    const evaluation = sampleEvaluation();
    const edges = [...evaluation.iou.edges.slice(0, -1), Number.POSITIVE_INFINITY];
    const plots = buildPlots({ ...evaluation, iou: { ...evaluation.iou, edges } });
    expect(plots.some(({ kind }) => kind === "distributions")).toBe(false);
  });

  it("gives each slice its own y axis where one peak is far above the others", () => {
    const evaluation = sampleEvaluation();
    const [base, ...others] = evaluation.slices as [Evaluation["overall"], ...Evaluation["overall"][]];
    const spike = base.histogram.correct.map((_, bin) => (bin === 3 ? 1240 : 0));
    const spiked = { ...base, histogram: { ...base.histogram, correct: spike } };
    const changed = { ...evaluation, slices: [spiked, ...others] };
    const top = (id: string): number => (scaleOf(panel(changed, id), "y").domain as number[])[1] as number;
    expect(top("distributions-1")).toBeGreaterThan(32);
    expect(top("distributions-3")).toBeLessThan(7);
  });
});
