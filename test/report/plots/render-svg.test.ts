import { afterEach, describe, expect, it, vi } from "vitest";
import { CalibrantError } from "../../../src/errors.ts";
import type { Plot } from "../../../src/report/plot.ts";
import { buildPlots } from "../../../src/report/plots/build-plots.ts";
import { DARK, LIGHT } from "../../../src/report/plots/plot-theme.ts";
import { renderSvg } from "../../../src/report/plots/render-svg.ts";
import { degenerateEvaluations, sampleEvaluation } from "../sample-evaluation.ts";
import { plotOf } from "./spec-values.ts";

const plots = buildPlots(sampleEvaluation());
/** One picture of each kind. */
const kinds = plots.filter(({ kind }, i) => plots.findIndex((plot) => plot.kind === kind) === i);
const distributions = plotOf(plots, "distributions-1");

afterEach(() => {
  vi.doUnmock("vega");
  vi.resetModules();
});

function idsOf(svg: string): string[] {
  return [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id as string);
}

describe("renderSvg", () => {
  it("is one named image without scripts, references and attributes against selection", async () => {
    const svg = await renderSvg(distributions);
    expect(svg).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" role="img" aria-label="Distribution of perplexity/,
    );
    expect(svg).toContain(`<title>${distributions.description}</title>`);
    expect(svg).toContain('style="max-width:100%;height:auto"');
    expect(svg).not.toMatch(
      /<script|<image|href|pointer-events|class=|https?:\/\/(?!www\.w3\.org\/2000\/svg)/,
    );
    expect(svg.match(/role=|aria-/g)).toHaveLength(2);
  });

  it("has the words and numbers as text", async () => {
    const svg = await renderSvg(distributions);
    for (const text of [
      "IoU 0.33 [0.31, 0.35]; identical classes would read 0.94",
      "perplexity (log scale)",
      "wrong (n=760)",
      "1.2",
    ])
      expect(svg).toContain(`>${text}<`);
    expect(svg).not.toMatch(/NaN|undefined/);
  });

  it("is no wider than 500 pixels", async () => {
    for (const plot of kinds) {
      const [, width] = / width="(\d+)"/.exec(await renderSvg(plot)) ?? [];
      expect(Number(width)).toBeGreaterThan(400);
      expect(Number(width)).toBeLessThanOrEqual(500);
    }
  });

  it("draws with variables, or with fixed colours on paper of their own", async () => {
    expect(await renderSvg(distributions)).toContain('stroke="var(--c-correct, #1f6fb5)"');
    const light = await renderSvg(distributions, { theme: "light" });
    expect(light).toContain(`stroke="${LIGHT.correct}"`);
    expect(light).not.toContain("var(");
    const dark = await renderSvg(distributions, { theme: "dark" });
    expect(dark).toContain(`stroke="${DARK.correct}"`);
    expect(dark).toContain(`fill="${DARK.background}"`);
    expect(await renderSvg(distributions)).not.toContain(LIGHT.background);
  });

  it("gives the same bytes alone and beside others, with ids of its own", async () => {
    const together = await Promise.all(kinds.map((plot) => renderSvg(plot)));
    const alone: string[] = [];
    for (const plot of kinds) alone.push(await renderSvg(plot));
    expect(together).toEqual(alone);
    const ids = together.flatMap(idsOf);
    expect(ids.length).toBeGreaterThan(3);
    expect(new Set(ids).size).toBe(ids.length);
    for (const svg of together)
      for (const [, id] of svg.matchAll(/url\(#([^)]+)\)/g)) expect(idsOf(svg)).toContain(id);
  });

  it("leaves Vega's measure of text as it was", async () => {
    const { textMetrics } = (await import("vega")) as unknown as { textMetrics: { width: unknown } };
    const before = textMetrics.width;
    await renderSvg(distributions);
    expect(textMetrics.width).toBe(before);
  });

  it.each(Object.entries(degenerateEvaluations()))(
    "%s: every coordinate is a number",
    async (_, evaluation) => {
      const some = buildPlots(evaluation).filter(({ id }) => !/-([2-9]|1[0-2])$/.test(id));
      for (const plot of some) expect(await renderSvg(plot)).not.toMatch(/NaN|Infinity|undefined/);
    },
  );

  it("escapes names from the data and drops what XML does not allow", async () => {
    const label = `<img src=x onerror="a()"> & \u0001\ud800`;
    const evaluation = sampleEvaluation();
    const slices = evaluation.slices.map((slice) => ({ ...slice, label, key: { checkpoint: label } }));
    const [plot] = buildPlots({ ...evaluation, slices });
    const svg = await renderSvg(plot as Plot);
    expect(svg).not.toContain("<img");
    expect(svg).toContain("&lt;img src=x onerror=&quot;a()&quot;&gt; &amp; \ufffd\ufffd");
    expect(svg.includes("\u0001") || svg.includes("\ud800")).toBe(false);
  });

  it("says which picture cannot be drawn", async () => {
    const broken = {
      ...distributions,
      spec: {
        mark: "point",
        encoding: { x: { field: "a", type: "quantitative", axis: { labelExpr: "no(" } } },
      },
    };
    const error: unknown = await renderSvg(broken).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CalibrantError);
    expect(error).toMatchObject({ code: "data", details: { plot: "distributions-1" } });
    expect((error as Error).message).toMatch(/^plot distributions-1: the specification cannot be drawn: /);
  });

  it("says how to install a package that is missing", async () => {
    vi.doMock("vega", () => {
      throw new Error("Cannot find package 'vega'");
    });
    const fresh = await import("../../../src/report/plots/render-svg.ts");
    const error: unknown = await fresh.renderSvg(distributions).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "missing-package", details: { package: "vega" } });
    expect((error as Error).message).toMatch(
      /^pictures need the packages vega and vega-lite: npm install vega vega-lite /,
    );
  });
});
