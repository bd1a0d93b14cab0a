import { describe, expect, it } from "vitest";
import { userTurns } from "../../../src/data/calls/user-turns.ts";
import { turnDecision } from "../../../src/rewards/trajectory/turn-decision.ts";
import type { Message } from "../../../src/types.ts";

const message = (role: string, content: string | null, toolCalls: Message["toolCalls"] = []): Message => ({
  role,
  content,
  toolCalls,
});

describe("userTurns", () => {
  it.each<[string, string[], [number, number][]]>([
    ["nothing", [], []],
    ["no user message", ["system", "assistant"], [[0, 2]]],
    [
      "a beginning before the first user message",
      ["system", "user", "assistant", "user"],
      [
        [0, 3],
        [3, 4],
      ],
    ],
    ["a role that is only like user", ["User", "user", "assistant"], [[0, 3]]],
    [
      "user messages in a row",
      ["user", "user", "user"],
      [
        [0, 1],
        [1, 2],
        [2, 3],
      ],
    ],
  ])("%s", (_name, roles, expected) => {
    expect(userTurns(roles.map((role) => ({ role }))).map(({ start, end }) => [start, end])).toEqual(
      expected,
    );
  });
});

describe("turnDecision", () => {
  const user = message("user", "Find 7 and 8.");
  const find = { name: "find", arguments: { id: 7 } };
  const other = { name: "find", arguments: { id: 8 } };

  it("takes the calls of the first assistant message that has any, whatever is said before and after", () => {
    const turn = [
      user,
      message("assistant", "Let me look."),
      message("assistant", null, [find, other]),
      message("tool", "7"),
      message("assistant", "<direct_answer><answer>7</answer>", []),
    ];
    expect(turnDecision(turn)).toEqual({
      action: "tool_call",
      answer: '[{"name":"find","arguments":{"id":7}},{"name":"find","arguments":{"id":8}}]',
      source: "native_calls",
      message: 2,
    });
  });

  it("reads the last assistant message else", () => {
    const text = "<think>Two.</think> ask<C> <answer>Which one first?</answer>";
    const turn = [user, message("assistant", "<unable>"), message("tool", ""), message("assistant", text)];
    expect(turnDecision(turn)).toEqual({
      action: "request_for_info",
      answer: "Which one first?",
      source: "text",
      message: 3,
    });
  });

  it("leaves free text to a judge, and says when nobody spoke", () => {
    expect(turnDecision([user, message("assistant", "It is 7.")])).toMatchObject({
      action: null,
      source: "unparsed",
    });
    expect(turnDecision([user, message("tool", "7")]).source).toBe("no_assistant");
    expect(turnDecision([user, message("assistant", " "), message("assistant", null)]).source).toBe(
      "no_assistant",
    );
    expect(turnDecision([]).source).toBe("no_assistant");
  });
});
