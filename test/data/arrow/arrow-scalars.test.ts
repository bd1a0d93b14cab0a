import { DateUnit, Decimal, makeData, TimeUnit } from "apache-arrow";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  dateText,
  decimalText,
  timestampText,
  timeText,
  unscaledDecimal,
} from "../../../src/data/arrow/arrow-scalars.ts";

const { SECOND, MILLISECOND, MICROSECOND, NANOSECOND } = TimeUnit;

describe("unscaledDecimal", () => {
  it.each([32, 64, 128, 256])("reads two's complement of %i bits", (bits) => {
    const largest = 2n ** BigInt(bits - 1) - 1n;
    fc.assert(
      fc.property(fc.bigInt({ min: -largest - 1n, max: largest }), (value) => {
        const words = Array.from({ length: bits / 32 }, (_, i) =>
          Number(BigInt.asUintN(32, value >> BigInt(32 * i))),
        );
        const data = makeData({
          type: new Decimal(2, 9, bits),
          length: 2,
          data: new Uint32Array([...words.map(() => 7), ...words]),
        });
        expect(unscaledDecimal(data, 1)).toBe(value);
      }),
    );
  });
});

describe("decimalText", () => {
  it.each([
    [-4560n, 2, "-45.60"],
    [5n, 3, "0.005"],
    [-5n, 3, "-0.005"],
    [0n, 2, "0.00"],
    [123n, 0, "123"],
    [12n, -2, "1200"],
    [-(10n ** 40n), 10, `-1${"0".repeat(30)}.${"0".repeat(10)}`],
  ])("writes %s with scale %i", (unscaled, scale, text) => {
    expect(decimalText(unscaled, scale)).toBe(text);
  });
});

describe("timestampText", () => {
  it.each([
    [0n, SECOND, false, "1970-01-01T00:00:00"],
    [-1n, SECOND, true, "1969-12-31T23:59:59Z"],
    [1_700_000_000_123n, MILLISECOND, true, "2023-11-14T22:13:20.123Z"],
    [-1n, MICROSECOND, false, "1969-12-31T23:59:59.999999"],
    [1_700_000_000_000_000_001n, NANOSECOND, true, "2023-11-14T22:13:20.000000001Z"],
    [253_402_300_800n, SECOND, false, "+010000-01-01T00:00:00"],
    [-62_167_219_201n, SECOND, false, "-000001-12-31T23:59:59"],
    [9_223_372_036_854_775_807n, SECOND, false, "9223372036854775807"],
  ])("writes %s", (value, unit, hasZone, text) => {
    expect(timestampText(value, unit, hasZone)).toBe(text);
  });
});

describe("dateText", () => {
  it.each([
    [0, DateUnit.DAY, "1970-01-01"],
    [19_000, DateUnit.DAY, "2022-01-08"],
    [-1, DateUnit.DAY, "1969-12-31"],
    [-86_400_001n, DateUnit.MILLISECOND, "1969-12-30"],
    [2_147_483_647, DateUnit.DAY, "2147483647"],
    [2_932_897, DateUnit.DAY, "+010000-01-01"],
  ])("writes %s", (value, unit, text) => {
    expect(dateText(value, unit)).toBe(text);
  });
});

describe("timeText", () => {
  it.each([
    [0, SECOND, "00:00:00"],
    [86_399, SECOND, "23:59:59"],
    [3_661_007, MILLISECOND, "01:01:01.007"],
    [1n, MICROSECOND, "00:00:00.000001"],
    [86_399_999_999_999n, NANOSECOND, "23:59:59.999999999"],
  ])("writes %s", (value, unit, text) => {
    expect(timeText(value, unit)).toBe(text);
  });
});
