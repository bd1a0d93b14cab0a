import { Field, Float64, Schema, Table, tableFromArrays, tableFromIPC, tableToIPC } from "apache-arrow";
import { describe, expect, it } from "vitest";
import { appendTableColumns } from "../../../src/data/arrow/append-table-columns.ts";
import type { ResultColumn } from "../../../src/data/columns.ts";

const COLUMNS = [
  { name: "reward", type: "float64" },
  { name: "status", type: "utf8" },
] as const;

const results = (rewards: readonly number[], codes: readonly number[]): ResultColumn[] => [
  { name: "reward", type: "float64", values: Float64Array.from(rewards) },
  { name: "status", type: "utf8", codes: Int32Array.from(codes), dictionary: ["ok", "no_group"] },
];

const one = tableFromArrays({ id: Float64Array.of(1, 2) });
const two = tableFromArrays({ id: Float64Array.of(3) });
const table = new Table(one.schema, [...one.batches, ...two.batches]);

describe("appendTableColumns", () => {
  it("adds each batch's columns behind its own", () => {
    const added = appendTableColumns(table, COLUMNS, [
      results([0.5, Number.NaN], [0, 1]),
      results([-1], [-1]),
    ]);
    expect(added.schema.fields.map(({ name }) => name)).toEqual(["id", "reward", "status"]);
    expect(added.batches.map((batch) => batch.numRows)).toEqual([2, 1]);
    expect(added.toArray().map((row) => row.toJSON())).toEqual([
      { id: 1, reward: 0.5, status: "ok" },
      { id: 2, reward: null, status: "no_group" },
      { id: 3, reward: -1, status: null },
    ]);
    expect(tableFromIPC(tableToIPC(added)).toArray().map(String)).toEqual(added.toArray().map(String));
  });

  it("leaves the table as it was and shares its memory", () => {
    const added = appendTableColumns(table, COLUMNS, [results([1, 2], [0, 0]), results([3], [0])]);
    expect(table.schema.fields).toHaveLength(1);
    expect(added.batches[0]?.data.children[0]?.values).toBe(table.batches[0]?.data.children[0]?.values);
  });

  it("keeps a table without rows a table", () => {
    const schema = new Schema([new Field("id", new Float64(), true)]);
    const added = appendTableColumns(new Table(schema), COLUMNS, []);
    expect(added.numRows).toBe(0);
    expect(added.schema.fields.map((field) => `${field.name}: ${field.type}`)).toEqual([
      "id: Float64",
      "reward: Float64",
      "status: Utf8",
    ]);
  });

  it("refuses a name that is taken and a column of another length", () => {
    expect(() => appendTableColumns(table, [{ name: "id", type: "float64" }], [])).toThrow(
      expect.objectContaining({ code: "data", message: expect.stringContaining("id") }),
    );
    expect(() => appendTableColumns(table, COLUMNS, [results([1], [0]), results([3], [0])])).toThrow(
      expect.objectContaining({ code: "length-mismatch" }),
    );
  });
});
