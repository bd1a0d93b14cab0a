import { describe, expect, it } from "vitest";
import {
  DARK,
  LIGHT,
  type Palette,
  paletteCss,
  SERIES,
  themed,
} from "../../../src/report/plots/plot-theme.ts";

/** Contrast of two colours by WCAG 2. */
function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const MARKS = ["correct", "wrong", "overlap", ...SERIES.map((_, i) => `series${i + 1}`)] as (keyof Palette)[];

describe("the colours", () => {
  it.each(MARKS)("%s: 3 : 1 on white and near black, 4.5 : 1 on its own paper", (name) => {
    expect(contrast(LIGHT[name], DARK.background)).toBeGreaterThan(3);
    expect(contrast(LIGHT[name], LIGHT.background)).toBeGreaterThan(4.5);
    expect(contrast(DARK[name], DARK.background)).toBeGreaterThan(4.5);
  });

  it("has legible text in both themes", () => {
    for (const palette of [LIGHT, DARK]) {
      expect(contrast(palette.text, palette.background)).toBeGreaterThan(7);
      expect(contrast(palette.muted, palette.background)).toBeGreaterThan(4.5);
      expect(contrast(palette.axis, palette.background)).toBeGreaterThan(3);
    }
  });

  it("has no colour twice, so that a theme can exchange them", () => {
    expect(new Set(Object.values(LIGHT)).size).toBe(Object.keys(LIGHT).length);
  });

  it("tells eight series apart without colour", () => {
    expect(new Set(SERIES.map(({ dash }) => dash.join())).size).toBe(8);
    expect(new Set(SERIES.map(({ shape }) => shape)).size).toBe(8);
  });
});

describe("themed", () => {
  const spec = { mark: { color: LIGHT.correct, size: 3 }, list: [LIGHT.wrong, "other", null, true] };

  it("writes CSS variables with a fallback", () => {
    expect(themed(spec, "css")).toEqual({
      mark: { color: "var(--c-correct, #1f6fb5)", size: 3 },
      list: ["var(--c-wrong, #c2560a)", "other", null, true],
    });
  });

  it("takes the dark colours, or leaves the light ones", () => {
    expect(themed(spec, "dark").mark.color).toBe(DARK.correct);
    expect(themed(spec, "light")).toEqual(spec);
  });
});

describe("paletteCss", () => {
  it("declares every variable", () => {
    expect(paletteCss(DARK)).toContain("--c-correct:#6cb2f2;--c-wrong:#f0984f;");
    expect(paletteCss(DARK).split(";")).toHaveLength(Object.keys(DARK).length + 1);
  });
});
