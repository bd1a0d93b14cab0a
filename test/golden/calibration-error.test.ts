import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { binomialQuantile, binomialWindow } from "../../src/math/binomial-window.ts";
import { type BootstrapMethod, bootstrap } from "../../src/metrics/bootstrap.ts";
import { calibrationError } from "../../src/metrics/calibration-error.ts";
import {
  classwiseCalibrationError,
  topLabelCalibrationError,
} from "../../src/metrics/classwise-calibration-error.ts";
import { permutationNull } from "../../src/metrics/permutation-null.ts";
import { smoothCalibrationError } from "../../src/metrics/smooth-calibration-error.ts";

interface BinaryCase {
  readonly name: string;
  readonly p: readonly number[];
  readonly y: readonly number[];
  readonly smooth: number;
  readonly bins: Readonly<Record<string, BinNumbers>>;
  readonly torchmetrics15?: Readonly<Record<"l1" | "l2" | "max", number>>;
}

interface BinNumbers {
  readonly count: readonly number[];
  readonly l1: number;
  readonly l2: number;
  readonly max: number;
  readonly l2_debiased: number;
  readonly quantile: { readonly count: readonly number[]; readonly l1: number };
}

interface Golden {
  readonly binary: readonly BinaryCase[];
  readonly multiclass: {
    readonly classes: number;
    readonly p: readonly number[];
    readonly labels: readonly number[];
    readonly per_class10: readonly number[];
    readonly classwise10: number;
    readonly top10_torchmetrics: number;
  };
  readonly binomial: readonly {
    readonly n: number;
    readonly p: number;
    readonly low: number;
    readonly high: number;
    readonly meanDeviation: number;
    readonly atMode: number;
  }[];
  readonly bootstrap: {
    readonly x: readonly number[];
    readonly mean: number;
    readonly standardError: number;
  } & Readonly<Record<BootstrapMethod, readonly [number, number]>>;
  readonly permutation: {
    readonly x: readonly number[];
    readonly y: readonly number[];
    readonly gap: number;
  } & Readonly<Record<"low" | "high" | "both", number>>;
}

const golden = JSON.parse(readFileSync(new URL("calibration-error.json", import.meta.url), "utf8")) as Golden;

describe.each(golden.binary)("calibration errors of $name rows", ({ p, y, smooth, bins, torchmetrics15 }) => {
  it("has numpy's counts and norms", () => {
    for (const [name, numbers] of Object.entries(bins)) {
      const options = { bins: Number(name), nullResamples: 0 };
      expect([...calibrationError(p, y, options).bins.count]).toEqual(numbers.count);
      for (const norm of ["l1", "l2", "max"] as const) {
        expect(calibrationError(p, y, { ...options, norm }).error).toBeCloseTo(numbers[norm], 13);
      }
      const debiased = calibrationError(p, y, { ...options, norm: "l2", debias: true });
      expect(debiased.error).toBeCloseTo(numbers.l2_debiased, 12);
    }
  });

  it("has scikit-learn's quantile bins", () => {
    for (const [name, { quantile }] of Object.entries(bins)) {
      const result = calibrationError(p, y, { bins: Number(name), strategy: "quantile" });
      expect([...result.bins.count]).toEqual(quantile.count);
      expect(result.error).toBeCloseTo(quantile.l1, 13);
    }
  });

  it("is close to the smooth error of a dense sum", () => {
    expect(Math.abs(smoothCalibrationError(p, y).error - smooth)).toBeLessThan(1e-3);
  });

  it.skipIf(torchmetrics15 === undefined)("is torchmetrics' number", () => {
    for (const norm of ["l1", "l2", "max"] as const) {
      expect(calibrationError(p, y, { norm }).error).toBeCloseTo(torchmetrics15?.[norm] as number, 6);
    }
  });
});

describe("calibration errors of several classes", () => {
  const { classes, p, labels, per_class10, classwise10, top10_torchmetrics } = golden.multiclass;

  it("is numpy's number class by class", () => {
    const result = classwiseCalibrationError(p, classes, labels, { bins: 10 });
    result.perClass.forEach((error, c) => {
      expect(error).toBeCloseTo(per_class10[c] as number, 13);
    });
    expect(result.error).toBeCloseTo(classwise10, 13);
  });

  it("is torchmetrics' number for the top label", () => {
    const { error } = topLabelCalibrationError(p, classes, labels, { bins: 10 });
    expect(error).toBeCloseTo(top10_torchmetrics, 6);
  });
});

describe("binomial window", () => {
  it.each(golden.binomial)("has scipy's quantiles and deviation at n = $n, p = $p", (expected) => {
    const { n, p } = expected;
    const window = binomialWindow(n, p);
    expect(binomialQuantile(window, 0.025)).toBe(expected.low);
    expect(binomialQuantile(window, 0.975)).toBe(expected.high);
    const deviation = window.probability.reduce(
      (sum, mass, i) => sum + mass * Math.abs(window.first + i - n * p),
      0,
    );
    expect(deviation / expected.meanDeviation).toBeCloseTo(1, 9);
    const mode = Math.floor((n + 1) * p) - window.first;
    expect((window.probability[mode] as number) / expected.atMode).toBeCloseTo(1, 9);
  });
});

describe("resampling", () => {
  const { x, mean, standardError } = golden.bootstrap;
  const meanOf = (rows: Int32Array): number =>
    rows.reduce((sum, row) => sum + (x[row] as number), 0) / rows.length;

  it.each(["percentile", "basic", "bca"] as const)(
    "%s limits are scipy's within the noise of draws",
    (method) => {
      const result = bootstrap(meanOf, x.length, { resamples: 40_000, level: 0.9, method, seed: 3 });
      expect(result.value).toBeCloseTo(mean, 12);
      expect(Math.abs(result.low - golden.bootstrap[method][0])).toBeLessThan(0.03);
      expect(Math.abs(result.high - golden.bootstrap[method][1])).toBeLessThan(0.03);
      expect(Math.abs(result.standardError - standardError)).toBeLessThan(0.01);
    },
  );

  it.each(["low", "high", "both"] as const)("the %s tail is the exact p-value within the noise", (tail) => {
    const { x: values, y, gap } = golden.permutation;
    const result = permutationNull(
      (labels) => {
        const ones = labels.reduce((sum, label) => sum + label, 0);
        const inside = labels.reduce((sum, label, i) => sum + label * (values[i] as number), 0);
        const all = values.reduce((sum, value) => sum + value, 0);
        return inside / ones - (all - inside) / (labels.length - ones);
      },
      y,
      { permutations: 20_000, tail, seed: 1 },
    );
    expect(result.value).toBeCloseTo(gap, 12);
    expect(Math.abs(result.pValue - golden.permutation[tail])).toBeLessThan(0.006);
    expect(Math.abs(result.mean)).toBeLessThan(0.02);
  });
});
