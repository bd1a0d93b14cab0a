import { describe, expect, it } from "vitest";
import { emptyRate, rateOf } from "../../../src/metrics/rate.ts";
import { countCell, pointsCell, shareCell, textCell } from "../../../src/report/tables/cells.ts";

const missing = (reason: string) => ({ text: "", detail: "", sort: null, missing: reason });
const rate = { value: 0.1625, low: null, high: null, numerator: null, denominator: 80, reason: null };

describe("shareCell", () => {
  it("rounds the counts, and sorts by the number", () => {
    expect(shareCell(rateOf(13, 80))).toEqual({
      text: "16.2",
      detail: "[9.7, 25.8]",
      sort: 0.1625,
      missing: null,
    });
  });

  it("takes the counts, not their quotient", () => {
    expect(shareCell({ ...rate, value: 0.9, numerator: 1, denominator: 80 }).text).toBe("1.2");
  });

  it("rounds a number that is no share as a double", () => {
    const value = 160 / 521 / 13;
    expect(shareCell({ ...rate, value })).toEqual({ text: "2.4", detail: "", sort: value, missing: null });
  });

  it("has the reason in words where there is no number", () => {
    expect(shareCell(rateOf(0, 0))).toEqual(missing("no rows"));
    expect(shareCell(rateOf(0, 0), "no item has a critical set")).toEqual(
      missing("no item has a critical set"),
    );
    expect(shareCell(emptyRate("one-seed-only"), "no rows")).toEqual(missing("one seed only"));
    expect(shareCell({ ...rate, value: Number.NaN })).toEqual(missing("not computed"));
  });
});

describe("other cells", () => {
  it("shows points with a sign, counts with separators, texts as they are", () => {
    const delta = { value: -0.467, low: -0.5, high: 0.0125, reason: null };
    expect(pointsCell(delta)).toEqual({ text: "−46.7", detail: "[−50.0, 1.2]", sort: -0.467, missing: null });
    expect(pointsCell({ ...delta, value: null, reason: "empty" }, "no pairs")).toEqual(missing("no pairs"));
    expect(countCell(1441)).toEqual({ text: "1,441", detail: "", sort: 1441, missing: null });
    expect(countCell(null)).toEqual(missing("not counted"));
    expect(textCell("a", "b")).toEqual({ text: "a", detail: "b", sort: null, missing: null });
  });
});
