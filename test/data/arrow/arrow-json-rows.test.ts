import {
  type Data,
  type DataType,
  Field,
  Float64,
  IntervalDayTime,
  IntervalYearMonth,
  makeData,
  RecordBatch,
  Schema,
  Struct,
} from "apache-arrow";
import { describe, expect, it } from "vitest";
import { arrowJsonRows } from "../../../src/data/arrow/arrow-json-rows.ts";
import { readArrowBatches } from "../../../src/data/arrow/read-arrow-batches.ts";
import { collect, EXPECTED_ARROW, goldenArrow, inPieces, keptRows } from "../../golden/arrow-files.ts";

async function batchesOf(file: string): Promise<RecordBatch[]> {
  return collect((await readArrowBatches(inPieces(goldenArrow(file)), file)).batches);
}

function oneColumn(name: string, data: Data): RecordBatch {
  const schema = new Schema([new Field(name, data.type as DataType, true)]);
  return new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length: data.length, children: [data] }),
  );
}

describe("arrowJsonRows", () => {
  it.each(Object.entries(EXPECTED_ARROW))("writes the rows of %s", async (file, expected) => {
    const rows = (await batchesOf(file)).flatMap(arrowJsonRows);
    expect(keptRows(rows, expected)).toEqual(expected.rows);
  });

  it("writes text that JSON.parse reads", async () => {
    for (const file of Object.keys(EXPECTED_ARROW)) {
      for (const row of (await batchesOf(file)).flatMap(arrowJsonRows)) JSON.parse(row);
    }
    const [, , third] = (await batchesOf("texts.arrow")).flatMap(arrowJsonRows);
    expect(JSON.parse(third as string)).toMatchObject({ utf8: null, dict_int8: "a", fixed_binary: null });
  });

  it.each(["numbers.arrow", "texts.arrow", "times.arrow", "nested.arrows", "polars-zstd.arrows"])(
    "writes the same for any slice of %s",
    async (file) => {
      const batch = (await batchesOf(file)).at(-1) as RecordBatch;
      const rows = arrowJsonRows(batch);
      for (let from = 0; from <= batch.numRows; from += 1) {
        expect(arrowJsonRows(batch.slice(from, from + 3))).toEqual(rows.slice(from, from + 3));
      }
    },
  );

  it("writes non-finite floats as words and keeps -0", () => {
    const values = new Float64Array([
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      -0,
      1e21,
      1e-7,
    ]);
    const rows = arrowJsonRows(oneColumn("x", makeData({ type: new Float64(), data: values })));
    expect(rows).toEqual([
      '{"x":"NaN"}',
      '{"x":"Infinity"}',
      '{"x":"-Infinity"}',
      '{"x":-0}',
      '{"x":1e+21}',
      '{"x":1e-7}',
    ]);
  });

  it("writes the parts of intervals", () => {
    const months = makeData({ type: new IntervalYearMonth(), length: 2, data: new Int32Array([14, -3]) });
    expect(arrowJsonRows(oneColumn("i", months))).toEqual(['{"i":{"months":14}}', '{"i":{"months":-3}}']);
    const days = makeData({ type: new IntervalDayTime(), length: 1, data: new Int32Array([2, -500]) });
    expect(arrowJsonRows(oneColumn("i", days))).toEqual(['{"i":{"days":2,"milliseconds":-500}}']);
  });

  it("escapes column names", () => {
    const data = makeData({ type: new Float64(), data: new Float64Array([1]) });
    expect(arrowJsonRows(oneColumn('a"b\n', data))).toEqual(['{"a\\"b\\n":1}']);
  });

  it("writes a batch without columns as empty objects", () => {
    const empty = new RecordBatch(
      new Schema([]),
      makeData({ type: new Struct([]), length: 2, children: [] }),
    );
    expect(arrowJsonRows(empty)).toEqual(["{}", "{}"]);
  });
});
