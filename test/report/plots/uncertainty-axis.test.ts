import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { logTicks } from "../../../src/report/plots/uncertainty-axis.ts";

describe("logTicks", () => {
  it("takes round values, as many as there is room for", () => {
    const between = (low: number, high: number): number[] => logTicks(Math.log(low), Math.log(high), 410);
    expect(between(1, 2.1)).toEqual([1, 1.2, 1.4, 1.6, 1.8, 2]);
    expect(between(1, 12)).toEqual([1, 1.5, 2, 3, 5, 7, 10]);
    expect(between(1, 8000)).toEqual([1, 3, 10, 30, 100, 300, 1000, 3000]);
    expect(between(1.004, 1.031)).toEqual([1.005, 1.01, 1.015, 1.02, 1.025, 1.03]);
  });

  it("strides over decades on a huge axis", () => {
    const ticks = logTicks(0, 700, 410);
    expect(ticks.length).toBeGreaterThan(4);
    expect(ticks.length).toBeLessThan(10);
    expect(ticks.every((value) => Number.isInteger(Math.round(Math.log10(value) * 1e9) / 1e9))).toBe(true);
  });

  it("has two to nine labels that keep apart on any axis", () => {
    const width = fc.double({ min: 1e-3, max: 600, noNaN: true });
    fc.assert(
      fc.property(fc.double({ min: 0, max: 50, noNaN: true }), width, (low, span) => {
        const ticks = logTicks(low, low + span, 410);
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(9);
        for (let i = 1; i < ticks.length; i++) {
          const gap = Math.log(ticks[i] as number) - Math.log(ticks[i - 1] as number);
          expect((gap / span) * 410).toBeGreaterThan(31);
        }
      }),
    );
  });
});
