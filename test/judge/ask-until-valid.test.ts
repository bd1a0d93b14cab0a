import { describe, expect, it } from "vitest";
import type { ChatAnswer } from "../../src/inference/chat-answer.ts";
import type { ChatMessage } from "../../src/inference/chat-client.ts";
import { askUntilValid, type JudgeAttempt, type JudgeQuestion } from "../../src/judge/ask-until-valid.ts";

const SCHEMA = { name: "number", schema: { type: "object" } };
const QUESTION: JudgeQuestion<number> = {
  messages: [{ role: "user", content: "A number?" }],
  schema: SCHEMA,
  read: (text) => (/^\d+$/.test(text) ? { value: Number(text) } : { error: `no number: ${text}` }),
};

const answerOf = (text: string, finishReason: string | null = "stop"): ChatAnswer => ({
  text,
  reasoning: null,
  finishReason,
  model: null,
  promptTokens: 10,
  completionTokens: 5,
  reasoningTokens: null,
  tokens: null,
});

/** Asks a model that gives these answers in turn; what it was asked and what was reported come back too. */
async function ask(
  script: readonly ChatAnswer[],
  { maxAttempts = 3, earlier = [] as { output: string; error: string }[], abortAfter = -1 } = {},
) {
  const asked: (readonly ChatMessage[])[] = [];
  const reported: JudgeAttempt<number>[] = [];
  const events: string[] = [];
  const controller = new AbortController();
  const run = askUntilValid(QUESTION, {
    ask: async (messages, schema) => {
      expect(schema).toBe(SCHEMA);
      const answer = script[asked.length];
      asked.push(messages);
      events.push("ask");
      if (answer === undefined) throw new Error("the endpoint died");
      return answer;
    },
    maxAttempts,
    earlier,
    onAttempt: async (attempt) => {
      await Promise.resolve();
      events.push("kept");
      reported.push(attempt);
      if (reported.length === abortAfter) controller.abort(new Error("stopped"));
    },
    signal: controller.signal,
  });
  const [outcome] = await Promise.allSettled([run]);
  return { asked, reported, events, outcome };
}

describe("askUntilValid", () => {
  it("shows a refused answer and its error, in the same conversation, until an answer can be read", async () => {
    const { asked, reported, events, outcome } = await ask([answerOf("x"), answerOf("y"), answerOf("7")]);
    expect(outcome).toEqual({ status: "fulfilled", value: 7 });
    expect(asked.map((messages) => messages.map(({ role }) => role).join(" "))).toEqual([
      "user",
      "user assistant user",
      "user assistant user assistant user",
    ]);
    const [, own, request, ownAgain, requestAgain] = asked[2] ?? [];
    expect([own?.content, ownAgain?.content]).toEqual(["x", "y"]);
    expect(request?.content).toContain("no number: x");
    expect(request?.content).toContain("whole JSON object again");
    expect(requestAgain?.content).toContain("no number: y");
    expect(reported.map(({ attempt, value, error }) => [attempt, value, error])).toEqual([
      [1, null, "no number: x"],
      [2, null, "no number: y"],
      [3, 7, null],
    ]);
    expect(events).toEqual(["ask", "kept", "ask", "kept", "ask", "kept"]);
  });

  it("gives up after maxAttempts answers, those of an interrupted run included, and pays for none beyond", async () => {
    const { asked, outcome } = await ask([answerOf("x"), answerOf("y"), answerOf("7")], { maxAttempts: 2 });
    expect(outcome).toEqual({ status: "fulfilled", value: null });
    expect(asked).toHaveLength(2);
    const earlier = [{ output: "a", error: "no number: a" }];
    const resumed = await ask([answerOf("b"), answerOf("7")], { maxAttempts: 2, earlier });
    expect(resumed.outcome).toEqual({ status: "fulfilled", value: null });
    expect(resumed.reported.map(({ attempt }) => attempt)).toEqual([2]);
    expect(resumed.asked[0]?.map(({ content }) => content.split("\n")[1] ?? content)).toEqual([
      "A number?",
      "a",
      "no number: a",
    ]);
    const spent = await ask([answerOf("7")], { maxAttempts: 1, earlier });
    expect(spent.outcome).toEqual({ status: "fulfilled", value: null });
    expect(spent.asked).toHaveLength(0);
  });

  it("refuses cut, withheld and empty answers with an error that says so, without reading them", async () => {
    const script = [
      answerOf("12", "length"),
      answerOf("12", "content_filter"),
      answerOf("  "),
      answerOf("1"),
    ];
    const { asked, reported } = await ask(script, { maxAttempts: 4 });
    expect(reported.map(({ value }) => value)).toEqual([null, null, null, 1]);
    expect(reported.map(({ error }) => /cut off|content filter|empty/.exec(error ?? "")?.[0])).toEqual([
      "cut off",
      "content filter",
      "empty",
      undefined,
    ]);
    // Servers refuse an assistant message without text.
    expect(asked[3]?.every(({ content }) => content.trim() !== "")).toBe(true);
  });

  it("keeps what was answered before a failure or an abort, and asks no more", async () => {
    const died = await ask([answerOf("x")]);
    expect(died.outcome).toMatchObject({ status: "rejected", reason: { message: "the endpoint died" } });
    expect(died.reported).toHaveLength(1);
    const aborted = await ask([answerOf("x"), answerOf("7")], { abortAfter: 1 });
    expect(aborted.outcome).toMatchObject({ status: "rejected", reason: { message: "stopped" } });
    expect([aborted.asked.length, aborted.reported.length]).toEqual([1, 1]);
    const late = await ask([answerOf("7")], { abortAfter: 1 });
    expect(late.outcome).toEqual({ status: "fulfilled", value: 7 });
  });
});
