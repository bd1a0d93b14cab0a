import { describe, expect, it } from "vitest";
import { when2callMetrics } from "../../../src/metrics/when2call/when2call-metrics.ts";
import { renderTablesMarkdown } from "../../../src/report/tables/render-tables-markdown.ts";
import { when2callDocument } from "../../../src/report/tables/when2call-document.ts";

const items = Array.from({ length: 80 }, (_, i) => ({
  id: i,
  correct_answer: i < 40 ? "tool_call" : "cannot_answer",
  tools: i < 60 ? ["{}"] : [],
  part: i % 2 === 0 ? "even" : null,
}));
const labels = items.map(({ id }) => ({ id, label: id < 13 ? "tool_call" : "direct" }));

describe("when2callDocument", () => {
  it("prints percentages with halves to even, intervals, counts, and why a number is missing", () => {
    const document = when2callDocument(when2callMetrics(labels, items, { by: ["part"], resamples: 0 }), [
      ["items", "w2c.jsonl"],
    ]);
    expect(document.headline).toBe("16.2 % acc and 24.5 % macro-F1 over 2 classes, from 80 items.");
    const [metrics, confusion, classes] = document.tables;
    expect(metrics?.columns.map(({ title }) => title).join()).toBe(
      "Acc,Macro-F1,Tool hall.,FDAR,Answer hall.,Param. hall.,Items,Scored,Unparsed,Missing",
    );
    expect([metrics?.rowTitle, metrics?.rows.map(({ label }) => label)]).toEqual([
      "part",
      ["all", "even", "(missing)"],
    ]);
    expect(metrics?.rows[0]?.cells.slice(0, 3)).toEqual([
      { text: "16.2", detail: "[9.7, 25.8]", sort: 0.1625, missing: null },
      { text: "24.5", detail: "", sort: 13 / 53, missing: null },
      { text: "0.0", detail: "[0.0, 16.1]", sort: 0, missing: null },
    ]);
    expect(metrics?.rows[0]?.cells[5]?.missing).toBe("no items of this kind");
    expect(confusion?.rows[1]?.cells.map(({ text }) => text)).toEqual(["27", "13", "0", "0", "0", "0"]);
    expect(classes?.rows.map(({ cells }) => cells[2]?.text)).toEqual(["0.0", "49.1", "", "0.0"]);
    expect(document.facts[0]).toEqual(["items", "w2c.jsonl"]);
    expect(renderTablesMarkdown(document)).toContain("| 16.2");
  });

  it("leads with acc_norm for log-probs, names the classes, and says when there is no score", () => {
    const logprobs = { direct: -4, tool_call: -3, request_for_info: -9, cannot_answer: -9 };
    const answers = { direct: "aaaaaaaa", tool_call: "b", request_for_info: "c", cannot_answer: "d" };
    const gold = [{ id: "a", correct_answer: "tool_call", tools: [], answers }];
    const result = when2callMetrics([{ id: "a", logprobs }], gold, { classes: 4, compat: true });
    const document = when2callDocument(result);
    expect(document.headline).toBe("0.0 % acc_norm and 0.0 % macro-F1 over 4 classes, from 1 item.");
    expect(document.tables[0]?.rows[0]?.cells.slice(0, 4).map(({ text }) => text)).toEqual([
      "100.0",
      "0.0",
      "0.0",
      "0.0",
    ]);
    expect(document.warnings).toHaveLength(1);
    expect(document.facts.map(([name]) => name)).toContain("decision");
    const single = { id: "a", logprobs, num_tokens: { direct: 0 } };
    expect(when2callDocument(when2callMetrics([single], gold)).headline).toBe("No acc_norm: few tokens.");
  });
});
