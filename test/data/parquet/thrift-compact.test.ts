import { existsSync, readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeThrift, encodeThrift, type ThriftStruct } from "../../../src/data/parquet/thrift-compact.ts";
import { CalibrantError } from "../../../src/errors.ts";
import { PARQUET_TESTING } from "./parquet-samples.ts";

const hex = (digits: string): Uint8Array => new Uint8Array(Buffer.from(digits.replaceAll(" ", ""), "hex"));
const text = (value: string): Uint8Array => new Uint8Array(Buffer.from(value));

/** Bytes worked out by hand from thrift-compact-protocol.md. */
const KNOWN: readonly (readonly [string, string, ThriftStruct])[] = [
  ["nothing", "00", []],
  ["a short field header and a zigzag varint", "15 ac02 00", [{ id: 1, type: "i32", value: 150 }]],
  ["a negative number", "15 01 00", [{ id: 1, type: "i32", value: -1 }]],
  ["a field far on, in the long form", "05 a006 02 00", [{ id: 400, type: "i32", value: 1 }]],
  [
    "booleans in the header",
    "11 12 00",
    [
      { id: 1, type: "bool", value: true },
      { id: 2, type: "bool", value: false },
    ],
  ],
  ["a signed byte", "13 80 00", [{ id: 1, type: "i8", value: -128 }]],
  [
    "the smallest 64-bit integer",
    "16 ffffffffffffffffff01 00",
    [{ id: 1, type: "i64", value: -(2n ** 63n) }],
  ],
  [
    "the largest 64-bit integer",
    "16 feffffffffffffffff01 00",
    [{ id: 1, type: "i64", value: 2n ** 63n - 1n }],
  ],
  ["a little-endian double", "17 000000000000f03f 00", [{ id: 1, type: "double", value: 1 }]],
  ["text", "18 03 616263 00", [{ id: 1, type: "binary", value: text("abc") }]],
  ["a short list", "19 25 02 04 00", [{ id: 1, type: "list", value: { element: "i32", items: [1, 2] } }]],
  [
    "a list of 15, its length in a varint",
    `19 f5 0f ${"00".repeat(15)} 00`,
    [{ id: 1, type: "list", value: { element: "i32", items: new Array(15).fill(0) } }],
  ],
  [
    "booleans in a list",
    "19 21 01 02 00",
    [{ id: 1, type: "list", value: { element: "bool", items: [true, false] } }],
  ],
  [
    "an empty map",
    "1b 00 00",
    [{ id: 1, type: "map", value: { key: "binary", value: "binary", entries: [] } }],
  ],
  [
    "a map",
    "1b 01 85 01 61 06 00",
    [{ id: 1, type: "map", value: { key: "binary", value: "i32", entries: [[text("a"), 3]] } }],
  ],
  ["a struct", "1c 15 02 00 00", [{ id: 1, type: "struct", value: [{ id: 1, type: "i32", value: 1 }] }]],
];

describe("decodeThrift and encodeThrift", () => {
  it.each(KNOWN)("agree with the protocol on %s", (_name, bytes, struct) => {
    expect(decodeThrift(hex(bytes))).toEqual({ value: struct, end: hex(bytes).length });
    expect(Buffer.from(encodeThrift(struct)).toString("hex")).toBe(bytes.replaceAll(" ", ""));
  });

  it("reads a struct inside of a buffer and says where it ends", () => {
    expect(decodeThrift(hex("ffff 1502 00 ffff"), 2)).toEqual({
      value: [{ id: 1, type: "i32", value: 1 }],
      end: 5,
    });
  });

  it("give back any struct", () => {
    fc.assert(
      fc.property(anyStruct, (struct) => {
        const bytes = encodeThrift(struct);
        expect(decodeThrift(bytes)).toEqual({ value: struct, end: bytes.length });
        expect(encodeThrift(decodeThrift(bytes).value)).toEqual(bytes);
      }),
      { numRuns: 300 },
    );
  });

  it("refuse a struct that is cut anywhere", () => {
    fc.assert(
      fc.property(anyStruct, fc.nat(), (struct, cut) => {
        const bytes = encodeThrift(struct);
        expect(() => decodeThrift(bytes.slice(0, cut % bytes.length))).toThrow(CalibrantError);
      }),
    );
  });

  it("either read random bytes or refuse them", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          expect(decodeThrift(bytes).end).toBeLessThanOrEqual(bytes.length);
        } catch (error) {
          expect(error).toBeInstanceOf(CalibrantError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["a list longer than the bytes there are", "19 f5 ffffffff0f 00", /past the end/],
    ["a text longer than the bytes there are", "18 ffffffff07 00", /past the end/],
    ["a map longer than the bytes there are", "1b ffffffff0f 88 00", /past the end/],
    ["an integer of more than 32 bits", "15 ffffffffff01 00", /more than 32 bits/],
    ["an integer of more than 16 bits", "14 808010 00", /more than 16 bits/],
    ["an integer of more than 64 bits", "16 ffffffffffffffffff03 00", /more than 64 bits/],
    ["an endless varint", `16 ${"80".repeat(40)}`, /more than 64 bits/],
    ["an unknown type", "1f 00", /type code 15/],
    ["lists nested without end", `1c ${"1c".repeat(100)}`, /deeper than the limit/],
  ])("refuses %s", (_name, bytes, message) => {
    expect(() => decodeThrift(hex(bytes))).toThrow(message);
  });

  it("refuses more values than its limit", () => {
    const bytes = encodeThrift([
      { id: 1, type: "list", value: { element: "i32", items: new Array(100).fill(7) } },
    ]);
    expect(() => decodeThrift(bytes, 0, { values: 100 })).toThrow(/more values than the limit/);
    expect(decodeThrift(bytes, 0, { values: 101 }).end).toBe(bytes.length);
  });

  it("refuses to write an integer that does not fit", () => {
    expect(() => encodeThrift([{ id: 1, type: "i32", value: 2 ** 31 }])).toThrow(
      /does not fit 32 bits: 2147483648/,
    );
    expect(() => encodeThrift([{ id: 1, type: "i64", value: 2n ** 63n }])).toThrow(/does not fit 64 bits/);
  });
});

describe.skipIf(!existsSync(PARQUET_TESTING))("the footers of the parquet-testing files", () => {
  const files = existsSync(PARQUET_TESTING) ? readdirSync(PARQUET_TESTING) : [];

  it.each(files.filter((file) => file.endsWith(".parquet")))("%s goes through byte for byte", (file) => {
    const bytes = readFileSync(`${PARQUET_TESTING}${file}`);
    const length = bytes.readUInt32LE(bytes.length - 8);
    const footer = bytes.subarray(bytes.length - 8 - length, bytes.length - 8);
    const { value, end } = decodeThrift(footer);
    expect(Buffer.compare(encodeThrift(value), footer.subarray(0, end))).toBe(0);
  });
});

const scalars = {
  bool: fc.boolean(),
  i8: fc.integer({ min: -128, max: 127 }),
  i16: fc.integer({ min: -32768, max: 32767 }),
  i32: fc.integer(),
  i64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  double: fc.double(),
  binary: fc.uint8Array({ maxLength: 20 }),
};

const { struct: anyStruct } = fc.letrec<{ value: { type: string; value: unknown }; struct: ThriftStruct }>(
  (tie) => {
    const scalar = fc.oneof(
      ...Object.entries(scalars).map(([type, value]) =>
        value.map((chosen: unknown) => ({ type, value: chosen })),
      ),
    );
    const list = fc
      .constantFrom(...Object.entries(scalars))
      .chain(([element, item]) =>
        fc.array(item as fc.Arbitrary<unknown>, { maxLength: 20 }).map((items) => ({ element, items })),
      );
    const map = fc
      .tuple(fc.constantFrom(...Object.entries(scalars)), fc.constantFrom(...Object.entries(scalars)))
      .chain(([[key, a], [value, b]]) =>
        fc
          .array(fc.tuple(a as fc.Arbitrary<unknown>, b as fc.Arbitrary<unknown>), {
            minLength: 1,
            maxLength: 5,
          })
          .map((entries) => ({ key, value, entries })),
      );
    const structs = fc.array(tie("struct"), { maxLength: 4 }).map((items) => ({ element: "struct", items }));
    return {
      value: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        scalar,
        list.map((value) => ({ type: "list", value: value as unknown })),
        map.map((value) => ({ type: "map", value: value as unknown })),
        structs.map((value) => ({ type: "set", value: value as unknown })),
        tie("struct").map((value) => ({ type: "struct", value: value as unknown })),
      ),
      struct: fc
        .array(fc.tuple(fc.integer({ min: -100, max: 300 }), tie("value")), { maxLength: 5 })
        .map(
          (fields) => fields.map(([id, { type, value }]) => ({ id, type, value })) as unknown as ThriftStruct,
        ),
    };
  },
);
