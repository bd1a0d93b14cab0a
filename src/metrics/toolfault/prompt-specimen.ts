import type { ToolFaultItem } from "./tool-fault-item.ts";

/** Stands for all items in the hash of the evaluation prompt: it has every kind of entry, under every form of heading. */
export const SPECIMEN: ToolFaultItem = {
  id: "",
  fault_type: "none",
  next_action: "proceed",
  acceptable_next_actions: ["proceed"],
  critical_next_actions: [],
  is_hard_negative: true,
  domain: null,
  subtype: null,
  difficulty: null,
  current_time: "2026-01-01T00:00:00Z",
  user_request: null,
  tools: [{ type: "function", function: { name: "look" } }, { name: "list" }],
  messages: [
    { role: "system", content: "system" },
    { role: "user", content: "=====" },
    {
      role: "assistant",
      content: "text",
      tool_calls: [{ function: { name: "look", arguments: "{}" } }, { function: { name: "a b" } }],
    },
    { role: "tool", content: "result" },
    { role: "tool", content: "result" },
  ],
  num_tool_calls: null,
  last_tool_name: null,
  last_tool_result: null,
  gold_recovery: null,
  rationale: null,
  meta: null,
};

/** An item without a time, tools and calls. */
export const BARE_SPECIMEN: ToolFaultItem = {
  ...SPECIMEN,
  current_time: null,
  tools: [],
  messages: [{ role: "tool", content: "result" }],
};
