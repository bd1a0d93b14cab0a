import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CalibrantError } from "../../src/errors.ts";
import { bootstrap, pairedBootstrap } from "../../src/metrics/bootstrap.ts";

const values = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3];
const meanOf =
  (data: readonly number[]) =>
  (rows: Int32Array): number =>
    rows.reduce((sum, row) => sum + (data[row] as number), 0) / rows.length;

describe("bootstrap", () => {
  it("gives the value, its replicates and an interval around it", () => {
    const result = bootstrap(meanOf(values), 10, { resamples: 4000, seed: 5 });
    const sd = Math.sqrt(values.reduce((sum, x) => sum + (x - 3.9) ** 2, 0) / 10);
    expect(result.value).toBeCloseTo(3.9, 12);
    expect(result.replicates.length).toBe(4000);
    expect(Math.abs(result.standardError / (sd / Math.sqrt(10)) - 1)).toBeLessThan(0.05);
    expect(Math.abs(result.low - (3.9 - 1.96 * (sd / Math.sqrt(10))))).toBeLessThan(0.15);
    expect(result.undefinedReplicates).toBe(0);
  });

  it("follows from the seed", () => {
    const at = (seed: number): Float64Array =>
      bootstrap(meanOf(values), 10, { resamples: 20, seed }).replicates;
    expect(at(1)).toEqual(at(1));
    expect(at(1)).not.toEqual(at(2));
  });

  it("mirrors the percentile interval at the value for the basic method", () => {
    const percentile = bootstrap(meanOf(values), 10, { resamples: 99 });
    const basic = bootstrap(meanOf(values), 10, { resamples: 99, method: "basic" });
    expect(basic.low).toBeCloseTo(2 * basic.value - percentile.high, 12);
    expect(basic.high).toBeCloseTo(2 * basic.value - percentile.low, 12);
  });

  it("draws as many rows as there are, from all of them", () => {
    const seen = new Set<number>();
    bootstrap(
      (rows) => {
        expect(rows.length).toBe(10);
        for (const row of rows) seen.add(row);
        return 0;
      },
      10,
      { resamples: 50 },
    );
    expect([...seen].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("draws whole clusters with their rows in order", () => {
    const clusters = [7, -1, 7, 30, -1, 7];
    const groups = ["0,2,5", "1,4", "3"];
    let resample = 0;
    bootstrap(
      (rows) => {
        if (resample++ === 0) expect([...rows]).toEqual([0, 1, 2, 3, 4, 5]);
        else {
          const text = `${rows.join(",")},`;
          const drawn = text.match(/0,2,5,|1,4,|3,/g) ?? [];
          expect(drawn.join("")).toBe(text);
          expect(drawn.length).toBe(groups.length);
        }
        return 1;
      },
      6,
      { clusters, resamples: 100 },
    );
    expect(resample).toBe(101);
  });

  it("is wider when the rows of a cluster repeat each other", () => {
    const repeated = values.flatMap((value) => [value, value, value, value]);
    const clusters = repeated.map((_, i) => Math.floor(i / 4));
    const rows = bootstrap(meanOf(repeated), 40, { seed: 1 });
    const prompts = bootstrap(meanOf(repeated), 40, { seed: 1, clusters });
    expect(prompts.standardError / rows.standardError).toBeGreaterThan(1.7);
    expect(prompts.standardError).toBeCloseTo(bootstrap(meanOf(values), 10, { seed: 1 }).standardError, 12);
  });

  it("counts undefined replicates and leaves them out", () => {
    const onlyFirst = (rows: Int32Array): number => (rows.includes(0) ? 1 : Number.NaN);
    const result = bootstrap(onlyFirst, 3, { resamples: 300 });
    expect(result.undefinedReplicates).toBeGreaterThan(50);
    expect([result.low, result.high, result.standardError]).toEqual([1, 1, 0]);
    const never = bootstrap(() => Number.NaN, 3, { resamples: 5, method: "bca" });
    expect([never.value, never.low, never.high, never.standardError]).toEqual([NaN, NaN, NaN, NaN]);
  });

  it("has equal ends for a constant, by every method", () => {
    for (const method of ["percentile", "basic", "bca"] as const) {
      const { low, high } = bootstrap(() => 2, 4, { method, resamples: 20 });
      expect([low, high]).toEqual([2, 2]);
    }
  });

  it("has no rows to draw when there are none", () => {
    const result = bootstrap((rows) => (rows.length === 0 ? Number.NaN : 0), 0, { resamples: 3 });
    expect([result.value, result.low, result.undefinedReplicates]).toEqual([Number.NaN, Number.NaN, 3]);
  });

  it.each([
    [3, { resamples: 0 }, "resamples must be an integer from 1, got 0"],
    [3, { level: 1 }, "level must be between 0 and 1, both excluded, got 1"],
    [3, { method: "t" }, 'method must be "percentile", "basic" or "bca", got "t"'],
    [3, { clusters: [1] }, "clusters must have one value for each of the 3 rows, got 1"],
    [-1, {}, "n must be an integer from 0, got -1"],
  ])("refuses n = %d and %j", (n, options, message) => {
    const call = (): unknown => bootstrap(() => 0, n, options as Parameters<typeof bootstrap>[2]);
    expect(call).toThrow(message);
    expect(call).toThrow(CalibrantError);
  });
});

describe("pairedBootstrap", () => {
  it("uses the same rows for both sides", () => {
    const shifted = values.map((value) => value + 0.5);
    const result = pairedBootstrap(meanOf(values), meanOf(shifted), 10, { resamples: 50 });
    expect(result.baseline).toBeCloseTo(3.9, 12);
    expect(result.candidate).toBeCloseTo(4.4, 12);
    expect([result.difference, result.low, result.high].map((x) => Math.round(x * 1e9) / 1e9)).toEqual([
      0.5, 0.5, 0.5,
    ]);
    expect(result.beyondNoise).toBe(true);
  });

  it("is not beyond noise for the same statistic, or an undefined one", () => {
    const same = pairedBootstrap(meanOf(values), meanOf(values), 10, { resamples: 50 });
    expect([same.difference, same.beyondNoise]).toEqual([0, false]);
    const undefinedOne = pairedBootstrap(meanOf(values), () => Number.NaN, 10, { resamples: 50 });
    expect([undefinedOne.low, undefinedOne.beyondNoise, undefinedOne.undefinedReplicates]).toEqual([
      NaN,
      false,
      50,
    ]);
  });

  it("changes sign with its sides", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 10, maxLength: 10 }), (other) => {
        const options = { resamples: 30 };
        const forth = pairedBootstrap(meanOf(values), meanOf(other), 10, options);
        const back = pairedBootstrap(meanOf(other), meanOf(values), 10, options);
        expect(back.difference).toBeCloseTo(-forth.difference, 12);
        expect(back.low).toBeCloseTo(-forth.high, 12);
        expect(back.beyondNoise).toBe(forth.beyondNoise);
      }),
      { numRuns: 20 },
    );
  });
});
