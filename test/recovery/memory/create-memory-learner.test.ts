import { tableFromArrays } from "apache-arrow";
import { describe, expect, it } from "vitest";
import type { Row } from "../../../src/data/jsonl/row-value.ts";
import { batchFromRows } from "../../../src/data/jsonl/rows-columns.ts";
import {
  createMemoryLearner,
  type LearnedMemory,
  type LearnMemoryOptions,
} from "../../../src/recovery/memory/create-memory-learner.ts";
import { learnMemoryFromTable } from "../../../src/recovery/memory/learn-memory-from-table.ts";

const call = (id: string, name: string): object => ({
  role: "assistant",
  tool_calls: [{ id, type: "function", function: { name, arguments: "{}" } }],
});
const result = (id: string, content: string): object => ({ role: "tool", tool_call_id: id, content });
const TIMEOUT = "Error: request timed out after 30s";

const retried = [
  call("1", "get_order"),
  result("1", TIMEOUT),
  call("2", "get_order"),
  result("2", '{"a":1}'),
];
const switched = [call("1", "get_order"), result("1", TIMEOUT), call("2", "list_orders"), result("2", "[1]")];
const clean = [call("1", "get_order"), result("1", '{"a":1}')];

const rows = [
  { messages: retried, completed: 1 },
  { messages: switched, completed: 0 },
  { messages: switched, completed: null },
  { messages: clean, completed: 1 },
  { messages: null, completed: 1 },
];

function learn(given: readonly Row[], options?: LearnMemoryOptions): LearnedMemory {
  const learner = createMemoryLearner(options);
  const requests = [...learner.needs.required.flat(), ...learner.needs.optional];
  for (const part of [given.slice(0, 2), given.slice(2)]) learner.add(batchFromRows(part, requests, "rows"));
  return learner.finish();
}

describe("createMemoryLearner", () => {
  it("learns from the rows that tell something, and counts the others", () => {
    const { memory, rows: read, unreadable } = learn(rows);
    expect([read, unreadable]).toEqual([5, 1]);
    expect(memory.episodes.observed).toEqual({ clean: 1, recovered: 1, failed: 1, skipped: 1 });
    expect(memory.recovery("get_order", "timeout")).toMatchObject({ alpha: 2, beta: 2 });
    expect(memory.switching("get_order", "list_orders")).toMatchObject({ alpha: 1, beta: 2 });
  });

  it("reads the outcome off the calls, with the declared alternatives", () => {
    const fallbacks = { get_order: [{ tool: "list_orders" }] };
    const { memory } = learn(rows, { outcome: "calls", fallbacks, update: "fixed" });
    expect(memory.recovery("get_order", "timeout")).toMatchObject({ recovered: 3, failed: 0 });
    expect([memory.fallbacks, memory.update]).toEqual([fallbacks, "fixed"]);
    const other = learn(rows, { fallbacks: { get_order: [{ tool: "find_order" }] } });
    expect(other.memory.beliefs().switching).toEqual([]);
  });

  it("goes on from an initial memory, whose alternatives it keeps", () => {
    const fallbacks = { get_order: [{ tool: "find_order" }] };
    const initial = learn(rows, { fallbacks }).memory;
    const { memory } = learn(rows, { initial });
    expect(memory.recovery("get_order", "timeout")).toMatchObject({ alpha: 3, beta: 3 });
    expect(memory.beliefs().switching).toEqual([]);
    memory.reset();
    expect(memory.recovery("get_order", "timeout")).toMatchObject({ alpha: 2, beta: 2 });
  });

  it("refuses options that cannot be", () => {
    expect(() => createMemoryLearner({ outcomes: "calls" } as object)).toThrow(/did you mean outcome/);
    expect(() => learn(rows, { outcome: "turns" as "calls" })).toThrow(/outcome must be completed or calls/);
    expect(() => learn([{ messages: clean, completed: 2 }])).toThrow(/row 0.*completed.*0 or 1, got 2/);
  });

  it("is the same over an Arrow table", async () => {
    const table = tableFromArrays({
      messages: rows.map(({ messages }) => (messages === null ? null : JSON.stringify(messages))),
      completed: rows.map(({ completed }) => completed),
    });
    const learned = await learnMemoryFromTable(table);
    expect(JSON.stringify(learned)).toBe(JSON.stringify(learn(rows)));
    await expect(learnMemoryFromTable(tableFromArrays({ completed: [1] }))).rejects.toThrow(/messages/);
  });
});
