import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ParquetFooter } from "../../../src/data/parquet/parquet-footer.ts";
import {
  describeParquetType,
  foundParquetColumns,
  parquetColumnsOf,
} from "../../../src/data/parquet/parquet-schema.ts";
import { parquetTree } from "../../../src/data/parquet/parquet-tree.ts";
import type { ThriftField, ThriftStruct } from "../../../src/data/parquet/thrift-compact.ts";
import { temporaryFolder, writeWithDuckdb } from "./parquet-samples.ts";

const folder = temporaryFolder();

const PHYSICAL = { bool: 0, int32: 1, int64: 2, int96: 3, float: 4, double: 5, bytes: 6, fixed: 7 };
const REPETITION = { required: 0, optional: 1, repeated: 2 };

/** A SchemaElement: `leaf("x", "int32")`, `group("l", 1, { converted: 3 })`. */
interface More {
  readonly repetition?: keyof typeof REPETITION;
  readonly converted?: number;
  readonly logical?: ThriftField;
}

function element(
  name: string,
  own: ThriftField,
  { repetition = "optional", converted, logical }: More,
): ThriftStruct {
  const fields: ThriftField[] = [
    own,
    { id: 3, type: "i32", value: REPETITION[repetition] },
    { id: 4, type: "binary", value: Buffer.from(name) },
  ];
  if (converted !== undefined) fields.push({ id: 6, type: "i32", value: converted });
  if (logical !== undefined) fields.push({ id: 10, type: "struct", value: [logical] });
  return fields.sort((a, b) => a.id - b.id);
}

const leaf = (name: string, type: keyof typeof PHYSICAL, more: More = {}): ThriftStruct =>
  element(name, { id: 1, type: "i32", value: PHYSICAL[type] }, more);
const group = (name: string, children: number, more: More = {}): ThriftStruct =>
  element(name, { id: 5, type: "i32", value: children }, more);
const logical = (id: number, ...fields: ThriftField[]): ThriftField => ({
  id,
  type: "struct",
  value: fields,
});

function found(...elements: readonly ThriftStruct[]): readonly (readonly [string, readonly string[]])[] {
  const root = parquetTree([group("schema", countTop(elements)), ...elements], "f");
  return parquetColumnsOf({ root } as ParquetFooter).map(({ type, kinds }) => [type, kinds] as const);
}

/** How many of depth-first elements stand at the top. */
function countTop(elements: readonly ThriftStruct[]): number {
  let open = 0;
  let top = 0;
  for (const fields of elements) {
    if (open === 0) top += 1;
    else open -= 1;
    open += (fields.find(({ id }) => id === 5)?.value as number | undefined) ?? 0;
  }
  return top;
}

describe("foundParquetColumns", () => {
  it("names the types of a file and the kinds they can be read as", async () => {
    const path = join(folder, "types.parquet");
    await writeWithDuckdb(
      path,
      `select true as b, 1::tinyint as i8, 1::uinteger as u32, 1::bigint as i64, 1::ubigint as u64, 1::float as f,
        1::double as d, 1.5::decimal(10, 2) as dec, 'x' as t, 'x'::blob as bin, date '2026-01-01' as day,
        timestamp '2026-01-01' as ts, timestamptz '2026-01-01' as tz, uuid() as u, [1::float] as lf, [true] as lb,
        ['x'] as lt, [[1]] as ll, {'a': 1, 'b': 'x'} as s, map {'k': 1::bigint} as m`,
    );
    expect(
      (await foundParquetColumns(path)).map(({ name, type, kinds }) => [name, type, kinds.join()]),
    ).toEqual([
      ["b", "bool", "number"],
      ["i8", "int8", "number,key"],
      ["u32", "uint32", "number,key"],
      ["i64", "int64", "number,key"],
      ["u64", "uint64", "number,key"],
      ["f", "float", "number"],
      ["d", "double", "number"],
      ["dec", "decimal128(10, 2)", "number"],
      ["t", "utf8", "text,key,json"],
      ["bin", "binary", ""],
      ["day", "date32[day]", ""],
      ["ts", "timestamp[us]", ""],
      ["tz", "timestamp[us, tz=UTC]", ""],
      ["u", "uuid", ""],
      ["lf", "list<float>", "list,json"],
      ["lb", "list<bool>", "list,json"],
      ["lt", "list<utf8>", "json"],
      ["ll", "list<list<int32>>", "json"],
      ["s", "struct<a: int32, b: utf8>", "json"],
      ["m", "map<utf8, int64>", "json"],
    ]);
  });

  it("knows annotations, new and old", () => {
    const unit = (id: number): ThriftField => ({ id: 2, type: "struct", value: [logical(id)] });
    const utc: ThriftField = { id: 1, type: "bool", value: true };
    expect(
      found(
        leaf("a", "bytes", { converted: 0 }),
        leaf("b", "bytes", { logical: logical(1) }),
        leaf("c", "int32", { converted: 11 }),
        leaf("d", "int64", {
          logical: logical(10, { id: 1, type: "i8", value: 64 }, { id: 2, type: "bool", value: false }),
        }),
        leaf("e", "fixed", { logical: logical(15) }),
        leaf("f", "int32", { logical: logical(11) }),
        leaf("g", "bytes", { logical: logical(12) }),
        leaf("h", "int64", { logical: logical(8, utc, unit(3)) }),
        leaf("i", "int32", { logical: logical(7, utc, unit(1)) }),
        leaf("j", "int96"),
        leaf("k", "bytes", { logical: logical(2555) }),
        leaf("l", "bytes", { converted: 5 }),
      ),
    ).toEqual([
      ["utf8", ["text", "key", "json"]],
      ["utf8", ["text", "key", "json"]],
      ["uint8", ["number", "key"]],
      ["uint64", ["number", "key"]],
      ["halffloat", ["number"]],
      ["null", ["number", "key", "text", "list", "json"]],
      ["json", ["text", "key", "json"]],
      ["timestamp[ns, tz=UTC]", []],
      ["time32[ms]", []],
      ["timestamp[ns]", []],
      ["binary", []],
      ["decimal128(0, 0)", ["number"]],
    ]);
  });

  // The examples of LogicalTypes.md in the Parquet format, "Backward-compatibility rules".
  it.each([
    [
      "three levels",
      "list<int32>",
      [
        group("my_list", 1, { converted: 3 }),
        group("list", 1, { repetition: "repeated" }),
        leaf("element", "int32"),
      ],
    ],
    [
      "a repeated leaf",
      "list<int32>",
      [group("my_list", 1, { converted: 3 }), leaf("element", "int32", { repetition: "repeated" })],
    ],
    [
      "a repeated group of two",
      "list<struct<str: utf8, num: int32>>",
      [
        group("my_list", 1, { converted: 3 }),
        group("element", 2, { repetition: "repeated" }),
        leaf("str", "bytes", { converted: 0 }),
        leaf("num", "int32"),
      ],
    ],
    [
      "a repeated group named array",
      "list<struct<str: utf8>>",
      [
        group("my_list", 1, { converted: 3 }),
        group("array", 1, { repetition: "repeated" }),
        leaf("str", "bytes", { converted: 0 }),
      ],
    ],
    [
      "a repeated group named after the list",
      "list<struct<str: utf8>>",
      [
        group("my_list", 1, { converted: 3 }),
        group("my_list_tuple", 1, { repetition: "repeated" }),
        leaf("str", "bytes", { converted: 0 }),
      ],
    ],
    [
      "a repeated field without annotation",
      "list<float>",
      [leaf("my_list", "float", { repetition: "repeated" })],
    ],
    [
      "a list in a list of two levels",
      "list<list<int32>>",
      [
        group("my_list", 1, { converted: 3 }),
        group("array", 1, { repetition: "repeated", converted: 3 }),
        leaf("array", "int32", { repetition: "repeated" }),
      ],
    ],
    [
      "a map",
      "map<utf8, int32>",
      [
        group("m", 1, { converted: 1 }),
        group("key_value", 2, { repetition: "repeated" }),
        leaf("key", "bytes", { converted: 0 }),
        leaf("value", "int32"),
      ],
    ],
    [
      "an old map",
      "map<utf8, int32>",
      [
        group("m", 1, { converted: 2 }),
        group("map", 2, { repetition: "repeated" }),
        leaf("key", "bytes", { converted: 0 }),
        leaf("value", "int32"),
      ],
    ],
  ])("reads %s as %s", (_name, type, elements) => {
    const root = parquetTree([group("schema", 1), ...elements], "f");
    expect(root.children.map(describeParquetType)).toEqual([type]);
  });
});
