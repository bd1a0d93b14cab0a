import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createReleasedAligner } from "../../../src/rewards/released/released-alignment.ts";
import { readReleasedCall } from "../../../src/rewards/released/released-call.ts";
import { releasedF1 } from "../../../src/rewards/released/released-f1.ts";
import type { Action } from "../../../src/types.ts";

const releasedAlignment = (
  predAction: Parameters<ReturnType<typeof createReleasedAligner>>[0],
  answer: string | null,
  chosenResponse: unknown,
  tools?: unknown,
): number => createReleasedAligner(chosenResponse, tools)(predAction, answer);

type Row = readonly [Action, string, string, unknown, number];

const { alignments } = JSON.parse(
  readFileSync(new URL("../../golden/released-turn.json", import.meta.url), "utf8"),
) as { readonly alignments: readonly Row[] };

describe("releasedAlignment", () => {
  it("gives what Python's re, json, str and Counter give", () => {
    const given = alignments.map((row) => [
      ...row.slice(0, 4),
      releasedAlignment(row[0], row[1], row[2], row[3]),
    ]);
    expect(given).toEqual(alignments);
  });

  it("is 0 without an action, an answer or a reference", () => {
    expect(releasedAlignment(null, "a", "a")).toBe(0);
    expect(releasedAlignment("direct_answer", null, "a")).toBe(0);
    expect(releasedAlignment("direct_answer", "\u00a0", "a")).toBe(0);
    expect(releasedAlignment("direct_answer", "a", "\u0085")).toBe(0);
    expect(releasedAlignment("direct_answer", "a", { text: "a" })).toBe(0);
  });

  it("finds cues as substrings of the trimmed, lower-cased answer", () => {
    expect(releasedAlignment("request_for_info", "tell me how ", "tell me how")).toBe(0);
    expect(releasedAlignment("request_for_info", "Show me", "show me")).toBe(1);
    expect(releasedAlignment("request_for_info", "CAN YOUR dog wait", "can your dog wait")).toBe(1);
    expect(releasedAlignment("cannot_answer", "can't", "can't")).toBe(1);
    expect(releasedAlignment("cannot_answer", "sorry, ok?", "sorry, ok?")).toBe(0);
  });

  it("checks the name against the top-level names of a list of tools", () => {
    const call = '{"name": "f", "arguments": {}}';
    const with_ = (tools: unknown) => releasedAlignment("tool_call", call, call, tools);
    expect([[], "f", null, [1, null, "no json", "[]", ["g"]], [{ name: " f\u0085" }]].map(with_)).toEqual([
      1, 1, 1, 1, 1,
    ]);
    expect([[{ function: { name: "f" } }], ['{"name": "g"}', 3], [{ name: null }]].map(with_)).toEqual([
      0, 0, 0,
    ]);
    expect(with_([{ name: "g" }, '{"name": "f"}'])).toBe(1);
  });
});

describe("readReleasedCall", () => {
  it("reads the text between the first opening and the nearest closing of either kind, else all of it", () => {
    const name = (text: string) => readReleasedCall(text).name;
    expect(name('x <ToolCall>\u00a0{"name": "f"}</tool_call> y')).toBe("f");
    expect(name('</tool_call>{"name": "f"}')).toBe("");
    expect(name('<toolcall>{"name": "f"}')).toBe("");
    expect(name('<tool_call>1</toolcall><tool_call>{"name": "f"}</tool_call>')).toBe("");
    expect(name('\x1c[{"name": 1e22, "name": 12345678901234567890}, 1]')).toBe("12345678901234567890");
    expect(['{"name": 1e22}', '{"name": NaN}', '{"name": false}', '{"Name": "f"}'].map(name)).toEqual([
      "1e+22",
      "nan",
      "False",
      "",
    ]);
  });

  it("takes an object as arguments and nothing else", () => {
    expect(readReleasedCall('{"name": "f", "arguments": {"a": 1.0}}').arguments).toEqual(new Map([["a", 1]]));
    expect(readReleasedCall('{"name": "f", "arguments": [1]}').arguments.size).toBe(0);
    expect(readReleasedCall('{"name": "f", "parameters": {"a": 1}}').arguments.size).toBe(0);
  });
});

describe("releasedF1", () => {
  it("counts runs of ASCII letters, digits and _ after lower-casing, as multisets", () => {
    expect(releasedF1("go go go home", "go home home now")).toBe(0.5);
    expect(releasedF1("300 \u212a", "300 k")).toBe(1);
    expect(releasedF1("\u0130x", "i x")).toBe(1);
    expect(releasedF1("東京", "東京")).toBe(0);
    expect(releasedF1("a", "")).toBe(0);
  });

  it("agrees with a plain count on any texts", () => {
    const text = fc.array(fc.constantFrom("a", "b", "ab", "A", "_", "1", " ", ".", "é"), { maxLength: 160 });
    fc.assert(
      fc.property(text, text, (left, right) => {
        const [a, b] = [left.join(""), right.join("")];
        expect(releasedF1(a, b)).toBe(plainF1(words(a), words(b)));
      }),
    );
  });
});

function words(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9_]+/g) ?? [];
}

function plainF1(a: readonly string[], b: readonly string[]): number {
  const rest = [...b];
  let overlap = 0;
  for (const word of a) {
    const at = rest.indexOf(word);
    if (at < 0) continue;
    rest.splice(at, 1);
    overlap += 1;
  }
  if (overlap === 0) return 0;
  const [p, r] = [overlap / a.length, overlap / b.length];
  return (2 * p * r) / (p + r);
}
