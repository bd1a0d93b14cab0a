import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Bool,
  type DataType,
  DateMillisecond,
  Dictionary,
  Field,
  Float16,
  Float32,
  Int16,
  Int32,
  Int64,
  LargeUtf8,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Timestamp,
  TimeUnit,
  Uint64,
  Utf8,
  util,
  type Vector,
  vectorFromArray,
} from "apache-arrow";
import { describe, expect, it } from "vitest";
import { readParquetFooter } from "../../../src/data/parquet/parquet-footer.ts";
import { parquetTail } from "../../../src/data/parquet/parquet-tail.ts";
import { readParquetArrowSchema, readParquetBatches } from "../../../src/data/parquet/read-parquet-wasm.ts";
import {
  longField,
  structsField,
  textField,
  thriftStruct,
  thriftStructs,
  withField,
} from "../../../src/data/parquet/thrift-fields.ts";
import { createParquetWriter } from "../../../src/data/parquet/write-parquet.ts";
import { CalibrantError } from "../../../src/errors.ts";
import { collect, memorySink, temporaryFolder, writeWithDuckdb } from "./parquet-samples.ts";

const folder = temporaryFolder();
const path = (name: string): string => join(folder, name);

async function rows(file: string, options?: Parameters<typeof readParquetBatches>[1]): Promise<unknown[]> {
  const result: unknown[] = [];
  for await (const batch of readParquetBatches(path(file), options)) {
    for (const row of batch) result.push(plain(row));
  }
  return result;
}

/** Rows and lists as plain objects and arrays. */
function plain(value: unknown): unknown {
  const json = (value as { toJSON?: () => unknown } | null)?.toJSON?.() ?? value;
  if (Array.isArray(json)) return json.map(plain);
  if (json === null || typeof json !== "object") return json;
  return Object.fromEntries(Object.entries(json).map(([key, inner]) => [key, plain(inner)]));
}

async function failure(file: string, options?: Parameters<typeof readParquetBatches>[1]): Promise<string> {
  const error: unknown = await rows(file, options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CalibrantError);
  return (error as CalibrantError).message.replaceAll(folder, "");
}

async function write(
  file: string,
  columns: Readonly<Record<string, Vector>>,
  maxRowGroupRows = 1000,
): Promise<Schema> {
  const fields = Object.entries(columns).map(
    ([name, column]) => new Field(name, column.type as DataType, true),
  );
  const schema = new Schema(fields);
  const length = Object.values(columns)[0]?.length ?? 0;
  const children = Object.values(columns).map((column) => column.data[0]);
  const data = makeData({ type: new Struct(fields), length, nullCount: 0, children: children as never });
  const sink = memorySink();
  const writer = await createParquetWriter(sink, schema, { maxRowGroupRows });
  await writer.write(new RecordBatch(schema, data as never));
  await writer.close();
  sink.save(path(file));
  return schema;
}

/** How many folders of temporary Parquet files there are. */
function leftovers(): number {
  return readdirSync(tmpdir()).filter((name) => /^calibrant-[A-Za-z0-9]{6}$/.test(name)).length;
}

describe("readParquetBatches", () => {
  it("gives back the Arrow types and values that were written", async () => {
    const schema = await write("types.parquet", {
      i64: vectorFromArray([2n ** 63n - 1n, null, -1n], new Int64()),
      u64: vectorFromArray([2n ** 64n - 1n, 0n, null], new Uint64()),
      f16: vectorFromArray([0.5, null, -2], new Float16()),
      large: vectorFromArray(["a", null, "é"], new LargeUtf8()),
      word: vectorFromArray(["x", "y", "x"], new Dictionary(new Utf8(), new Int16())),
      list: vectorFromArray([[1, null], null, []], new List(new Field("item", new Float32(), true)) as never),
      flags: vectorFromArray([true, null, false], new Bool()),
      time: vectorFromArray([1, null, 3], new Timestamp(TimeUnit.MICROSECOND, "UTC")),
    });
    expect(String(await readParquetArrowSchema(path("types.parquet")))).toBe(String(schema));
    const [batch] = await collect(readParquetBatches(path("types.parquet")));
    expect(String(batch?.schema)).toBe(String(schema));
    const column = (name: string): unknown[] => [...(batch?.getChild(name) ?? [])].map(plain);
    expect(column("i64")).toEqual([2n ** 63n - 1n, null, -1n]);
    expect(column("u64")).toEqual([2n ** 64n - 1n, 0n, null]);
    expect(column("f16")).toEqual([0.5, null, -2]);
    expect(column("large")).toEqual(["a", null, "é"]);
    expect(column("word")).toEqual(["x", "y", "x"]);
    expect(column("list")).toEqual([[1, null], null, []]);
    expect(column("flags")).toEqual([true, null, false]);
  });

  it("reads chosen columns of chosen row groups, all batches with one schema", async () => {
    await writeWithDuckdb(
      path("many.parquet"),
      "select i as a, 'w' || i as b, [i] as c, i as \"a.b\" from range(5000) t(i)",
    );
    expect(await rows("many.parquet", { columns: ["b", "a", "absent"], rowGroups: [2] })).toEqual(
      Array.from({ length: 904 }, (_, i) => ({ a: BigInt(4096 + i), b: `w${4096 + i}` })),
    );
    expect((await rows("many.parquet", { columns: ["a.b"] })).slice(-1)).toEqual([{ "a.b": 4999n }]);
    const batches = await collect(readParquetBatches(path("many.parquet")));
    expect(batches.reduce((sum, { numRows }) => sum + numRows, 0)).toBe(5000);
    for (const { schema } of batches) expect(util.compareSchemas(schema, batches[0]?.schema)).toBe(true);
    expect(await failure("many.parquet", { rowGroups: [3] })).toBe("/many.parquet has no row group 3");
  });

  it("cuts large row groups smaller, with the same types and values", async () => {
    const count = 6000;
    const numbers = Array.from({ length: count }, (_, i) => i);
    await write(
      "large.parquet",
      {
        id: vectorFromArray(
          numbers.map((i) => (i % 9 === 0 ? null : 2n ** 60n + BigInt(i))),
          new Int64(),
        ),
        large: vectorFromArray(
          numbers.map((i) => `text ${i}`),
          new LargeUtf8(),
        ),
        word: vectorFromArray(
          numbers.map((i) => `w${i % 3}`),
          new Dictionary(new Utf8(), new Int32()),
        ),
        list: vectorFromArray(
          numbers.map((i) => (i % 5 === 0 ? null : [i, null])),
          new List(new Field("item", new Float32(), true)) as never,
        ),
        nested: vectorFromArray(
          numbers.map((i) => ({ x: i })),
          new Struct([new Field("x", new Int32(), true)]),
        ),
      },
      3000,
    );
    const before = leftovers();
    const direct = await collect(readParquetBatches(path("large.parquet")));
    const cut = await collect(readParquetBatches(path("large.parquet"), { maxGroupBytes: 120_000 }));
    expect(direct.map(({ numRows }) => numRows)).toEqual([3000, 3000]);
    expect(cut.map(({ numRows }) => numRows)).toEqual([2048, 952, 2048, 952]);
    expect(String(cut[0]?.schema)).toBe(String(direct[0]?.schema));
    expect(await rows("large.parquet", { maxGroupBytes: 120_000 })).toEqual(await rows("large.parquet"));
    const some = { columns: ["word", "id"], rowGroups: [1] };
    expect(await rows("large.parquet", { ...some, maxGroupBytes: 35_000 })).toEqual(
      await rows("large.parquet", some),
    );
    expect(leftovers()).toBe(before);
  });

  it("removes the temporary file when the reader stops early", async () => {
    const before = leftovers();
    for await (const batch of readParquetBatches(path("large.parquet"), { maxGroupBytes: 120_000 })) {
      expect(batch.numRows).toBe(2048);
      break;
    }
    expect(leftovers()).toBe(before);
  });

  it("counts repeated text as often as it is decoded", async () => {
    await writeWithDuckdb(
      path("dictionary.parquet"),
      "select repeat('x', 10000) || i % 2 as t from range(6000) t(i)",
      "row_group_size 8192",
    );
    const footer = await readParquetFooter(path("dictionary.parquet"));
    expect(footer.rowGroups[0]?.byteSize).toBeLessThan(30_000);
    const batches = await collect(
      readParquetBatches(path("dictionary.parquet"), { maxGroupBytes: 40_000_000 }),
    );
    expect(batches.map(({ numRows }) => numRows).slice(0, 3)).not.toContain(6000);
    expect(batches.reduce((sum, { numRows }) => sum + numRows, 0)).toBe(6000);
    expect(batches[0]?.getChildAt(0)?.get(1)).toBe(`${"x".repeat(10000)}1`);
  });

  it("refuses rows that are too large however they are cut", async () => {
    expect(await failure("large.parquet", { maxGroupBytes: 1000 })).toMatch(
      /^\/large\.parquet: a row group takes \d+ MiB when decoded, the limit is 1 MiB: its rows are too large$/,
    );
  });

  it("refuses pages that are larger than the footer says", async () => {
    await writeWithDuckdb(
      path("bomb.parquet"),
      "select repeat('x', 100000) || i as t from range(500) t(i)",
      "compression zstd",
    );
    const footer = await readParquetFooter(path("bomb.parquet"));
    const [group = []] = thriftStructs(footer.thrift, 4) ?? [];
    const [chunk = []] = thriftStructs(group, 1) ?? [];
    const small = withField(thriftStruct(chunk, 3) ?? [], longField(6, 10n));
    const lying = withField(
      group,
      structsField(1, [withField(chunk, { id: 3, type: "struct", value: small })]),
    );
    const tail = parquetTail(withField(footer.thrift, structsField(4, [lying])));
    writeFileSync(
      path("lying.parquet"),
      Buffer.concat([readFileSync(path("bomb.parquet")).subarray(0, footer.dataEnd), tail]),
    );
    expect(await failure("lying.parquet", { maxGroupBytes: 1 << 20 })).toMatch(
      /its footer says less than its pages$/,
    );
  });

  it("reads on without an Arrow schema that is damaged or of other columns", async () => {
    await write("good.parquet", { a: vectorFromArray(["x", "y"], new Dictionary(new Utf8(), new Int32())) });
    const footer = await readParquetFooter(path("good.parquet"));
    const other = await readParquetFooter(path("large.parquet"));
    for (const value of ["", "not base64 at all", other.keyValues.get("ARROW:schema") ?? ""]) {
      const pair = [textField(1, "ARROW:schema"), textField(2, value)];
      const tail = parquetTail(withField(footer.thrift, structsField(5, [pair])));
      writeFileSync(
        path("stale.parquet"),
        Buffer.concat([readFileSync(path("good.parquet")).subarray(0, footer.dataEnd), tail]),
      );
      expect(await rows("stale.parquet")).toEqual([{ a: "x" }, { a: "y" }]);
      expect(String(await readParquetArrowSchema(path("stale.parquet")))).toBe("Schema<{ 0: a: Utf8 }>");
    }
  });

  it("reads dates of 64 bits as the timestamps they are stored as", async () => {
    await write("date.parquet", {
      day: vectorFromArray([new Date(86_400_000), null], new DateMillisecond()),
    });
    expect(String(await readParquetArrowSchema(path("date.parquet")))).toBe(
      "Schema<{ 0: day: Timestamp<MILLISECOND> }>",
    );
    expect(await rows("date.parquet")).toEqual([{ day: 86_400_000 }, { day: null }]);
  });

  it("refuses two columns of one name and files without the asked-for bytes", async () => {
    const field = new Field("a", new Int32(), true);
    const schema = new Schema([field, field]);
    const column = vectorFromArray([1], new Int32()).data[0];
    const data = makeData({
      type: new Struct([field, field]),
      length: 1,
      nullCount: 0,
      children: [column, column] as never,
    });
    const sink = memorySink();
    const writer = await createParquetWriter(sink, schema);
    await writer.write(new RecordBatch(schema, data as never));
    await writer.close();
    sink.save(path("twice.parquet"));
    expect(await failure("twice.parquet")).toBe(
      "/twice.parquet: two columns have the same name, rename one of them: a",
    );
    expect(await failure("absent.parquet")).toMatch(/^cannot read \/absent\.parquet/);
  });
});
