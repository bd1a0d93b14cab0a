import { Decimal, Float16, makeData, util } from "apache-arrow";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numbersFromArrow } from "../../../src/data/arrow/arrow-numbers.ts";

function decimals(values: readonly bigint[], scale: number) {
  const words = values.flatMap((value) =>
    [0n, 32n, 64n, 96n].map((shift) => Number(BigInt.asUintN(32, value >> shift))),
  );
  return makeData({ type: new Decimal(scale, 38, 128), length: values.length, data: new Uint32Array(words) });
}

describe("numbersFromArrow", () => {
  it("gives the nearest double of any decimal", () => {
    const digits = fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n });
    const small = fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(digits, small), { maxLength: 5 }),
        fc.integer({ min: -5, max: 37 }),
        (values, scale) => {
          expect([...numbersFromArrow(decimals(values, scale))]).toEqual(
            values.map((value) => Number(`${value}e${-scale}`)),
          );
        },
      ),
    );
  });

  it("reads every half float", () => {
    const all = Uint16Array.from({ length: 1 << 16 }, (_, i) => i);
    const numbers = numbersFromArrow(makeData({ type: new Float16(), data: all }));
    expect(numbers[0x3c00]).toBe(1);
    expect(numbers[0x0001]).toBe(2 ** -24);
    expect(numbers[0x8000]).toBe(-0);
    expect(numbers[0x7bff]).toBe(65504);
    expect([numbers[0x7c00], numbers[0xfc00]]).toEqual([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
    expect(numbers[0x7e00]).toBeNaN();
    for (let bits = 0; bits < 0x7c00; bits += 1) {
      expect(util.float64ToUint16(numbers[bits] as number)).toBe(bits);
    }
  });

  it("reads a part", () => {
    expect([...numbersFromArrow(decimals([10n, 25n, 30n, 45n], 1), 1, 3)]).toEqual([2.5, 3]);
  });
});
