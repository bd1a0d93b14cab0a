import { describe, expect, it } from "vitest";
import { type RobustnessRow, robustness } from "../../../src/metrics/robustness/robustness.ts";
import { renderTablesMarkdown } from "../../../src/report/tables/render-tables-markdown.ts";
import { robustnessDocument } from "../../../src/report/tables/robustness-document.ts";
import type { DocumentTable } from "../../../src/report/tables/table-document.ts";

/** 80 tasks of one model and subset; `passed` says how many of them pass. */
function episodes(
  model: string,
  condition: string,
  passed: number,
  more: Partial<RobustnessRow> = {},
): RobustnessRow[] {
  return Array.from({ length: 80 }, (_, task_id) => ({
    model,
    condition,
    task_id,
    completed: task_id < passed,
    ...more,
  }));
}

/** A table's rows as texts. */
function texts({ rows }: DocumentTable): string[][] {
  return rows.map(({ label, cells }) => [label, ...cells.map(({ text, missing }) => missing ?? text)]);
}

const rows = ["retail", "airline"].flatMap((subset) => [
  ...episodes("base", "clean", 52, { subset, turns: 11, tokens: 80_000 }),
  ...episodes("base", "injected", 13, { subset, fault_type: "rate_limit", turns: 10.26, p_clean: 0.6 }),
  ...episodes("base", "injected", 20, { subset, p_clean: 0.8 }),
  ...episodes("base+btm", "clean", 52, { subset }),
  ...episodes("base+btm", "injected", subset === "retail" ? 53 : 39, {
    subset,
    fault_type: "rate_limit",
    p_clean: 0.6,
  }),
  ...episodes("base+btm", "injected", 40, { subset, p_clean: 0.8 }),
  ...episodes("base+btm", "injected_alt", 41, { subset, p_clean: 0.6 }),
]);

describe("robustnessDocument", () => {
  const result = robustness(rows, { systems: { base: "base", btm: "base+btm" } });
  const document = robustnessDocument(result, [["rollouts from", "a.jsonl"]]);
  const table = (id: string): DocumentTable => document.tables.find((one) => one.id === id) as DocumentTable;

  it("says how many pairs degrade and by how much at most", () => {
    expect(document.headline).toBe(
      "3 of 4 (model, subset) pairs pass less under injection; the largest drop is −48.8 pp (base, airline).",
    );
    expect(document.warnings).toEqual(result.warnings);
    expect(document.facts.slice(0, 4)).toEqual([
      ["rollouts from", "a.jsonl"],
      ["rows", "1,120"],
      ["without a result", "0"],
      ["severity", "P(clean) 0.6"],
    ]);
  });

  it("prints percentages with one decimal, halves to even: 13 of 80 as 16.2", () => {
    expect(texts(table("gap"))).toEqual([
      ["base, airline", "65.0", "16.2", "−48.8", "no episodes", "no episodes", "yes", "3.64e−12", "80"],
      ["base, retail", "65.0", "16.2", "−48.8", "no episodes", "no episodes", "yes", "3.64e−12", "80"],
      ["base+btm, airline", "65.0", "48.8", "−16.2", "51.2", "−13.8", "yes", "2.44e−4", "80"],
      ["base+btm, retail", "65.0", "66.2", "+1.2", "51.2", "−13.8", "no", "1.000", "80"],
    ]);
    expect(table("gap").rows[0]?.cells[0]?.detail).toBe("[54.1, 74.5]");
    expect(texts(table("delta"))).toEqual([
      ["base", "−48.8", "−48.8"],
      ["base+btm", "−16.2", "+1.2"],
    ]);
  });

  it("has the tables by seed, fault type, severity and cost", () => {
    expect(document.tables.map(({ id }) => id)).toEqual([
      "gap",
      "delta",
      "seeds",
      "fault-types",
      "p-clean",
      "cost",
    ]);
    expect(texts(table("seeds"))[0]).toEqual(["base, airline", "65.0", "16.2", "no episodes"]);
    expect(texts(table("fault-types"))[1]).toEqual([
      "rate limit",
      "service, explicit",
      "16.2",
      "57.5",
      "+41.2",
    ]);
    expect(texts(table("fault-types"))[0]).toEqual([
      "timeout",
      "service, explicit",
      ...Array(3).fill("no episodes"),
    ]);
    expect(texts(table("p-clean"))).toEqual([
      ["P(clean) 0.6", "16.2", "57.5", "+41.2"],
      ["P(clean) 0.8", "25.0", "50.0", "+25.0"],
    ]);
    expect(texts(table("cost")).slice(0, 2)).toEqual([
      ["base, clean", "11", "80,000", "160"],
      ["base, inject", "10.3", "not stated", "160"],
    ]);
    expect(renderTablesMarkdown(document)).toContain("−48.8");
  });

  it("has one table less of everything that the rows do not have", () => {
    const seeds = [1, 2, 3].flatMap((seed) => episodes("m", "clean", 40 + seed, { seed }));
    const { tables, headline } = robustnessDocument(robustness(seeds));
    expect(headline).toBe("No (model, subset) pair has both clean and injected episodes.");
    expect(tables.map(({ id }) => id)).toEqual(["gap", "seeds"]);
    expect(tables[1]?.rows[0]?.cells[0]).toMatchObject({ text: "52.5 ± 1.2", detail: "3 seeds" });
    expect(tables[0]?.notes[1]).toBe(
      "Of pass rates: a bootstrap over tasks, where tasks have several episodes.",
    );
  });
});
