import { Dictionary, Int8, IntervalDayTime, IntervalYearMonth, Struct, Utf8 } from "apache-arrow";
import { describe, expect, it } from "vitest";
import { readArrowSchema } from "../../../src/data/arrow/arrow-messages.ts";
import { describeArrowType, foundArrowColumns } from "../../../src/data/arrow/arrow-types.ts";
import type { FoundColumn } from "../../../src/data/columns.ts";
import { goldenArrow, inPieces } from "../../golden/arrow-files.ts";

async function foundIn(file: string): Promise<Map<string, FoundColumn>> {
  const found = foundArrowColumns(await readArrowSchema(inPieces(goldenArrow(file)), file));
  return new Map(found.map((column) => [column.name, column]));
}

/** `name: type | kinds` of every column. */
async function linesOf(file: string): Promise<string[]> {
  return [...(await foundIn(file)).values()].map(
    ({ name, type, kinds }) => `${name}: ${type} | ${kinds.join(" ")}`,
  );
}

describe("foundArrowColumns", () => {
  it("describes numbers", async () => {
    expect(await linesOf("numbers.arrow")).toEqual([
      "null: null | number text key list json",
      "bool: bool | number",
      "int8: int8 | number key",
      "int16: int16 | number key",
      "int32: int32 | number key",
      "int64: int64 | number key",
      "uint8: uint8 | number key",
      "uint16: uint16 | number key",
      "uint32: uint32 | number key",
      "uint64: uint64 | number key",
      "halffloat: halffloat | number",
      "float: float | number",
      "double: double | number",
      "double_whole: double | number",
      "decimal32: decimal32(7, 2) | number",
      "decimal64: decimal64(15, 3) | number",
      "decimal128: decimal128(38, 2) | number",
      "decimal256: decimal256(76, 30) | number",
      "decimal_negative: decimal128(10, -2) | number",
    ]);
  });

  it("describes texts and dictionaries", async () => {
    expect(await linesOf("texts.arrow")).toEqual([
      "utf8: utf8 | text key json",
      "large_utf8: large_utf8 | text key json",
      "utf8_view: utf8_view | text key json",
      "binary: binary | ",
      "large_binary: large_binary | ",
      "binary_view: binary_view | ",
      "fixed_binary: fixed_size_binary[3] | ",
      "dict_int8: dictionary<int8, utf8> | text key json",
      "dict_uint16: dictionary<uint16, utf8> | text key json",
      "dict_int32_large: dictionary<int32, large_utf8> | text key json",
      "dict_int64_view: dictionary<int64, utf8_view> | text key json",
      "dict_twice_and_null: dictionary<int32, utf8> | text key json",
      "dict_of_int64: dictionary<int32, int64> | number key",
      "json: utf8 | text key json",
    ]);
  });

  it("describes lists and other nested types", async () => {
    expect(await linesOf("nested.arrows")).toEqual([
      "list_float: list<float> | list json",
      "list_double: list<double> | list json",
      "list_half: list<halffloat> | list json",
      "large_list: large_list<float> | list json",
      "list_float_whole: list<float> | list json",
      "list_bool: list<bool> | list json",
      "list_int8: list<int8> | list json",
      "list_int64: list<int64> | list json",
      "list_decimal: list<decimal128(9, 2)> | list json",
      "list_null: list<null> | list json",
      "fixed_list: fixed_size_list<float>[2] | list json",
      "fixed_list_int: fixed_size_list<int16>[2] | list json",
      "list_list: list<list<int32>> | json",
      "list_text: list<utf8> | json",
      "list_text_empty: list<utf8> | json",
      "list_struct: list<struct<name: utf8, arguments: utf8, n: int64>> | json",
      "list_struct_empty: list<struct<name: utf8, arguments: utf8, n: int64>> | json",
      "list_dict: list<dictionary<int8, utf8>> | json",
      "struct: struct<a: int16, b: struct<c: list<double>>> | json",
      "map_text: map<utf8, int64> | json",
      "map_int: map<int32, utf8> | json",
      "dense_union: dense_union<0: int32, 1: utf8> | ",
      "sparse_union: sparse_union<0: int32, 1: utf8> | ",
    ]);
  });

  it("describes times, which no kind reads", async () => {
    const found = await foundIn("times.arrow");
    expect([...found.values()].flatMap((column) => column.kinds)).toEqual([]);
    const type = (name: string): string | undefined => found.get(name)?.type;
    expect(type("date32")).toBe("date32[day]");
    expect(type("date64")).toBe("date64[ms]");
    expect(type("time32_ms")).toBe("time32[ms]");
    expect(type("time64_ns")).toBe("time64[ns]");
    expect(type("timestamp_us")).toBe("timestamp[us]");
    expect(type("timestamp_s_tz")).toBe("timestamp[s, tz=Europe/Berlin]");
    expect(type("duration_ns")).toBe("duration[ns]");
    expect(type("interval")).toBe("month_day_nano_interval");
  });

  it("describes what polars writes", async () => {
    const found = await foundIn("polars.arrow");
    expect(found.get("categorical")).toMatchObject({
      type: "dictionary<uint32, utf8_view>",
      kinds: ["text", "key", "json"],
    });
    expect(found.get("list")).toMatchObject({ type: "large_list<float>", kinds: ["list", "json"] });
    expect(found.get("array")).toMatchObject({ type: "fixed_size_list<int64>[2]", kinds: ["list", "json"] });
  });
});

describe("describeArrowType", () => {
  it("names intervals, empty structs and nested dictionaries", () => {
    expect(describeArrowType(new IntervalYearMonth())).toBe("month_interval");
    expect(describeArrowType(new IntervalDayTime())).toBe("day_time_interval");
    expect(describeArrowType(new Struct([]))).toBe("struct<>");
    expect(describeArrowType(new Dictionary(new Utf8(), new Int8()))).toBe("dictionary<int8, utf8>");
  });
});
