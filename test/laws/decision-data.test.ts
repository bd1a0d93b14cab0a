import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { actionCode, parseAction } from "../../src/data/calls/action.ts";
import { parsePythonCalls } from "../../src/data/calls/python-calls.ts";
import { answerAgreement } from "../../src/rewards/answer-agreement.ts";
import { parseResponse } from "../../src/rewards/parse-response.ts";
import type { Action } from "../../src/types.ts";

/** A decision of a public benchmark: what to do, and the answer that does it. */
interface Decision {
  readonly action: Action;
  readonly answer: string;
}

const shared = new URL("../../../shared/data/", import.meta.url);
const when2call = new URL("when2call/when2call_test_llm_judge.jsonl", shared);
const bfcl = new URL("bfcl/possible_answer/BFCL_v4_multi_turn_base.jsonl", shared);

const lines = (file: URL): unknown[] =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .trim()
        .split("\n")
        .map((line): unknown => JSON.parse(line))
    : [];

const tags = (action: Action): string[] => {
  const letter = "ABCD".charAt(actionCode(action));
  return [`<${action}>`, `${action.toUpperCase()}<${letter}>`, `<${letter}>`];
};

const respond = (action: Action, answer: string): string =>
  `<think>I weigh it.</think>\n${tags(action)[1]}\n<answer>\n${answer}\n</answer>`;

/** R_fmt and R_ans of a response against a decision. */
function score(response: string, gold: Decision): readonly [number, number] {
  const parsed = parseResponse(response);
  const agreement = answerAgreement({ ...parsed, goldAction: gold.action, goldAnswer: gold.answer });
  return [parsed.formatValid ? 1 : 0, agreement];
}

describe.skipIf(!existsSync(when2call))("the When2Call items", () => {
  const items = lines(when2call) as readonly {
    readonly correct_answer: string;
    readonly answers: Readonly<Record<string, string>>;
  }[];
  const options = items.flatMap(({ answers }) =>
    Object.entries(answers).map(
      ([name, answer]): Decision => ({ action: parseAction(name) as Action, answer }),
    ),
  );

  it("are 300 with four answers each, of known actions", () => {
    expect(items).toHaveLength(300);
    expect(options).toHaveLength(1200);
    expect(options.every(({ action }) => action !== null)).toBe(true);
  });

  it("give format and agreement 1 to a response with the gold answer, in every tag form", () => {
    for (const option of options) {
      for (const tag of tags(option.action)) {
        const response = `<think>I weigh it.</think>${tag}<answer>${option.answer}</answer>`;
        expect(score(response, option)).toEqual([1, 1]);
      }
    }
  });

  it("give agreement 0 to another action, and format 0 to a call where text belongs", () => {
    for (const { correct_answer, answers } of items) {
      const action = parseAction(correct_answer) as Action;
      const gold = { action, answer: answers[correct_answer] as string };
      for (const [name, answer] of Object.entries(answers)) {
        const other = parseAction(name) as Action;
        if (other === action) continue;
        expect(score(respond(other, answer), gold)).toEqual([1, 0]);
        const swapped = score(respond(action, answer), gold);
        if (name === "tool_call" || action === "tool_call") expect(swapped[0]).toBe(0);
        expect(swapped[1]).toBeLessThan(1);
      }
    }
  });

  it("give less agreement to a call with an argument changed or added", () => {
    for (const { answers } of items) {
      const gold: Decision = { action: "tool_call", answer: answers.tool_call as string };
      const call = JSON.parse(gold.answer) as { name: string; arguments: Record<string, unknown> };
      const names = Object.keys(call.arguments);
      const added = { ...call, arguments: { ...call.arguments, extra_argument: 1 } };
      expect(score(respond("tool_call", JSON.stringify(added)), gold)).toEqual([
        1,
        names.length / (names.length + 1),
      ]);
      const [first] = names;
      if (first === undefined) continue;
      const changed = { ...call, arguments: { ...call.arguments, [first]: "something else" } };
      expect(score(respond("tool_call", JSON.stringify(changed)), gold)).toEqual([
        1,
        (names.length - 1) / names.length,
      ]);
    }
  });

  it("give less agreement to a text with words left out", () => {
    for (const { answers } of items) {
      const answer = answers.cannot_answer as string;
      const gold: Decision = { action: "cannot_answer", answer };
      const [format, agreement] = score(respond("cannot_answer", answer.slice(0, answer.length / 2)), gold);
      expect(format).toBe(1);
      expect(agreement).toBeGreaterThan(0);
      expect(agreement).toBeLessThan(1);
    }
  });
});

describe.skipIf(!existsSync(bfcl))("the turns of BFCL multi-turn base", () => {
  const turns = (lines(bfcl) as readonly { readonly ground_truth: readonly (readonly string[])[] }[])
    .flatMap(({ ground_truth }) => ground_truth)
    .map((turn) =>
      turn.flatMap((text) =>
        parsePythonCalls(text, { parameters: () => ["first", "second", "third", "fourth", "fifth"] }),
      ),
    )
    .map((calls) => calls.map(({ name, arguments: args }) => ({ name, arguments: args })))
    .filter((calls) => calls.length > 0);
  const blocks = (calls: readonly object[]): string =>
    calls.map((call) => `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`).join("\n");

  it("give format and agreement 1 to the gold calls in any order and spelling", () => {
    expect(turns.length).toBeGreaterThan(600);
    for (const calls of turns) {
      const gold: Decision = { action: "tool_call", answer: blocks(calls) };
      expect(score(respond("tool_call", gold.answer), gold)).toEqual([1, 1]);
      const reversed = calls.toReversed().map(({ name, arguments: args }) => ({
        arguments: Object.fromEntries(Object.entries(args).reverse()),
        name,
      }));
      expect(score(respond("tool_call", JSON.stringify(reversed, null, 2)), gold)).toEqual([1, 1]);
    }
  });

  it("give less agreement with a call left out, added or renamed", () => {
    for (const calls of turns) {
      const gold: Decision = { action: "tool_call", answer: blocks(calls) };
      const [first, ...rest] = calls;
      const share = (calls.length - 1) / calls.length;
      if (rest.length > 0) expect(score(respond("tool_call", blocks(rest)), gold)[1]).toBeCloseTo(share, 12);
      const more = calls.length / (calls.length + 1);
      const extra = { name: "unknown_tool", arguments: {} };
      expect(score(respond("tool_call", blocks([extra, ...calls])), gold)).toEqual([1, more]);
      const renamed = [{ ...first, name: "unknown_tool" }, ...rest];
      expect(score(respond("tool_call", blocks(renamed)), gold)[1]).toBeCloseTo(share, 12);
    }
  });
});
