import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSummary, type ScoreSummary } from "../../../src/cli/score/score-summary.ts";
import type { ResultColumn } from "../../../src/data/columns.ts";
import { quantiles } from "../../../src/math/quantile.ts";
import { seededRandom } from "../../../src/math/seeded-random.ts";

const SAMPLE_ROWS = 65_536;
const { NaN: nan, POSITIVE_INFINITY: inf } = Number;

const part = (values: readonly number[], name = "reward"): ResultColumn => ({
  name,
  type: "float64",
  values: Float64Array.from(values),
});

const words = (codes: readonly number[], dictionary: readonly string[], name = "status"): ResultColumn => ({
  name,
  type: "utf8",
  codes: Int32Array.from(codes),
  dictionary,
});

function summarise(...batches: readonly (readonly ResultColumn[])[]): ScoreSummary {
  const summary = createSummary(seededRandom(0));
  for (const columns of batches) {
    const [first] = columns;
    summary.add(columns, first?.type === "utf8" ? first.codes.length : (first?.values.length ?? 0));
  }
  return summary.finish(0, {});
}

describe("createSummary", () => {
  it("is empty before the first rows", () => {
    expect(createSummary(seededRandom(0)).finish(0, {})).toEqual({
      rows: 0,
      groups: 0,
      status: {},
      parts: {},
      quartileRows: 0,
      nonFinite: {},
    });
  });

  it("counts rows, nulls and words, and passes on what it is told", () => {
    const summary = createSummary(seededRandom(0));
    summary.add([part([1, nan, 3]), words([0, 1, 0], ["ok", "no_gold;nan"])], 3);
    summary.add([part([5, nan]), words([0, -1], ["no_gold", "ok"])], 2);
    expect(summary.finish(4, { logprobs: 2 })).toEqual({
      rows: 5,
      groups: 4,
      status: { status: { ok: 2, no_gold: 2, nan: 1 } },
      parts: { reward: { n: 3, nulls: 2, mean: 3, quartiles: [2, 3, 4] } },
      quartileRows: 5,
      nonFinite: { logprobs: 2 },
    });
  });

  it("lists words from the most frequent, and keeps the columns of several rewards apart", () => {
    const { status, parts } = summarise([
      part([1, 1, 1], "trust_reward"),
      part([nan, nan, nan], "reward"),
      words([0, 1, 1], ["a", "b;c"], "trust_status"),
      words([0, 0, 0], ["ok"], "status"),
    ]);
    expect(Object.entries(status).map(([name, counts]) => [name, Object.entries(counts)])).toEqual([
      [
        "trust_status",
        [
          ["b", 2],
          ["c", 2],
          ["a", 1],
        ],
      ],
      ["status", [["ok", 3]]],
    ]);
    expect(parts).toEqual({
      trust_reward: { n: 3, nulls: 0, mean: 1, quartiles: [1, 1, 1] },
      reward: { n: 0, nulls: 3, mean: null, quartiles: null },
    });
  });

  it("loses no small terms to large ones", () => {
    expect(summarise([part([1e16, 1, -1e16, 1])]).parts.reward?.mean).toBe(0.5);
    expect(summarise([part([1e16])], [part([1])], [part([-1e16])], [part([1])]).parts.reward?.mean).toBe(0.5);
  });

  it("has the mean that the exact sum gives", () => {
    const integer = fc.integer({ min: -(2 ** 31), max: 2 ** 31 });
    fc.assert(
      fc.property(fc.array(fc.oneof(integer, fc.constant(nan)), { minLength: 1 }), (values) => {
        const numbers = values.filter((value) => !Number.isNaN(value));
        const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
        const { reward } = summarise([part(values)]).parts;
        expect(reward?.n).toBe(numbers.length);
        expect(reward?.nulls).toBe(values.length - numbers.length);
        expect(reward?.mean).toBe(numbers.length === 0 ? null : mean + 0);
      }),
    );
  });

  it("carries infinities", () => {
    expect(summarise([part([1, inf, 2, nan])]).parts.reward).toEqual({
      n: 3,
      nulls: 1,
      mean: inf,
      quartiles: [1.5, 2, inf],
    });
    expect(summarise([part([-inf, 0, 1])]).parts.reward?.mean).toBe(-inf);
    expect(summarise([part([-inf, 5, inf])]).parts.reward?.mean).toBeNaN();
    expect(summarise([part([inf, inf, inf])]).parts.reward?.quartiles).toEqual([inf, inf, inf]);
  });

  it("does not depend on how rows are cut", () => {
    const value = fc.oneof(fc.double(), fc.constant(nan));
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 40 }),
        fc.array(fc.nat(10), { maxLength: 6 }),
        (values, cuts) => {
          const batches: ResultColumn[][] = [];
          let at = 0;
          for (const cut of [...cuts, values.length]) {
            batches.push([part(values.slice(at, at + cut))]);
            at += cut;
          }
          expect(summarise(...batches)).toEqual(summarise([part(values)]));
        },
      ),
    );
  });
});

describe("quartiles of more rows than are kept", () => {
  const rows = 3 * SAMPLE_ROWS;
  // A permutation of 0 … rows - 1, so that the first rows are no worse a sample than the last.
  const values = Float64Array.from({ length: rows }, (_, row) => (row * 7919) % rows);
  const sampled = (seed: number, cut: number): ScoreSummary => {
    const summary = createSummary(seededRandom(seed));
    for (let at = 0; at < rows; at += cut) {
      const piece = values.subarray(at, at + cut);
      const negative = piece.map((value) => -value);
      summary.add([part([...piece], "up"), part([...negative], "down")], piece.length);
    }
    return summary.finish(0, {});
  };

  it("are exact up to as many rows as are kept", () => {
    const summary = createSummary(seededRandom(1));
    const exact = values.subarray(0, SAMPLE_ROWS);
    summary.add([part([...exact])], SAMPLE_ROWS);
    const { parts, quartileRows } = summary.finish(0, {});
    expect(quartileRows).toBe(SAMPLE_ROWS);
    expect(parts.reward?.quartiles).toEqual([...quantiles(exact, [0.25, 0.5, 0.75])]);
  });

  it("come from a sample of the whole, of the same rows in every column", () => {
    const { parts, quartileRows } = sampled(1, 50_000);
    expect(quartileRows).toBe(SAMPLE_ROWS);
    const [low, median, high] = (parts.up?.quartiles ?? [nan, nan, nan]) as [number, number, number];
    expect(Math.abs(low / rows - 0.25)).toBeLessThan(0.01);
    expect(Math.abs(median / rows - 0.5)).toBeLessThan(0.01);
    expect(Math.abs(high / rows - 0.75)).toBeLessThan(0.01);
    expect(parts.down?.quartiles).toEqual([-high, -median, -low]);
    expect(parts.up?.n).toBe(rows);
    expect(parts.up?.mean).toBe((rows - 1) / 2);
  });

  it("depend on the seed, not on how rows are cut", () => {
    expect(sampled(2, 1000)).toEqual(sampled(2, 50_000));
    expect(sampled(3, 50_000).parts.up?.quartiles).not.toEqual(sampled(2, 50_000).parts.up?.quartiles);
  });
});
