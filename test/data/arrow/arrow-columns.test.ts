import {
  Binary,
  Bool,
  Dictionary,
  Field,
  Float32,
  Float64,
  Int32,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { describe, expect, it } from "vitest";
import { batchFromArrow } from "../../../src/data/arrow/arrow-columns.ts";
import { foundArrowColumns } from "../../../src/data/arrow/arrow-types.ts";
import { readArrowBatches } from "../../../src/data/arrow/read-arrow-batches.ts";
import type {
  Column,
  ColumnKind,
  JsonColumn,
  KeyColumn,
  ListColumn,
  TextColumn,
} from "../../../src/data/columns.ts";
import { CalibrantError } from "../../../src/errors.ts";
import { collect, EXPECTED_ARROW, goldenArrow, inPieces } from "../../golden/arrow-files.ts";

async function batchesOf(file: string): Promise<RecordBatch[]> {
  return collect((await readArrowBatches(inPieces(goldenArrow(file)), file)).batches);
}

/** A column over all rows as plain values: NaN and code -1 as null, lists as arrays. */
async function valuesOf(file: string, name: string, kind: ColumnKind): Promise<unknown[]> {
  return (await batchesOf(file)).flatMap((batch) => plain(columnOf(batch, name, kind), batch.numRows));
}

function columnOf(batch: RecordBatch, name: string, kind: ColumnKind): Column {
  const { rows, columns } = batchFromArrow(batch, [{ name, kind }], "runs.arrow", 0);
  expect(rows).toBe(batch.numRows);
  const column = columns.get(name);
  if (column === undefined) throw new Error(`${name} is missing`);
  expect(column.kind).toBe(kind);
  return column;
}

function plain(column: Column, rows: number): unknown[] {
  switch (column.kind) {
    case "number":
      expect(column.values.length).toBe(rows);
      return Array.from(column.values, (value) => (Number.isNaN(value) ? null : value));
    case "key":
      expect(column.codes.length).toBe(rows);
      return Array.from(column.codes, (code) => (code === -1 ? null : column.keys[code]));
    case "list":
      return Array.from({ length: rows }, (_, row) => plainList(column, row));
    default:
      return Array.from({ length: rows }, (_, row) => column.get(row));
  }
}

function plainList({ values, offsets, rowValid, valueValid }: ListColumn, row: number): unknown {
  if (rowValid?.[row] === 0) return null;
  const list: (number | null)[] = [];
  for (let i = offsets[row] as number; i < (offsets[row + 1] as number); i += 1) {
    list.push(valueValid?.[i] === 0 ? null : (values[i] as number));
  }
  return list;
}

function errorOf(run: () => unknown): CalibrantError {
  try {
    run();
  } catch (error) {
    if (error instanceof CalibrantError) return error;
    throw error;
  }
  throw new Error("no error");
}

describe("batchFromArrow without rows", () => {
  const types = {
    text: new Utf8(),
    whole: new Int32(),
    double: new Float64(),
    flag: new Bool(),
    word: new Dictionary(new Utf8(), new Int32()),
    list: new List(new Field("item", new Float32())),
    struct: new Struct([new Field("x", new Utf8())]),
  };
  it.each(Object.entries(types))("reads a column of %s made of nothing", (name, type) => {
    const table = new Table({ [name]: vectorFromArray([], type as never) } as never);
    const batch = table.batches[0] as RecordBatch;
    const kinds = foundArrowColumns(table.schema)[0]?.kinds ?? [];
    expect(kinds.length).toBeGreaterThan(0);
    for (const kind of kinds) expect(batchFromArrow(batch, [{ name, kind }], "empty", 0).rows, kind).toBe(0);
  });
});

describe("batchFromArrow, numbers", () => {
  it.each([
    ["null", [null, null, null, null, null]],
    ["bool", [1, null, 0, 1, null]],
    ["int8", [-128, 127, null, 0, 1]],
    ["int16", [-32768, null, 32767, 0, 1]],
    ["int32", [-(2 ** 31), 2 ** 31 - 1, null, 0, 1]],
    ["int64", [-(2 ** 63), 2 ** 63, null, 2 ** 53, 7]],
    ["uint8", [0, 255, null, 3, 4]],
    ["uint16", [0, 65535, null, 3, 4]],
    ["uint32", [0, 2 ** 32 - 1, null, 3, 4]],
    ["uint64", [0, 2 ** 64, null, 2 ** 53, 4]],
    ["halffloat", [0.5, -65504, null, null, 2 ** -12]],
    ["float", [Math.fround(0.1), -1.5, null, Number.POSITIVE_INFINITY, -0]],
    ["double", [0.1, 1e300, null, null, Number.NEGATIVE_INFINITY]],
    ["double_whole", [1.5, 2.5, 3.5, 4.5, 5.5]],
    ["decimal32", [-45.6, 0.05, null, 99999.99, 0]],
    ["decimal64", [-45.6, 0.005, null, 12345678901.234, 1]],
    ["decimal128", [-45.6, Number("12345678901234567890123456789012345.67"), null, 0.1, -0.01]],
    ["decimal256", [1, -1e40, null, 3, 0]],
    ["decimal_negative", [1200, -300, null, 0, 98700]],
  ])("reads %s", async (name, expected) => {
    expect(await valuesOf("numbers.arrow", name, "number")).toEqual(expected);
  });

  it("shares the memory of doubles without nulls, and only of those", async () => {
    const [batch] = await batchesOf("numbers.arrow");
    const memory = (name: string): ArrayBufferLike =>
      (columnOf(batch as RecordBatch, name, "number") as { values: Float64Array }).values.buffer;
    const source = batch?.getChild("double_whole")?.data[0]?.values.buffer;
    expect(memory("double_whole")).toBe(source);
    expect(memory("double")).not.toBe(source);
  });

  it("reads dictionaries of numbers", async () => {
    expect(await valuesOf("texts.arrow", "dict_of_int64", "number")).toEqual([
      -5,
      null,
      2 ** 53,
      -5,
      2 ** 53,
    ]);
  });
});

const WORDS = ["", "héllo", null, "a text of more than twelve bytes, 🙂 included", 'a\u0000"\\\n'];
const LETTERS = ["b", null, "a", "b", "a"];

describe("batchFromArrow, text and keys", () => {
  it.each(["utf8", "large_utf8", "utf8_view"])("reads %s", async (name) => {
    expect(await valuesOf("texts.arrow", name, "text")).toEqual(WORDS);
    expect(await valuesOf("texts.arrow", name, "key")).toEqual(WORDS);
  });

  it.each([
    ["dict_int8", LETTERS],
    ["dict_uint16", LETTERS],
    ["dict_int32_large", LETTERS],
    ["dict_int64_view", LETTERS.map((word) => (word === "a" ? "a longer dictionary value" : word))],
    ["dict_twice_and_null", ["same", null, "same", null, null]],
  ])("reads %s", async (name, expected) => {
    expect(await valuesOf("texts.arrow", name, "text")).toEqual(expected);
    expect(await valuesOf("texts.arrow", name, "key")).toEqual(expected);
  });

  it("reads dictionaries that grow or change", async () => {
    const grown = ["a", "b", "a", "b", "c", "a", "b", "c", "d", "e"];
    expect(await valuesOf("delta.arrows", "k", "key")).toEqual(grown);
    expect(await valuesOf("delta.arrow", "k", "text")).toEqual(grown);
    expect(await valuesOf("replaced.arrows", "k", "key")).toEqual(["a", "b", "c", "a", "d", "b"]);
  });

  it("gives equal keys one code, in order of first appearance", async () => {
    const [batch] = await batchesOf("lz4.arrow");
    const { codes, keys } = columnOf(batch as RecordBatch, "group_id", "key") as KeyColumn;
    expect(keys).toEqual(Array.from({ length: 25 }, (_, i) => `prompt-${i}`));
    expect([...codes.slice(0, 9)]).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2]);
    const view = columnOf(batch as RecordBatch, "text", "key") as KeyColumn;
    expect([view.keys.length, view.codes[7]]).toEqual([7, 0]);
    const both = columnOf((await batchesOf("texts.arrow"))[1] as RecordBatch, "dict_twice_and_null", "key");
    expect((both as KeyColumn).keys).toEqual(["same"]);
  });

  it("keeps every digit of integer keys", async () => {
    expect(await valuesOf("numbers.arrow", "int64", "key")).toEqual([
      "-9223372036854775808",
      "9223372036854775807",
      null,
      "9007199254740993",
      "7",
    ]);
    expect((await valuesOf("numbers.arrow", "uint64", "key"))[1]).toBe("18446744073709551615");
    expect(await valuesOf("numbers.arrow", "int8", "key")).toEqual(["-128", "127", null, "0", "1"]);
    expect((await valuesOf("texts.arrow", "dict_of_int64", "key"))[2]).toBe("9007199254740993");
  });

  it("reads what polars writes", async () => {
    for (const file of ["polars.arrow", "polars.arrows"]) {
      expect(await valuesOf(file, "categorical", "key")).toEqual(["b", null, "a", "b"]);
      expect(await valuesOf(file, "enum", "text")).toEqual(["x", "y", null, "x"]);
      expect(await valuesOf(file, "string", "text")).toEqual([
        "",
        "héllo",
        null,
        "a text of more than twelve bytes",
      ]);
    }
  });

  it("reads a column of nulls as anything", async () => {
    const none = [null, null, null, null, null];
    for (const kind of ["text", "key", "json", "list"] as const) {
      expect(await valuesOf("numbers.arrow", "null", kind)).toEqual(none);
    }
  });
});

const LISTS = [[-0.5, null, -1.25], [], null, [0], [Number.NaN, -2]];

describe("batchFromArrow, lists", () => {
  it.each([
    ["list_float", LISTS],
    ["list_double", LISTS],
    ["list_half", LISTS],
    ["large_list", LISTS],
    ["list_float_whole", [[0.5], [], [1.5, 2.5], [], [3.5]]],
    ["list_bool", [[1, 0], [], null, [null], [1]]],
    ["list_int8", [[1, 0], [], [1], [0, 0, 1], [1]]],
    ["list_int64", [[2 ** 53], [], null, [null, -1], [7]]],
    ["list_decimal", [[1.25], [], null, [null], [-0.75]]],
    ["list_null", [[], null, [], [], [null]]],
    ["fixed_list", [[0.5, 1.5], [2.5, null], null, [3.5, 4.5], [5.5, 6.5]]],
    ["fixed_list_int", [[1, 2], [3, null], null, [5, 6], [7, 8]]],
  ])("reads %s", async (name, expected) => {
    expect(await valuesOf("nested.arrows", name, "list")).toEqual(expected);
  });

  it("shares the values of floats and marks nothing where nothing is missing", async () => {
    const batch = (await batchesOf("nested.arrows")).at(-1) as RecordBatch;
    const column = columnOf(batch, "list_float_whole", "list") as ListColumn;
    expect(column.values).toBeInstanceOf(Float32Array);
    const child = batch.getChild("list_float_whole")?.data[0]?.children[0];
    expect((column.values as Float32Array).buffer).toBe(child?.values.buffer);
    expect(Object.keys(column).sort()).toEqual(["kind", "offsets", "values"]);
    expect(columnOf(batch, "list_int8", "list")).toMatchObject({ values: new Float64Array([1, 0, 0, 1, 1]) });
  });
});

const CALLS = [
  [{ name: "f", arguments: "{}", n: 2n ** 60n }, null],
  [],
  null,
  [{ name: null, arguments: "x", n: 1 }],
  [{ name: "g", arguments: null, n: null }],
];

describe("batchFromArrow, JSON", () => {
  it.each([
    ["list_struct", CALLS],
    ["list_struct_empty", [[], [], null, [], []]],
    ["list_text", [["a", null], [], null, [""], ["b"]]],
    ["list_dict", [["a", null], [], null, ["b"], ["a"]]],
    ["list_list", [[[1], []], [], null, [null], [[2, null]]]],
    [
      "struct",
      [
        { a: 1, b: { c: [1.5] } },
        { a: null, b: null },
        null,
        { a: 4, b: { c: null } },
        { a: 5, b: { c: [] } },
      ],
    ],
    ["map_text", [{ k: 2n ** 60n }, {}, null, { a: null, b: 2 }, { c: 3 }]],
    ["map_int", [[[1, "x"]], [], null, [[2, null]], [[3, "z"]]]],
    ["list_float", LISTS],
    ["list_bool", [[true, false], [], null, [null], [true]]],
    ["list_int64", [[2n ** 53n + 1n], [], null, [null, -1], [7]]],
    ["list_decimal", [[1.25], [], null, [null], [-0.75]]],
  ])("reads %s", async (name, expected) => {
    expect(await valuesOf("nested.arrows", name, "json")).toEqual(expected);
  });

  it("parses a text column row by row", async () => {
    expect(await valuesOf("texts.arrow", "json", "json")).toEqual([
      { a: [1, 2.5, null] },
      [],
      null,
      "text",
      7,
    ]);
    const batch = textBatch(['{"a": NaN, "b": 9007199254740993}', "  ", "", "{broken"]);
    const column = columnOf(batch, "t", "json") as JsonColumn;
    expect(column.get(0)).toEqual({ a: Number.NaN, b: 9007199254740993n });
    expect([column.get(1), column.get(2)]).toEqual([null, null]);
  });

  it("names file, row and column of broken JSON", () => {
    const batch = textBatch(["{}", "{broken"]);
    const { columns } = batchFromArrow(batch, [{ name: "t", kind: "json" }], "runs.arrow", 100);
    const column = columns.get("t") as JsonColumn;
    expect(column.get(0)).toEqual({});
    const error = errorOf(() => column.get(1));
    expect(error.code).toBe("data");
    expect(error.message).toMatch(/^runs\.arrow: row 101, column t: .*JSON/);
    expect(error.details).toMatchObject({ row: 101, column: "t" });
  });
});

function textBatch(texts: readonly string[]): RecordBatch {
  return bytesBatch(texts.map((text) => Buffer.from(text)));
}

function bytesBatch(values: readonly Uint8Array[]): RecordBatch {
  const schema = new Schema([new Field("t", new Utf8())]);
  const valueOffsets = new Int32Array(values.length + 1);
  values.forEach((value, i) => {
    valueOffsets[i + 1] = (valueOffsets[i] as number) + value.length;
  });
  const data = makeData({
    type: new Utf8(),
    length: values.length,
    valueOffsets,
    data: Buffer.concat(values),
  });
  return new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length: values.length, children: [data] }),
  );
}

describe("batchFromArrow, slices", () => {
  it.each([
    ["numbers.arrow", "number"],
    ["texts.arrow", "text"],
    ["texts.arrow", "key"],
    ["nested.arrows", "list"],
    ["nested.arrows", "json"],
  ] as const)("reads the same from any slice of %s (%s)", async (file, kind) => {
    const batch = (await batchesOf(file)).at(-1) as RecordBatch;
    const columns = foundArrowColumns(batch.schema).filter((column) => column.kinds.includes(kind));
    expect(columns.length).toBeGreaterThan(8);
    for (const { name } of columns) {
      const whole = plain(columnOf(batch, name, kind), batch.numRows);
      for (let from = 0; from <= batch.numRows; from += 1) {
        for (let to = from; to <= batch.numRows; to += 1) {
          const part = batch.slice(from, to);
          expect(plain(columnOf(part, name, kind), part.numRows), name).toEqual(whole.slice(from, to));
        }
      }
    }
  });

  it("reads slices of more than a byte of bits", async () => {
    const [batch] = await batchesOf("polars-zstd.arrows");
    for (const [name, kind] of [
      ["boolean", "number"],
      ["list", "list"],
      ["string", "key"],
      ["struct", "json"],
    ] as const) {
      const whole = plain(columnOf(batch as RecordBatch, name, kind), 80);
      const part = (batch as RecordBatch).slice(11, 71);
      expect(plain(columnOf(part, name, kind), 60), name).toEqual(whole.slice(11, 71));
    }
  });
});

describe("batchFromArrow, requests", () => {
  it("leaves absent columns out", async () => {
    const [batch] = await batchesOf("rollouts.arrow");
    const requests = [
      { name: "logprobs", kind: "list" },
      { name: "reward", kind: "number" },
    ] as const;
    expect([...batchFromArrow(batch as RecordBatch, requests, "x", 0).columns.keys()]).toEqual(["logprobs"]);
  });

  it("refuses a kind that the type does not have", async () => {
    const [batch] = await batchesOf("rollouts.arrow");
    const error = errorOf(() =>
      batchFromArrow(batch as RecordBatch, [{ name: "logprobs", kind: "text" }], "runs.arrow", 0),
    );
    expect(error.code).toBe("schema");
    expect(error.message).toBe("runs.arrow: column logprobs cannot be read as text, its type is list<float>");
  });

  it("reads every kind that foundArrowColumns promises, from every file", async () => {
    for (const file of Object.keys(EXPECTED_ARROW)) {
      for (const batch of await batchesOf(file)) {
        for (const { name, kinds } of foundArrowColumns(batch.schema)) {
          for (const kind of kinds) {
            // Not every text is JSON.
            if (kind === "json" && kinds.includes("text")) columnOf(batch, name, kind);
            else expect(plain(columnOf(batch, name, kind), batch.numRows).length).toBe(batch.numRows);
          }
        }
      }
    }
  });

  it("refuses text that is not UTF-8, naming its row, but not an honest U+FFFD", () => {
    const batch = bytesBatch([Buffer.from("a\uFFFDb"), Buffer.from([0x61, 0xff])]);
    const { columns } = batchFromArrow(batch, [{ name: "t", kind: "text" }], "runs.arrow", 10);
    const column = columns.get("t") as TextColumn;
    expect(column.get(0)).toBe("a\uFFFDb");
    expect(errorOf(() => column.get(1)).message).toBe("runs.arrow: row 11, column t: text is not UTF-8");
    const keys = errorOf(() => batchFromArrow(batch, [{ name: "t", kind: "key" }], "runs.arrow", 10));
    expect(keys.message).toBe("runs.arrow: rows from 10, column t: text is not UTF-8");
  });

  it("does not read binary as text", () => {
    const schema = new Schema([new Field("b", new Binary())]);
    expect(foundArrowColumns(schema)[0]?.kinds).toEqual([]);
  });
});
