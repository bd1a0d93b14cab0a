import { describe, expect, it } from "vitest";
import { mostUnits, resamplingUnits, unitsFor } from "../../../src/report/evaluate/resampling-units.ts";

describe("resamplingUnits", () => {
  it("gives every cluster its own unit while there are few", () => {
    const { unitOf, units, merged } = resamplingUnits(5, 3, 1);
    expect([...unitOf]).toEqual([0, 1, 2, 3, 4]);
    expect([units, merged]).toEqual([5, false]);
  });

  it("deals many clusters at random into units of equal size, by the seed", () => {
    const { unitOf, units, merged } = resamplingUnits(1000, 256, 7);
    expect([units, merged]).toEqual([256, true]);
    const sizes = new Map<number, number>();
    for (const unit of unitOf) sizes.set(unit, (sizes.get(unit) ?? 0) + 1);
    expect(new Set(sizes.values())).toEqual(new Set([3, 4]));
    expect(resamplingUnits(1000, 256, 7).unitOf).toEqual(unitOf);
    expect(resamplingUnits(1000, 256, 8).unitOf).not.toEqual(unitOf);
  });

  it("leaves slices of few clusters their own units", () => {
    const units = resamplingUnits(1000, 256, 7);
    expect(unitsFor(513, units)).toBe(units);
    const own = unitsFor(512, units);
    expect([own.units, own.merged, own.unitOf[999]]).toEqual([1000, false, 999]);
    const few = resamplingUnits(5, 256, 7);
    expect(unitsFor(3, few)).toBe(few);
  });

  it("resamples fewer units where there are many slices", () => {
    expect([1, 3, 8, 16, 64, 1000].map(mostUnits)).toEqual([1024, 1024, 1024, 1024, 256, 256]);
  });
});
