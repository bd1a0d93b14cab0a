import { RecordBatch, RecordBatchReader, type Schema, Table, tableFromIPC, tableToIPC } from "apache-arrow";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRowSchema, recordBatchFromRows } from "../../../src/data/arrow/rows-to-arrow.ts";

type Rows = readonly Readonly<Record<string, unknown>>[];

function schemaOf(rows: Rows, lines?: Int32Array): Schema {
  const builder = createRowSchema();
  builder.add(rows, "a.jsonl", lines);
  return builder.finish();
}

const types = (schema: Schema): string[] => schema.fields.map((field) => `${field.name}: ${field.type}`);

const column = (...values: unknown[]): Rows => values.map((a) => ({ a }));

const typeOf = (...values: unknown[]): string => String(schemaOf(column(...values)).fields[0]?.type);

/** The values of column `a` after a trip through the bytes of an Arrow stream. */
function roundTrip(rows: Rows): unknown[] {
  const batch = recordBatchFromRows(rows, schemaOf(rows));
  const vector = tableFromIPC(tableToIPC(new Table([batch]), "stream")).getChild("a");
  return Array.from({ length: rows.length }, (_, i) => plain(vector?.get(i)));
}

function plain(value: unknown): unknown {
  const isList = value !== null && typeof value === "object" && Symbol.iterator in value;
  return isList ? [...(value as Iterable<unknown>)].map(plain) : value;
}

describe("createRowSchema", () => {
  it("keeps columns in order of first appearance, over several batches of rows", () => {
    const builder = createRowSchema();
    builder.add([{ b: 1 }, { a: "x", b: 2 }], "a.jsonl");
    builder.add([{ c: [0.5], b: null }, { b: 1.5 }], "b.jsonl");
    expect(types(builder.finish())).toEqual(["b: Float64", "a: Utf8", "c: List<Float64>"]);
  });

  it.each<[string, unknown[]]>([
    ["Bool", [true, null, false]],
    ["Int64", [1, null, -3]],
    ["Int64", [1, 9223372036854775807n]],
    ["Float64", [1, 1.5]],
    ["Float64", [1, Number.NaN]],
    ["Float64", [-0]],
    ["Float64", [1e20]],
    ["Float64", [0.5, 9007199254740992n]],
    ["Float64", [0.5, "Infinity", "NaN"]],
    ["Float64", [Number.NaN]],
    ["Utf8", ["NaN"]],
    ["Utf8", ["NaN", "x"]],
    ["Utf8", ["x", Number.NaN]],
    ["Bool", [true, Number.NaN]],
    ["Utf8", [null, undefined]],
    ["List<Float64>", [[0.5], [], null]],
    ["List<Int64>", [[1]]],
    ["List<Bool>", [[true, null]]],
    ["List<Utf8>", [["x"]]],
    ["List<List<Int64>>", [[[1], []], []]],
    ["Utf8", [{}]],
    ["Utf8", [[{ a: 1 }], []]],
    ["Utf8", [[[{}]], "[]", null]],
    ["Utf8", [[1, {}]]],
    ["Utf8", [[]]],
  ])("%s for %#", (type, values) => {
    expect(typeOf(...values)).toBe(type);
  });

  it("makes columns of only empty lists what their names say", () => {
    expect(types(schemaOf([{ logprobs: [], logprob_mask: [], tool_calls: [], other: [] }]))).toEqual([
      "logprobs: List<Float64>",
      "logprob_mask: List<Float64>",
      "tool_calls: Utf8",
      "other: Utf8",
    ]);
  });

  it.each<[string, unknown, unknown, string, string]>([
    ["numbers and text", 1, "x", "numbers (a.jsonl:4)", "text (a.jsonl:8)"],
    ["numbers and booleans", true, 1.5, "numbers (a.jsonl:8)", "booleans (a.jsonl:4)"],
    ["lists and text", [1], "x", "text (a.jsonl:8)", "lists (a.jsonl:4)"],
    ["numbers and objects", {}, 1, "numbers (a.jsonl:8)", "objects (a.jsonl:4)"],
    ["numbers and lists of objects", [{}], 1, "numbers (a.jsonl:8)", "lists (a.jsonl:4)"],
    ["words and booleans", "NaN", true, "text (a.jsonl:4)", "booleans (a.jsonl:8)"],
    ["mixed elements", [1], ["x"], "numbers (a.jsonl:4)", "text (a.jsonl:8)"],
  ])("refuses %s", (_name, first, second, a, b) => {
    const lines = Int32Array.of(4, 8);
    expect(() => schemaOf([{ a: first }, { a: second }], lines)).toThrow(
      expect.objectContaining({
        code: "schema",
        message: `column a: a column of Arrow or Parquet has one type; make it one, or write .jsonl; found ${a} and ${b}`,
      }),
    );
  });

  it("refuses integers that would lose digits", () => {
    expect(() => typeOf(0.5, 9007199254740993n)).toThrow(
      "column a holds an integer that loses digits as a float, among floats: write it as text, or write .jsonl; at a.jsonl: row 1",
    );
    expect(() => typeOf(2n ** 63n)).toThrow("column a holds an integer beyond 64 bits");
    expect(typeOf(-(2n ** 63n))).toBe("Int64");
  });
});

describe("recordBatchFromRows", () => {
  it("keeps every value", () => {
    expect(roundTrip(column(true, null, false, undefined, true, true, true, true, true, false))).toEqual([
      true,
      null,
      false,
      null,
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
    const ints = [
      0,
      1,
      -1,
      4294967295,
      -4294967296,
      9007199254740991,
      -9007199254740991,
      2n ** 63n - 1n,
      -(2n ** 63n),
    ];
    expect(roundTrip(column(...ints, null))).toEqual([...ints.map(BigInt), null]);
    expect(roundTrip(column(0.5, -0, "NaN", "-Infinity", 3, 9007199254740992n, Number.NaN, null))).toEqual([
      0.5,
      -0,
      Number.NaN,
      -Infinity,
      3,
      9007199254740992,
      Number.NaN,
      null,
    ]);
    expect(roundTrip(column("", "é😀", null, Number.NaN, "NaN"))).toEqual(["", "é😀", null, null, "NaN"]);
    expect(roundTrip(column([0.5, null, Number.NaN, "Infinity"], [], null, [1]))).toEqual([
      [0.5, null, Number.NaN, Infinity],
      [],
      null,
      [1],
    ]);
    expect(roundTrip(column([["a"], null, []], [], null, [["b", null, "é"]]))).toEqual([
      [["a"], null, []],
      [],
      null,
      [["b", null, "é"]],
    ]);
    expect(roundTrip(column([true], [null, false]))).toEqual([[true], [null, false]]);
  });

  it("writes objects as compact JSON text, text beside them as it is", () => {
    const calls = [{ name: "f", arguments: { id: 12345678901234567890n, x: Number.NaN } }];
    expect(roundTrip(column(calls, [], "[]", null, {}))).toEqual([
      '[{"name":"f","arguments":{"id":12345678901234567890,"x":"NaN"}}]',
      "[]",
      "[]",
      null,
      "{}",
    ]);
  });

  it("fills columns that rows lack, and columns named like inherited ones", () => {
    const rows = [{ x: 1 }, { a: "s" }, JSON.parse('{"__proto__": 5, "constructor": "c"}')];
    const table = new Table([recordBatchFromRows(rows, schemaOf(rows))]);
    expect(table.schema.fields.map((field) => field.name)).toEqual(["x", "a", "__proto__", "constructor"]);
    const values = table.schema.fields.map((_, at) =>
      Array.from({ length: 3 }, (_v, row) => table.getChildAt(at)?.get(row)),
    );
    expect(values).toEqual([
      [1n, null, null],
      [null, "s", null],
      [null, null, 5n],
      [null, null, "c"],
    ]);
  });

  it("writes no rows, and rows without columns", () => {
    const schema = schemaOf([{ a: 1, b: "x", c: [1] }]);
    expect(recordBatchFromRows([], schema).numRows).toBe(0);
    const empty = recordBatchFromRows([{}, {}], schemaOf([{}]));
    expect([empty.numRows, empty.numCols]).toEqual([2, 0]);
    expect(empty).toBeInstanceOf(RecordBatch);
  });

  it.each<[unknown, unknown, string]>([
    [1, 1.5, "expected Int64, as in the rows before, found 1.5"],
    [1, 2n ** 63n, "expected Int64, as in the rows before, found 9223372036854775808"],
    [0.5, "x", 'expected Float64, as in the rows before, found "x"'],
    [0.5, 9007199254740993n, "expected Float64, as in the rows before, found 9007199254740993"],
    [true, 1, "expected Bool, as in the rows before, found 1"],
    ["x", 5, "expected Utf8, as in the rows before, found 5"],
    [[1], 5, "expected List<Int64>, as in the rows before, found 5"],
    [[1], [2, "x"], 'expected List<Int64>, as in the rows before, found "x"'],
  ])("names a value that the schema does not hold: %#", (known, value, problem) => {
    const schema = schemaOf(column(known));
    expect(() => recordBatchFromRows(column(known, value), schema, "a.jsonl", Int32Array.of(2, 5))).toThrow(
      expect.objectContaining({ code: "data", message: `a.jsonl:5: column a: ${problem}` }),
    );
  });

  it.each<[unknown, unknown]>([
    ["x", "ab\ud800"],
    ["x", "\udc00\ud800"],
    [["x"], ["fine", "\udfff!"]],
    [[["x"]], [[], ["\ud800"]]],
  ])("refuses half of a surrogate pair, which would become U+FFFD: %#", (known, value) => {
    const schema = schemaOf(column(known));
    expect(() => recordBatchFromRows(column(known, value), schema, "a.jsonl", Int32Array.of(2, 5))).toThrow(
      expect.objectContaining({
        code: "data",
        message:
          "a.jsonl:5: column a has half of a surrogate pair, which only .jsonl can hold, write .jsonl or mend the text",
      }),
    );
  });

  it("refuses half of a surrogate pair in a column's name, and keeps whole pairs and JSON text", () => {
    expect(() => schemaOf([{ a: 1 }, { "\ud83d": 1 }])).toThrow(
      "row 1: a column name has half of a surrogate pair",
    );
    expect(roundTrip(column("😀", { k: "\ud800" }))).toEqual(["😀", '{"k":"\\ud800"}']);
  });

  it("names a column that the schema does not hold", () => {
    expect(() => recordBatchFromRows([{ a: 1 }, { a: 1, b: 2 }], schemaOf(column(1)))).toThrow(
      "rows: row 1: the columns were fixed by the rows before, write .jsonl or give a file; found new column b",
    );
  });

  it("keeps lists and text of any rows (law)", () => {
    const lists = fc.array(fc.option(fc.array(fc.option(fc.double()))), { minLength: 1 });
    fc.assert(
      fc.property(lists, (values) => {
        const rows = column([0.5], ...values);
        expect(roundTrip(rows)).toEqual([[0.5], ...values]);
      }),
    );
    const texts = fc.array(fc.option(fc.string({ unit: "grapheme" })), { minLength: 1 });
    fc.assert(
      fc.property(texts, (values) => {
        expect(roundTrip(column("x", ...values))).toEqual(["x", ...values]);
      }),
    );
  });

  it("gives batches that a stream reader takes", async () => {
    const rows = column(1, 2);
    const reader = RecordBatchReader.from(
      tableToIPC(new Table([recordBatchFromRows(rows, schemaOf(rows))]), "stream"),
    );
    expect([...reader].map((batch) => batch.numRows)).toEqual([2]);
  });
});
