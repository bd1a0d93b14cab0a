import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AgreementMethod,
  type AnswerAgreementInput,
  answerAgreement,
} from "../../src/rewards/answer-agreement.ts";
import { ACTIONS } from "../../src/types.ts";

const GOLD = '{"name":"cd","arguments":{"folder":"a","force":true}}';
const tool = (answer: string | null, goldAnswer: string | null = GOLD): AnswerAgreementInput => ({
  action: "tool_call",
  goldAction: "tool_call",
  answer,
  goldAnswer,
});
const text = (answer: string | null, goldAnswer: string | null): AnswerAgreementInput => ({
  action: "direct_answer",
  goldAction: "direct_answer",
  answer,
  goldAnswer,
});

describe("answerAgreement, auto", () => {
  it("compares calls when the gold action is tool_call", () => {
    expect(answerAgreement(tool(GOLD))).toBe(1);
    expect(
      answerAgreement(tool('<tool_call>{"arguments":{"force":true,"folder":"a"},"name":"cd"}</tool_call>')),
    ).toBe(1);
    expect(answerAgreement(tool('{"name":"cd","arguments":{"folder":"a"}}'))).toBe(0.5);
    expect(answerAgreement(tool(`[${GOLD},${GOLD}]`))).toBe(0.5);
    expect(answerAgreement(tool("cd a"))).toBe(0);
  });

  it("compares words otherwise", () => {
    expect(answerAgreement(text("The capital is Paris", "Paris"))).toBe(0.4);
    expect(answerAgreement(text("Paris", "Paris"))).toBe(1);
    expect(answerAgreement(text("?", "?"))).toBe(0);
  });

  it("gives 0 for a wrong or unparsed action, whatever the answer", () => {
    for (const action of [...ACTIONS, null]) {
      for (const goldAction of ACTIONS) {
        if (action === goldAction) continue;
        expect(answerAgreement({ action, goldAction, answer: GOLD, goldAnswer: GOLD })).toBe(0);
      }
    }
  });

  it("gives 0 for an absent answer and NaN for a missing gold side", () => {
    expect(answerAgreement(tool(null))).toBe(0);
    expect(answerAgreement(text(null, "x"))).toBe(0);
    expect(answerAgreement(tool(GOLD, null))).toBeNaN();
    expect(answerAgreement(tool("a", "no call"))).toBeNaN();
    expect(answerAgreement(text("x", null))).toBeNaN();
    expect(answerAgreement({ ...text("x", "x"), goldAction: null })).toBeNaN();
  });

  it("uses calls that are given instead of reading the texts", () => {
    const calls = [{ name: "cd", arguments: { folder: "a" } }];
    expect(answerAgreement({ ...tool(null), calls })).toBe(0.5);
    expect(answerAgreement({ ...tool("x"), calls: null })).toBe(0);
    expect(
      answerAgreement({ ...tool('{"name":"cd"}', null), goldCalls: [{ name: "cd", arguments: {} }] }),
    ).toBe(1);
    const loose = [{ name: "cd", arguments: { folder: "b" }, compareArgs: [] }];
    expect(answerAgreement({ ...tool(null), calls, goldCalls: loose })).toBe(1);
  });

  it("never counts broken arguments as equal, not even to themselves", () => {
    const broken = '{"name":"cd","arguments":"{folder"}';
    expect(answerAgreement(tool(broken, broken))).toBe(0);
  });
});

describe("answerAgreement, other methods", () => {
  it("exact: equal trimmed texts, or the same calls", () => {
    const exact = { method: "exact" } as const;
    expect(answerAgreement(text(" Paris\n", "Paris"), exact)).toBe(1);
    expect(answerAgreement(text("paris", "Paris"), exact)).toBe(0);
    expect(answerAgreement(text("?", "?"), exact)).toBe(1);
    expect(answerAgreement(text("x", null), exact)).toBeNaN();
    expect(answerAgreement(tool('{"arguments":{"force":true,"folder":"a"},"name":"cd"}'), exact)).toBe(1);
    expect(answerAgreement(tool('{"name":"cd","arguments":{"folder":"a"}}'), exact)).toBe(0);
    expect(answerAgreement(tool("x", "y"), exact)).toBeNaN();
  });

  it("call and token-f1: whatever the action", () => {
    expect(answerAgreement(text(GOLD, GOLD), { method: "call" })).toBe(1);
    expect(answerAgreement(text("x", "y"), { method: "call" })).toBeNaN();
    expect(answerAgreement(tool('{"name":"cd"}'), { method: "token-f1" })).toBe(4 / 9);
  });

  it("a function: its value, if it is an agreement", () => {
    const length: AgreementMethod = (answer, gold) => Math.min(answer.length, gold.length) / gold.length;
    expect(answerAgreement(text("ab", "abcd"), { method: length })).toBe(0.5);
    expect(answerAgreement(text(null, "abcd"), { method: length })).toBe(0);
    expect(answerAgreement(text("ab", "abcd"), { method: () => Number.NaN })).toBeNaN();
    expect(() => answerAgreement(text("ab", "abcd"), { method: () => 2 })).toThrow(
      "answer agreement must be in [0, 1] or NaN: the function gave 2",
    );
  });

  it("refuses an unknown method", () => {
    const method = "rouge" as unknown as AgreementMethod;
    expect(() => answerAgreement(text("a", "a"), { method })).toThrow("got rouge");
  });
});

describe("answerAgreement on any answers", () => {
  const answer = fc.oneof(
    fc.string(),
    fc.constantFrom(GOLD, "cd a", "[]", '{"name":"cd"}', `[${GOLD},{"name":"ls"}]`),
  );

  it("is in [0, 1] or NaN, and the same both ways", () => {
    fc.assert(
      fc.property(answer, answer, fc.constantFrom(...ACTIONS), (a, b, action) => {
        const there = answerAgreement({ action, goldAction: action, answer: a, goldAnswer: b });
        const back = answerAgreement({ action, goldAction: action, answer: b, goldAnswer: a });
        for (const value of [there, back])
          expect(Number.isNaN(value) || (value >= 0 && value <= 1)).toBe(true);
        if (!Number.isNaN(there) && !Number.isNaN(back)) expect(back).toBeCloseTo(there, 12);
      }),
    );
  });
});
