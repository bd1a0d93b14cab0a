import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Evaluation } from "../../src/report/evaluation.ts";
import { buildPlots } from "../../src/report/plots/build-plots.ts";
import { renderHtml } from "../../src/report/render/render-html.ts";
import { hostileEvaluation } from "../report/hostile-evaluation.ts";
import { degenerateEvaluations, sampleEvaluation } from "../report/sample-evaluation.ts";
import { chromiumPath, launchChromium } from "./chromium.ts";

const executable = chromiumPath();
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const evaluations: Readonly<Record<string, Evaluation>> = {
  sample: sampleEvaluation(),
  hostile: hostileEvaluation(),
  ...degenerateEvaluations(),
};
const names = Object.keys(evaluations);

interface Audit {
  readonly violations: readonly unknown[];
  readonly passes: readonly string[];
}

/** Leaves out the far rows of tables and the far pictures: they are like the first ones, and audits are slow. */
const SHORTEN = `document.querySelectorAll("tbody tr:nth-child(n+5), figure:nth-of-type(n+5)").forEach((part) => part.remove())`;

/** Script that audits a page. */
function audit(tags: readonly string[]): string {
  return `axe.run(document, { runOnly: ${JSON.stringify(tags)} }).then((result) => ({
    violations: result.violations.map(({ id, nodes }) => [id, nodes.length, nodes[0].html, nodes[0].failureSummary]),
    passes: result.passes.map(({ id }) => id),
  }))`;
}

/** A page with what it asked for and complained about. */
interface Opened {
  readonly page: Page;
  readonly requests: readonly string[];
  readonly complaints: readonly string[];
}

describe.skipIf(executable === null)("the page of a report in Chromium", { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "report-page-"));
  const urls = new Map<string, string>();
  let browser: Browser;

  beforeAll(async () => {
    for (const [name, evaluation] of Object.entries(evaluations)) {
      const file = join(folder, `${name}.html`);
      writeFileSync(file, await renderHtml({ ...evaluation, plots: buildPlots(evaluation) }));
      urls.set(name, pathToFileURL(file).href);
    }
    browser = await launchChromium(executable as string);
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(name: string, options: BrowserContextOptions = {}): Promise<Opened> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    const requests: string[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("dialog", (dialog) => complaints.push(`dialog ${dialog.message()}`));
    await page.goto(urls.get(name) as string);
    return { page, requests, complaints };
  }

  it.each(names)("%s: no complaint, no request, no sideways scroll, wide or narrow", async (name) => {
    const { page, requests, complaints } = await open(name);
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate("document.documentElement.scrollWidth"), `${name} at ${width}`).toBe(width);
    }
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(255, 255, 255)");
    expect(complaints).toEqual([]);
    expect(requests).toEqual([urls.get(name)]);
    await page.context().close();
  });

  it.each(names)("%s: axe finds nothing against WCAG 2.1 A and AA, light or dark", async (name) => {
    const { page } = await open(name, { colorScheme: "light", viewport: { width: 360, height: 800 } });
    await page.evaluate(SHORTEN);
    await page.evaluate(axe);
    const found = (await page.evaluate(audit(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]))) as Audit;
    expect(found.violations).toEqual([]);
    expect(found.passes).toEqual(expect.arrayContaining(["color-contrast", "document-title"]));
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = (await page.evaluate(audit(["cat.color"]))) as Audit;
    expect(dark.violations).toEqual([]);
    expect(dark.passes).toContain("color-contrast");
    await page.context().close();
  });

  it("follows the theme, pictures included", async () => {
    for (const [colorScheme, paper] of [
      ["light", "rgb(255, 255, 255)"],
      ["dark", "rgb(20, 23, 28)"],
    ] as const) {
      const { page } = await open("sample", { colorScheme });
      expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(paper);
      const ink = await page.evaluate(
        `[...document.querySelectorAll("figure svg text")].map((text) => getComputedStyle(text).fill)`,
      );
      expect(
        new Set(ink as string[]).has(colorScheme === "light" ? "rgb(31, 35, 40)" : "rgb(230, 237, 243)"),
      ).toBe(true);
      await page.context().close();
    }
  });

  it("has text in pictures that the mouse selects", async () => {
    const { page } = await open("sample");
    const title = page.locator("figure svg text", { hasText: "perplexity (log scale)" }).first();
    await title.scrollIntoViewIfNeeded();
    const box = await title.boundingBox();
    if (box === null) throw new Error("the axis title is not shown");
    await page.mouse.move(box.x + 1, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 1, box.y + box.height / 2, { steps: 5 });
    await page.mouse.up();
    expect(String(await page.evaluate("getSelection().toString()")).trim()).toBe("perplexity (log scale)");
    await page.context().close();
  });

  it("names axes with their units, and every figure", async () => {
    const { page } = await open("sample");
    const texts = await page.locator("figure svg text").allTextContents();
    for (const title of ["perplexity (log scale)", "share correct", "fraction", "reward", "rows"]) {
      expect(
        texts.some((text) => text.includes(title)),
        title,
      ).toBe(true);
    }
    const plots = buildPlots(evaluations.sample as Evaluation);
    for (const { description } of plots) {
      await expect(page.getByRole("figure", { name: description, exact: true }).count()).resolves.toBe(1);
    }
    expect(await page.getByRole("img").count()).toBe(plots.length);
    await page.context().close();
  });

  it("sorts tables by mouse and by keyboard and says so", async () => {
    const { page } = await open("sample");
    const table = page.getByRole("table", { name: "Separation of correct and wrong rows" });
    const labels = (): Promise<string[]> => table.locator("tbody:last-child th").allTextContents();
    const head = table.getByRole("columnheader", { name: "Calibration IoU" });
    const given = await labels();
    expect(given).toEqual(["base", "decision-only GRPO", "TRUST"]);
    await head.getByRole("button").click();
    expect([await head.getAttribute("aria-sort"), await labels()]).toEqual([
      "ascending",
      ["base", "TRUST", "decision-only GRPO"],
    ]);
    await page.keyboard.press("Enter");
    expect([await head.getAttribute("aria-sort"), await labels()]).toEqual([
      "descending",
      ["decision-only GRPO", "TRUST", "base"],
    ]);
    await page.keyboard.press("Space");
    expect([await head.getAttribute("aria-sort"), await labels()]).toEqual([null, given]);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await head.getAttribute("aria-sort")).toBe(null);
    expect(
      await table.getByRole("columnheader", { name: "IoU if identical" }).getAttribute("aria-sort"),
    ).toBe("ascending");
    expect(await table.locator("tbody.whole th").allTextContents()).toEqual(["all rows"]);
    await page.context().close();
  });

  it("sorts texts with their numbers in order, and puts missing numbers last", async () => {
    const { page } = await open("two hundred slices");
    const table = page.getByRole("table", { name: "Rows", exact: true });
    const first = async (): Promise<string | null> =>
      table.locator("tbody:last-child th").first().textContent();
    const button = table.getByRole("columnheader", { name: "step" }).getByRole("button");
    await button.click();
    await button.click();
    expect(await first()).toBe("9950");
    await page.context().close();
  });

  it("reaches everything that scrolls by keyboard, and skips to the report", async () => {
    const { page } = await open("sample");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the report");
    const regions = page.getByRole("region").and(page.locator(".scroll"));
    const count = await regions.count();
    expect(count).toBe(9);
    for (let index = 0; index < count; index++) {
      const name = await regions.nth(index).getAttribute("aria-labelledby");
      await regions.nth(index).focus();
      expect(await page.evaluate("document.activeElement.getAttribute('aria-labelledby')")).toBe(name);
    }
    await page.context().close();
  });

  it("is complete without script: the same text, no dead button", async () => {
    const { page } = await open("sample");
    const { page: still } = await open("sample", { javaScriptEnabled: false });
    expect(await still.locator("main").textContent()).toBe(await page.locator("main").textContent());
    expect(await still.locator("figure svg:visible").count()).toBe(await page.locator("figure svg").count());
    expect(await still.locator("button:visible").count()).toBe(0);
    await page.context().close();
    await still.context().close();
  });

  it("reloads when asked to, until paused", async () => {
    const file = join(folder, "watched.html");
    writeFileSync(file, await renderHtml(evaluations.sample as Evaluation, { refreshSeconds: 1 }));
    urls.set("watched", pathToFileURL(file).href);
    const { page, requests, complaints } = await open("watched");
    await page.waitForEvent("load");
    await page.getByRole("button", { name: "Pause reloading" }).click();
    expect(await page.locator("#pause").getAttribute("aria-pressed")).toBe("true");
    expect(requests.length).toBeGreaterThanOrEqual(2);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
