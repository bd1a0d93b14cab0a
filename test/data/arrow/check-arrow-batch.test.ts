import {
  type Data,
  Dictionary,
  Field,
  FixedSizeList,
  Float32,
  Int32,
  LargeUtf8,
  List,
  makeData,
  makeVector,
  RecordBatch,
  Schema,
  Struct,
  Utf8,
  Utf8View,
} from "apache-arrow";
import { describe, expect, it } from "vitest";
import { checkArrowBatch } from "../../../src/data/arrow/check-arrow-batch.ts";

function check(data: Data, nodeLengths: readonly number[] = [data.length]): () => void {
  const schema = new Schema([new Field("c", data.type, true)]);
  const struct = makeData({ type: new Struct(schema.fields), length: data.length, children: [data] });
  return () => checkArrowBatch(new RecordBatch(schema, struct), Float64Array.from(nodeLengths));
}

const ints = (length: number): Data => makeData({ type: new Int32(), length, data: new Int32Array(3) });
const item = new Field("item", new Float32());

function texts(offsets: readonly number[], bytes: number, length: number): Data<Utf8> {
  return makeData({
    type: new Utf8(),
    length,
    valueOffsets: Int32Array.from(offsets),
    data: new Uint8Array(bytes),
  });
}

describe("checkArrowBatch", () => {
  it("accepts what is whole", () => {
    expect(check(ints(3))).not.toThrow();
    expect(check(texts([0, 1, 2], 2, 2))).not.toThrow();
    expect(check(texts([], 0, 0), [0])).not.toThrow();
  });

  it("refuses a column that is shorter or longer than the batch", () => {
    expect(check(ints(3), [2])).toThrow("column c has 2 values for 3 rows");
  });

  it("refuses missing values, bits and offsets", () => {
    expect(check(ints(4))).toThrow("column c: 3 values where 4 are needed");
    const bits = makeData({
      type: new Int32(),
      length: 9,
      nullCount: 1,
      nullBitmap: new Uint8Array(1),
      data: new Int32Array(9),
    });
    expect(check(bits)).toThrow("column c: 8 validity bits where 9 are needed");
    expect(check(texts([0, 1], 9, 2))).toThrow("column c: 2 offsets where 3 are needed");
  });

  it("refuses offsets that go back, start below 0 or end behind the values", () => {
    expect(check(texts([0, 2, 1], 9, 2))).toThrow("column c: offset 2 is smaller than the one before: 1");
    expect(check(texts([-1, 2, 3], 9, 2))).toThrow("column c: offset 0 is negative: -1");
    expect(check(texts([0, 2, 10], 9, 2))).toThrow("column c: 9 values where 10 are needed");
    const large = makeData({
      type: new LargeUtf8(),
      length: 1,
      valueOffsets: new BigInt64Array([0n, 2n ** 60n]),
      data: new Uint8Array(1),
    });
    expect(check(large)).toThrow("1 values where 1152921504606847000 are needed");
  });

  it("looks into lists and structs", () => {
    const floats = makeData({ type: new Float32(), length: 4, data: new Float32Array(2) });
    const list = makeData({
      type: new List(item),
      length: 1,
      valueOffsets: Int32Array.of(0, 4),
      child: floats,
    });
    expect(check(list)).toThrow("column c: 2 values where 4 are needed");
    const fixed = makeData({ type: new FixedSizeList(3, item), length: 2, child: floats });
    expect(check(fixed)).toThrow("column c: 4 child values where 6 are needed");
    const struct = makeData({ type: new Struct([item]), length: 3, children: [floats.slice(0, 2)] });
    expect(check(struct)).toThrow("column c: 2 child values where 3 are needed");
  });

  it("refuses codes outside their dictionary, except under a null", () => {
    const dictionary = makeVector(texts([0, 1], 1, 1));
    const type = new Dictionary(new Utf8(), new Int32());
    const codes = Int32Array.of(0, 5);
    expect(check(makeData({ type, length: 2, data: codes, dictionary }))).toThrow(
      "code 5 is outside its dictionary of 1",
    );
    const nullBitmap = Uint8Array.of(1);
    expect(
      check(makeData({ type, length: 2, nullCount: 1, nullBitmap, data: codes, dictionary })),
    ).not.toThrow();
  });

  it("refuses views that point outside their buffer", () => {
    const view = Int32Array.of(20, 0, 0, 5);
    const type = new Utf8View();
    const data = (bytes: number): Data =>
      makeData({
        type,
        length: 1,
        views: new Uint8Array(view.buffer),
        variadicBuffers: [new Uint8Array(bytes)],
      });
    expect(check(data(25))).not.toThrow();
    expect(check(data(24))).toThrow("view 0 points outside its buffer");
  });
});
