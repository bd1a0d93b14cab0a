import { describe, expect, it } from "vitest";
import {
  formatCount,
  formatEstimate,
  formatInterval,
  formatNumber,
  formatPercent,
  formatSigned,
} from "../../src/report/format-number.ts";

describe("formatNumber", () => {
  it.each([
    [0, "fraction", "0.000"],
    [-0, "fraction", "0.000"],
    [-0.0001, "fraction", "0.000"],
    [0.0004, "fraction", "0.000"],
    [0.9996, "fraction", "1.000"],
    [-0.3417, "fraction", "−0.342"],
    [12.3456, "nats", "12.346"],
    [0.0004, "nats", "4.00e−4"],
    [-0.0004, "nats", "−4.00e−4"],
    [99.9995, "perplexity", "100.0"],
    [12345.67, "perplexity", "12,345.7"],
    [-1234567.89, "reward", "−1,234,567.9"],
    [1.234e8, "perplexity", "1.23e+8"],
    [Number.POSITIVE_INFINITY, "nats", "∞"],
    [Number.NEGATIVE_INFINITY, "nats", "−∞"],
    [Number.NaN, "fraction", "–"],
  ])("%d %s is %s", (value, unit, text) => {
    expect(formatNumber(value, unit)).toBe(text);
  });
});

describe("the other formats", () => {
  it("signs differences", () => {
    expect([0.0123, -0.0123, 0, -0.0001].map((value) => formatSigned(value))).toEqual([
      "+0.012",
      "−0.012",
      "0.000",
      "0.000",
    ]);
  });

  it("separates thousands of counts and keeps a decimal of weighted ones", () => {
    expect([0, 999, 1000, 1234567, 1e7, 12.25, 1234.5].map(formatCount)).toEqual([
      "0",
      "999",
      "1,000",
      "1,234,567",
      "10,000,000",
      "12.3",
      "1,234.5",
    ]);
  });

  it("puts intervals in brackets, or leaves them out", () => {
    expect(formatInterval(-0.01, 0.25)).toBe("[−0.010, 0.250]");
    expect(formatInterval(Number.NaN, 0.25)).toBe("");
    expect(formatEstimate({ value: 0.1, low: 0, high: 0.2 })).toBe("0.100 [0.000, 0.200]");
    expect(formatEstimate({ value: 0.1, low: Number.NaN, high: Number.NaN })).toBe("0.100");
  });

  it("writes percentages", () => {
    expect([0.95, 0.999, 1 - 0.95, 2 / 3].map(formatPercent)).toEqual(["95%", "99.9%", "5%", "66.6667%"]);
  });
});
