import { readFileSync } from "node:fs";
import { toolFaultItems } from "../../../src/metrics/toolfault/read-items.ts";
import type { ToolFaultItem } from "../../../src/metrics/toolfault/tool-fault-item.ts";

export type Row = Readonly<Record<string, unknown>>;

export const SAMPLE_PATH: URL = new URL("../../../examples/toolfault-sample.jsonl", import.meta.url);

/** The rows of the bundled sample, as its lines are. */
export function sampleRows(): Row[] {
  const lines = readFileSync(SAMPLE_PATH, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Row);
}

/** The smallest row that is an item. */
export function row(changes: Row = {}): Row {
  return {
    id: "a",
    fault_type: "timeout",
    next_action: "retry_same",
    acceptable_next_actions: ["retry_same", "wait_then_retry"],
    critical_next_actions: ["proceed"],
    tools: [],
    messages: [{ role: "tool", content: "timed out" }],
    ...changes,
  };
}

/** An item whose last result is `content`, of a call of `tool`. */
export function itemOf(content: string, tool = "get_thing", time: string | null = null): ToolFaultItem {
  const messages = [
    { role: "user", content: "Go on." },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "1", function: { name: tool, arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "1", content },
  ];
  return toolFaultItems([row({ messages, current_time: time })])[0] as ToolFaultItem;
}
