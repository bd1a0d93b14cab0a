import {
  BinaryView,
  type Data,
  type DataType,
  Dictionary,
  Field,
  FixedSizeList,
  Int16,
  LargeList,
  List,
  Map_,
  makeData,
  Null,
  RecordBatch,
  Schema,
  Struct,
  tableFromIPC,
  Utf8,
  Utf8View,
  Vector,
} from "apache-arrow";
import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { describe, expect, it } from "vitest";
import { arrowJsonRows } from "../../../src/data/arrow/arrow-json-rows.ts";
import { dataFromKeys } from "../../../src/data/arrow/dictionary-keys.ts";
import { ipcWritable } from "../../../src/data/arrow/ipc-writable.ts";
import { readArrowBatches } from "../../../src/data/arrow/read-arrow-batches.ts";
import { createArrowWriter } from "../../../src/data/arrow/write-arrow.ts";
import { createParquetWriter } from "../../../src/data/parquet/write-parquet.ts";
import { collect, inPieces } from "../../golden/arrow-files.ts";
import { memorySink } from "../parquet/parquet-samples.ts";

const ROWS = 60;

/** Short, long, empty and missing texts, all different. */
function word(i: number): string | null {
  if (i % 7 === 3) return null;
  if (i % 11 === 5) return "";
  return i % 3 === 0 ? `short ${i}` : `a text of more than twelve bytes, number ${i}`;
}

function words(count: number, type: DataType = new Utf8View()): Data {
  return dataFromKeys(
    type,
    Array.from({ length: count }, (_, i) => word(i)),
  );
}

function listData(type: DataType, child: Data, offsets: Int32Array | BigInt64Array): Data {
  return makeData({ type, length: ROWS, nullCount: 0, valueOffsets: offsets, child } as never) as Data;
}

const item = (type: DataType): Field => new Field("item", type, true);
const offsets = Int32Array.from({ length: ROWS + 1 }, (_, i) => 2 * i);
const view = new Utf8View();
const inner = new Struct([new Field("a", view, true), new Field("n", new Null(), true)]);
const innerData = (count: number): Data =>
  makeData({
    type: inner,
    length: count,
    nullCount: 0,
    children: [words(count), makeData({ type: new Null(), length: count })],
  });
const entries = new Struct([new Field("key", new Utf8(), false), new Field("value", view, true)]);
const entryData = makeData({
  type: entries,
  length: ROWS,
  nullCount: 0,
  children: [
    dataFromKeys(
      new Utf8(),
      Array.from({ length: ROWS }, (_, i) => `k${i}`),
    ),
    words(ROWS),
  ],
});
const dictionary = new Dictionary(view, new Int16(), 7);

const COLUMNS: Readonly<Record<string, Data>> = {
  text: words(ROWS),
  bytes: words(ROWS, new BinaryView()),
  list: listData(new List(item(view)), words(2 * ROWS), offsets),
  largeList: listData(new LargeList(item(view)), words(2 * ROWS), BigInt64Array.from(offsets, BigInt)),
  listOfStructs: listData(new List(item(inner)), innerData(2 * ROWS), offsets),
  fixed: makeData({
    type: new FixedSizeList(2, item(view)),
    length: ROWS,
    nullCount: 0,
    child: words(2 * ROWS),
  }) as Data,
  struct: innerData(ROWS),
  map: listData(
    new Map_(new Field("entries", entries, false) as never),
    entryData,
    Int32Array.from(offsets, (x) => x / 2),
  ),
  dictionary: makeData({
    type: dictionary,
    length: ROWS,
    data: Int16Array.from({ length: ROWS }, (_, i) => i % 9),
    dictionary: new Vector([words(9)]),
  } as never) as Data,
  nothing: makeData({ type: new Null(), length: ROWS }),
};

function batchOf(columns: Readonly<Record<string, Data>>): RecordBatch {
  const schema = new Schema(Object.entries(columns).map(([name, { type }]) => new Field(name, type, true)));
  const children = Object.values(columns);
  const struct = new Struct(schema.fields);
  return new RecordBatch(schema, makeData({ type: struct, length: ROWS, nullCount: 0, children }) as never);
}

const SLICES = [
  [0, ROWS],
  [0, 13],
  [13, 14],
  [5, 37],
  [41, ROWS],
] as const;

async function arrowBytes(batches: readonly RecordBatch[], format: "file" | "stream"): Promise<Uint8Array> {
  const sink = memorySink();
  const writer = createArrowWriter(sink, (batches[0] as RecordBatch).schema, format);
  for (const batch of batches) await writer.write(batch);
  await writer.close();
  return new Uint8Array(sink.bytes());
}

describe("ipcWritable", () => {
  const whole = batchOf(COLUMNS);
  const rows = arrowJsonRows(whole);
  const slices = SLICES.map(([from, to]) => whole.slice(from, to));
  const expected = SLICES.flatMap(([from, to]) => rows.slice(from, to));

  it("has texts in its samples that do not lie in their views", () => {
    expect(rows[1]).toContain('"text":"a text of more than twelve bytes, number 1"');
    expect(rows[3]).toContain('"text":null');
  });

  it.each(["file", "stream"] as const)("keeps sliced views of every place in a %s", async (format) => {
    const bytes = await arrowBytes(slices, format);
    const { batches } = await readArrowBatches(inPieces(bytes), "x");
    expect((await collect(batches)).flatMap(arrowJsonRows)).toEqual(expected);
    expect(tableFromIPC(bytes).batches.flatMap(arrowJsonRows)).toEqual(expected);
  });

  it.each(Object.keys(COLUMNS))("keeps sliced views in Parquet: %s", async (name) => {
    const one = batchOf({ [name]: COLUMNS[name] as Data });
    const sink = memorySink();
    const writer = await createParquetWriter(sink, one.schema, { maxRowGroupRows: 17 });
    for (const [from, to] of SLICES) await writer.write(one.slice(from, to));
    await writer.close();
    const { buffer } = new Uint8Array(sink.bytes());
    const read = await parquetReadObjects({ file: buffer, compressors, utf8: name !== "bytes" });
    const values = arrowJsonRows(one).map((row) => JSON.parse(row));
    const texts = read.map((row) => ({ [name]: plain(row[name]) }));
    expect(texts).toEqual(SLICES.flatMap(([from, to]) => values.slice(from, to)));
  });

  it("does not repeat the bytes of a whole column in each slice", () => {
    const one = batchOf({ text: words(ROWS) });
    const part = ipcWritable(one.slice(40, 42)).data.children[0] as Data;
    expect(part.variadicBuffers.map(({ length }) => length)).toEqual([
      Buffer.byteLength(word(40) as string) + Buffer.byteLength(word(41) as string),
    ]);
  });

  it("empties what lies under nulls, which strict readers check too", () => {
    const data = words(4);
    const broken = (data.values as Uint8Array).slice();
    new DataView(broken.buffer).setInt32(16 * 3, 99, true);
    new DataView(broken.buffer).setInt32(16 * 3 + 8, 5, true);
    const views = makeData({
      type: view,
      length: 4,
      nullBitmap: data.nullBitmap,
      views: broken,
      variadicBuffers: data.variadicBuffers,
    } as never) as Data;
    const one = batchOf({
      text: makeData({ type: view, length: ROWS, views: new Uint8Array(16 * ROWS) } as never) as Data,
    });
    const schema = new Schema([new Field("text", view, true)]);
    const struct = makeData({ type: new Struct(schema.fields), length: 4, nullCount: 0, children: [views] });
    const clean = ipcWritable(new RecordBatch(schema, struct as never)).data.children[0] as Data;
    expect([...(clean.values as Uint8Array).subarray(48, 64)]).toEqual(new Array(16).fill(0));
    expect(ipcWritable(one).numRows).toBe(ROWS);
  });
});

/** hyparquet's values as JSON has them: bytes in base64. */
function plain(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : (value ?? null);
}
