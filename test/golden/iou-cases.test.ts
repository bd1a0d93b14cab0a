import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { normalQuantile } from "../../src/math/normal-quantile.ts";
import { type CalibrationIouOptions, calibrationIou } from "../../src/uq/iou/calibration-iou.ts";
import { wrongButLowUncertainty } from "../../src/uq/wrong-but-low.ts";

const FOLDER = new URL("../../../shared/cases/uq/", import.meta.url);
const present = existsSync(FOLDER);

// biome-ignore lint/suspicious/noExplicitAny: every case has a shape of its own
type Loose = any;

interface Case {
  readonly id: string;
  readonly line: string;
  readonly input: Loose;
  readonly expected: Loose;
}

const read = (name: string): Loose =>
  present ? JSON.parse(readFileSync(new URL(name, FOLDER), "utf8")) : [];
const cases: readonly Case[] = [...read("iou_cases.json"), ...read("cal_cases.json")];
const caseOf = (id: string): Case => cases.find((item) => item.id === id) as Case;

/** Without resampling, which no case below is about. */
const PLAIN = { resamples: 0, permutations: 0 } as const;

function iouOf(id: string, options: CalibrationIouOptions = {}) {
  const { correct, wrong, ...rest } = caseOf(id).input;
  return calibrationIou(correct, wrong, { ...PLAIN, ...rest, ...options });
}

describe.skipIf(!present)("cases of the calibration IoU", () => {
  it("I01 identical samples", () => {
    expect(iouOf("I01").iou).toBe(1);
  });

  it("I02 disjoint supports", () => {
    const { iou, ks } = iouOf("I02");
    expect({ iou, ks }).toEqual(caseOf("I02").expected);
  });

  it("I03 all values equal", () => {
    const { iou, bins, flags } = iouOf("I03");
    expect({ iou, bins, flags }).toEqual({ iou: 1, bins: 1, flags: ["zero-range", "small-n"] });
  });

  it.each(["I05", "I06"])("%s class imbalance", (id) => {
    const { iou_density, iou_count, ovl } = caseOf(id).expected;
    const density = iouOf(id);
    expect(density.iou).toBeCloseTo(iou_density, 14);
    if (ovl !== undefined) expect(density.overlap).toBeCloseTo(ovl, 14);
    expect(iouOf(id, { normalize: "count" }).iou).toBeCloseTo(iou_count, 14);
  });

  it("I07 one empty side", () => {
    const { iou, reason, interval, nullMean } = iouOf("I07", { resamples: 100, permutations: 100 });
    expect({ iou, reason, interval, nullMean }).toEqual({
      iou: NaN,
      reason: "empty",
      interval: null,
      nullMean: NaN,
    });
  });

  it.each(["I11a", "I11c", "I11e"])("%s two unit Gaussians", (id) => {
    const { input, expected } = caseOf(id);
    const grid = (shift: number): Float64Array =>
      Float64Array.from({ length: input.n }, (_value, i) => normalQuantile((i + 0.5) / input.n) + shift);
    const options = { ...PLAIN, scale: "identity" } as const;
    const result = calibrationIou(grid(0), grid(input.d), options);
    expect(result.iou).toBeCloseTo(expected.ref_default, 9);
    expect(Math.abs(result.iou - expected.closed_iou)).toBeLessThan(expected.tol_vs_closed);
    expect(Math.abs(result.overlap - expected.closed_ovl)).toBeLessThan(expected.tol_vs_closed);
    expect(result.iouKs).toBeCloseTo(expected.ref_ks_iou, 9);
    const thirty = calibrationIou(grid(0), grid(input.d), { ...options, bins: 30, range: "minmax" });
    expect(thirty.iou).toBeCloseTo(expected.ref_30bins_minmax, 9);
  });

  it("I13 one outlier does not move the number", () => {
    const { correct, wrong } = read("iou_ppl.json");
    const { expected } = caseOf("I13");
    const iou = (extra: readonly number[], options: CalibrationIouOptions = {}): number =>
      calibrationIou([...correct, ...extra], wrong, { ...PLAIN, ...options }).iou;
    expect(iou([])).toBeCloseTo(expected.default, 14);
    expect(Math.abs(iou([]) - expected.true_iou)).toBeLessThan(0.01);
    expect(iou([1e6])).toBeCloseTo(expected["default+outlier"], 14);
    expect(iou([Math.exp(709)])).toBeCloseTo(expected["default+PPL=e^709"], 14);
    const linear = { scale: "identity", bins: 30, range: "minmax" } as const;
    expect(iou([], linear)).toBeCloseTo(expected.linear30_minmax, 14);
    expect(iou([1e6], linear)).toBeCloseTo(expected["linear30_minmax+outlier (the trap)"], 14);
    expect(iou([], { binning: "equal-mass" })).toBeCloseTo(expected.equal_mass, 14);
    expect(iou([], { binning: "equal-mass", scale: "identity" })).toBe(iou([], { binning: "equal-mass" }));
    expect(iou([], { method: "ks" })).toBeCloseTo(expected.ks, 14);
    // An infinite perplexity is a cell of its own, and moves no edge either.
    expect(Math.abs(iou([Number.POSITIVE_INFINITY]) - iou([]))).toBeLessThan(0.001);
  });

  it("I15 atoms at PPL 1", () => {
    const { iou, overlap, bins, ks } = iouOf("I15");
    const { expected } = caseOf("I15");
    expect(iou).toBeCloseTo(expected.iou, 14);
    expect({ overlap, bins, ks }).toEqual({ overlap: expected.ovl, bins: expected.bins, ks: expected.ks });
  });

  it("I17 wrong but low uncertainty is another number", () => {
    const { input, expected } = caseOf("I17");
    const low = wrongButLowUncertainty(input.correct, input.wrong, { threshold: input.threshold });
    expect([low.ofWrong, low.ofAll, low.ofLow]).toEqual([
      expected.of_wrong,
      expected.of_all,
      expected.of_low,
    ]);
    expect(calibrationIou(input.correct, input.wrong, PLAIN).iou).toBeCloseTo(expected.iou_default, 14);
  });

  it("I21 the interval is reproducible and contains the estimate", () => {
    const { correct, wrong } = read("iou_ppl.json");
    const { B, seed } = caseOf("I21").input;
    const first = calibrationIou(correct, wrong, { resamples: B, seed });
    expect(calibrationIou(correct, wrong, { resamples: B, seed })).toEqual(first);
    expect(first.interval?.low).toBeLessThan(first.iou);
    expect(first.interval?.high).toBeGreaterThan(first.iou);
    expect(calibrationIou(correct, wrong, { resamples: B, seed: seed + 1 }).interval).not.toEqual(
      first.interval,
    );
  });

  it("K55 a density estimate of nearly constant data is finite", () => {
    const { a, method } = caseOf("K55").input;
    for (const other of [a, a.map((value: number) => value + 1), [400, 401, 402]]) {
      for (const scale of ["log", "identity"] as const) {
        const result = calibrationIou(a, other, { method, scale });
        expect(result.iou).toBeGreaterThanOrEqual(0);
        expect(result.iou).toBeLessThanOrEqual(1);
        expect(result.method).toBe("kde");
      }
    }
    const constant = calibrationIou(a, [347, 347, 347], { method });
    expect(constant.method).toBe("histogram");
    expect(constant.flags).toContain("kde-fallback");
    expect(constant.iou).toBeCloseTo(5 / 7, 14);
  });
});
