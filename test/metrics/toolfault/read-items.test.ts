import { Dictionary, Field, Int32, LargeUtf8, List, Table, Utf8, vectorFromArray } from "apache-arrow";
import { describe, expect, it } from "vitest";
import { createRowSchema, recordBatchFromRows } from "../../../src/data/arrow/rows-to-arrow.ts";
import type { ColumnRequest } from "../../../src/data/columns.ts";
import { batchFromRows } from "../../../src/data/jsonl/rows-columns.ts";
import {
  createToolFaultReader,
  toolFaultItems,
  toolFaultItemsFromTable,
  toolFaultNeeds,
} from "../../../src/metrics/toolfault/read-items.ts";
import { type Row, row, sampleRows } from "./sample-items.ts";

const REQUESTS: ColumnRequest[] = [...toolFaultNeeds().required.flat(), ...toolFaultNeeds().optional];
const itemsOf = (...rows: readonly Row[]): unknown => toolFaultItems(rows);
const refusal = (code: string, message: string): unknown =>
  expect.objectContaining({ code, message: expect.stringContaining(message) });

describe("toolFaultItems", () => {
  it("reads every column of the dataset", () => {
    const rows = sampleRows();
    const items = toolFaultItems(rows);
    expect(items).toHaveLength(16);
    expect(items[1]).toEqual({
      ...rows[1],
      tools: JSON.parse(rows[1]?.tools as string),
      messages: JSON.parse(rows[1]?.messages as string),
      meta: { side_effect: "write" },
    });
  });

  it("reads lists as lists and as JSON text, and does without the columns that no item needs", () => {
    const text = row({
      acceptable_next_actions: '["retry_same"]',
      critical_next_actions: "[]",
      tools: '["x"]',
    });
    expect(itemsOf(text)).toEqual([
      {
        ...row(),
        acceptable_next_actions: ["retry_same"],
        critical_next_actions: [],
        tools: ["x"],
        is_hard_negative: false,
        domain: null,
        subtype: null,
        difficulty: null,
        current_time: null,
        user_request: null,
        num_tool_calls: null,
        last_tool_name: null,
        last_tool_result: null,
        gold_recovery: null,
        rationale: null,
        meta: null,
      },
    ]);
    const clean = row({ fault_type: "none", next_action: "proceed", acceptable_next_actions: ["proceed"] });
    expect(toolFaultItems([{ ...clean, critical_next_actions: [] }])[0]?.is_hard_negative).toBe(true);
    expect(toolFaultItems([])).toEqual([]);
    expect(toolFaultItems([row({ id: 12345678901234567890n })])[0]?.id).toBe("12345678901234567890");
  });

  it("lists the columns that are missing or mistyped, once", () => {
    const { tools, fault_type, ...rest } = row({ id: ["a"] });
    expect(() => itemsOf(rest)).toThrow(
      refusal(
        "schema",
        "items: column id: expected utf8 or int, found list<utf8>; missing column fault_type",
      ),
    );
    expect(() => itemsOf(rest)).toThrow(refusal("schema", "missing column tools"));
  });

  it.each([
    [
      { fault_type: "time_out" },
      'column fault_type: expected a fault type (none, timeout, server_error, rate_limited, auth_error, invalid_arguments, not_found, partial_result, schema_drift, stale_data, inconsistent_result, mismatched_entity, prompt_injection), found "time_out"',
    ],
    [{ fault_type: null }, "column fault_type: expected a fault type (none, timeout"],
    [{ fault_type: " timeout" }, 'found " timeout"'],
    [
      { next_action: "retry" },
      'column next_action: expected a next action (proceed, adapt_and_proceed, retry_same, wait_then_retry, retry_with_fixed_args, fetch_more, verify_before_retry, cross_check, ignore_injection_and_proceed, ask_user, stop_and_report), found "retry"',
    ],
    [
      { next_action: "ask_user" },
      "column next_action: must be one of acceptable_next_actions (retry_same, wait_then_retry), got ask_user",
    ],
    [
      { acceptable_next_actions: ["retry_same", "wait"] },
      "column acceptable_next_actions[1]: expected a next action (proceed, ",
    ],
    [
      { acceptable_next_actions: [] },
      "column acceptable_next_actions: an item needs at least one acceptable action, found []",
    ],
    [
      { acceptable_next_actions: null },
      "column acceptable_next_actions: expected a list of next actions, or JSON text of one; [] where there are none, found nothing (null)",
    ],
    [{ critical_next_actions: null }, "column critical_next_actions: expected a list of next actions"],
    [{ critical_next_actions: { proceed: 1 } }, 'found {"proceed":1}'],
    [{ critical_next_actions: ["none"] }, "column critical_next_actions[0]: expected a next action"],
    [{ critical_next_actions: [3] }, "column critical_next_actions[0]: expected a next action"],
    [
      { critical_next_actions: ["proceed", "retry_same"] },
      "column critical_next_actions: an action cannot be acceptable and critical: retry_same",
    ],
    [
      { is_hard_negative: true },
      "column is_hard_negative: must be false where fault_type is timeout, got true",
    ],
    [
      { fault_type: "none", is_hard_negative: false },
      "column is_hard_negative: must be true where fault_type is none, got false",
    ],
    [{ id: "" }, 'column id: every item needs an id of its own, found ""'],
    [{ id: null }, "column id: every item needs an id of its own, found nothing (null)"],
    [{ tools: "{}" }, "column tools: expected an array of function schemas, or JSON text of one, found {}"],
    [{ tools: "[" }, "column tools: expected JSON text: "],
    [{ messages: '"hi"' }, 'column messages: expected an array of messages, or JSON text of one, found "hi"'],
    [
      { messages: [] },
      'column messages: the last message must be the tool result to judge (role "tool"), found no message',
    ],
    [{ messages: ["hi"] }, 'column messages[0]: expected an object with a role, found "hi"'],
    [{ messages: [{ role: "tool" }, { role: "user", content: "?" }] }, 'found role "user"'],
  ])("names row and field of %j", (changes, message) => {
    const rows = [row(), row({ id: "b", ...changes })];
    expect(() => toolFaultItems(rows)).toThrow(refusal("data", message));
    expect(() => toolFaultItems(rows)).toThrow(/^items: row 1: column /);
  });

  it("lists the ids that occur twice", () => {
    const rows = [row(), row({ id: "b" }), row(), row({ id: "c" }), row({ id: "b" })];
    expect(() => toolFaultItems(rows)).toThrow(
      refusal("data", "these occur more than once: a (again at items: row 2), b (again at items: row 4)"),
    );
    const many = Array.from({ length: 24 }, (_, i) => row({ id: `i${i % 12}` }));
    expect(() => toolFaultItems(many)).toThrow(/i9 \(again at items: row 21\), and 2 more$/);
  });
});

describe("createToolFaultReader", () => {
  it("gathers batches, and counts their rows where they do not know their places", () => {
    const reader = createToolFaultReader();
    const { place, ...first } = batchFromRows([row(), row({ id: "b" })], REQUESTS, "x");
    reader.add(first, "gold");
    expect(reader.finish().map(({ id }) => id)).toEqual(["a", "b"]);
    const { place: _, ...second } = batchFromRows([row({ id: "c" }), row({ id: null })], REQUESTS, "x");
    expect(() => reader.add(second, "gold")).toThrow(/^gold: row 3: column id/);
  });
});

describe("toolFaultItemsFromTable", () => {
  it("gives the same items as the rows, in any number of batches", async () => {
    const rows = sampleRows();
    const builder = createRowSchema();
    builder.add(rows, "rows");
    const schema = builder.finish();
    const batches = [0, 5, 10].map((at) =>
      recordBatchFromRows(rows.slice(at, at === 10 ? 16 : at + 5), schema),
    );
    expect(await toolFaultItemsFromTable(new Table(batches))).toEqual(toolFaultItems(rows));
  });

  it("reads labels from dictionaries and large text, and names the row of one that is unknown", async () => {
    const actions = new List(new Field("item", new Utf8()));
    const table = (fault: string): Table =>
      new Table({
        id: vectorFromArray([1, 2], new Int32()),
        fault_type: vectorFromArray(["timeout", fault], new Dictionary(new Utf8(), new Int32())),
        next_action: vectorFromArray(["retry_same", "proceed"], new LargeUtf8()),
        acceptable_next_actions: vectorFromArray([["retry_same"], ["proceed"]], actions),
        critical_next_actions: vectorFromArray([[], []], actions),
        tools: vectorFromArray(["[]", "[]"], new Utf8()),
        messages: vectorFromArray(
          ['[{"role":"tool","content":"x"}]', '[{"role":"tool","content":""}]'],
          new LargeUtf8(),
        ),
      });
    const items = await toolFaultItemsFromTable(table("none"));
    expect(
      items.map(({ id, fault_type, critical_next_actions }) => [id, fault_type, critical_next_actions]),
    ).toEqual([
      ["1", "timeout", []],
      ["2", "none", []],
    ]);
    await expect(toolFaultItemsFromTable(table("nothing"))).rejects.toThrow(
      /^table: row 1: column fault_type: expected a fault type \(none, .*found "nothing"$/,
    );
  });
});
