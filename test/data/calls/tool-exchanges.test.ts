import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readMessages } from "../../../src/data/calls/messages.ts";
import { toolExchanges } from "../../../src/data/calls/tool-exchanges.ts";

const AIRLINE = new URL("../../../../shared/data/tau_bench/gpt-4o-airline-40.json", import.meta.url);

/** An assistant message that calls tools, written `name` or `name#id`. */
function calls(...written: string[]): Record<string, unknown> {
  const toolCalls = written.map((text) => {
    const [name, id] = text.split("#");
    return { ...(id !== undefined && { id }), type: "function", function: { name, arguments: "{}" } };
  });
  return { role: "assistant", content: null, tool_calls: toolCalls };
}

function result(content: unknown, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return { role: "tool", content, ...fields };
}

/** What came back for each call, as `message name: result`. */
function linked(...messages: unknown[]): string[] | undefined {
  return toolExchanges(messages)?.map(({ call, result, message }) => `${message} ${call.name}: ${result}`);
}

describe("toolExchanges", () => {
  it("links by id, whatever the order of the results", () => {
    expect(
      linked(calls("a#1", "b#2"), result("B", { tool_call_id: "2" }), result("A", { tool_call_id: "1" })),
    ).toEqual(["0 a: A", "0 b: B"]);
  });

  it("links in order where ids are missing or fit no call, by name first", () => {
    expect(linked(calls("a", "b"), result("A"), result("B"))).toEqual(["0 a: A", "0 b: B"]);
    expect(linked(calls("a", "b"), result("B", { name: "b" }), result("A", { name: "a" }))).toEqual([
      "0 a: A",
      "0 b: B",
    ]);
    expect(linked(calls("a#1", "b#2"), result("A", { tool_call_id: "x" }), result("B"))).toEqual([
      "0 a: A",
      "0 b: B",
    ]);
    // One id is right, so the other result is the other call's.
    expect(linked(calls("a#1", "b#2"), result("B"), result("A", { tool_call_id: "1" }))).toEqual([
      "0 a: A",
      "0 b: B",
    ]);
  });

  it("takes repeated ids for those of the latest message, and within one in order", () => {
    const one = { tool_call_id: "1" };
    expect(linked(calls("a#1"), calls("b#1"), result("B", one), calls("c#1"), result("C", one))).toEqual([
      "0 a: null",
      "1 b: B",
      "3 c: C",
    ]);
    expect(linked(calls("a#1", "a#1"), result("first", one), result("second", one))).toEqual([
      "0 a: first",
      "0 a: second",
    ]);
  });

  it("leaves calls without a result open, and results without a call out", () => {
    expect(
      linked(result("stray"), calls("a#1"), { role: "user", content: "hm" }, calls("b"), result("B")),
    ).toEqual(["1 a: null", "3 b: B"]);
    expect(
      linked(calls("a#1"), result("A", { tool_call_id: "1" }), result("again", { tool_call_id: "1" })),
    ).toEqual(["0 a: A"]);
  });

  it("reads late results by id, function messages, content parts and results that are no text", () => {
    expect(
      linked(
        calls("a#1"),
        calls("b#2"),
        result("B", { tool_call_id: "2" }),
        result("A", { tool_call_id: "1" }),
      ),
    ).toEqual(["0 a: A", "1 b: B"]);
    const legacy = { role: "assistant", function_call: { name: "a", arguments: "{}" } };
    expect(linked(legacy, { role: "function", name: "a", content: "A" })).toEqual(["0 a: A"]);
    const parts = [
      { type: "text", text: "one " },
      { type: "image_url", image_url: {} },
      { type: "text", text: "two" },
    ];
    expect(linked(calls("a", "b", "c"), result(parts), result(null), result({ id: 1 }))).toEqual([
      "0 a: one two",
      "0 b: ",
      '0 c: {"id":1}',
    ]);
    expect(linked(calls("a"), result([{ id: 1 }]))).toEqual(['0 a: [{"id":1}]']);
  });

  it("counts calls of the assistant only, and gives null for what is no conversation", () => {
    expect(linked({ ...calls("a"), role: "user" }, result("A"))).toEqual([]);
    expect([toolExchanges("hello"), toolExchanges([{ content: "no role" }]), toolExchanges(null)]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it.skipIf(!existsSync(AIRLINE))("finds every call of 40 tau-bench runs, each with its result", () => {
    const runs = JSON.parse(readFileSync(AIRLINE, "utf8")) as { traj: Record<string, unknown>[] }[];
    for (const { traj } of runs) {
      const exchanges = toolExchanges(traj) ?? [];
      const read = (readMessages(traj) ?? []).flatMap(({ role, toolCalls }) =>
        role === "assistant" ? toolCalls : [],
      );
      expect(exchanges.map(({ call }) => call)).toEqual(read);
      const results = traj.filter(({ role }) => role === "tool");
      const answered = exchanges.filter(({ result }) => result !== null);
      expect(answered.map(({ result }) => result)).toEqual(results.map(({ content }) => content));
      // A run may end with a call.
      expect(exchanges.length - answered.length).toBeLessThanOrEqual(1);
    }
  });
});
