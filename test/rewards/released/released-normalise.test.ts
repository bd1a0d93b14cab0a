import { describe, expect, it } from "vitest";
import {
  normaliseReleased,
  releasedTurnText,
  renderReleasedCalls,
} from "../../../src/rewards/released/released-normalise.ts";
import { HAS_VECTORS, vectors } from "./shared-cases.ts";

const STOCK = "source=trajectory_or_when2call suggested_action=";
const call = (text: string): string => `<tool_call>${text}</tool_call>`;
const rendered = (args: string, name: string): string =>
  `<tool_call>\n{"arguments": ${args}, "name": ${name}}\n</tool_call>`;
const lines = (
  action: string,
  letter: string,
  answer: string,
  think = `${STOCK}${action} <${letter}>`,
): string => `<think>${think}</think>\n${action}<${letter}>\n<answer>${answer}</answer>`;

describe.skipIf(!HAS_VECTORS)("the shared vectors of released_normalise", () => {
  it.each(vectors<string, string>("released_normalise"))("$name", ({ input, expected }) => {
    expect(normaliseReleased(input)).toBe(expected);
  });
});

describe("normaliseReleased", () => {
  it("trims as Python does, and gives nothing for a blank text or an empty think", () => {
    expect(normaliseReleased(" \u0085\u001c\u3000")).toBe("");
    expect(normaliseReleased("<think> </think>")).toBe("");
    expect(normaliseReleased("\u00a0\ufeffx\u2028")).toBe("\ufeffx");
  });

  it("prefers the XML action and label to a tag, and a tag to a call", () => {
    expect(normaliseReleased("<action>ask</action> cannot_answer<D> sorry")).toBe(
      lines("cannot_answer", "D", "<action>ask</action>  sorry"),
    );
    expect(normaliseReleased("direct_answer <C> <action>\u00a0Cannot_Answer\n</action> no")).toBe(
      lines("cannot_answer", "C", "no"),
    );
    expect(normaliseReleased(`<action>direct_answer</action>${call('{"name": "f"}')}`)).toBe(
      lines("direct_answer", "B", rendered("{}", '"f"')),
    );
    expect(normaliseReleased("<label>d</label><action>tool_call</action>x<label>A</label>")).toBe(
      lines("tool_call", "D", "x"),
    );
    expect(normaliseReleased("<action>request_for_info</action> Which?")).toBe(
      lines("request_for_info", "C", "Which?"),
    );
  });

  it("reads names as Python's text and arguments as an object only", () => {
    const answerOf = (json: string): string => normaliseReleased(call(json));
    const named = (name: string): string => lines("tool_call", "B", rendered("{}", name));
    expect(answerOf('{"name": true}')).toBe(named('"True"'));
    expect(answerOf('{"name": 1.0}')).toBe(named('"1.0"'));
    expect(answerOf('{"name": NaN}')).toBe(named('"nan"'));
    expect(answerOf(`{"name": [null, "it's", {"a": "\\u2028\\"\\n"}]}`)).toBe(
      named(`"[None, \\"it's\\", {'a': '\\\\u2028\\"\\\\n'}]"`),
    );
    for (const name of ["null", "0", "0.0", "-0.0", "false", '""', '" \\u3000"', "[]", "{}"]) {
      expect(answerOf(`{"name": ${name}}`)).toBe(call(`{"name": ${name}}`));
    }
    expect(answerOf('{"name": "a", "arguments": " {\\"y\\": 1.0, \\"x\\": 1e22, \\"y\\": -0} "}')).toBe(
      lines("tool_call", "B", rendered('{"x": 1e+22, "y": 0}', '"a"')),
    );
    expect(answerOf('{"name": "a", "function": {"arguments": {"x": 1}}}')).toBe(
      call('{"name": "a", "function": {"arguments": {"x": 1}}}'),
    );
    expect(answerOf('[{"name": "a"}, 5, null, {"function": {"name": "b"}}]')).toBe(
      lines("tool_call", "B", `${rendered("{}", '"a"')}\n${rendered("{}", '"b"')}`),
    );
    expect(answerOf('{"name": "a"}\ufeff')).toBe(call('{"name": "a"}\ufeff'));
  });

  it("writes the calls that removing the reasoning uncovers, for a tool_call only", () => {
    const text = (action: string): string =>
      `<think>no <tool_call> yet</think> ${action}\n${call('{"name":"f"}')}`;
    expect(normaliseReleased(text("tool_call<B>"))).toBe(lines("tool_call", "B", rendered("{}", '"f"')));
    expect(normaliseReleased(text("cannot_answer<D>"))).toBe(
      lines("cannot_answer", "D", call('{"name":"f"}')),
    );
  });

  it("counts a call quoted in the reasoning once more in each pass", () => {
    const block = rendered("{}", '"f"');
    expect(normaliseReleased(`<think>suggested_action ${call('{"name":"f"}')}</think>`)).toBe(
      lines("tool_call", "B", `${block}\n${block}`, `suggested_action ${call('{"name":"f"}')}`),
    );
  });

  it("takes the first answer block, an empty one too, and any block of think out of bare text", () => {
    expect(normaliseReleased("direct_answer<A> <answer> </answer><answer>x</answer>")).toBe(
      "<action>direct_answer</action>\n<label>A</label>",
    );
    expect(normaliseReleased("a <THINK>1</Think> b <think>2</think> direct_answer<A>c</think>")).toBe(
      lines("direct_answer", "A", "a  b  c</think>"),
    );
    expect(normaliseReleased("direct_answer<A> <think>open Suggested_Action")).toBe(
      lines("direct_answer", "A", "<think>open Suggested_Action"),
    );
  });

  it("reads markers without end in linear time", () => {
    const units = [
      "<think>",
      "<tool_call>",
      "<action> ",
      "<action>tool_call",
      "tool_call <",
      "<a>",
      "<",
      " ",
    ];
    for (const unit of [
      ...units,
      "</tool_call>",
      "<label>a</label>",
      "tool_call<B>",
      call('{"name":0}'),
      "\u3000x",
    ]) {
      const text = unit.repeat(1e5 / unit.length);
      expect(normaliseReleased(`<think>${text}</think>direct_answer<A>${text}`)).toContain("<");
    }
    expect(normaliseReleased("<".repeat(1e6))).toBe("<".repeat(1e6));
    expect(normaliseReleased(`tool_call${" ".repeat(1e6)}<B> x`)).toBe(lines("tool_call", "B", "x"));
    expect(normaliseReleased(call(`{"name":"f","arguments":{${'"x":1,'.repeat(1e5)}"y":2}}`))).toContain(
      '{"x": 1, "y": 2}',
    );
  });
});

describe("renderReleasedCalls", () => {
  it("writes plain calls, leaving out those without a name", () => {
    const calls = [
      { name: " b ", arguments: { z: [1, 0.5], a: { "\uff5e": null, "😀": 1, B: true } } },
      { name: "", arguments: {} },
      { name: "t", arguments: '{"k": 1.0}' },
      { name: "broken", arguments: "{k" },
    ];
    expect(renderReleasedCalls(calls)).toBe(
      [
        rendered('{"a": {"B": true, "\uff5e": null, "😀": 1}, "z": [1, 0.5]}', '"b"'),
        rendered('{"k": 1.0}', '"t"'),
        rendered("{}", '"broken"'),
      ].join("\n"),
    );
    expect(renderReleasedCalls([])).toBe("");
    let deep: Record<string, unknown> = {};
    for (let level = 0; level < 2000; level += 1) deep = { deep };
    expect(renderReleasedCalls([{ name: "f", arguments: deep }])).toBe(rendered("{}", '"f"'));
  });
});

describe("releasedTurnText", () => {
  it("writes a decision as the scorer reads it", () => {
    const turn = {
      action: "tool_call",
      letter: "B",
      answer: `so: ${call('{"name":"f"}')}`,
      think: "",
    } as const;
    expect(releasedTurnText(turn)).toBe(lines("tool_call", "B", rendered("{}", '"f"')));
    expect(releasedTurnText({ ...turn, answer: '{"name":"f"}', think: "my suggested_action" })).toBe(
      lines("tool_call", "B", '{"name":"f"}', "my suggested_action"),
    );
    expect(releasedTurnText({ ...turn, action: "cannot_answer", letter: "D" })).toBe(
      lines("cannot_answer", "D", `so: ${call('{"name":"f"}')}`),
    );
  });
});
