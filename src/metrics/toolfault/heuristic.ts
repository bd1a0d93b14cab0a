import { classifyToolResult, type ResultSign } from "../../data/tool-results/classify-tool-result.ts";
import type { ToolResult } from "../../data/tool-results/result-facts.ts";
import { utcTime } from "../../data/tool-results/utc-time.ts";
import type { FaultType, NextAction } from "./labels.ts";
import type { ToolFaultAnswer, ToolFaultItem } from "./tool-fault-item.ts";
import { toolFaultTranscript } from "./transcript.ts";

/**
 * The answer of an ordinary error handler: what the last tool result tells about itself (see {@link classifyToolResult})
 * and whether the tool's name reads or writes. It sees neither the conversation before the result nor the tool's schema,
 * and nothing of the gold labels.
 */
export function toolFaultHeuristic(item: ToolFaultItem): ToolFaultAnswer {
  const { sign, facts } = classifyToolResult(lastResult(item));
  if (sign === null) return { fault_type: "none", next_action: "proceed" };
  const [fault_type, action] = ANSWERS[sign];
  return { fault_type, next_action: action === "repeat" ? repeat(facts.writes) : action };
}

const ANSWERS: Readonly<Record<ResultSign, readonly [FaultType, NextAction | "repeat"]>> = {
  addresses_agent: ["prompt_injection", "ignore_injection_and_proceed"],
  failed_and_succeeded: ["inconsistent_result", "cross_check"],
  rate_limit: ["rate_limited", "wait_then_retry"],
  quota: ["rate_limited", "stop_and_report"],
  timeout: ["timeout", "repeat"],
  login: ["auth_error", "ask_user"],
  forbidden: ["auth_error", "stop_and_report"],
  not_found: ["not_found", "ask_user"],
  invalid_arguments: ["invalid_arguments", "retry_with_fixed_args"],
  outage: ["server_error", "stop_and_report"],
  server_error: ["server_error", "repeat"],
  failure: ["server_error", "repeat"],
  more_records: ["partial_result", "fetch_more"],
  contradictory_numbers: ["inconsistent_result", "cross_check"],
  old: ["stale_data", "retry_with_fixed_args"],
  ambiguous: ["mismatched_entity", "ask_user"],
  other_format: ["schema_drift", "adapt_and_proceed"],
};

/** A write may have taken effect although it failed. */
function repeat(writes: boolean): NextAction {
  return writes ? "verify_before_retry" : "retry_same";
}

function lastResult(item: ToolFaultItem): ToolResult {
  const last = toolFaultTranscript(item.messages).at(-1);
  const now = utcTime(item.current_time ?? "");
  return {
    text: last?.kind === "result" ? last.text : (item.last_tool_result ?? ""),
    tool: (last?.kind === "result" ? last.tool : null) ?? item.last_tool_name,
    now: Number.isNaN(now) ? null : now,
  };
}
