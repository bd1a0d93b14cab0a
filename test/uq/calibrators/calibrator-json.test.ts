import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CalibrantError } from "../../../src/errors.ts";
import { applyCalibrator } from "../../../src/uq/calibrators/apply-calibrator.ts";
import type { Calibrator } from "../../../src/uq/calibrators/calibrator.ts";
import { calibratorFromJson, calibratorToJson } from "../../../src/uq/calibrators/calibrator-json.ts";
import { fitIsotonic } from "../../../src/uq/calibrators/fit-isotonic.ts";
import { fitPlatt } from "../../../src/uq/calibrators/fit-platt.ts";
import { fitTemperature } from "../../../src/uq/calibrators/fit-temperature.ts";

const fits = (x: readonly number[], y: readonly number[]): Calibrator[] => [
  fitTemperature(x, y),
  fitPlatt(x, y),
  fitPlatt(x, y, { targets: "raw" }),
  fitIsotonic(x, y),
  fitIsotonic(x, y, { direction: "decreasing" }),
];

describe("calibratorToJson", () => {
  it("is one line with schema and kind first", () => {
    expect(calibratorToJson(fitIsotonic([1, 2], [0, 1]))).toMatch(
      /^\{"schema":"calibrant\/calibrator@1","kind":"isotonic","direction":"increasing","x":\[1,2\],"y":\[0,1\],"flags":\[\],"n":2,"fingerprint":"[0-9a-f]{16}"\}$/,
    );
  });

  it("writes NaN and infinities as strings", () => {
    const infinite = calibratorToJson(fitIsotonic([-Infinity, Infinity], [0, 1]));
    expect(infinite).toContain('"x":["-Infinity","Infinity"]');
    expect(calibratorToJson(fitPlatt([], []))).toContain('"a":"NaN"');
    expect(calibratorFromJson(infinite)).toMatchObject({ x: Float64Array.of(-Infinity, Infinity) });
  });
});

describe("calibratorFromJson", () => {
  it("gives back the same plain data, with the same values to the bit", () => {
    const row = fc.tuple(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), fc.integer({ min: 0, max: 1 }));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 20 }), (rows) => {
        const x = rows.map(([v]) => v);
        const queries = [...x, 0.5, -Infinity, Infinity, Number.NaN];
        for (const fit of fits(
          x,
          rows.map(([, v]) => v),
        )) {
          const text = calibratorToJson(fit);
          const read = calibratorFromJson(text);
          expect(read).toEqual(fit);
          expect(calibratorToJson(read)).toBe(text);
          const bytes = (c: Calibrator) => new Uint8Array(applyCalibrator(c, queries).buffer);
          expect(bytes(read)).toEqual(bytes(fit));
        }
      }),
    );
  });

  const platt = JSON.parse(calibratorToJson(fitPlatt([1, 2], [0, 1])));
  const isotonic = JSON.parse(calibratorToJson(fitIsotonic([1, 2], [0, 1])));
  const temperature = JSON.parse(calibratorToJson(fitTemperature([1, 2], [0, 1])));

  it.each([
    ["{", "calibrator is no JSON text"],
    ["[]", "calibrator must be a JSON object, got []"],
    [
      JSON.stringify({ ...platt, schema: "x" }),
      'calibrator field schema must be "calibrant/calibrator@1", got "x"',
    ],
    [
      JSON.stringify({ ...platt, kind: "beta" }),
      'calibrator field kind must be temperature, platt or isotonic, got "beta"',
    ],
    [JSON.stringify({ ...platt, a: null }), "calibrator field a must be a number, got null"],
    [JSON.stringify({ ...platt, b: "1" }), 'calibrator field b must be a number, got "1"'],
    [JSON.stringify({ ...platt, n: -1 }), "calibrator field n must be a whole number from 0, got -1"],
    [
      JSON.stringify({ ...platt, flags: ["odd"] }),
      'calibrator field flags must be a list of known flags, got ["odd"]',
    ],
    [
      JSON.stringify({ ...platt, fingerprint: "z" }),
      'calibrator field fingerprint must be 16 hexadecimal digits, got "z"',
    ],
    [JSON.stringify({ ...platt, b: undefined }), "calibrator field b must be a number, got nothing"],
    [
      JSON.stringify({ ...temperature, temperature: 0 }),
      "calibrator field temperature must be positive, got 0",
    ],
    [
      JSON.stringify({ ...isotonic, direction: "up" }),
      'calibrator field direction must be increasing or decreasing, got "up"',
    ],
    [JSON.stringify({ ...isotonic, x: [2, 1] }), "calibrator field x must be strictly ascending, got [2,1]"],
    [
      JSON.stringify({ ...isotonic, y: [1, 0] }),
      "calibrator field y must be finite and monotone in its direction, got [1,0]",
    ],
    [JSON.stringify({ ...isotonic, y: [1] }), "calibrator field y must be as long as x (2), got [1]"],
    [
      JSON.stringify({ ...isotonic, x: [null, 1] }),
      "calibrator field x must be a list of numbers, got [null,1]",
    ],
  ])("refuses %s", (text, message) => {
    expect(() => calibratorFromJson(text)).toThrow(CalibrantError);
    expect(() => calibratorFromJson(text)).toThrow(message);
  });
});
