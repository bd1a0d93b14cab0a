import { describe, expect, it } from "vitest";
import type { Evaluation } from "../../../src/report/evaluation.ts";
import { buildPlots } from "../../../src/report/plots/build-plots.ts";
import { degenerateEvaluations, sampleEvaluation } from "../sample-evaluation.ts";
import { layersOf, panelsOf, plotOf, textsOf, valuesOf } from "./spec-values.ts";

const trust = plotOf(buildPlots(sampleEvaluation()), "reliability-3");
const slice = sampleEvaluation().slices[2] as Evaluation["overall"];

describe("plotReliability", () => {
  it("has a point for every filled bin: mean confidence, share correct, rows", () => {
    const filled = slice.reliability.count.flatMap((rows, k) =>
      rows === 0 ? [] : [{ x: slice.reliability.confidence[k], y: slice.reliability.accuracy[k], rows }],
    );
    const points = valuesOf(layersOf(panelsOf(trust)[1], "point")[0]);
    expect(points).toMatchObject(filled);
    expect(points.length).toBe(filled.length);
  });

  it("has the consistency band, the diagonal, and the rows of each bin below", () => {
    const [band] = layersOf(panelsOf(trust)[1], "area");
    expect(valuesOf(band)[0]).toMatchObject({
      y: slice.reliability.bandLow[8],
      y2: slice.reliability.bandHigh[8],
    });
    const rules = layersOf(panelsOf(trust)[1], "rule").map(valuesOf);
    expect(rules).toContainEqual([{ x: 0, y: 0, x2: 1, y2: 1 }]);
    const counts = valuesOf(panelsOf(trust)[2]);
    expect(counts.reduce((sum, { rows }) => sum + (rows as number), 0)).toBe(2000);
    expect(counts[0]).toMatchObject({ from: 8 / 15, to: 9 / 15 });
  });

  it("writes the ECE with its interval and what exact confidences would read", () => {
    expect(textsOf(trust.spec)).toContain("ECE 0.099 [0.079, 0.120]; exact confidences would read 0.018");
    expect(trust.description).toMatch(
      /^Reliability diagram of TRUST, 2,000 rows: ECE 0\.099 \[0\.079, 0\.120\]; exact/,
    );
    expect(trust.description).toMatch(/95% band of exact confidences in \d of 7 bins\.$/);
  });

  it("does not draw across empty bins", () => {
    const plot = plotOf(buildPlots(sampleEvaluation()), "reliability-1");
    const line = layersOf(panelsOf(plot)[1], "line")[0];
    expect(line?.encoding).toEqual({ detail: { field: "run", type: "nominal" } });
    const [first, second, third] = valuesOf(line).map(({ run }) => run);
    expect(first).not.toBe(second);
    expect(second).toBe(third);
  });

  it("draws a lone bin", () => {
    const plot = plotOf(buildPlots(degenerateEvaluations()["all equal"] as Evaluation), "reliability-0");
    expect(valuesOf(layersOf(panelsOf(plot)[1], "point")[0])).toMatchObject([{ y: 0.6, rows: 100 }]);
  });

  it("has no picture for a slice without a filled bin", () => {
    const evaluation = sampleEvaluation();
    const none = slice.reliability.count.map(() => 0);
    const empty = { ...slice, reliability: { ...slice.reliability, count: none } };
    const plots = buildPlots({ ...evaluation, slices: [empty] });
    expect(plots.map(({ id }) => id).filter((id) => id.startsWith("reliability"))).toEqual(["reliability-0"]);
  });
});
