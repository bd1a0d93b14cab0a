import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMessages } from "../../src/data/calls/messages.ts";
import { parseLastMessage, parseResponse, type ResponseReason } from "../../src/rewards/parse-response.ts";
import { ACTIONS, type Action } from "../../src/types.ts";

const CALL = '{"name":"get_weather","arguments":{"city":"Paris"}}';
const calls = [{ name: "get_weather", arguments: { city: "Paris" } }];
const NAMES: readonly (readonly string[])[] = [
  ["direct_answer", "direct"],
  ["tool_call", "tool"],
  ["request_for_info", "ask"],
  ["cannot_answer", "unable"],
];

const answerFor = (action: Action): string => (action === "tool_call" ? CALL : "Some text.");

describe("parseResponse on a valid format", () => {
  const forms = ACTIONS.flatMap((action, code) => {
    const letter = "ABCD".charAt(code);
    const names = (NAMES[code] ?? []).flatMap((name) => [name, name.toUpperCase()]);
    const tags = [
      ...names.flatMap((name) => [`<${name}>`, `${name}<${letter}>`]),
      `<${letter}>`,
      `<${letter.toLowerCase()}>`,
    ];
    return tags.map((tag) => [tag, action] as const);
  });

  it.each(forms)("reads %s as %s", (tag, action) => {
    for (const gap of ["", " ", "\n\n"]) {
      const text = `${gap}<think>Hm.</think>${gap}${tag}${gap}<answer>${answerFor(action)}</answer>${gap}`;
      expect(parseResponse(text)).toEqual({
        action,
        answer: answerFor(action),
        calls: action === "tool_call" ? calls : null,
        formatValid: true,
        reason: "ok",
      });
    }
  });

  it("allows blanks between name and letter, empty thoughts, and markers in any letter case", () => {
    const texts = [
      "<think></think>direct_answer <A><answer>x</answer>",
      "<think>a</think>direct\n<a>\n<answer>x</answer>",
      "<THINK>a</Think><Direct_Answer><ANSWER>x</Answer>",
    ];
    expect(texts.map((text) => parseResponse(text).reason)).toEqual(["ok", "ok", "ok"]);
  });

  it("reads no tag inside a thought or an answer", () => {
    const text =
      "<think>tool_call<B> or <ask>? I use <answer>…</answer> and <tool_call>{</think>direct<A><answer>Not <D> nor tool<B>, <b>sure</b></answer>";
    expect(parseResponse(text)).toMatchObject({
      action: "direct_answer",
      answer: "Not <D> nor tool<B>, <b>sure</b>",
      reason: "ok",
    });
  });

  it("takes several calls, in blocks too, and trims the answer", () => {
    const blocks = `<tool_call>${CALL}</tool_call>\n<tool_call>${CALL}</tool_call>`;
    const parsed = parseResponse(`<think>x</think><tool_call>\n<answer>\n${blocks}\n</answer>`);
    expect(parsed).toEqual({
      action: "tool_call",
      answer: blocks,
      calls: [...calls, ...calls],
      formatValid: true,
      reason: "ok",
    });
  });
});

describe("parseResponse on a format that is not valid", () => {
  const cases: readonly (readonly [ResponseReason, Action | null, string])[] = [
    ["empty", null, ""],
    ["empty", null, " \n\t"],
    ["no_think", null, "Paris is the capital of France."],
    ["no_think", null, "I would make a tool_call here, or ask."],
    ["no_think", "direct_answer", "direct<A><answer>x</answer>"],
    ["no_think", null, "<think>direct<A><answer>x</answer>"],
    ["no_think", "direct_answer", "direct<A> <think>never closed <B>"],
    ["no_think", "direct_answer", "thought <B> tool_call<B></think>direct<A><answer>x</answer>"],
    ["extra_think", "direct_answer", "<think>a</think><think>b</think>direct<A><answer>x</answer>"],
    ["extra_think", "direct_answer", "<think>a<think>b</think>direct<A><answer>x</answer>"],
    ["extra_think", "direct_answer", "<think>a</think>direct<A><answer>x</answer></think>"],
    ["extra_think", "direct_answer", "<think>a</think>direct<A><answer>x<think>y</think></answer>"],
    ["extra_think", "direct_answer", "<think>a</think>direct<A><answer>x</answer><think>b"],
    ["no_action", null, "<think>a</think><answer>x</answer>"],
    ["no_action", null, "<think>a</think>direct_answer<answer>x</answer>"],
    ["no_action", null, "<think>a</think><action>direct</action><answer>x</answer>"],
    ["no_action", null, "<think>a</think><E><answer>x</answer>"],
    ["no_action", null, "<think>a</think>other<A><answer>x</answer>"],
    ["no_action", null, "<think>a</think>List<A><answer>x</answer>"],
    ["no_action", null, "<think>a</think>xdirect<A><answer>x</answer>"],
    ["no_action", null, "<think>a</think>édirect<A><answer>x</answer>"],
    ["extra_action", "direct_answer", "<think>a</think>direct<A>direct<A><answer>x</answer>"],
    ["extra_action", "direct_answer", "<think>a</think><direct_answer><A><answer>x</answer>"],
    ["extra_action", null, "<think>a</think>direct<A> or ask<C><answer>x</answer>"],
    ["extra_action", null, "<think>a</think><direct_answer><B><answer>x</answer>"],
    ["inconsistent_action", null, "<think>a</think>direct<B><answer>x</answer>"],
    ["inconsistent_action", null, `<think>a</think>tool_call<A><answer>${CALL}</answer>`],
    ["no_answer", "direct_answer", "<think>a</think>direct<A>"],
    ["no_answer", "direct_answer", "<think>a</think>direct<A><answer>x"],
    ["no_answer", "direct_answer", "<think>a</think>direct<A>Paris"],
    ["extra_answer", "direct_answer", "<think>a</think>direct<A><answer>x</answer><answer>y</answer>"],
    ["extra_answer", "direct_answer", "<think>a</think>direct<A><answer>x<answer>y</answer>"],
    ["extra_answer", "direct_answer", "<think>a</think>direct<A><answer>x</answer></answer>"],
    ["out_of_order", "direct_answer", "direct<A><think>a</think><answer>x</answer>"],
    ["out_of_order", "direct_answer", "<think>a</think><answer>x</answer>direct<A>"],
    ["text_outside", "direct_answer", "Well. <think>a</think>direct<A><answer>x</answer>"],
    ["text_outside", "direct_answer", "<think>a</think>So: direct<A><answer>x</answer>"],
    ["text_outside", "direct_answer", "<think>a</think>direct<A>.<answer>x</answer>"],
    ["text_outside", "direct_answer", "<think>a</think>direct<A><answer>x</answer> Done."],
    ["text_outside", "direct_answer", "<think>a</think>direct<A></b><answer>x</answer>"],
    ["text_outside", "direct_answer", "<think>a</think>List<B> direct<A><answer>x</answer>"],
    ["empty_answer", "direct_answer", "<think>a</think>direct<A><answer> \n</answer>"],
    ["empty_answer", "tool_call", "<think>a</think>tool<B><answer></answer>"],
    ["answer_without_call", "tool_call", "<think>a</think>tool<B><answer>get_weather(city='Paris')</answer>"],
    ["answer_without_call", "tool_call", '<think>a</think>tool<B><answer>{"arguments":{}}</answer>'],
    ["answer_without_call", "tool_call", `<think>a</think>tool<B><answer>[${CALL},{}]</answer>`],
    ["answer_without_call", "tool_call", "<think>a</think>tool<B><answer><tool_call>{</tool_call></answer>"],
    ["answer_with_call", "direct_answer", `<think>a</think>direct<A><answer>${CALL}</answer>`],
    [
      "answer_with_call",
      "cannot_answer",
      `<think>a</think><D><answer>No: <tool_call>${CALL}</tool_call></answer>`,
    ],
    [
      "answer_with_call",
      "request_for_info",
      "<think>a</think>ask<C><answer><tool_call>{</tool_call></answer>",
    ],
  ];

  it.each(cases)("gives %s and action %s for %j", (reason, action, text) => {
    const parsed = parseResponse(text);
    expect([parsed.reason, parsed.action, parsed.formatValid]).toEqual([reason, action, false]);
  });

  it("gives empty for a missing text", () => {
    expect(parseResponse(null)).toEqual({
      action: null,
      answer: null,
      calls: null,
      formatValid: false,
      reason: "empty",
    });
  });

  it("takes the first complete answer", () => {
    expect(parseResponse("<answer>a</answer><answer>b</answer>").answer).toBe("a");
    expect(parseResponse("<think><answer>a</answer></think><answer>b</answer>").answer).toBe("b");
    expect(parseResponse("<think>x</think><answer>a").answer).toBeNull();
  });

  it("does not take markup and generics for tags, but does take a lone letter", () => {
    expect(parseResponse("This is <b>bold</b> and <A>x</A>.").action).toBeNull();
    expect(parseResponse("Use Map<A> here.").action).toBeNull();
    expect(parseResponse("I choose <B>.").action).toBe("tool_call");
    expect(parseResponse("<b>Bold</b>, so ask<C>.").action).toBe("request_for_info");
  });

  it("reads call blocks that stand in the text as the answer", () => {
    const blocks = `<tool_call>${CALL}</tool_call>`;
    expect(parseResponse(`<think>x</think> tool_call<B>\n${blocks}`)).toEqual({
      action: "tool_call",
      answer: blocks,
      calls,
      formatValid: false,
      reason: "extra_action",
    });
    expect(parseResponse(`I look it up. ${blocks}`)).toMatchObject({
      action: "tool_call",
      answer: blocks,
      calls,
    });
    expect(parseResponse(`<think>${blocks}</think>`)).toMatchObject({ action: null, answer: null });
    expect(parseResponse(`direct<A> ${blocks}`).action).toBeNull();
    expect(parseResponse(`<tool_call>{"name":"f","arguments":{"x":"<D> ask<C>"}}</tool_call>`).action).toBe(
      "tool_call",
    );
  });
});

describe("parseResponse on any text", () => {
  const piece = fc.constantFrom(
    ..."<think>|</think>|<answer>|</answer>|<tool_call>|</tool_call>|<A>|<b>|</b>|tool<B>|direct|ask<A>|<unable>|{|}|<|>| |\n|x|é".split(
      "|",
    ),
    CALL,
  );

  it("is consistent and never throws", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const parsed = parseResponse(pieces.join(""));
        expect(parsed.formatValid).toBe(parsed.reason === "ok");
        if (parsed.formatValid) {
          expect(parsed.action).not.toBeNull();
          expect(parsed.answer).not.toBe("");
          expect(parsed.calls !== null).toBe(parsed.action === "tool_call");
        }
        if (parsed.calls !== null) expect(parsed.calls.length).toBeGreaterThan(0);
      }),
      { numRuns: 2000 },
    );
  });

  it("accepts exactly what a plain reading of the rule accepts", () => {
    const names = NAMES.map((pair) => pair.join("|"));
    const byName = names.map((pair, code) => `<(?:${pair})>|(?:${pair})\\s*<${"ABCD".charAt(code)}>`);
    const tag = `(?:${byName.join("|")}|<[A-D]>)`;
    const inside = (marker: string): string => `(?:(?!${marker})[^])*`;
    const frame = new RegExp(
      `^\\s*<think>${inside("</?think>")}</think>\\s*${tag}\\s*<answer>(${inside("</?think>|</?answer>")})</answer>\\s*$`,
      "i",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 7 }), (pieces) => {
        const text = `<think>${pieces.slice(0, 2).join("")}</think>${pieces.slice(2, 4).join("")}<answer>${pieces.slice(4).join("")}</answer>`;
        const { reason } = parseResponse(text);
        const framed = ["ok", "empty_answer", "answer_without_call", "answer_with_call"].includes(reason);
        expect(framed).toBe(frame.test(text));
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    "<think>",
    "</think>",
    "<answer>",
    "<tool_call>{",
    "<",
    "<aaaaaaaaaaaaaaaaa",
    "ask   <c>",
    "<b>",
    " ",
    "[",
  ])("gets through a million characters of %j", (unit) => {
    const text = unit.repeat(1_000_000 / unit.length);
    expect(parseResponse(text).formatValid).toBe(false);
    const wrapped = parseResponse(`<think></think>tool<B><answer>${text}</answer>`);
    expect([wrapped.action, wrapped.formatValid]).toEqual(["tool_call", false]);
  });

  it("survives arguments of any depth", () => {
    const deep = `{"name":"f","arguments":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`;
    expect(parseResponse(`<think></think>tool<B><answer>${deep}</answer>`).reason).toBe("ok");
  });
});

describe("parseLastMessage", () => {
  const call = { function: { name: "get_weather", arguments: '{"city":"Paris"}' } };
  const read = (...messages: readonly object[]) => parseLastMessage(readMessages(messages) ?? []);

  it("reads native tool calls as tool_call", () => {
    const expected = { action: "tool_call", answer: CALL, calls, formatValid: false, reason: "native_calls" };
    const assistant = { role: "assistant", content: "Let me see.", tool_calls: [call] };
    expect(read({ role: "user", content: "?" }, assistant)).toEqual(expected);
    expect(read(assistant, { role: "tool", content: "" })).toEqual(expected);
    expect(read({ role: "assistant", content: null, tool_calls: [call, call] }).answer).toBe(
      `[${CALL},${CALL}]`,
    );
  });

  it("reads text as parseResponse does", () => {
    const content = "<think>a</think>direct<A><answer>x</answer>";
    expect(read({ role: "assistant", content })).toEqual(parseResponse(content));
    expect(read({ role: "assistant", content: "Hello" })).toMatchObject({ action: null, reason: "no_think" });
  });

  it("finds no response where a user speaks last, or nobody", () => {
    expect(read({ role: "assistant", content: "x" }, { role: "user", content: "y" }).reason).toBe("empty");
    expect(read().reason).toBe("empty");
  });
});
