import * as vegaLite from "vega-lite";
import { describe, expect, it } from "vitest";
import { buildPlots, PICTURED_SLICES } from "../../../src/report/plots/build-plots.ts";
import { degenerateEvaluations, sampleEvaluation } from "../sample-evaluation.ts";
import { textsOf } from "./spec-values.ts";

const odd = Object.entries(degenerateEvaluations());

function kindCounts(plots: ReturnType<typeof buildPlots>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of plots) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Everything that Vega-Lite has to say while it compiles. */
function complaints(spec: unknown): string[] {
  const said: string[] = [];
  const note = (...parts: readonly unknown[]): void => {
    said.push(parts.join(" "));
  };
  const logger = { level: () => 1, error: note, warn: note, info: () => {}, debug: () => {} };
  vegaLite.compile(spec as never, { logger: logger as never });
  return said;
}

function numbersOf(value: unknown): number[] {
  if (typeof value === "number") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(numbersOf);
}

describe("buildPlots", () => {
  it("makes the pictures of three checkpoints in the order that they are looked at", () => {
    expect(buildPlots(sampleEvaluation()).map(({ id }) => id)).toEqual([
      ...["distributions-1", "distributions-2", "distributions-3", "distributions-0", "overview", "trend"],
      ...["reliability-1", "reliability-2", "reliability-3", "reliability-0", "risk-coverage"],
      ...["certainty-margin-1", "certainty-margin-2", "certainty-margin-3", "certainty-margin-0"],
    ]);
  });

  it("shows all rows alone where there are no slices", () => {
    const plots = buildPlots(degenerateEvaluations()["no slicing"] as never);
    const ids = ["distributions-0", "reliability-0", "risk-coverage", "certainty-margin-0"];
    expect(plots.map(({ id }) => id)).toEqual(ids);
    expect(plots.every(({ slice }) => slice === "all rows")).toBe(true);
  });

  it("pictures twelve of two hundred slices, from the first to the last", () => {
    const plots = buildPlots(degenerateEvaluations()["two hundred slices"] as never);
    expect(kindCounts(plots)).toEqual({
      distributions: PICTURED_SLICES + 1,
      overview: 1,
      trend: 1,
      reliability: PICTURED_SLICES + 1,
      "risk-coverage": 1,
      "certainty-margin": PICTURED_SLICES + 1,
    });
    const shown = plots.filter(({ kind }) => kind === "distributions").map(({ id }) => id);
    expect(shown.slice(0, 3)).toEqual(["distributions-1", "distributions-19", "distributions-37"]);
    expect(shown.slice(-2)).toEqual(["distributions-200", "distributions-0"]);
  });

  it("draws nothing without rows", () => {
    expect(buildPlots(degenerateEvaluations()["no rows"] as never)).toEqual([]);
  });

  it("leaves out the distributions where all rows are infinite", () => {
    const plots = buildPlots(degenerateEvaluations()["all infinite"] as never);
    expect(kindCounts(plots)).toEqual({ reliability: 1, "risk-coverage": 1, "certainty-margin": 1 });
  });

  it("leaves the evaluation as it was", () => {
    const evaluation = sampleEvaluation();
    buildPlots(evaluation);
    expect(evaluation).toEqual(sampleEvaluation());
  });

  it.each([["sample", sampleEvaluation()] as const, ...odd])(
    "%s: every number is finite",
    (_, evaluation) => {
      const plots = buildPlots(evaluation);
      expect(numbersOf(plots).filter((value) => !Number.isFinite(value))).toEqual([]);
      const texts = textsOf(plots).filter((text) => /\bNaN\b|Infinity|undefined|null\b/.test(text));
      expect(texts).toEqual([]);
      expect(new Set(plots.map(({ id }) => id)).size).toBe(plots.length);
    },
  );

  it.each([["sample", sampleEvaluation()] as const, ...odd])(
    "%s: Vega-Lite compiles without a word",
    (_, evaluation) => {
      const plots = buildPlots(evaluation).filter(({ id }) => !/-([3-9]|1[0-2])$/.test(id));
      for (const plot of plots) expect([plot.id, complaints(plot.spec)]).toEqual([plot.id, []]);
    },
  );

  it("keeps its data when it goes through JSON", () => {
    const plots = buildPlots(sampleEvaluation());
    expect(JSON.parse(JSON.stringify(plots))).toEqual(plots);
  });
});
