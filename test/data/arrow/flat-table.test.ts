import { Field, Int32, Message, Schema, Utf8 } from "apache-arrow";
import { describe, expect, it } from "vitest";
import {
  int8Of,
  int16Of,
  int32Of,
  lengthOf,
  rootTable,
  structsOf,
  tableOf,
  tablesOf,
  textOf,
} from "../../../src/data/arrow/flat-table.ts";

const schema = new Schema([new Field("a", new Int32()), new Field("é", new Utf8(), true)]);
/** A table of Message.fbs: version, header type, header, body length. */
const message = Message.encode(Message.from(schema));

describe("flat-table", () => {
  it("reads scalars, tables, vectors and text", () => {
    const root = rootTable(message);
    expect([int16Of(root, 0), int8Of(root, 1), lengthOf(root, 3)]).toEqual([4, 1, 0]);
    const header = tableOf(root, 2);
    const fields = header === null ? [] : tablesOf(header, 1);
    expect(fields.map((field) => textOf(field, 0))).toEqual(["a", "é"]);
    expect(fields.map((field) => int8Of(field, 2))).toEqual([2, 5]);
    const int = fields[0] === undefined ? null : tableOf(fields[0], 3);
    expect(int === null ? null : int32Of(int, 0)).toBe(32);
  });

  it("gives the default of a field that is left out", () => {
    const root = rootTable(message);
    expect([int8Of(root, 99, 5), int16Of(root, 99, 6), int32Of(root, 99, 7), lengthOf(root, 99)]).toEqual([
      5, 6, 7, 0,
    ]);
    expect([tableOf(root, 99), tablesOf(root, 99), textOf(root, 99)]).toEqual([null, [], ""]);
    expect(structsOf(root, 99, 16).length).toBe(0);
  });

  it("throws a RangeError instead of reading outside the bytes", () => {
    expect(() => rootTable(message.subarray(0, 3))).toThrow(RangeError);
    const cut = rootTable(message.slice(0, 40));
    expect(() => tablesOf(tableOf(cut, 2) ?? cut, 1).map((field) => textOf(field, 0))).toThrow(RangeError);
    const far = message.slice();
    new DataView(far.buffer).setUint32(0, 1 << 30, true);
    expect(() => int16Of(rootTable(far), 0)).toThrow(RangeError);
  });
});
