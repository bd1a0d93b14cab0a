import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type CalibrationErrorOptions, calibrationError } from "../../src/metrics/calibration-error.ts";
import { confidenceFromPositive } from "../../src/metrics/decision-confidence.ts";
import { reliabilityDiagram } from "../../src/metrics/reliability.ts";
import { smoothCalibrationError } from "../../src/metrics/smooth-calibration-error.ts";

const FOLDER = new URL("../../../shared/cases/uq/", import.meta.url);
const present = existsSync(FOLDER);

// biome-ignore lint/suspicious/noExplicitAny: every case has a shape of its own
type Loose = any;

function read(name: string): Loose {
  return present ? JSON.parse(readFileSync(new URL(name, FOLDER), "utf8")) : { expected: {} };
}

const cases: readonly Loose[] = present ? read("cal_cases.json") : [];
const caseOf = (id: string): Loose => cases.find((item) => item.id === id);

function run(input: Loose): ReturnType<typeof calibrationError> {
  const { conf, y, ...options } = input;
  return calibrationError(conf, y, options as CalibrationErrorOptions);
}

describe.skipIf(!present)("calibration cases of ../shared", () => {
  for (const id of ["K01", "K02", "K03", "K08", "K09"]) {
    it(`${id}: ${caseOf(id)?.line}`, () => {
      const { input, expected } = caseOf(id);
      expect(run(input).error).toBeCloseTo(expected.ece, 12);
      if (expected.mce !== undefined) {
        expect(run({ ...input, norm: "max" }).error).toBeCloseTo(expected.mce, 12);
      }
    });
  }

  it(`K05: ${caseOf("K05")?.line}`, () => {
    const { input, expected } = caseOf("K05");
    const result = run(input);
    expect(result.error).toBeCloseTo(expected.ece_right_closed, 12);
    expect([...result.bins.count]).toEqual(expected.counts);
  });

  it(`K06: ${caseOf("K06")?.line}`, () => {
    const { input, expected } = caseOf("K06");
    const result = run(input);
    expect(result.error).toBeCloseTo(expected.ece, 12);
    expect(result.bins.count.length).toBe(expected.bins_used);
    expect([...result.bins.edges]).toEqual([0.7, 0.7]);
  });

  it(`K11: ${caseOf("K11")?.line}`, () => {
    expect(() => run(caseOf("K11").input)).toThrow(RangeError);
    expect(() => run(caseOf("K11").input)).toThrow("confidence[2] must be in [0, 1], got 2");
  });

  it(`K46: ${caseOf("K46")?.line}`, () => {
    const { y } = caseOf("K46").input;
    const conf = [0.5, Number.NaN];
    expect(() => calibrationError(conf, y)).toThrow(RangeError);
    const excluded = calibrationError(conf, y, { nan: "exclude" });
    expect([excluded.error, excluded.n, excluded.excluded]).toEqual([0.5, 1, 1]);
  });

  it(`K47: ${caseOf("K47")?.line}`, () => {
    for (const norm of ["l1", "l2", "max"] as const) {
      const { error, reason, nullMean } = calibrationError([], [], { norm });
      expect([error, reason, nullMean]).toEqual([Number.NaN, "empty", Number.NaN]);
    }
    const smooth = smoothCalibrationError([], []);
    expect([smooth.error, smooth.reason, smooth.nullMean]).toEqual([Number.NaN, "empty", Number.NaN]);
  });

  it(`K50: ${caseOf("K50")?.line}`, () => {
    const { input, expected } = caseOf("K50");
    expect(calibrationError(input.p_pos, input.y, { bins: 10 }).error).toBeCloseTo(
      expected["ece_pos(10)"],
      12,
    );
    const { confidence, correct } = confidenceFromPositive(input.p_pos, input.y);
    expect(calibrationError(confidence, correct, { bins: 10 }).error).toBeCloseTo(
      expected["ece_conf(10)"],
      12,
    );
  });

  it(`K54: ${caseOf("K54")?.line}`, () => {
    const { input, expected } = caseOf("K54");
    expect(calibrationError([0.3], [1], input).bins.count.length).toBe(expected.bins_returned);
    expect(reliabilityDiagram([0.3], [1], input).edges.length).toBe(expected.bins_returned + 1);
  });
});

describe.skipIf(!present)("golden_1000 of ../shared", () => {
  const { p, y, expected } = read("golden_1000.json");
  const options: Readonly<Record<string, CalibrationErrorOptions>> = {
    ece10: { bins: 10 },
    ece15: {},
    rmsce15: { norm: "l2" },
    mce15: { norm: "max" },
    ece15_quantile: { strategy: "quantile" },
  };
  for (const [name, option] of Object.entries(options)) {
    it(name, () => {
      expect(Math.abs(calibrationError(p, y, option).error - expected[name])).toBeLessThan(1e-12);
    });
  }

  it("smECE_relplot", () => {
    expect(Math.abs(smoothCalibrationError(p, y).error - expected.smECE_relplot)).toBeLessThan(5e-3);
  });
});
