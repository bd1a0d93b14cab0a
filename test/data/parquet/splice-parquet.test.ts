import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  Field,
  Float32,
  Int64,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  tableFromIPC,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { beforeAll, describe, expect, it } from "vitest";
import { offsetIndexPlace } from "../../../src/data/parquet/move-parquet-chunk.ts";
import { type ParquetFooter, readParquetFooter } from "../../../src/data/parquet/parquet-footer.ts";
import { readParquetColumns } from "../../../src/data/parquet/read-parquet-duckdb.ts";
import { spliceParquet } from "../../../src/data/parquet/splice-parquet.ts";
import { decodeThrift, type ThriftStruct } from "../../../src/data/parquet/thrift-compact.ts";
import {
  thriftLong,
  thriftNumber,
  thriftStruct,
  thriftStructs,
} from "../../../src/data/parquet/thrift-fields.ts";
import { createParquetWriter } from "../../../src/data/parquet/write-parquet.ts";
import { CalibrantError } from "../../../src/errors.ts";
import {
  ADDED,
  addedReward,
  addedStatus,
  asyncBuffer,
  duckdb,
  memorySink,
  takeAdded,
  temporaryFolder,
  writeWithDuckdb,
} from "./parquet-samples.ts";

const folder = temporaryFolder();
const path = (name: string): string => join(folder, name);

/** Rows with 64-bit ids, repeated text (a dictionary with a Bloom filter), lists and structs with nulls. */
const rows = (from: number, to: number): string =>
  `select (9007199254740993 + i)::bigint as id, case when i % 4 = 0 then null else 'w' || i % 3 end as word,
     case when i % 5 = 0 then null when i % 5 = 1 then [] else [-i / 8.0::float, null, 0.5::float] end as logprobs,
     {'a': i, 'b': ['x' || i, null]} as nested from range(${from}, ${to}) t(i)`;

async function spliced(name: string, inputs: readonly string[], note = '{"v":1}'): Promise<ParquetFooter> {
  const sink = memorySink();
  const done = await spliceParquet(inputs.map(path), sink, { added: ADDED, take: takeAdded(), note });
  sink.save(path(name));
  const footer = await readParquetFooter(path(name));
  expect(done).toEqual({ rows: footer.rows, rowGroups: footer.rowGroups.length });
  return footer;
}

function chunkBytes(file: string, footer: ParquetFooter, group: number, column: number): Buffer {
  const chunk = footer.rowGroups[group]?.columns[column];
  return readFileSync(path(file)).subarray(chunk?.start, (chunk?.start ?? 0) + (chunk?.compressedSize ?? 0));
}

async function failure(
  inputs: readonly string[],
  options: Partial<Parameters<typeof spliceParquet>[2]> = {},
): Promise<string> {
  const sink = memorySink();
  const full = { added: ADDED, take: takeAdded(), note: "x", ...options };
  const error: unknown = await spliceParquet(inputs.map(path), sink, full).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CalibrantError);
  if (options.take === undefined) expect(sink.position).toBe(0);
  return (error as CalibrantError).message.replaceAll(folder, "");
}

beforeAll(async () => {
  await writeWithDuckdb(path("a.parquet"), rows(0, 5000), "row_group_size 2048, compression zstd");
  await writeWithDuckdb(path("b.parquet"), rows(5000, 8000), "row_group_size 2048, compression zstd");
});

describe("spliceParquet", () => {
  it("keeps the input's bytes and adds columns that hyparquet reads", async () => {
    const footer = await spliced("out.parquet", ["a.parquet"]);
    const input = await readParquetFooter(path("a.parquet"));
    const data = (file: string): Buffer => readFileSync(path(file)).subarray(0, input.dataEnd);
    expect(data("out.parquet").equals(data("a.parquet"))).toBe(true);
    expect(footer.rowGroups.map((group) => group.rows)).toEqual([2048, 2048, 904]);

    const before = await parquetReadObjects({ file: asyncBuffer(path("a.parquet")), compressors });
    const after = await parquetReadObjects({ file: asyncBuffer(path("out.parquet")), compressors });
    expect(after.map(({ cal_reward, cal_status, ...old }) => old)).toEqual(before);
    expect(after.map((row) => row.cal_reward ?? null)).toEqual(before.map((_, i) => addedReward(i)));
    expect(after.map((row) => row.cal_status ?? null)).toEqual(before.map((_, i) => addedStatus(i)));
    expect(before[7]?.id).toBe(9007199254741000n);
  });

  it("gives files that DuckDB reads the same, old columns and new", async () => {
    await spliced("out.parquet", ["a.parquet"]);
    const [out, input] = [`'${path("out.parquet")}'`, `'${path("a.parquet")}'`];
    const old = `select * exclude (cal_reward, cal_status) from ${out}`;
    expect(await duckdb(`select count(*)::int from (${old} except all select * from ${input})`)).toEqual([
      [0],
    ]);
    const filtered = (file: string): string => `select count(*)::int from ${file} where word = 'w1'`;
    expect(await duckdb(filtered(out))).toEqual(await duckdb(filtered(input)));
    const [added] = await duckdb(
      `select count(*)::int, count(cal_reward)::int, count(cal_status)::int, min(cal_reward), max(cal_reward) from ${out}`,
    );
    expect(added).toEqual([5000, 4286, 4000, 0, 4999 / 3]);
  });

  it("joins several files in order, their chunks byte for byte", async () => {
    const footer = await spliced("joined.parquet", ["a.parquet", "b.parquet", "a.parquet"]);
    const inputs = [
      ...[0, 1, 2].map((group) => ["a.parquet", group] as const),
      ...[0, 1].map((group) => ["b.parquet", group] as const),
      ...[0, 1, 2].map((group) => ["a.parquet", group] as const),
    ];
    expect(footer.rowGroups.map((group) => group.rows)).toEqual([
      2048, 2048, 904, 2048, 952, 2048, 2048, 904,
    ]);
    for (const [index, [file, group]] of inputs.entries()) {
      const input = await readParquetFooter(path(file));
      for (let column = 0; column < input.leaves.length; column += 1) {
        const same = chunkBytes("joined.parquet", footer, index, column).equals(
          chunkBytes(file, input, group, column),
        );
        expect(same, `row group ${index}, column ${column}`).toBe(true);
      }
    }
    const all = await parquetReadObjects({ file: asyncBuffer(path("joined.parquet")), compressors });
    const ids = Array.from({ length: 13000 }, (_, i) => 9007199254740993n + BigInt(i < 8000 ? i : i - 8000));
    expect(all.map((row) => row.id)).toEqual(ids);
    expect(all.map((row) => row.cal_reward ?? null)).toEqual(ids.map((_, i) => addedReward(i)));
    const counts = await duckdb(
      `select count(*)::int, count(distinct id)::int, count(cal_status)::int from '${path("joined.parquet")}' where word = 'w2'`,
    );
    expect(counts).toEqual([[3250, 2000, 2600]]);
  });

  it("moves Bloom filters along: each begins where the metadata says", async () => {
    const footer = await spliced("joined.parquet", ["b.parquet", "a.parquet"]);
    const bytes = readFileSync(path("joined.parquet"));
    const filters = footer.rowGroups.flatMap(({ columns }) => {
      const at = thriftLong(thriftStruct(columns[1]?.thrift ?? [], 3) ?? [], 14);
      return at === undefined ? [] : [decodeThrift(bytes, Number(at)).value];
    });
    expect(filters.length).toBe(5);
    // BloomFilterHeader: numBytes, then block algorithm, xxhash, no compression, as unions of empty structs.
    for (const header of filters) {
      expect(thriftNumber(header, 1)).toBeGreaterThanOrEqual(32);
      expect(header.slice(1).map(({ value }) => value)).toEqual(
        new Array(3).fill([{ id: 1, type: "struct", value: [] }]),
      );
    }
  });

  it("moves page indexes along, those of added columns included", async () => {
    await writeIndexed("indexed.parquet");
    const footer = await spliced("joined.parquet", ["indexed.parquet", "indexed.parquet"]);
    const bytes = readFileSync(path("joined.parquet"));
    expect(footer.rowGroups.length).toBe(4);
    for (const { columns } of footer.rowGroups) {
      for (const chunk of columns) {
        const place = offsetIndexPlace(chunk.thrift);
        expect(place).toBeDefined();
        const pages = thriftStructs(decodeThrift(bytes, place?.start ?? 0).value, 1) ?? [];
        const dataPage = thriftLong(thriftStruct(chunk.thrift, 3) ?? [], 9);
        expect(thriftLong(pages[0] ?? [], 1)).toBe(dataPage);
        for (const page of pages) expect(isDataPage(bytes, Number(thriftLong(page, 1)))).toBe(true);
        const last = pages.at(-1) ?? [];
        const end = Number(thriftLong(last, 1)) + (thriftNumber(last, 2) ?? 0);
        expect(end).toBe(chunk.start + chunk.compressedSize);
      }
    }
    const all = await parquetReadObjects({
      file: asyncBuffer(path("joined.parquet")),
      compressors,
      useOffsetIndex: true,
      rowStart: 90,
      rowEnd: 110,
    });
    expect(all.map((row) => row.id)).toEqual(
      Array.from({ length: 20 }, (_, i) => BigInt(i < 10 ? i + 90 : i - 10)),
    );
  });

  it("lists the added columns in the Arrow schema and in Spark's, and keeps the other metadata", async () => {
    const spark = JSON.stringify({
      type: "struct",
      fields: [{ name: "id", type: "long", nullable: true, metadata: {} }],
    });
    await writeIndexed(
      "indexed.parquet",
      new Map([
        ["org.apache.spark.sql.parquet.row.metadata", spark],
        ["pandas", "{}"],
        ["calibrant", "old"],
      ]),
    );
    const footer = await spliced("out.parquet", ["indexed.parquet"], "new");
    expect(footer.keyValues.get("pandas")).toBe("{}");
    expect(footer.keyValues.get("calibrant")).toBe("new");
    expect([...(thriftStructs(footer.thrift, 5) ?? [])].length).toBe(footer.keyValues.size);
    const schema = tableFromIPC(Buffer.from(footer.keyValues.get("ARROW:schema") ?? "", "base64")).schema;
    expect(schema.fields.map((field) => `${field}`)).toEqual([
      "id: Int64",
      "word: Utf8",
      "logprobs: List<Float32>",
      "cal_reward: Float64",
      "cal_status: Utf8",
    ]);
    expect(schema.metadata.get("calibrant")).toBe("new");
    const listed = JSON.parse(footer.keyValues.get("org.apache.spark.sql.parquet.row.metadata") ?? "") as {
      fields: unknown[];
    };
    expect(listed.fields.slice(1)).toEqual([
      { name: "cal_reward", type: "double", nullable: true, metadata: {} },
      { name: "cal_status", type: "string", nullable: true, metadata: {} },
    ]);
  });

  it("goes on from an output: columns can be added to it again", async () => {
    await spliced("once.parquet", ["a.parquet"]);
    const sink = memorySink();
    const twice = [{ name: "cal_more", type: "float64" }] as const;
    await spliceParquet([path("once.parquet")], sink, {
      added: twice,
      take: (count) => [{ ...twice[0], values: new Float64Array(count).fill(7) }],
      note: "2",
    });
    sink.save(path("twice.parquet"));
    const [first] = await duckdb(
      `select count(cal_reward)::int, count(cal_status)::int, sum(cal_more) from '${path("twice.parquet")}'`,
    );
    expect(first).toEqual([4286, 4000, 35000]);
  });

  it("writes files without rows and files whose added columns are all null", async () => {
    await writeWithDuckdb(path("none.parquet"), `${rows(0, 10)} limit 0`);
    const footer = await spliced("out.parquet", ["none.parquet"]);
    expect(footer.rows).toBe(0);
    const described = `describe select cal_reward, cal_status from '${path("out.parquet")}'`;
    expect((await duckdb(described)).map(([name, type]) => [name, type])).toEqual([
      ["cal_reward", "DOUBLE"],
      ["cal_status", "VARCHAR"],
    ]);

    await writeWithDuckdb(path("few.parquet"), rows(0, 3));
    const sink = memorySink();
    await spliceParquet([path("few.parquet")], sink, {
      added: ADDED,
      take: (count) => [
        { ...ADDED[0], values: new Float64Array(count).fill(Number.NaN) },
        { ...ADDED[1], codes: new Int32Array(count).fill(-1), dictionary: [] },
      ],
      note: "x",
    });
    sink.save(path("nulls.parquet"));
    const sql = `select count(*)::int, count(cal_reward)::int, count(cal_status)::int from '${path("nulls.parquet")}'`;
    expect(await duckdb(sql)).toEqual([[3, 0, 0]]);
  });

  it("keeps infinities, signed zeros and the bits of every double", async () => {
    await writeWithDuckdb(path("few.parquet"), rows(0, 6));
    const values = new Float64Array([
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      -0,
      5e-324,
      0.1 + 0.2,
      Number.MAX_VALUE,
    ]);
    const sink = memorySink();
    const added = [{ name: "v", type: "float64" }] as const;
    await spliceParquet([path("few.parquet")], sink, {
      added,
      take: () => [{ ...added[0], values }],
      note: "",
    });
    sink.save(path("out.parquet"));
    for await (const batch of readParquetColumns(path("out.parquet"), [{ name: "v", kind: "number" }])) {
      const column = batch.columns.get("v");
      expect(column?.kind === "number" && Array.from(column.values)).toEqual(Array.from(values));
    }
  });

  it("writes behind what a sink already holds", async () => {
    const sink = memorySink();
    await sink.write(Buffer.from("head"));
    await spliceParquet([path("a.parquet")], sink, { added: ADDED, take: takeAdded(), note: "" });
    const alone = memorySink();
    await spliceParquet([path("a.parquet")], alone, { added: ADDED, take: takeAdded(), note: "" });
    expect(sink.bytes().subarray(4).equals(alone.bytes())).toBe(true);
  });

  it("refuses what cannot become one file, before a byte is written", async () => {
    await writeWithDuckdb(
      path("other.parquet"),
      "select 1::bigint as id, 'x' as word, [1::double] as logprobs, {'a': 1, 'b': ['x']} as nested",
    );
    expect(await failure(["a.parquet", "other.parquet"])).toBe(
      "/a.parquet and /other.parquet differ in their columns and cannot go into one Parquet file: column logprobs.list.element: optional float against column logprobs.list.element: optional double",
    );
    await writeWithDuckdb(path("fewer.parquet"), "select 1::bigint as id");
    expect(await failure(["a.parquet", "fewer.parquet"])).toMatch(
      /column word: optional utf8 against no such column$/,
    );
    await writeWithDuckdb(path("taken.parquet"), "select 1 as cal_status");
    expect(await failure(["taken.parquet"])).toBe(
      "/taken.parquet: a column that would be added is already there, drop or rename it first: cal_status",
    );
    expect(await failure(["a.parquet"], { added: [ADDED[0], ADDED[0]] })).toMatch(
      /already there.*cal_reward$/,
    );
    expect(await failure([])).toBe("a splice needs at least one Parquet file, got none");
    expect(await failure(["a.parquet", "absent.parquet"])).toMatch(/^cannot read \/absent\.parquet/);
  });

  it("refuses columns that are not those asked for", async () => {
    const message = await failure(["a.parquet"], { take: (count) => takeAdded()(count - 1) });
    expect(message).toBe(
      "added columns must be cal_reward (float64, 2048 rows), cal_status (utf8, 2048 rows); got cal_reward (float64, 2047 rows), cal_status (utf8, 2047 rows)",
    );
    expect(await failure(["a.parquet"], { take: () => [] })).toMatch(/; got $/);
  });
});

/** A Data page or a data page of version 2 begins here. */
function isDataPage(bytes: Uint8Array, at: number): boolean {
  const type = thriftNumber(decodeThrift(bytes, at).value as ThriftStruct, 1);
  return type === 0 || type === 3;
}

/** Two row groups of 100 rows with a page index, which parquet-wasm writes. */
async function writeIndexed(name: string, metadata = new Map<string, string>()): Promise<void> {
  const fields = [
    new Field("id", new Int64(), true),
    new Field("word", new Utf8(), true),
    new Field("logprobs", new List(new Field("item", new Float32(), true)), true),
  ];
  const schema = new Schema(fields, metadata);
  const count = 100;
  const columns = [
    vectorFromArray(
      Array.from({ length: count }, (_, i) => BigInt(i)),
      new Int64(),
    ),
    vectorFromArray(
      Array.from({ length: count }, (_, i) => `w${i % 3}`),
      new Utf8(),
    ),
    vectorFromArray(
      Array.from({ length: count }, (_, i) => (i % 5 === 0 ? null : [i, i / 2])),
      fields[2]?.type as List<Float32>,
    ),
  ];
  const data = makeData({
    type: new Struct(fields),
    length: count,
    nullCount: 0,
    children: columns.map((column) => column.data[0]) as never,
  });
  const sink = memorySink();
  const writer = await createParquetWriter(sink, schema, { maxRowGroupRows: count });
  await writer.write(new RecordBatch(schema, data));
  await writer.write(new RecordBatch(schema, data));
  await writer.close();
  sink.save(path(name));
}
