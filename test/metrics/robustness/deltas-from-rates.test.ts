import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CalibrantRangeError } from "../../../src/errors.ts";
import { deltasFromRates, type PublishedRates } from "../../../src/metrics/robustness/deltas-from-rates.ts";
import { INJECTED_FAULTS } from "../../../src/metrics/robustness/fault-types.ts";
import { formatPoints } from "../../../src/report/tables/format-share.ts";

interface Tables {
  readonly table1: readonly (PublishedRates & { readonly n: number; readonly delta: number })[];
  readonly table3: readonly { setting: string; n: number; base: number; rl: number; delta: number }[];
  readonly table4: readonly {
    fault_type: string;
    base: number;
    btm: number;
    rl: number;
    delta_btm: number;
    delta_rl: number;
  }[];
}

const tables = JSON.parse(
  readFileSync(new URL("../../golden/robustness-tables.json", import.meta.url), "utf8"),
) as Tables;

const printed = (points: number): string => formatPoints(points / 100);

/** Rates of a table without model and subset. */
function pairs(
  values: readonly (readonly [clean: number, injected: number, n?: number])[],
): PublishedRates[] {
  return values.map(([clean, injected, n]) => ({
    model: "m",
    subset: null,
    clean,
    injected,
    ...(n && { n }),
  }));
}

describe("Table 1 of Bench2Robust", () => {
  const { rows, pairs: count, degraded, largest } = deltasFromRates(tables.table1);

  it("has the published differences in all 70 cells when they come from the counts", () => {
    expect(rows.map((row) => printed(row.fromCounts ?? Number.NaN))).toEqual(
      tables.table1.map(({ delta }) => printed(delta)),
    );
  });

  it("has them in 54 cells when they come from the rounded rates, and is within a tenth in the others", () => {
    const off = rows.map((row, i) => Math.abs(row.fromRates - (tables.table1[i]?.delta as number)));
    expect(off.filter((size) => size < 1e-9)).toHaveLength(54);
    expect(Math.max(...off)).toBeCloseTo(0.1, 9);
  });

  it("has 69 of 70 pairs that degrade, at most by 46.7 points", () => {
    expect([count, degraded]).toEqual([70, 69]);
    expect(largest).toMatchObject({ model: "Qwen3-4B-Thinking-2507", subset: "Retail-3I general" });
    expect(printed(largest?.delta as number)).toBe("−46.7");
    expect(rows.filter(({ delta }) => delta >= 0).map(({ model, subset }) => [model, subset])).toEqual([
      ["Qwen3-8B", "tau2-bench airline"],
    ]);
  });

  it("prints seven rates that their counts give only when rounded twice, as 61.945 by 61.95 to 62.0", () => {
    const twice = rows.filter(({ roundedOnce }) => roundedOnce === false);
    const rates = twice.flatMap(({ clean, injected, counts, n }) =>
      [
        [clean, counts?.clean],
        [injected, counts?.injected],
      ].filter(([rate, k]) => Math.abs((rate as number) - (100 * (k as number)) / (n as number)) > 0.0500001),
    );
    expect(rates.map(([rate]) => rate)).toEqual(TWICE);
  });
});

const TWICE = [62.0, 49.1, 65.8, 29.0, 39.8, 61.7, 61.7];

describe("Tables 3 and 4 of Bench2Robust", () => {
  it("have, in Table 3, exactly the differences of the rounded rates, which the counts give in 3 of 7 cells", () => {
    const { rows } = deltasFromRates(pairs(tables.table3.map(({ base, rl, n }) => [base, rl, n])));
    const published = tables.table3.map(({ delta }) => delta);
    expect(rows.map(({ fromRates }) => fromRates)).toEqual(published);
    const exact = rows.map(
      ({ fromCounts }, i) => printed(fromCounts as number) === printed(published[i] as number),
    );
    expect(exact.filter(Boolean)).toHaveLength(COUNTS_IN_TABLE_3);
    for (const [i, { fromCounts }] of rows.entries())
      expect(Math.abs((fromCounts as number) - (published[i] as number))).toBeLessThan(0.1 + 0.05);
  });

  it("have, in Table 4, differences within a tenth of those of the rounded rates: n is not published", () => {
    expect(tables.table4.map(({ fault_type }) => fault_type)).toEqual(INJECTED_FAULTS.map(([name]) => name));
    const btm = deltasFromRates(pairs(tables.table4.map(({ base, btm }) => [base, btm])));
    const rl = deltasFromRates(pairs(tables.table4.map(({ btm, rl }) => [btm, rl])));
    const off = [
      ...tables.table4.map(({ delta_btm }, i) => (btm.rows[i]?.delta as number) - delta_btm),
      ...tables.table4.map(({ delta_rl }, i) => (rl.rows[i]?.delta as number) - delta_rl),
    ].map((size) => Math.round(size * 10) / 10);
    expect(off).toEqual(OFF_IN_TABLE_4);
  });
});

const COUNTS_IN_TABLE_3 = 3;
const OFF_IN_TABLE_4: number[] = [0.1, -0.1, 0, 0, 0, 0, 0, 0, 0, 0, 0.1, 0, 0, 0, 0, 0, 0, 0.1];

it("leaves pairs without counts where no count of n gives a rate", () => {
  const { rows } = deltasFromRates(
    pairs([
      [50, 33.3, 10],
      [12.5, 25, 8],
    ]),
  );
  expect(rows[0]).toMatchObject({ counts: null, fromCounts: null, roundedOnce: null, delta: -16.7 });
  expect(rows[1]).toMatchObject({ counts: { clean: 1, injected: 2 }, fromCounts: 12.5, roundedOnce: true });
  expect(deltasFromRates([])).toEqual({ rows: [], pairs: 0, degraded: 0, largest: null });
});

it("refuses rates and sizes that cannot be, naming the row", () => {
  const refused = (): unknown => deltasFromRates(pairs([[50, 101]]));
  expect(refused).toThrow(CalibrantRangeError);
  expect(refused).toThrow("rows[0].injected must be a percentage in [0, 100], got 101");
  expect(() => deltasFromRates(pairs([[50, 40, 2.5]]))).toThrow(
    /rows\[0\]\.n must be a whole number from 1 on, got 2\.5/,
  );
});
