import { describe, expect, it } from "vitest";
import { type ToolFaultBaseline, toolFaultBaseline } from "../../../src/metrics/toolfault/baselines.ts";
import { toolFaultItems } from "../../../src/metrics/toolfault/read-items.ts";
import { row, sampleRows } from "./sample-items.ts";

describe("toolFaultBaseline", () => {
  it("always says that nothing is wrong", () => {
    expect(toolFaultBaseline("always", toolFaultItems([row(), row({ id: "b" })]))).toEqual([
      { id: "a", fault_type: "none", next_action: "proceed" },
      { id: "b", fault_type: "none", next_action: "proceed" },
    ]);
  });

  it("gives an oracle the fault, and its most common preferred action; the first in order of equally common ones", () => {
    const actions = ["ask_user", "cross_check", "retry_same", "cross_check", "ask_user"];
    const rows = actions.map((next_action, i) => {
      const actionsOf = { next_action, acceptable_next_actions: [next_action, "stop_and_report"] };
      return row({ id: String(i), ...actionsOf, critical_next_actions: [] });
    });
    const other = row({ id: "other", fault_type: "server_error" });
    const predictions = toolFaultBaseline("oracle", toolFaultItems([...rows, other]));
    expect(predictions.slice(0, 5).map(({ next_action }) => next_action)).toEqual(
      Array(5).fill("cross_check"),
    );
    expect(predictions[5]).toEqual({ id: "other", fault_type: "server_error", next_action: "retry_same" });
  });

  it("does not show the heuristic any gold label", () => {
    const items = toolFaultItems(sampleRows());
    const blind = items.map((item) => ({
      ...item,
      fault_type: "none" as const,
      next_action: "proceed" as const,
      subtype: null,
      rationale: null,
      gold_recovery: null,
      meta: null,
    }));
    expect(toolFaultBaseline("heuristic", blind)).toEqual(toolFaultBaseline("heuristic", items));
  });

  it("refuses another name", () => {
    expect(() => toolFaultBaseline("best" as ToolFaultBaseline, [])).toThrow(
      "baseline must be one of always, oracle, heuristic, got best",
    );
    expect(toolFaultBaseline("oracle", [])).toEqual([]);
  });
});
