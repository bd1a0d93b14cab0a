import { describe, expect, it } from "vitest";
import type { Evaluation } from "../../../src/report/evaluation.ts";
import { plotTrend } from "../../../src/report/plots/plot-trend.ts";
import { degenerateEvaluations, sampleEvaluation } from "../sample-evaluation.ts";
import { layersOf, panelsOf, type SpecPart, textsOf, valuesOf } from "./spec-values.ts";

type Plotted = NonNullable<ReturnType<typeof plotTrend>>;

function odd(name: string): Evaluation {
  return degenerateEvaluations()[name] as Evaluation;
}

function xOf(panel: SpecPart | undefined): SpecPart {
  return (panel?.encoding as SpecPart | undefined)?.x as SpecPart;
}

describe("plotTrend", () => {
  it("has a panel each for IoU, accuracy, reward and certainty over the names in their order", () => {
    const evaluation = sampleEvaluation();
    const panels = panelsOf(plotTrend(evaluation) as Plotted).slice(1);
    expect(panels.map(({ title }) => (title as SpecPart).text)).toEqual([
      "Calibration IoU (lower is better)",
      "Accuracy (higher is better)",
      "Mean reward (higher is better)",
      "Mean certainty",
    ]);
    const [iou] = panels;
    expect((xOf(iou).scale as SpecPart).domain).toEqual(["base", "decision-only GRPO", "TRUST"]);
    const values = evaluation.slices.map(({ label, metrics }) => ({ x: label, y: metrics.iou.value }));
    expect(valuesOf(layersOf(iou, "point")[0])).toEqual(values);
    const spans = evaluation.slices.map(({ label, metrics }) => {
      return { x: label, y: metrics.iou.low, y2: metrics.iou.high };
    });
    expect(valuesOf(layersOf(iou, "rule")[0])).toEqual(spans);
    const nulls = evaluation.slices.map(({ label, iouNull }) => ({ x: label, y: iouNull.mean }));
    expect(valuesOf(layersOf(iou, "tick")[0])).toEqual(nulls);
  });

  it("puts numbers on a numeric axis", () => {
    const panels = panelsOf(plotTrend(odd("training steps")) as Plotted);
    expect(xOf(panels[1])).toMatchObject({ type: "quantitative", scale: { domain: [-16.5, 566.5] } });
    expect(valuesOf(layersOf(panels[1], "line")[0])[11]).toMatchObject({ x: 550 });
  });

  it("draws many steps as a line with a band", () => {
    const panel = panelsOf(plotTrend(odd("two hundred slices")) as Plotted)[1];
    expect(valuesOf(layersOf(panel, "area")[0])).toHaveLength(200);
    expect(layersOf(panel, "point")).toEqual([]);
  });

  it("makes series of the further columns", () => {
    const plot = plotTrend(odd("two columns")) as Plotted;
    const lines = layersOf(panelsOf(plot)[1], "line");
    expect(lines.map((line) => valuesOf(line).map(({ x }) => x))).toEqual([
      ["base", "TRUST"],
      ["base", "TRUST"],
      ["base", "TRUST"],
    ]);
    expect(textsOf(panelsOf(plot)[0])).toEqual(
      expect.arrayContaining(["irrelevance", "live_multiple", "missing function"]),
    );
    const styles = lines.map(({ mark }) => JSON.stringify((mark as SpecPart).strokeDash ?? []));
    expect(new Set(styles).size).toBe(3);
  });

  it("leaves out values and panels that are not known", () => {
    const evaluation = odd("training steps");
    const unknown = { value: Number.NaN, low: Number.NaN, high: Number.NaN, reason: "empty" };
    const slices = evaluation.slices.map((slice, i) => ({
      ...slice,
      metrics: { ...slice.metrics, reward: unknown, ...(i === 2 ? { iou: unknown } : {}) },
    }));
    const panels = panelsOf(plotTrend({ ...evaluation, slices }) as Plotted).slice(1);
    expect(panels).toHaveLength(3);
    expect(valuesOf(layersOf(panels[0], "line")[0])).toHaveLength(11);
  });

  it("has no picture of one value, without slices, or of more than 40 names", () => {
    const evaluation = sampleEvaluation();
    expect(plotTrend({ ...evaluation, slices: evaluation.slices.slice(0, 1) })).toBeNull();
    expect(plotTrend(odd("no slicing"))).toBeNull();
    const many = odd("two hundred slices");
    const named = many.slices.map((slice) => ({ ...slice, key: { step: `s${slice.label}` } }));
    expect(plotTrend({ ...many, slices: named })).toBeNull();
    expect(plotTrend({ ...many, slices: named.slice(0, 40) })).not.toBeNull();
  });
});
