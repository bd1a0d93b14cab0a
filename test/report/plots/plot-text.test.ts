import { describe, expect, it } from "vitest";
import { fixed, shorten, withInterval } from "../../../src/report/plots/plot-text.ts";
import { roundTicks } from "../../../src/report/plots/round-ticks.ts";
import { textWidth } from "../../../src/report/plots/text-width.ts";

const NONE = { low: Number.NaN, high: Number.NaN };

describe("fixed", () => {
  it("writes numbers, infinities and nothing as -0.00", () => {
    expect(
      [0.345, -0.5, -0.001, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN].map((x) =>
        fixed(x),
      ),
    ).toEqual(["0.34", "−0.50", "0.00", "∞", "−∞", "n/a"]);
    expect(fixed(0.0404, 3)).toBe("0.040");
  });
});

describe("withInterval", () => {
  it("writes value and interval, or why there is none", () => {
    expect(withInterval({ value: 0.351, low: 0.333, high: 0.3688, reason: null })).toBe("0.35 [0.33, 0.37]");
    expect(withInterval({ value: 0.351, ...NONE, reason: null })).toBe("0.35");
    expect(withInterval({ value: Number.NaN, ...NONE, reason: "single-class" })).toBe(
      "not defined (only one class)",
    );
    expect(withInterval({ value: Number.NaN, ...NONE, reason: "no margin" })).toBe("not defined (no margin)");
    expect(withInterval({ value: Number.NaN, ...NONE, reason: null })).toBe("not defined");
  });
});

describe("shorten", () => {
  it("cuts at characters, not at halves of them", () => {
    expect(shorten("decision-only GRPO", 18)).toBe("decision-only GRPO");
    expect(shorten("decision-only GRPO", 10)).toBe("decision-…");
    expect(shorten("🙂🙂🙂", 2)).toBe("🙂…");
  });
});

describe("roundTicks", () => {
  it("ends at a round value below the top", () => {
    expect(roundTicks(730)).toEqual([0, 100, 500]);
    expect(roundTicks(200)).toEqual([0, 50, 200]);
    expect(roundTicks(2)).toEqual([0, 2]);
    expect(roundTicks(0)).toEqual([0]);
  });
});

describe("textWidth", () => {
  it("is close to DejaVu Sans and never below Helvetica", () => {
    // Advances of DejaVu Sans 13 px and of Helvetica 13 px, from the fonts' metrics.
    expect(textWidth("correct (n=1,240)", 13)).toBeGreaterThan(95);
    expect(textWidth("correct (n=1,240)", 13)).toBeLessThan(125);
    expect(textWidth("", 13)).toBe(0);
    expect(textWidth("日本", 10)).toBe(21);
  });
});
