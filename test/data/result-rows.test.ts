import { join } from "node:path";
import { type RecordBatch, tableFromIPC } from "apache-arrow";
import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { describe, expect, it } from "vitest";
import { appendArrowColumns, appendedSchema } from "../../src/data/arrow/append-arrow-columns.ts";
import { batchFromArrow } from "../../src/data/arrow/arrow-columns.ts";
import { createRowSchema, recordBatchFromRows } from "../../src/data/arrow/rows-to-arrow.ts";
import { createArrowWriter } from "../../src/data/arrow/write-arrow.ts";
import type { ListColumn, ListResult, ResultColumn } from "../../src/data/columns.ts";
import { appendToLines } from "../../src/data/jsonl/append-jsonl.ts";
import { lineRanges } from "../../src/data/jsonl/line-ranges.ts";
import { parseJsonlChunk } from "../../src/data/jsonl/parse-jsonl-chunk.ts";
import { batchFromRows } from "../../src/data/jsonl/rows-columns.ts";
import { foundParquetColumns } from "../../src/data/parquet/parquet-schema.ts";
import { readParquetColumns } from "../../src/data/parquet/read-parquet-duckdb.ts";
import { readParquetBatches } from "../../src/data/parquet/read-parquet-wasm.ts";
import { spliceParquet } from "../../src/data/parquet/splice-parquet.ts";
import { createParquetWriter } from "../../src/data/parquet/write-parquet.ts";
import { resultRows } from "../../src/data/result-rows.ts";
import { asyncBuffer, memorySink, temporaryFolder, writeWithDuckdb } from "./parquet/parquet-samples.ts";

const folder = temporaryFolder();

/** Rows [-0.5, null, -Infinity], null, [], [0.1 + 0.2], whose offsets do not start at 0. */
const LOGPROBS: ListResult = {
  name: "logprobs",
  type: "list<float64>",
  values: Float64Array.of(99, -0.5, Number.NaN, Number.NEGATIVE_INFINITY, 0.1 + 0.2),
  offsets: Int32Array.of(1, 4, 4, 4, 5),
  rowValid: Uint8Array.of(1, 0, 1, 1),
};
/** Rows [1, null], [], [2147483647], [3]. */
const RANKS: ListResult = {
  name: "rank",
  type: "list<int32>",
  values: Int32Array.of(1, -1, 2147483647, 3),
  offsets: Int32Array.of(0, 2, 2, 3, 4),
};
const COLUMNS = [LOGPROBS, RANKS];
const ADDED = COLUMNS.map(({ name, type }) => ({ name, type }));
const PLAIN = [
  { logprobs: [-0.5, null, Number.NEGATIVE_INFINITY], rank: [1, null] },
  { logprobs: null, rank: [] },
  { logprobs: [], rank: [2147483647] },
  { logprobs: [0.1 + 0.2], rank: [3] },
];
const REQUESTS = [
  { name: "logprobs", kind: "list" },
  { name: "rank", kind: "list" },
] as const;

/** The lists of a column that our readers made; whether an empty list or none is said by `rowValid`. */
function listsOf(column: ListColumn): (readonly (number | null)[] | null)[] {
  return Array.from({ length: column.offsets.length - 1 }, (_, row) => {
    if (column.rowValid?.[row] === 0) return null;
    const list: (number | null)[] = [];
    for (let at = column.offsets[row] as number; at < (column.offsets[row + 1] as number); at += 1)
      list.push(column.valueValid?.[at] === 0 ? null : (column.values[at] as number));
    return list;
  });
}

function plainOf(columns: ReadonlyMap<string, unknown>): unknown[] {
  const logprobs = listsOf(columns.get("logprobs") as ListColumn);
  const ranks = listsOf(columns.get("rank") as ListColumn);
  return logprobs.map((list, row) => ({ logprobs: list, rank: ranks[row] }));
}

/** The columns as a batch of their own. */
function batchOf(columns: readonly ResultColumn[]): RecordBatch {
  const bare = createRowSchema().finish();
  const schema = appendedSchema(bare, columns);
  return appendArrowColumns(recordBatchFromRows([{}, {}, {}, {}], bare), columns, schema);
}

async function writeParquet(path: string, columns: readonly ResultColumn[]): Promise<void> {
  const batch = batchOf(columns);
  const sink = memorySink();
  const writer = await createParquetWriter(sink, batch.schema);
  await writer.write(batch);
  await writer.close();
  sink.save(path);
}

describe("lists in results", () => {
  it("know their rows", () => {
    expect(COLUMNS.map(resultRows)).toEqual([4, 4]);
  });

  it("are written to JSON Lines", () => {
    const lines = Buffer.from('{"a":1}\n{}\n{"a":NaN}\n{ }\n');
    const { starts, ends } = lineRanges(lines);
    const text = Buffer.from(appendToLines(lines, starts, ends, COLUMNS)).toString();
    expect(text).toBe(
      [
        '{"a":1,"logprobs":[-0.5,null,"-Infinity"],"rank":[1,null]}',
        '{"logprobs":null,"rank":[]}',
        '{"a":NaN,"logprobs":[],"rank":[2147483647]}',
        '{ "logprobs":[0.30000000000000004],"rank":[3]}\n',
      ].join("\n"),
    );
    const { rows } = parseJsonlChunk(Buffer.from(text), "x", 1);
    expect(plainOf(batchFromRows(rows, REQUESTS, "x").columns)).toEqual(PLAIN);
  });

  it("are refused in JSON Lines with another number of rows", () => {
    const lines = Buffer.from("{}\n");
    const { starts, ends } = lineRanges(lines);
    expect(() => appendToLines(lines, starts, ends, COLUMNS)).toThrow(
      "column logprobs: expected 1 rows, got 4",
    );
  });

  it("take as many bytes as they need", () => {
    const { starts, ends } = lineRanges(Buffer.from("{}"));
    const values = new Float64Array(5000).fill(-1 / 700_000);
    const column = { name: "é", type: "list<float64>", values, offsets: Int32Array.of(0, 5000) } as const;
    const text = Buffer.from(appendToLines(Buffer.from("{}"), starts, ends, [column])).toString();
    expect(JSON.parse(text).é).toEqual([...values]);
  });

  it("are written to Arrow", async () => {
    const batch = batchOf(COLUMNS);
    const sink = memorySink();
    const writer = await createArrowWriter(sink, batch.schema, "file");
    await writer.write(batch);
    await writer.close();
    const back = tableFromIPC(sink.bytes());
    expect(back.schema.fields.map(String)).toEqual(["logprobs: List<Float64>", "rank: List<Int32>"]);
    expect(back.toArray().map((row) => JSON.parse(JSON.stringify(row)))).toEqual(
      PLAIN.map((row) => JSON.parse(JSON.stringify(row))),
    );
  });

  it("are written to Parquet of their own", async () => {
    const path = join(folder, "own.parquet");
    await writeParquet(path, COLUMNS);
    await checkParquet(path);
  });

  it.each(["without", "with"])("are spliced into Parquet %s a page index", async (index) => {
    const source = join(folder, "source.parquet");
    const path = join(folder, "spliced.parquet");
    if (index === "without") await writeWithDuckdb(source, "select i as a from range(4) t(i)");
    else await writeParquet(source, [{ name: "a", type: "float64", values: Float64Array.of(0, 1, 2, 3) }]);
    const sink = memorySink();
    await spliceParquet([source, source], sink, { added: ADDED, take: () => COLUMNS, note: "{}" });
    sink.save(path);
    expect((await foundParquetColumns(path)).slice(-2)).toEqual([
      { name: "logprobs", type: "list<double>", kinds: ["list", "json"] },
      { name: "rank", type: "list<int32>", kinds: ["list", "json"] },
    ]);
    await checkParquet(path, 2);
    const rows = await parquetReadObjects({ file: asyncBuffer(path), compressors, columns: ["a"] });
    expect(rows.map(({ a }) => Number(a))).toEqual([0, 1, 2, 3, 0, 1, 2, 3]);
  });
});

async function checkParquet(path: string, times = 1): Promise<void> {
  const expected = Array.from({ length: times }, () => PLAIN).flat();
  const byDuckdb: unknown[] = [];
  for await (const batch of readParquetColumns(path, REQUESTS)) byDuckdb.push(...plainOf(batch.columns));
  expect(byDuckdb).toEqual(expected);
  const byWasm: unknown[] = [];
  for await (const batch of readParquetBatches(path)) {
    byWasm.push(...plainOf(batchFromArrow(batch, REQUESTS, path, 0).columns));
  }
  expect(byWasm).toEqual(expected);
  const rows = await parquetReadObjects({
    file: asyncBuffer(path),
    compressors,
    columns: ["logprobs", "rank"],
  });
  expect(rows).toEqual(expected);
}
