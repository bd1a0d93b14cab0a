import {
  type DataType,
  Dictionary,
  Int8,
  Int32,
  Int64,
  LargeUtf8,
  Table,
  tableFromIPC,
  tableToIPC,
  Uint8,
  Uint16,
  Uint32,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arrowKeySource } from "../../../src/data/arrow/arrow-key-source.ts";
import { keysFromArrow } from "../../../src/data/arrow/arrow-keys.ts";
import type { KeySource } from "../../../src/data/keys/key-source.ts";

/** The keys of all rows, read in blocks of some size. */
function keysOf({ read, keyOf, size }: KeySource, rows: number, block: number): (string | null)[] {
  const codes = new Int32Array(block);
  return Array.from({ length: Math.ceil(rows / block) }, (_, i) => {
    const [start, end] = [i * block, Math.min(rows, (i + 1) * block)];
    read(start, end, codes);
    return [...codes.subarray(0, end - start)].map((code) => {
      expect(code).toBeLessThan(size);
      return code < 0 ? null : keyOf(code);
    });
  }).flat();
}

const words = fc.constantFrom("a", "b", "", "ü", "timeout", null);
const integers = (min: number, max: number): fc.Arbitrary<number | null> =>
  fc.option(fc.integer({ min, max }), { nil: null });
const columns: readonly (readonly [name: string, type: DataType, values: fc.Arbitrary<unknown>])[] = [
  ["a dictionary", new Dictionary(new Utf8(), new Int32()), words],
  ["a dictionary of bytes", new Dictionary(new Utf8(), new Int8()), words],
  ["text", new Utf8(), words],
  ["large text", new LargeUtf8(), words],
  ["int8", new Int8(), integers(-128, 127)],
  ["uint8", new Uint8(), integers(0, 255)],
  ["uint16", new Uint16(), integers(0, 65_535)],
  ["int32 of a small range", new Int32(), integers(-2_000_000_000, -1_999_999_990)],
  ["int32 of a large range", new Int32(), integers(-(2 ** 31), 2 ** 31 - 1)],
  ["uint32 beyond 2^31", new Uint32(), integers(4_294_967_200, 4_294_967_295)],
  ["int64", new Int64(), fc.option(fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }), { nil: null })],
];

describe("arrowKeySource", () => {
  it.each(columns)(
    "reads the keys of %s, sliced and with nulls, in blocks of any size",
    (_, type, values) => {
      fc.assert(
        fc.property(
          fc.array(values, { minLength: 1, maxLength: 60 }),
          fc.nat(20),
          fc.integer({ min: 1, max: 25 }),
          fc.boolean(),
          (all, cut, block, viaBytes) => {
            const table = new Table({ key: vectorFromArray(all as never[], type as never) } as never);
            const read = viaBytes ? tableFromIPC(tableToIPC(table)) : table;
            const sliced = read.slice(Math.min(cut, all.length - 1));
            const data = sliced.batches[0]?.data.children[0] as NonNullable<
              (typeof sliced)["data"][0]["children"][0]
            >;
            const expected = all
              .slice(Math.min(cut, all.length - 1))
              .map((value) => (value === null ? null : String(value)));
            expect(keysOf(arrowKeySource(data), data.length, block)).toEqual(expected);
            const { codes, keys } = keysFromArrow(data);
            expect([...codes].map((code) => (code < 0 ? null : keys[code]))).toEqual(expected);
          },
        ),
        { numRuns: 60 },
      );
    },
  );

  it("takes entries of a dictionary that are null, or there twice, for what they are", () => {
    const dictionary = vectorFromArray(["x", null, "x", "y"], new Utf8());
    const type = new Dictionary(new Utf8(), new Int32());
    const vector = vectorFromArray(["x", "y"], type);
    const [data] = vector.data;
    const odd = (data as NonNullable<typeof data>).clone(type, 0, 4, 0, [
      undefined,
      Int32Array.of(3, 1, 2, 0),
      undefined,
      undefined,
    ] as never);
    Object.assign(odd, { dictionary });
    expect(keysOf(arrowKeySource(odd), 4, 4)).toEqual(["y", null, "x", "x"]);
  });
});
