import { describe, expect, it } from "vitest";
import { toolFaultTranscript } from "../../../src/metrics/toolfault/transcript.ts";

const call = (id: string | undefined, name: string, args: unknown = "{}"): unknown => ({
  id,
  function: { name, arguments: args },
});

describe("toolFaultTranscript", () => {
  it("pairs results with calls by id, and by order where ids fail", () => {
    const entries = toolFaultTranscript([
      { role: "system", content: "s" },
      { role: "assistant", content: "text and calls", tool_calls: [call("x", "a"), call("y", "b")] },
      { role: "tool", tool_call_id: "y", content: "of b" },
      { role: "tool", tool_call_id: "z", content: "of a" },
      { role: "assistant", content: null, tool_calls: [call("x", "c")] },
      { role: "tool", tool_call_id: "x", content: "" },
      { role: "tool", content: "of none" },
    ]);
    const results = entries.flatMap((entry) =>
      entry.kind === "result" ? [[entry.call, entry.tool, entry.text]] : [],
    );
    expect(results).toEqual([
      [2, "b", "of b"],
      [1, "a", "of a"],
      [3, "c", ""],
      [null, null, "of none"],
    ]);
    expect(entries.map(({ kind, message }) => `${message} ${kind}`).slice(0, 4)).toEqual([
      "1 text",
      "2 text",
      "2 call",
      "2 call",
    ]);
  });

  it("keeps results and broken arguments as they stand, whatever their form", () => {
    const entries = toolFaultTranscript([
      {
        role: "assistant",
        tool_calls: [call("1", "a", { id: 12345678901234567890n }), call("2", "b", '{"id":')],
      },
      { role: "tool", content: { total: 1.5 }, name: "named" },
      {
        role: "tool",
        content: [
          { type: "text", text: "one " },
          { type: "text", text: "two" },
        ],
      },
      { role: "tool", content: [1, 2] },
    ]);
    expect(entries.map((entry) => (entry.kind === "call" ? entry.arguments : entry.text))).toEqual([
      '{"id":12345678901234567890}',
      '{"id":',
      '{"total":1.5}',
      "one two",
      "[1,2]",
    ]);
    expect(entries[2]).toMatchObject({ tool: "named", call: 1 });
  });
});
