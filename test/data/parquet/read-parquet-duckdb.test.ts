import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  Bool,
  DataType,
  Dictionary,
  Field,
  Float32,
  Float64,
  Int32,
  Int64,
  List,
  makeData,
  Null,
  RecordBatch,
  Schema,
  Struct,
  Utf8,
  type Vector,
  vectorFromArray,
} from "apache-arrow";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Column, ColumnKind, ColumnRequest } from "../../../src/data/columns.ts";
import { readParquetColumns } from "../../../src/data/parquet/read-parquet-duckdb.ts";
import { createParquetWriter } from "../../../src/data/parquet/write-parquet.ts";
import { CalibrantError } from "../../../src/errors.ts";
import { collect, memorySink, temporaryFolder, writeWithDuckdb } from "./parquet-samples.ts";

const folder = temporaryFolder();
const path = (name: string): string => join(folder, name);

/** The values of one column as plain rows: NaN numbers as null, lists as arrays, null elements as null. */
function plain(column: Column, rows: number): unknown[] {
  return Array.from({ length: rows }, (_, row) => {
    if (column.kind === "number") return Number.isNaN(column.values[row]) ? null : column.values[row];
    if (column.kind === "key") return column.keys[column.codes[row] as number] ?? null;
    if (column.kind !== "list") return column.get(row);
    if (column.rowValid?.[row] === 0) return null;
    const range = [column.offsets[row] as number, column.offsets[row + 1] as number] as const;
    return Array.from(column.values.slice(...range), (value, i) =>
      column.valueValid?.[range[0] + i] === 0 ? null : value,
    );
  });
}

async function read(
  file: string,
  requests: Readonly<Record<string, ColumnKind>>,
  options?: Parameters<typeof readParquetColumns>[2],
): Promise<Record<string, unknown[]>> {
  const list: ColumnRequest[] = Object.entries(requests).map(([name, kind]) => ({ name, kind }));
  const result: Record<string, unknown[]> = Object.fromEntries(list.map(({ name }) => [name, []]));
  for await (const batch of readParquetColumns(path(file), list, options)) {
    for (const [name, column] of batch.columns) result[name]?.push(...plain(column, batch.rows));
  }
  return result;
}

async function failure(file: string, requests: Readonly<Record<string, ColumnKind>>): Promise<string> {
  const error: unknown = await read(file, requests).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CalibrantError);
  return (error as CalibrantError).message.replaceAll(folder, "");
}

/** Writes columns with parquet-wasm, in row groups of `groupRows`. */
async function write(
  file: string,
  columns: Readonly<Record<string, Vector>>,
  groupRows = 1000,
): Promise<void> {
  const fields = Object.entries(columns).map(
    ([name, column]) => new Field(name, column.type as DataType, true),
  );
  const schema = new Schema(fields);
  const length = Object.values(columns)[0]?.length ?? 0;
  const children = Object.values(columns).map((column) => column.data[0]);
  const data = makeData({ type: new Struct(fields), length, nullCount: 0, children: children as never });
  const sink = memorySink();
  const writer = await createParquetWriter(sink, schema, { maxRowGroupRows: groupRows });
  await writer.write(new RecordBatch(schema, data as never));
  await writer.close();
  sink.save(path(file));
}

describe("readParquetColumns", () => {
  it("reads numbers of every type, null as NaN", async () => {
    const value = (type: string, text: string): string =>
      `case when i = 1 then null else ${text}::${type} end`;
    await writeWithDuckdb(
      path("numbers.parquet"),
      `select ${value("boolean", "i = 0")} as b, ${value("tinyint", "-i")} as i8, ${value("ubigint", "18446744073709551615 - i")} as u64,
        ${value("bigint", "-9007199254740993")} as i64, ${value("float", "0.1")} as f32, ${value("double", "i / 3")} as f64,
        ${value("decimal(10, 2)", "-45.6")} as d, ${value("decimal(38, 3)", "i + 0.125")} as big from range(3) t(i)`,
    );
    const kinds = Object.fromEntries(
      ["b", "i8", "u64", "i64", "f32", "f64", "d", "big"].map((name) => [name, "number"] as const),
    );
    expect(await read("numbers.parquet", kinds)).toEqual({
      b: [1, null, 0],
      i8: [-0, null, -2].map((x) => (x === 0 ? 0 : x)),
      u64: [2 ** 64, null, 2 ** 64],
      i64: [-9007199254740992, null, -9007199254740992],
      f32: [Math.fround(0.1), null, Math.fround(0.1)],
      f64: [0, null, 2 / 3],
      d: [-45.6, null, -45.6],
      big: [0.125, null, 2.125],
    });
  });

  it("reads keys as text, integers with every digit", async () => {
    await writeWithDuckdb(
      path("keys.parquet"),
      `select case when i = 2 then null else 9007199254740993 + i // 2 end as id, 18446744073709551615::ubigint as u,
        case when i = 1 then null else ['short', '', 'longer than twelve bytes', 'short'][i + 1] end as t from range(4) t(i)`,
    );
    expect(await read("keys.parquet", { id: "key", u: "key", t: "key" })).toEqual({
      id: ["9007199254740993", "9007199254740993", null, "9007199254740994"],
      u: new Array(4).fill("18446744073709551615"),
      t: ["short", null, "longer than twelve bytes", "short"],
    });
    for await (const { columns } of readParquetColumns(path("keys.parquet"), [{ name: "t", kind: "key" }])) {
      const column = columns.get("t");
      expect(column?.kind === "key" && [Array.from(column.codes), column.keys]).toEqual([
        [0, -1, 1, 0],
        ["short", "longer than twelve bytes"],
      ]);
    }
  });

  it("reads any text, in plain pages and from a dictionary", async () => {
    const text = fc.oneof(
      fc.constant(null),
      fc.string({ unit: "grapheme", maxLength: 40 }),
      fc.string({ maxLength: 14 }),
      fc.constantFrom(
        "\ufeff",
        "\ufeffmark",
        "\ufeffa byte order mark first",
        "nul \0 inside of a text",
        "é".repeat(3000),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 400 }), async (texts) => {
        const plainText = vectorFromArray(texts, new Utf8());
        const encoded = vectorFromArray(texts, new Dictionary(new Utf8(), new Int32()));
        await write("text.parquet", { plainText, encoded }, 150);
        const found = await read("text.parquet", { plainText: "text", encoded: "text" });
        expect(found).toEqual({ plainText: texts, encoded: texts });
      }),
      { numRuns: 25 },
    );
  });

  it("reads any lists of numbers, with null lists and null elements", async () => {
    const lists = fc.array(
      fc.oneof(
        { weight: 1, arbitrary: fc.constant(null) },
        {
          weight: 6,
          arbitrary: fc.array(
            fc.oneof(
              { weight: 1, arbitrary: fc.constant(null) },
              { weight: 8, arbitrary: fc.integer({ min: -100, max: 100 }) },
            ),
            { maxLength: 12 },
          ),
        },
      ),
      { minLength: 1, maxLength: 300 },
    );
    const types = [new Float32(), new Float64(), new Int32(), new Int64()];
    await fc.assert(
      fc.asyncProperty(lists, fc.constantFrom(...types), async (rows, type) => {
        const isLong = DataType.isInt(type) && type.bitWidth === 64;
        const values = isLong
          ? rows.map((row) => row?.map((x) => (x === null ? null : BigInt(x))) ?? null)
          : rows;
        const column = vectorFromArray(
          values as number[][],
          new List(new Field("item", type, true)) as List<Float64>,
        );
        await write("lists.parquet", { column }, 100);
        expect((await read("lists.parquet", { column: "list" })).column).toEqual(rows);
      }),
      { numRuns: 40 },
    );
  });

  it("gives lists the element type of the file, booleans as 1 and 0, and keeps NaN apart from null", async () => {
    const list = (type: DataType): List => new List(new Field("item", type, true));
    await write("typed.parquet", {
      f32: vectorFromArray(
        [[0.5, Number.NaN], [Number.NEGATIVE_INFINITY]],
        list(new Float32()) as List<Float32>,
      ),
      bools: vectorFromArray([[true, false, null], []], list(new Bool()) as List<Bool>),
    });
    for await (const { columns } of readParquetColumns(path("typed.parquet"), [
      { name: "f32", kind: "list" },
      { name: "bools", kind: "list" },
    ])) {
      expect(columns.get("f32")).toEqual({
        kind: "list",
        values: new Float32Array([0.5, Number.NaN, Number.NEGATIVE_INFINITY]),
        offsets: new Int32Array([0, 2, 3]),
      });
      expect(columns.get("bools")).toMatchObject({
        values: new Int8Array([1, 0, 0]),
        offsets: new Int32Array([0, 3, 3]),
        valueValid: new Uint8Array([1, 1, 0]),
      });
    }
  });

  it("reads nested columns and JSON text as JSON", async () => {
    await writeWithDuckdb(
      path("json.parquet"),
      `select * from (values
        ([{'role': 'user', 'content': 'h"i', 'n': 9007199254740993, 'x': 'nan'::double}], map {'k': 1.5::double}, '{"a": [NaN, 12345678901234567890]}', '{"plain": true}'::json),
        (null, null, '  ', null), ([], map {}, 'null', '[1]')) t(messages, m, t, j)`,
    );
    expect(await read("json.parquet", { messages: "json", m: "json", t: "json", j: "json" })).toEqual({
      messages: [[{ role: "user", content: 'h"i', n: 9007199254740993n, x: Number.NaN }], null, []],
      m: [{ k: 1.5 }, null, {}],
      t: [{ a: [Number.NaN, 12345678901234567890n] }, null, null],
      j: [{ plain: true }, null, [1]],
    });
  });

  it("names the row of broken JSON text when it is read", async () => {
    await writeWithDuckdb(
      path("broken.parquet"),
      "select case when i = 21 then '{x' else '{}' end as t from range(40) t(i)",
    );
    const [batch] = await collect(
      readParquetColumns(path("broken.parquet"), [{ name: "t", kind: "json" }], { rowStart: 20, rowEnd: 30 }),
    );
    const column = batch?.columns.get("t");
    if (column?.kind !== "json") throw new Error("no JSON column");
    expect(column.get(0)).toEqual({});
    expect(() => column.get(1)).toThrow(/broken\.parquet: row 21, column t: /);
  });

  it("reads exactly the rows asked for, in order", async () => {
    await writeWithDuckdb(
      path("rows.parquet"),
      "select i as n, [i::float] as l, 'row ' || i || ' of the file' as t from range(10000) t(i)",
    );
    await writeWithDuckdb(
      path("taken.parquet"),
      "select 10000 - i as file_row_number, i as n, [i::float] as l, 'row ' || i || ' of the file' as t from range(10000) t(i)",
    );
    for (const file of ["rows.parquet", "taken.parquet"]) {
      for (const [rowStart, rowEnd] of [
        [0, 10000],
        [0, 1],
        [2047, 2049],
        [2048, 4096],
        [9999, 10000],
        [5000, 5000],
        [9990, 20000],
      ] as const) {
        const numbers = Array.from({ length: Math.min(rowEnd, 10000) - rowStart }, (_, i) => rowStart + i);
        expect(
          await read(file, { n: "number", l: "list", t: "text" }, { rowStart, rowEnd, threads: 4 }),
        ).toEqual({
          n: numbers,
          l: numbers.map((i) => [i]),
          t: numbers.map((i) => `row ${i} of the file`),
        });
      }
    }
  });

  it("hands out batches of about 16,384 rows, fewer when rows are large", async () => {
    await writeWithDuckdb(
      path("many.parquet"),
      "select i as n from range(50000) t(i)",
      "row_group_size 20480",
    );
    const batches = await collect(
      readParquetColumns(path("many.parquet"), [{ name: "n", kind: "number" }], { threads: 1 }),
    );
    expect(batches.reduce((sum, { rows }) => sum + rows, 0)).toBe(50000);
    expect(batches.length).toBeLessThanOrEqual(4);
    await writeWithDuckdb(
      path("large.parquet"),
      "select repeat('x', 10000) as t from range(8192)",
      "row_group_size 2048",
    );
    const large = await collect(readParquetColumns(path("large.parquet"), [{ name: "t", kind: "text" }]));
    expect(large.length).toBeGreaterThan(3);
  });

  it("reads a column of nulls as any kind, and no columns at all", async () => {
    await write("nulls.parquet", { n: vectorFromArray([null, null], new Null()) });
    for (const kind of ["number", "key", "text", "list", "json"] as const) {
      expect(await read("nulls.parquet", { n: kind })).toEqual({ n: [null, null] });
    }
    const batches = await collect(readParquetColumns(path("nulls.parquet"), []));
    expect(batches).toMatchObject([{ rows: 2, columns: new Map() }]);
    await writeWithDuckdb(path("none.parquet"), "select 1 as a limit 0");
    expect(await collect(readParquetColumns(path("none.parquet"), [{ name: "a", kind: "number" }]))).toEqual(
      [],
    );
  });

  it("takes paths and names literally", async () => {
    const strange = "it's [a] *?/a=7";
    mkdirSync(path(strange), { recursive: true });
    const name = `q"uote'd; drop`;
    await writeWithDuckdb(
      path(`${strange}/f*.parquet`),
      `select 1 as a, 2 as "${name.replace('"', '""')}", 3 as "x.y"`,
    );
    await writeWithDuckdb(path(`${strange}/fz.parquet`), "select 9 as a");
    expect(await read(`${strange}/f*.parquet`, { a: "number", [name]: "number", "x.y": "number" })).toEqual({
      a: [1],
      [name]: [2],
      "x.y": [3],
    });
  });

  it("tells apart columns whose names differ in case only", async () => {
    await write("case.parquet", {
      Name: vectorFromArray([1], new Int32()),
      name: vectorFromArray([2], new Int32()),
      name_1: vectorFromArray([3], new Int32()),
    });
    expect(await read("case.parquet", { name_1: "number", name: "number", Name: "number" })).toEqual({
      Name: [1],
      name: [2],
      name_1: [3],
    });
  });

  it("frees the engine when the reader stops early", async () => {
    for (let i = 0; i < 20; i += 1) {
      for await (const batch of readParquetColumns(path("rows.parquet"), [{ name: "n", kind: "number" }])) {
        expect(batch.rows).toBeGreaterThan(0);
        break;
      }
    }
    const generator = readParquetColumns(path("many.parquet"), [{ name: "n", kind: "number" }]);
    await generator.next();
    expect(await generator.return(undefined)).toEqual({ value: undefined, done: true });
  });

  it("lists everything that is wrong with the requests", async () => {
    await writeWithDuckdb(path("types.parquet"), "select 'x' as t, 1 as n, 'x'::blob as b, [['x']] as l");
    expect(
      await failure("types.parquet", {
        t: "number",
        n: "text",
        b: "text",
        l: "list",
        absent: "key",
        T: "text",
      }),
    ).toBe(
      "/types.parquet: column t cannot be read as number, its type is utf8; column n cannot be read as text, its type is int32; column b cannot be read as text, its type is binary; column l cannot be read as list, its type is list<list<utf8>>; no column absent; no column T",
    );
  });

  it("names the file when it cannot be read", async () => {
    expect(await failure("absent.parquet", { a: "text" })).toMatch(/^cannot read \/absent\.parquet: ENOENT/);
    expect(await failure("../", { a: "text" })).toMatch(/: not a regular file/);
  });

  it("gives one error when memory does not suffice", async () => {
    await writeWithDuckdb(path("huge.parquet"), "select repeat('x', 30000000) as t from range(4)");
    const reading = collect(
      readParquetColumns(path("huge.parquet"), [{ name: "t", kind: "text" }], { memoryLimit: "40MB" }),
    );
    await expect(reading).rejects.toThrow(
      /huge\.parquet: DuckDB cannot read it: a part of it needs more memory/,
    );
  });
});
