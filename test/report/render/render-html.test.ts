import { createHash } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { CalibrantError } from "../../../src/errors.ts";
import type { Evaluation } from "../../../src/report/evaluation.ts";
import { METRIC_NAMES, METRICS } from "../../../src/report/metric-info.ts";
import { buildPlots } from "../../../src/report/plots/build-plots.ts";
import { escapeHtml, html } from "../../../src/report/render/html-template.ts";
import { renderHtml } from "../../../src/report/render/render-html.ts";
import { HOSTILE_LABELS, hostileEvaluation } from "../hostile-evaluation.ts";
import { degenerateEvaluations, sampleEvaluation } from "../sample-evaluation.ts";

/** The text between the tags of the body. */
function visibleText(page: string): string {
  return page
    .replace(/^.*<body/s, "<body")
    .replace(/<script>.*<\/script>/s, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ");
}

describe("html", () => {
  it("escapes values and keeps HTML", () => {
    expect(html`<p title="${`"'`}">${"<&>"}${html`<b>${1}</b>`}${[html`x`, html`y`]}${null}</p>`.html).toBe(
      '<p title="&quot;&#39;">&lt;&amp;&gt;<b>1</b>xy</p>',
    );
  });

  it("replaces what HTML does not allow and keeps emoji", () => {
    expect(escapeHtml("a\u0000\u001b\u0085\ud800b\n\t👩🏽‍🔬")).toBe("a\ufffd\ufffd\ufffd\ufffdb\n\t👩🏽‍🔬");
  });
});

describe("renderHtml", () => {
  const sample = sampleEvaluation();
  const withPlots: Evaluation = { ...sample, plots: buildPlots(sample) };

  it("is one file that allows itself nothing but its own script", async () => {
    const page = await renderHtml(withPlots);
    const script = /<script>(.*)<\/script>/s.exec(page)?.[1] ?? "";
    const hash = createHash("sha256").update(script).digest("base64");
    expect(page).toContain(
      `content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; script-src &#39;sha256-${hash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"`,
    );
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toMatch(/<(link|img|iframe|object|embed|form|base)\b|@import|url\((?!#)/i);
    expect(
      page.match(/https?:\/\/[^\s"'<]*/g)?.filter((address) => address !== "http://www.w3.org/2000/svg"),
    ).toEqual([]);
  });

  it("is the same every time", async () => {
    expect(await renderHtml(withPlots)).toBe(await renderHtml(withPlots));
  });

  it("has headings in order, and ids that are unique and linked to", async () => {
    const page = await renderHtml(withPlots);
    const levels = [...page.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
    expect(levels[0]).toBe(1);
    for (const [index, level] of levels.slice(1).entries()) {
      expect(level).toBeGreaterThan(1);
      expect(level - (levels[index] as number)).toBeLessThanOrEqual(1);
    }
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const links = [...page.matchAll(/ (?:href="#|aria-labelledby=")([^"]*)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
  });

  it("shows the numbers, their intervals, and how they came about", async () => {
    const text = visibleText(await renderHtml(withPlots));
    for (const part of [
      "calibration IoU from 0.334",
      "0.334 [0.313, 0.354] 0.942",
      "16 (15 uncertainty missing, 1 gold missing)",
      "worse, beyond noise",
      "it does not change when the uncertainty is put through any monotone map",
      "calibrant report scored.parquet --by checkpoint -o report.html",
      "95%, from 1,000 bootstrap resamples of whole groups of rows with one group_id",
      "24 uniform bins over the class-balanced pool of all slices (Rice rule)",
      "exp(-nll)",
      "Seed 0",
    ]) {
      expect(text).toContain(part);
    }
    for (const name of METRIC_NAMES) expect(text).toContain(METRICS[name].meaning);
  });

  it.each(Object.entries(degenerateEvaluations()))(
    "%s: a dash and its reason for every gap",
    async (_name, given) => {
      const text = visibleText(await renderHtml({ ...given, plots: buildPlots(given) }));
      expect(text).not.toMatch(/NaN|undefined|\[object|Infinity/);
      expect(text).toMatch(/\d rows? used \(/);
    },
  );

  it("has every slice in its tables", async () => {
    const { "two hundred slices": many } = degenerateEvaluations();
    const page = await renderHtml(many as Evaluation);
    for (let index = 0; index <= 200; index++) expect(page).toContain(`<tr id="slice-${index}">`);
    expect(page.match(/<tr/g)?.length).toBeGreaterThan(5 * 201);
  });

  it("shows texts from the data as they are, and as nothing else", async () => {
    const evaluation = hostileEvaluation();
    const page = await renderHtml({ ...evaluation, plots: buildPlots(evaluation) });
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toMatch(/<img|<b>|="javascript:/);
    const text = visibleText(page);
    for (const label of HOSTILE_LABELS.slice(0, 3)) expect(text).toContain(label);
    expect(text).toContain("(empty)");
    expect(page).not.toContain("\u001b");
  });

  it("reloads on request: by script, or without script by the browser", async () => {
    expect(await renderHtml(sample)).not.toContain('http-equiv="refresh"');
    const page = await renderHtml(sample, { refreshSeconds: 30 });
    expect(page).toContain('<noscript><meta http-equiv="refresh" content="30"></noscript>');
    expect(page).toContain('<body data-refresh="30">');
  });

  it("does without pictures, and says so, where the plotting packages are missing", async () => {
    vi.resetModules();
    vi.doMock("../../../src/report/plots/vega-module.ts", () => ({
      loadVega: () => Promise.reject(new CalibrantError("missing-package", "pictures need vega")),
    }));
    const { renderHtml: bare } = await import("../../../src/report/render/render-html.ts");
    const page = await bare(withPlots);
    vi.doUnmock("../../../src/report/plots/vega-module.ts");
    expect(page).not.toContain("<svg");
    expect(page).toContain("Pictures need the packages vega and vega-lite: npm install vega vega-lite.");
    expect(visibleText(page)).toContain("0.334 [0.313, 0.354] 0.942");
  });
});
