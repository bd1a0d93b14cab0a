import { describe, expect, it } from "vitest";
import { judgeLabelCode } from "../../../src/metrics/when2call/judge-label.ts";

describe("judgeLabelCode", () => {
  it.each([
    ["tool_call", 1],
    [" Direct.\n", 0],
    ['{"classification":"request_for_info"}', 2],
    ['{"pred_action": "cannot_answer", "rationale": "the assistant did not make a tool_call"}', 3],
    ['```json\n{"label": "direct"}\n```', 0],
    ['{"classification": "tool_call", "why": "cut o', 1],
    ["First I thought tool_call, but it is request_for_info because it cannot answer yet", 2],
    ["The verdict: **tool call**", 1],
    ["This is a request for information", 2],
    ["The agent redirected the user and used a tool.", -1],
    ["B", -1],
    ["", -1],
  ])("%j", (text, code) => {
    expect(judgeLabelCode(text)).toBe(code);
  });
});
