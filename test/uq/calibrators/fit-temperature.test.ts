import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CalibrantRangeError } from "../../../src/errors.ts";
import { fitTemperature } from "../../../src/uq/calibrators/fit-temperature.ts";
import { calibrationCase, golden1000, goldenCalibrators, repeated } from "../../golden/calibrators.ts";

const golden = goldenCalibrators();
const K35 = calibrationCase("K35");
const K36 = calibrationCase("K36");
const thousand = golden1000();
const near = (x: number) => expect.closeTo(x, 11);

describe("fitTemperature", () => {
  it.skipIf(K35 === null)("finds the true optimum (K35)", () => {
    const fit = fitTemperature(K35?.input.logits.flat(), K35?.input.y, { classes: 2 });
    expect(fit.temperature).toBeCloseTo(K35?.expected.T, 7);
    expect(fit.nll).toBeCloseTo(K35?.expected.nll, 14);
    expect(fit.nllBefore).toBeCloseTo(K35?.expected.nll_T1, 14);
    expect(fit.flags).toEqual([]);
  });

  it.skipIf(K36 === null)("gives the clamp and a flag when every row is right (K36)", () => {
    const fit = fitTemperature(K36?.input.logits.flat(), K36?.input.y, { classes: 2 });
    expect([fit.temperature, fit.flags]).toEqual([0.01, K36?.expected.flags]);
    expect(fitTemperature([3, -2], [1, 0], { clamp: [0.5, 2] }).temperature).toBe(0.5);
  });

  it.skipIf(thousand === null)("matches the golden thousand on logits", () => {
    const { p, y, expected } = thousand as NonNullable<typeof thousand>;
    const fit = fitTemperature(
      p.map((v) => Math.log(v / (1 - v))),
      y,
    );
    expect(fit.temperature).toBeCloseTo(expected.temperature_T, 7);
    expect(fit.nll).toBeCloseTo(expected.temperature_nll, 13);
  });

  it.each(golden.sets)("agrees with scipy, set $#", ({ logits, y, w, temperature }) => {
    for (const [name, options] of [
      ["one", {}],
      ["counts", { weights: w }],
    ] as const) {
      const { temperature: T, nll, nllBefore } = fitTemperature(logits, y, options);
      if (temperature[name] !== null)
        expect({ temperature: T, nll, nllBefore }).toEqual(mapped(temperature[name], near));
    }
  });

  it("agrees with scipy on four classes", () => {
    const { logits, labels, ...expected } = golden.classes;
    const { temperature, nll, nllBefore } = fitTemperature(logits, labels, { classes: 4 });
    expect({ temperature, nll, nllBefore }).toEqual(mapped(expected, near));
  });

  it("is the same for one logit as for two classes, and scales with the logits", () => {
    const { logits, y } = golden.sets[2] as (typeof golden.sets)[2];
    const one = fitTemperature(logits, y);
    const two = fitTemperature(
      logits.flatMap((z) => [0, z]),
      y,
      { classes: 2 },
    );
    expect(two.temperature).toBeCloseTo(one.temperature, 12);
    const scaled = fitTemperature(
      logits.map((z) => z * 8),
      y.map((v) => v === 1),
    );
    expect(scaled.temperature / 8).toBeCloseTo(one.temperature, 12);
  });

  it("takes weights as repetition", () => {
    const { logits, y, w } = golden.sets[2] as (typeof golden.sets)[2];
    const weighted = fitTemperature(logits, y, { weights: w });
    const plain = fitTemperature(repeated(logits, w), repeated(y, w));
    expect(weighted.temperature).toBeCloseTo(plain.temperature, 12);
    expect(weighted.nll).toBeCloseTo(plain.nll, 13);
  });

  it("flags what has no optimum, and never leaves the clamp", () => {
    expect(fitTemperature([1, -2, 3], [0, 1, 0])).toMatchObject({
      temperature: 100,
      flags: ["unbounded-T->inf"],
    });
    expect(fitTemperature([0, 0], [0, 1])).toMatchObject({ temperature: 1, flags: ["flat"] });
    expect(fitTemperature([], [])).toMatchObject({ temperature: NaN, nll: NaN, flags: ["empty"], n: 0 });
    expect(fitTemperature([1], [1], { weights: [0] }).flags).toEqual(["empty"]);
    const tiny = fitTemperature([1e-5, 2e-5, -1e-5, 1e-5], [1, 1, 1, 1]);
    expect(tiny).toMatchObject({ temperature: 0.01, flags: ["below-clamp"] });
    const huge = fitTemperature([1e5, 2e5, -1e5, 1e5], [1, 1, 1, 1]);
    expect(huge).toMatchObject({ temperature: 100, flags: ["above-clamp"] });
  });

  it("beats its neighbours", () => {
    const row = fc.tuple(fc.double({ min: -20, max: 20, noNaN: true }), fc.integer({ min: 0, max: 1 }));
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), (rows) => {
        const logits = rows.map(([z]) => z);
        const labels = rows.map(([, y]) => y);
        const { temperature, nll, flags } = fitTemperature(logits, labels);
        const loss = (t: number) =>
          rows.reduce((sum, [z, y]) => sum + softplus(y === 1 ? -z / t : z / t), 0) / rows.length;
        expect(nll).toBeCloseTo(loss(temperature), 12);
        if (flags.includes("flat")) return;
        for (const t of [temperature * 1.01, temperature / 1.01, 1]) {
          if (t >= 0.01 && t <= 100) expect(nll).toBeLessThanOrEqual(loss(t) + 1e-14);
        }
      }),
    );
  });

  it("refuses what cannot be", () => {
    expect(() => fitTemperature([1, NaN], [0, 1])).toThrow("logits[1] must be finite, got NaN");
    expect(() => fitTemperature([1, Infinity], [0, 1])).toThrow(CalibrantRangeError);
    expect(() => fitTemperature([1, 2], [0, 2])).toThrow("labels[1] must be 0, 1, true or false, got 2");
    expect(() => fitTemperature([1, 2, 3, 4], [0, 2], { classes: 2 })).toThrow(
      "labels[1] must be a class from 0 to 1, got 2",
    );
    expect(() => fitTemperature([1, 2, 3], [0, 1], { classes: 2 })).toThrow(
      "logits must number 4, one a row, got 3",
    );
    expect(() => fitTemperature([1, 2], [0, 1], { weights: [1, -1] })).toThrow(
      "weights[1] must be 0 or more",
    );
    expect(() => fitTemperature([1], [0], { clamp: [2, 1] })).toThrow(
      "clamp must be two ascending temperatures, got 2, 1",
    );
    expect(() => fitTemperature([1], [0], { classes: 0 })).toThrow(
      "classes must be a whole number from 1, got 0",
    );
  });
});

function softplus(x: number): number {
  return Math.max(0, x) + Math.log1p(Math.exp(-Math.abs(x)));
}

function mapped(value: object, f: (x: number) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([key, x]) => [key, f(x)]));
}
