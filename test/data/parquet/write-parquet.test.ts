import { join } from "node:path";
import {
  Dictionary,
  Field,
  Float32,
  Int32,
  Int64,
  List,
  makeData,
  Null,
  RecordBatch,
  Schema,
  SparseUnion,
  Struct,
  Utf8,
  type Vector,
  vectorFromArray,
} from "apache-arrow";
import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { describe, expect, it } from "vitest";
import { readParquetFooter } from "../../../src/data/parquet/parquet-footer.ts";
import { readParquetBatches } from "../../../src/data/parquet/read-parquet-wasm.ts";
import { thriftNumber } from "../../../src/data/parquet/thrift-fields.ts";
import { createParquetWriter, type ParquetWriterOptions } from "../../../src/data/parquet/write-parquet.ts";
import { asyncBuffer, collect, duckdb, memorySink, temporaryFolder } from "./parquet-samples.ts";

const folder = temporaryFolder();
const path = (name: string): string => join(folder, name);

const fields = [
  new Field("id", new Int64(), true),
  new Field("logprobs", new List(new Field("item", new Float32(), true)), true),
  new Field(
    "calls",
    new List(
      new Field(
        "item",
        new Struct([new Field("name", new Utf8(), true), new Field("arguments", new Utf8(), true)]),
        true,
      ),
    ),
    true,
  ),
];
const schema = new Schema(
  fields,
  new Map([
    ["origin", "here"],
    ["calibrant", "of the schema"],
  ]),
);

function row(i: number): {
  id: bigint;
  logprobs: (number | null)[] | null;
  calls: { name: string; arguments: string | null }[];
} {
  return {
    id: 2n ** 53n + BigInt(i),
    logprobs: i % 4 === 0 ? null : [-i / 4, null],
    calls: Array.from({ length: i % 3 }, (_, k) => ({ name: `f${k}`, arguments: k === 0 ? "{}" : null })),
  };
}

function batchOf(columns: readonly Vector[], of: Schema): RecordBatch {
  const length = columns[0]?.length ?? 0;
  const children = columns.map((column) => column.data[0]);
  const data = makeData({ type: new Struct(of.fields), length, nullCount: 0, children: children as never });
  return new RecordBatch(of, data as never);
}

function batch(from: number, to: number): RecordBatch {
  const rows = Array.from({ length: to - from }, (_, i) => row(from + i));
  const columns = fields.map(({ name, type }) =>
    vectorFromArray(rows.map((one) => one[name as keyof typeof one]) as never[], type as never),
  );
  return batchOf(columns as Vector[], schema);
}

async function write(
  name: string,
  batches: readonly RecordBatch[],
  options?: ParquetWriterOptions,
  of = schema,
): Promise<void> {
  const sink = memorySink();
  const writer = await createParquetWriter(sink, of, options);
  for (const one of batches) await writer.write(one);
  await writer.close();
  sink.save(path(name));
}

describe("createParquetWriter", () => {
  it("writes nested rows that hyparquet, DuckDB and the own reader read", async () => {
    await write("out.parquet", [batch(0, 10), batch(10, 25), batch(25, 26)], {
      note: '{"v":1}',
      maxRowGroupRows: 12,
    });
    const expected = Array.from({ length: 26 }, (_, i) => row(i));
    expect(await parquetReadObjects({ file: asyncBuffer(path("out.parquet")), compressors })).toEqual(
      expected,
    );
    const own: unknown[] = [];
    for (const read of await collect(readParquetBatches(path("out.parquet")))) {
      for (const one of read)
        own.push(
          JSON.parse(JSON.stringify(one, (_, value) => (typeof value === "bigint" ? `${value}` : value))),
        );
    }
    expect(own).toEqual(expected.map(({ id, ...rest }) => ({ id: `${id}`, ...rest })));
    const sql = `select sum(id)::varchar, sum(list_sum(logprobs)), count(logprobs)::int, sum(len(calls))::int, max(calls[2].name) from '${path("out.parquet")}'`;
    const sum = expected.reduce((total, { logprobs }) => total + (logprobs?.[0] ?? 0), 0);
    expect(await duckdb(sql)).toEqual([[String(26n * 2n ** 53n + 325n), sum, 19, 25, "f1"]]);
  });

  it("fills row groups up to their limit and numbers them", async () => {
    await write("groups.parquet", [batch(0, 30), batch(30, 35), batch(35, 36)], { maxRowGroupRows: 10 });
    const footer = await readParquetFooter(path("groups.parquet"));
    expect(footer.rowGroups.map(({ rows }) => rows)).toEqual([10, 10, 10, 6]);
    expect(footer.rowGroups.map(({ thrift }) => thriftNumber(thrift, 7))).toEqual([0, 1, 2, 3]);
    expect(footer.rows).toBe(36);
  });

  it("keeps row groups under about 64 MiB", async () => {
    const wide = new Schema([new Field("t", new Utf8(), true)]);
    const text = "x".repeat(1 << 20);
    const rows = vectorFromArray(
      Array.from({ length: 150 }, (_, i) => text + i),
      new Utf8(),
    );
    await write("wide.parquet", [batchOf([rows], wide)], {}, wide);
    const footer = await readParquetFooter(path("wide.parquet"));
    expect(footer.rows).toBe(150);
    for (const { rows: count } of footer.rowGroups) expect(count).toBeLessThanOrEqual(66);
  });

  it("keeps the schema's metadata, its own note in place of an older one", async () => {
    await write("noted.parquet", [batch(0, 1)], { note: "new" });
    const { keyValues } = await readParquetFooter(path("noted.parquet"));
    expect(keyValues.get("origin")).toBe("here");
    expect(keyValues.get("calibrant")).toBe("new");
    const [read] = await collect(readParquetBatches(path("noted.parquet")));
    expect(read?.schema.metadata.get("origin")).toBe("here");
  });

  it("writes a file without rows", async () => {
    await write("empty.parquet", []);
    const footer = await readParquetFooter(path("empty.parquet"));
    expect([footer.rows, footer.root.children.map(({ name }) => name)]).toEqual([
      0,
      ["id", "logprobs", "calls"],
    ]);
    expect(await duckdb(`select count(*)::int from '${path("empty.parquet")}'`)).toEqual([[0]]);
  });

  it("takes dictionaries that change and slices of batches", async () => {
    const words = new Schema([new Field("w", new Dictionary(new Utf8(), new Int32(), 1), true)]);
    const column = (texts: readonly (string | null)[]): RecordBatch =>
      batchOf([vectorFromArray(texts, words.fields[0]?.type as never)], words);
    const batches = [column(["a", "b", null]), column(["c", "a", "c"]).slice(1, 3), column(["d"])];
    await write("words.parquet", batches, {}, words);
    const sql = `select w from '${path("words.parquet")}'`;
    expect(await duckdb(sql)).toEqual([["a"], ["b"], [null], ["a"], ["c"], ["d"]]);
    await write("slices.parquet", [batch(0, 100).slice(7, 9), batch(0, 100).slice(90, 100)]);
    const read = await parquetReadObjects({ file: asyncBuffer(path("slices.parquet")), compressors });
    expect(read).toEqual([7, 8, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99].map(row));
  });

  it("writes lists of which no one has an element, and lists of nulls", async () => {
    const type = new List(new Field("item", new Null(), true));
    const empty = new Schema([new Field("calls", type, true)]);
    for (const lists of [
      [[], [], null],
      [[null], [], [null, null]],
    ]) {
      await write("lists.parquet", [batchOf([vectorFromArray(lists, type as never)], empty)], {}, empty);
      expect(await parquetReadObjects({ file: asyncBuffer(path("lists.parquet")), compressors })).toEqual(
        lists.map((calls) => ({ calls })),
      );
    }
  });

  it("refuses batches of another schema and types that Parquet has not", async () => {
    const other = new Schema([new Field("x", new Int32(), true)]);
    const wrong = batchOf([vectorFromArray([1], new Int32())], other);
    await expect(write("x.parquet", [wrong])).rejects.toThrow(
      /must have the schema Schema<{ 0: id: Int64,.*got Schema<{ 0: x: Int32 }>/,
    );
    const union = new Schema([
      new Field("u", new SparseUnion([0], [new Field("a", new Int32(), true)]), true),
    ]);
    await expect(createParquetWriter(memorySink(), union)).rejects.toThrow(
      /^Parquet cannot hold these columns: /,
    );
  });
});
