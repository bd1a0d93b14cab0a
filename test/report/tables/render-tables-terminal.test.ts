import { describe, expect, it } from "vitest";
import { displayWidth } from "../../../src/report/render/terminal-text.ts";
import { renderTablesTerminal } from "../../../src/report/tables/render-tables-terminal.ts";
import { hostileDocument, sampleDocument } from "./sample-document.ts";

describe("renderTablesTerminal", () => {
  it("is compact and aligned", () => {
    expect(renderTablesTerminal(sampleDocument()).split("\n")).toEqual([
      "ToolFault-Bench",
      "The oracle is right in 80.5% of 441 items.",
      "",
      "warning: 3 predictions are missing and count as wrong",
      "",
      "Runs",
      "run                 joint        critical            Δ joint  items  prompt",
      "always  18.1 [14.8, 22.0]  0.0 [0.0, 1.9]    0.0 [−3.1, 2.0]  1,441  prompt v1",
      "oracle  80.5 [76.5, 83.9]               –  +62.4 [−3.1, 2.0]  1,441  prompt v1",
      "–: no item has a critical set",
      "note: In brackets: 95% Wilson intervals.",
      "",
      "seed: 0",
      "",
    ]);
  });

  it("continues a wide table below itself, with the names in front", () => {
    const lines = renderTablesTerminal(sampleDocument(), { width: 48 }).split("\n");
    expect(lines.slice(5, 13)).toEqual([
      "Runs",
      "run                 joint        critical",
      "always  18.1 [14.8, 22.0]  0.0 [0.0, 1.9]",
      "oracle  80.5 [76.5, 83.9]               –",
      "",
      "run               Δ joint  items  prompt",
      "always    0.0 [−3.1, 2.0]  1,441  prompt v1",
      "oracle  +62.4 [−3.1, 2.0]  1,441  prompt v1",
    ]);
    const narrow = renderTablesTerminal(sampleDocument(), { width: 1 }).split("\n");
    expect(narrow.filter((line) => line.startsWith("run"))).toHaveLength(5);
  });

  it("leaves the terminal alone, whatever the labels", () => {
    const text = renderTablesTerminal(hostileDocument());
    expect(text).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u);
    const long = text.split("\n").filter((line) => line.startsWith("checkpoint-"));
    for (const line of long) expect(displayWidth(line)).toBeLessThanOrEqual(100);
  });

  it("says when a table has no rows", () => {
    const tables = sampleDocument().tables.map((table) => ({ ...table, rows: [], notes: [] }));
    const document = { title: "T", headline: "", warnings: [], tables, facts: [] };
    expect(renderTablesTerminal(document)).toBe("T\n\nRuns\nno rows\n");
  });
});
