import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatPercentage, formatPoints, formatShare } from "../../../src/report/tables/format-share.ts";

const golden = JSON.parse(
  readFileSync(new URL("../../golden/format-share.json", import.meta.url), "utf8"),
) as Readonly<Record<"shares" | "percentages" | "points", readonly (readonly (number | string)[])[]>>;

const counts = fc.oneof(fc.integer({ min: 0, max: 4000 }), fc.integer({ min: 0, max: 2 ** 53 - 1 }));

/** Ten times a printed percentage. */
function tenthsOf(text: string): bigint {
  expect(text).toMatch(/^\d+\.\d$/);
  return BigInt(text.replace(".", ""));
}

/** The tenth nearest to numerator / denominator, the even one of two. */
function isNearestEven(tenths: bigint, numerator: bigint, denominator: bigint): boolean {
  const twiceError = 2n * (tenths * denominator - numerator);
  const size = twiceError < 0n ? -twiceError : twiceError;
  return size < denominator || (size === denominator && tenths % 2n === 0n);
}

/** A double of [0, …) as an exact fraction. */
function exactFraction(value: number): readonly [bigint, bigint] {
  let denominator = 1n;
  let scaled = value;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    denominator *= 2n;
  }
  return [BigInt(scaled), denominator];
}

describe("formatShare", () => {
  it.each([
    [13, 80, "16.2"],
    [1, 80, "1.2"],
    [3, 80, "3.8"],
    [355, 441, "80.5"],
    [0, 441, "0.0"],
    [441, 441, "100.0"],
    [0, 0, "–"],
    [5, 0, "–"],
  ])("%d of %d is %s", (numerator, denominator, text) => {
    expect(formatShare(numerator, denominator)).toBe(text);
  });

  it("prints what Python's Decimal gives", () => {
    for (const [numerator, denominator, text] of golden.shares)
      expect(formatShare(numerator as number, denominator as number)).toBe(text);
  });

  it("is the nearest tenth of the exact fraction, the even one of two, for any counts", () => {
    const law = fc.property(counts, counts, (numerator, rest) => {
      const denominator = rest + 1;
      const tenths = tenthsOf(formatShare(numerator, denominator));
      expect(isNearestEven(tenths, 1000n * BigInt(numerator), BigInt(denominator))).toBe(true);
    });
    fc.assert(law, { numRuns: 2000 });
    for (let numerator = 0; numerator <= 2000; numerator++) {
      const tenths = tenthsOf(formatShare(numerator, 2000));
      expect(isNearestEven(tenths, 1000n * BigInt(numerator), 2000n)).toBe(true);
    }
  });

  it.each([
    [-1, 2, "numerator"],
    [0.5, 2, "numerator"],
    [1, Number.NaN, "denominator"],
    [1, Number.POSITIVE_INFINITY, "denominator"],
  ])("refuses %d of %d", (numerator, denominator, name) => {
    expect(() => formatShare(numerator, denominator)).toThrow(`${name} of a share must be a whole number`);
  });
});

describe("formatPercentage", () => {
  it("prints what Python's f-strings do", () => {
    for (const [fraction, text] of golden.percentages)
      expect(formatPercentage(fraction as number)).toBe(text);
  });

  it("is the nearest tenth of the double, the even one of two", () => {
    const quarters = fc.integer({ min: 0, max: 4000 }).map((quarter) => quarter / 400);
    const fractions = fc.oneof(quarters, fc.double({ min: 0, max: 1e9, noNaN: true }));
    const law = fc.property(fractions, (fraction) => {
      const [numerator, denominator] = exactFraction(100 * fraction);
      expect(isNearestEven(tenthsOf(formatPercentage(fraction)), 10n * numerator, denominator)).toBe(true);
    });
    fc.assert(law, { numRuns: 2000 });
  });

  it("has a dash for what is missing, a proper minus, and no sign on zero", () => {
    const texts = [null, Number.NaN, -0.1625, -0.0001, Number.NEGATIVE_INFINITY].map(formatPercentage);
    expect(texts).toEqual(["–", "–", "−16.2", "0.0", "−∞"]);
  });
});

describe("formatPoints", () => {
  it("prints what Python's f-strings do, with U+2212 and no sign on zero", () => {
    for (const [difference, text] of golden.points) expect(formatPoints(difference as number)).toBe(text);
  });

  it("has a dash for what is missing, and turns sign with the difference", () => {
    expect([formatPoints(null), formatPoints(Number.NaN)]).toEqual(["–", "–"]);
    const law = fc.property(fc.double({ min: -2, max: 2, noNaN: true }), (difference) => {
      const turned = { "+": "−", "−": "+" } as Readonly<Record<string, string>>;
      expect(formatPoints(-difference)).toBe(
        formatPoints(difference).replace(/[+−]/, (sign) => turned[sign] as string),
      );
    });
    fc.assert(law);
  });
});
