import { describe, expect, it } from "vitest";
import { corruptToolResult } from "../../../src/recovery/mcp/corrupt-tool-result.ts";

describe("corruptToolResult", () => {
  const text = (value: string) => ({ type: "text", text: value });

  it("changes equal data once and different data together, and keeps the indent", () => {
    const seen: unknown[] = [];
    const bump = (value: unknown): unknown => {
      seen.push(value);
      return JSON.parse(JSON.stringify(value).replaceAll("1", "2"));
    };
    const content = [text("Found:"), text('{\n  "a": 1\n}'), text("[1]"), { type: "image", data: "" }];
    const changed = corruptToolResult({ content, structuredContent: { a: 1 }, _meta: { a: 1 } }, bump);
    expect(seen).toEqual([[{ a: 1 }, [1]]]);
    expect(changed).toEqual({
      content: [text("Found:"), text('{\n  "a": 2\n}'), text("[2]"), { type: "image", data: "" }],
      structuredContent: { a: 2 },
      _meta: { a: 1 },
    });
  });

  it("hands over one JSON text as text, prose when there is no JSON, null when there is no text", () => {
    const seen: unknown[] = [];
    const keep = (value: unknown): unknown => {
      seen.push(value);
      return value;
    };
    for (const content of [
      [text('{"a":1.0}')],
      [text("plain"), text("more")],
      [{ type: "image" }],
      undefined,
    ])
      expect(corruptToolResult({ content }, keep)).toEqual({ content });
    expect(seen).toEqual(['{"a":1.0}', "plain", null, null]);
  });

  it("changes what is wrapped as a result, and the blocks that repeat it, alike", () => {
    const bump = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll("1", "2"));
    const alike: readonly [unknown, readonly string[], unknown, readonly string[]][] = [
      [[{ a: 1 }, { b: 3 }], ['[{"a": 1}, {"b": 3}]'], [{ a: 2 }, { b: 3 }], ['[{"a":2},{"b":3}]']],
      [
        [{ a: 1 }, { b: 3 }],
        ['{"a": 1}', '{ "b": 3 }'],
        [{ a: 2 }, { b: 3 }],
        ['{"a":2}', '{ "b": 3 }'],
      ],
      [1.5, ["1.5"], 2.5, ["2.5"]],
      ["no 1", ["no 1"], "no 2", ["no 2"]],
    ];
    for (const [value, texts, after, textsAfter] of alike) {
      const changed = corruptToolResult(
        { content: texts.map(text), structuredContent: { result: value } },
        bump,
      );
      expect(changed).toEqual({ content: textsAfter.map(text), structuredContent: { result: after } });
    }
  });

  it("changes JSON in a wrapped text in its place", () => {
    const seen: unknown[] = [];
    const before = '{"a": 1, "b": 1.0}';
    const changed = corruptToolResult(
      { content: [text(before)], structuredContent: { result: before } },
      (value) => {
        seen.push(value);
        return String(value).replace("1,", "2,");
      },
    );
    expect(seen).toEqual([before]);
    const after = '{"a": 2, "b": 1.0}';
    expect(changed).toEqual({ content: [text(after)], structuredContent: { result: after } });
  });

  it("takes equal elements in their order, and leaves out blocks of elements that are gone", () => {
    const same = [{ a: 1 }, { a: 1 }];
    const content = [text('{"a":1}'), text("note"), text('{"a":1}')];
    const result = { content, structuredContent: { result: same } };
    const second = corruptToolResult(result, () => ({ result: [{ a: 1 }, { a: 7 }] }));
    expect(second.content).toEqual([text('{"a":1}'), text("note"), text('{"a":7}')]);
    expect(corruptToolResult(result, () => ({ result: [] })).content).toEqual([text("note")]);
  });

  it("asks about the structured content alone", () => {
    const asked: unknown[] = [];
    const fits = (value: unknown): boolean => asked.push(value) > 0;
    const accept = (value: unknown, accepts?: (changed: unknown) => boolean): unknown => {
      expect(accepts?.(value)).toBe(true);
      return value;
    };
    corruptToolResult({ content: [text("[1]")], structuredContent: { a: 1 } }, accept, fits);
    corruptToolResult({ content: [], structuredContent: { a: 1 } }, accept, fits);
    corruptToolResult({ content: [], structuredContent: { result: "x" } }, accept, fits);
    expect(asked).toEqual([{ a: 1 }, { a: 1 }, { result: "x" }]);
  });
});
