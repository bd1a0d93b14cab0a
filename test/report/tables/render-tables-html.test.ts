import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { renderTablesHtml } from "../../../src/report/tables/render-tables-html.ts";
import { hostileDocument, sampleDocument } from "./sample-document.ts";

/** The body without its tags, spaces run together. */
function visibleText(page: string): string {
  return page
    .replace(/^.*<body/s, "<body")
    .replace(/<script>.*<\/script>/s, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
}

describe("renderTablesHtml", () => {
  it("is one file that refers to nothing outside and allows only its own script", async () => {
    for (const document of [sampleDocument(), hostileDocument()]) {
      const page = await renderTablesHtml(document);
      const script = /<script>(.*)<\/script>/s.exec(page)?.[1] ?? "";
      const hash = createHash("sha256").update(script).digest("base64");
      expect(page).toContain(`default-src &#39;none&#39;`);
      expect(page).toContain(`script-src &#39;sha256-${hash}&#39;`);
      expect(page.match(/<script/g)).toHaveLength(1);
      expect(page).not.toMatch(
        /<(link|img|iframe|object|embed|form|base)\b|@import|url\(|https?:|="javascript:/i,
      );
      expect(page).not.toContain("\u001b");
      expect(visibleText(page)).not.toMatch(/NaN|undefined|\[object/);
    }
  });

  it("is the same every time", async () => {
    expect(await renderTablesHtml(sampleDocument())).toBe(await renderTablesHtml(sampleDocument()));
  });

  it("has headings in order, and ids that are unique and linked to", async () => {
    const page = await renderTablesHtml(sampleDocument());
    expect([...page.matchAll(/<h(\d)[^>]*>([^<]*)/g)].map(([, level, text]) => `${level} ${text}`)).toEqual([
      "1 ToolFault-Bench",
      "2 In short",
      "2 Warnings",
      "2 Runs",
      "2 What the columns mean",
      "2 How this was made",
    ]);
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const links = [...page.matchAll(/ (?:href="#|aria-labelledby=")([^"]*)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
  });

  it("shows every number with its interval, and a reason where there is none", async () => {
    const page = await renderTablesHtml(sampleDocument());
    const text = visibleText(page);
    for (const part of [
      "The oracle is right in 80.5% of 441 items.",
      "3 predictions are missing and count as wrong",
      "always 18.1 [14.8, 22.0] 0.0 [0.0, 1.9] 0.0 [−3.1, 2.0] 1,441 prompt v1",
      "oracle 80.5 [76.5, 83.9] – not available: no item has a critical set +62.4 [−3.1, 2.0]",
      "In brackets: 95% Wilson intervals.",
      "Δ joint difference to always, in percentage points",
      "seed 0",
    ])
      expect(text).toContain(part);
    expect(page).toContain(`<table aria-labelledby="table-runs-name" data-sortable>`);
    expect(page).toContain(`<td class="number" data-v="${355 / 441}">80.5`);
    expect(page).toContain(
      `<th scope="col" class="number" title="critical actions, in percent of items with a critical set"><bdi class="words">critical</bdi></th>`,
    );
  });

  it("does with nothing", async () => {
    const empty = { title: "Nothing", headline: "", warnings: [], tables: [], facts: [] };
    expect(visibleText(await renderTablesHtml(empty))).toContain("Skip to the results Nothing");
    const tables = sampleDocument().tables.map((table) => ({ ...table, columns: [], rows: [] }));
    expect(visibleText(await renderTablesHtml({ ...empty, tables }))).toContain("Runs No rows.");
  });
});
