import { describe, expect, it } from "vitest";
import type {
  Column,
  ColumnKind,
  JsonColumn,
  KeyColumn,
  ListColumn,
  NumberColumn,
  TextColumn,
} from "../../../src/data/columns.ts";
import { batchFromRows, foundRowColumns } from "../../../src/data/jsonl/rows-columns.ts";

type Rows = readonly Readonly<Record<string, unknown>>[];

function read<T extends Column>(rows: Rows, name: string, kind: ColumnKind, lines?: Int32Array): T {
  return batchFromRows(rows, [{ name, kind }], "a.jsonl", lines).columns.get(name) as T;
}

const column = (...values: unknown[]): Rows => values.map((a) => ({ a }));

describe("foundRowColumns", () => {
  it("names columns in order of first appearance, their types and the kinds they can be read as", () => {
    const rows = [
      { id: 1, ppl: 1, text: null },
      { id: 12345678901234567890n, ppl: 1.5, text: "a", lp: [] },
      { lp: [-0.5, null], ok: true, calls: [{ name: "f" }], nothing: null },
    ];
    expect(foundRowColumns(rows).map(({ name, type, kinds }) => `${name}: ${type}: ${kinds}`)).toEqual([
      "id: int: number,key,json",
      "ppl: double: number,json",
      "text: utf8: text,key,json",
      "lp: list<double>: list,json",
      "ok: bool: number,json",
      "calls: list<object>: json",
      "nothing: null: number,text,key,list,json",
    ]);
  });

  it.each([
    ["mixed ids", ["x", 1], "utf8 | int", "key,json"],
    ["text and lists", ["[]", [{}]], "utf8 | list<object>", "json"],
    ["numbers and objects", [1, {}], "int | object", "json"],
    ["text in a list of numbers", [[1, "a"]], "list<utf8 | int>", "json"],
    ["lists of lists", [[[1]]], "list<list<int>>", "json"],
    ["empty lists", [[]], "list<null>", "list,json"],
    ["words among numbers", [1.5, "NaN"], "double", "number,json"],
    ["words in a list", [["-Infinity", -1]], "list<double>", "list,json"],
    ["words alone", ["NaN"], "utf8", "number,text,key,json"],
    ["words among text", ["NaN", "a"], "utf8", "text,key,json"],
    ["ids with a bare NaN", [1, Number.NaN], "int", "number,key,json"],
    ["text with a bare NaN", ["a", Number.NaN], "utf8", "text,key,json"],
    ["only NaN", [Number.NaN], "null", "number,text,key,list,json"],
    ["floats too large for an id", [1e20], "double", "number,json"],
    ["typed arrays", [Float32Array.of(0.5)], "list<double>", "list,json"],
  ])("%s", (_name, values, type, kinds) => {
    const [found] = foundRowColumns(column(...values));
    expect([found?.type, found?.kinds.join()]).toEqual([type, kinds]);
  });

  it("sees a __proto__ column only where a row has it", () => {
    const rows = [JSON.parse('{"__proto__": 1}'), {}, { constructor: "x" }];
    expect(foundRowColumns(rows).map(({ name, type }) => [name, type])).toEqual([
      ["__proto__", "int"],
      ["constructor", "utf8"],
    ]);
  });

  it("agrees with what batchFromRows reads", () => {
    const values = [
      1,
      1.5,
      1n,
      "a",
      "NaN",
      true,
      [1],
      [],
      ["NaN"],
      ["a"],
      {},
      [{}],
      null,
      Number.NaN,
      [null],
      [true],
    ];
    for (const first of values) {
      for (const second of values) {
        const rows = column(first, second);
        for (const kind of foundRowColumns(rows)[0]?.kinds ?? []) {
          expect(() => read(rows, "a", kind), `${kind} of ${String(first)}, ${String(second)}`).not.toThrow();
        }
      }
    }
  });
});

describe("batchFromRows", () => {
  it("reads numbers: words, booleans and BigInt too; missing is NaN", () => {
    const rows = [
      ...column(1.5, "NaN", "-Infinity", "Infinity", true, false, 9007199254740993n, null, undefined, -0),
      {},
    ];
    const { values } = read<NumberColumn>(rows, "a", "number");
    expect([...values]).toEqual([
      1.5,
      Number.NaN,
      -Infinity,
      Infinity,
      1,
      0,
      9007199254740992,
      Number.NaN,
      Number.NaN,
      -0,
      Number.NaN,
    ]);
  });

  it("reads text; missing is null", () => {
    const { get } = read<TextColumn>([...column("x", "", null, Number.NaN, "NaN"), {}], "a", "text");
    expect([0, 1, 2, 3, 4, 5].map(get)).toEqual(["x", "", null, null, "NaN", null]);
  });

  it("reads keys: long integers keep their digits, 7 and the text 7 are one", () => {
    const rows = [
      ...column("b", 7, "7", null, 1234567890123456781n, 1234567890123456782n, "b", -3, Number.NaN, ""),
      {},
    ];
    const { codes, keys } = read<KeyColumn>(rows, "a", "key");
    expect([...codes]).toEqual([0, 1, 1, -1, 2, 3, 0, 4, -1, 5, -1]);
    expect(keys).toEqual(["b", "7", "1234567890123456781", "1234567890123456782", "-3", ""]);
  });

  it("reads lists into one array; validity only where something is missing", () => {
    expect(read<ListColumn>(column([1, 2.5], [], [-3]), "a", "list")).toEqual({
      kind: "list",
      values: Float64Array.of(1, 2.5, -3),
      offsets: Int32Array.of(0, 2, 2, 3),
    });
    const rows = [
      ...column([null, -1], null, [true, "NaN", "-Infinity", 2n, undefined], Float32Array.of(0.5)),
      {},
    ];
    expect(read<ListColumn>(rows, "a", "list")).toEqual({
      kind: "list",
      values: Float64Array.of(Number.NaN, -1, 1, Number.NaN, -Infinity, 2, Number.NaN, 0.5),
      offsets: Int32Array.of(0, 2, 2, 7, 8, 8),
      rowValid: Uint8Array.of(1, 0, 1, 1, 0),
      valueValid: Uint8Array.of(0, 1, 1, 1, 1, 1, 0, 1),
    });
    const nan = read<ListColumn>(column([Number.NaN]), "a", "list");
    expect(nan.valueValid).toBeUndefined();
  });

  it("reads JSON: values as they are, text parsed, blank text missing", () => {
    const list = [{ role: "user" }];
    const rows = [
      ...column(list, '[{"id": 12345678901234567890, "x": NaN}]', " ", null, Number.NaN, 5, "null"),
      {},
    ];
    const { get } = read<JsonColumn>(rows, "a", "json");
    expect(get(0)).toBe(list);
    expect([1, 2, 3, 4, 5, 6, 7].map(get)).toEqual([
      [{ id: 12345678901234567890n, x: Number.NaN }],
      null,
      null,
      null,
      5,
      null,
      null,
    ]);
    expect(get(1)).toBe(get(1));
  });

  it("gives every requested column, and takes inherited names only from rows that have them", () => {
    const batch = batchFromRows(
      [{}, JSON.parse('{"__proto__": "p", "constructor": "c"}')],
      [
        { name: "__proto__", kind: "key" },
        { name: "constructor", kind: "key" },
        { name: "ppl", kind: "number" },
      ],
      "a",
    );
    expect(batch.rows).toBe(2);
    expect([...batch.columns]).toEqual([
      ["__proto__", { kind: "key", codes: Int32Array.of(-1, 0), keys: ["p"] }],
      ["constructor", { kind: "key", codes: Int32Array.of(-1, 0), keys: ["c"] }],
      ["ppl", { kind: "number", values: Float64Array.of(Number.NaN, Number.NaN) }],
    ]);
  });

  it("reads no rows", () => {
    expect(read<ListColumn>([], "a", "list")).toEqual({
      kind: "list",
      values: new Float64Array(),
      offsets: Int32Array.of(0),
    });
  });

  const lines = Int32Array.of(3, 9);
  it.each<[string, ColumnKind, unknown, string]>([
    ["logprobs", "list", "abc", 'a.jsonl:9: column logprobs: expected list<float32/64>, found "abc"'],
    ["logprobs", "list", [1, "abc"], 'a.jsonl:9: column logprobs[1]: expected a number, found "abc"'],
    ["logprobs", "list", [[1]], "a.jsonl:9: column logprobs[0]: expected a number, found [1]"],
    ["ppl", "number", "1.5", 'a.jsonl:9: column ppl: expected float64, found "1.5"'],
    ["margin", "number", { a: 1n }, 'a.jsonl:9: column margin: expected float64, found {"a":"1"}'],
    ["group_id", "key", 1.5, "a.jsonl:9: column group_id: expected utf8 or int, found 1.5"],
    [
      "group_id",
      "key",
      2 ** 60,
      "a.jsonl:9: column group_id: expected utf8 or int (text or BigInt beyond 2^53), found 1152921504606847000",
    ],
    ["group_id", "key", true, "a.jsonl:9: column group_id: expected utf8 or int, found true"],
    ["response", "text", 42, "a.jsonl:9: column response: expected utf8, found 42"],
    [
      "x",
      "text",
      "y".repeat(80).split(""),
      `a.jsonl:9: column x: expected utf8, found [${'"y",'.repeat(14)}…`,
    ],
  ])("refuses %s of kind %s, row %#", (name, kind, value, message) => {
    expect(() => read([{}, { [name]: value }], name, kind, lines)).toThrow(
      expect.objectContaining({ code: "data", message }),
    );
  });

  it("names the row's index where there are no lines", () => {
    expect(() => read(column(1, "x"), "a", "number")).toThrow(
      'a.jsonl: row 1: column a: expected float64, found "x"',
    );
  });

  it("names broken JSON text when its row is read, and no other", () => {
    const { get } = read<JsonColumn>([{ messages: "[]" }, { messages: "[{]" }], "messages", "json", lines);
    expect(get(0)).toEqual([]);
    expect(() => get(1)).toThrow(/^a\.jsonl:9: column messages: expected JSON text: [^\n]+$/);
    expect(() => get(1)).toThrow(expect.objectContaining({ code: "data" }));
  });

  it("leaves its rows as they were", () => {
    const rows = column([1, null], "x");
    const copy = structuredClone(rows);
    read(rows.slice(0, 1), "a", "list");
    read(rows, "a", "json");
    expect(rows).toEqual(copy);
  });
});
