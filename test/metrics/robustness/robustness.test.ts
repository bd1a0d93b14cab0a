import { readFileSync } from "node:fs";
import { Field, List, Table, tableFromArrays, Utf8, vectorFromArray } from "apache-arrow";
import { describe, expect, it } from "vitest";
import { mcnemarExact } from "../../../src/metrics/mcnemar.ts";
import { compareNames } from "../../../src/metrics/robustness/name-order.ts";
import {
  type RobustnessRow,
  robustness,
  robustnessFromTable,
} from "../../../src/metrics/robustness/robustness.ts";
import type { RobustnessOptions } from "../../../src/metrics/robustness/robustness-options.ts";
import type { RobustnessResult } from "../../../src/metrics/robustness/robustness-result.ts";
import { episodes } from "./episodes.ts";

interface GoldenCase {
  readonly name: string;
  readonly level: number;
  readonly tasks: readonly { readonly task: string; readonly clean: string; readonly injected: string }[];
  readonly delta: number;
  readonly delta_bootstrap: readonly [number, number];
  readonly delta_t: readonly [number, number];
  readonly standard_error: number;
  readonly clean_bootstrap: readonly [number, number];
  readonly clean_wilson: readonly [number, number];
  readonly mcnemar?: { readonly b: number; readonly c: number; readonly p: number };
}

const golden = JSON.parse(readFileSync(new URL("../../golden/robustness.json", import.meta.url), "utf8")) as {
  readonly cases: readonly GoldenCase[];
  readonly mcnemar: readonly { readonly b: number; readonly c: number; readonly p: number }[];
};

const gapOf = (
  rows: readonly RobustnessRow[],
  options?: RobustnessOptions,
): RobustnessResult["gap"][number] => {
  const [first] = robustness(rows, options).gap;
  if (first === undefined) throw new Error("no pair");
  return first;
};

describe("against scipy and statsmodels", () => {
  it.each(golden.cases)("agrees on $name", (reference) => {
    const rows = reference.tasks.flatMap(({ task, clean, injected }) => [
      ...episodes(task, "clean", clean),
      ...episodes(task, "injected", injected),
    ]);
    const { clean, delta } = gapOf(rows, { level: reference.level, resamples: 8000 });
    const seeds = (reference.tasks[0] as GoldenCase["tasks"][number]).clean.length;
    // Ends of a discrete bootstrap may differ by one of its steps besides Monte-Carlo error.
    const close = 0.06 * reference.standard_error + 1 / (delta.pairedTasks * seeds);
    expect(delta.value).toBeCloseTo(reference.delta, 12);
    expect(Math.abs((delta.low as number) - reference.delta_bootstrap[0])).toBeLessThan(close);
    expect(Math.abs((delta.high as number) - reference.delta_bootstrap[1])).toBeLessThan(close);
    expect(Math.abs((delta.low as number) - reference.delta_t[0])).toBeLessThan(
      0.4 * reference.standard_error,
    );
    const [low, high] = seeds === 1 ? reference.clean_wilson : reference.clean_bootstrap;
    const digits = seeds === 1 ? 12 : 2;
    expect(clean.interval).toBe(seeds === 1 ? "wilson" : "task-bootstrap");
    expect(clean.low).toBeCloseTo(low, digits);
    expect(clean.high).toBeCloseTo(high, digits);
    if (reference.mcnemar === undefined) expect(delta.mcnemar).toBeNull();
    else {
      expect(delta.mcnemar).toMatchObject({
        onlyBaseline: reference.mcnemar.b,
        onlyCandidate: reference.mcnemar.c,
      });
      expect(delta.mcnemar?.pValue).toBeCloseTo(reference.mcnemar.p, 12);
    }
  });

  it("agrees on the exact McNemar test to 1e-11 relative, far in the tail too", () => {
    for (const { b, c, p } of golden.mcnemar) {
      expect(Math.abs(mcnemarExact(b, c) / p - 1), `${b}, ${c}`).toBeLessThan(1e-11);
      expect(mcnemarExact(c, b)).toBe(mcnemarExact(b, c));
    }
    expect(() => mcnemarExact(-1, 2)).toThrow("onlyFirst must be a whole number from 0, got -1");
  });
});

describe("the gap", () => {
  it("averages seeds inside a task before it averages tasks, and takes paired tasks only", () => {
    const rows = [
      ...episodes("t1", "clean", "1100"),
      ...episodes("t1", "injected", "01"),
      ...episodes("t2", "clean", "1"),
      ...episodes("t2", "injected", "000"),
      ...episodes("t10", "clean", "1"),
      ...episodes("t9", "clean", "0"),
      ...episodes("x", "inject", "1"),
    ];
    const { clean, injected, injectedAlt, delta, deltaAlt } = gapOf(rows);
    expect([clean.numerator, clean.denominator, clean.tasks]).toEqual([4, 7, 4]);
    expect([injected.numerator, injected.denominator, injected.tasks]).toEqual([2, 6, 3]);
    expect(injectedAlt).toMatchObject({ value: null, reason: "empty", interval: null });
    // (0.5 − 0.5 + 0 − 1) / 2, while the rates differ by 2/6 − 4/7.
    expect(delta).toMatchObject({
      value: -0.5,
      pairedTasks: 2,
      beyondNoise: null,
      mcnemar: null,
      reason: null,
    });
    expect(delta.ofRates).toBeCloseTo(2 / 6 - 4 / 7, 15);
    expect(delta.onlyBaseline).toEqual({ count: 2, names: ["t9", "t10"] });
    expect(delta.onlyCandidate).toEqual({ count: 1, names: ["x"] });
    expect(deltaAlt).toMatchObject({ value: null, low: null, reason: "no episodes" });
    expect(robustness(rows).warnings).toEqual([
      "m: the difference injected − clean rests on 2 paired tasks; only clean: t9, t10; only injected: x.",
      "Fewer than 10 paired tasks, so no verdict on noise: m.",
    ]);
  });

  it("gives exactly 0 where seeds cancel, which is no degradation", () => {
    const rows = ["111", "100"].flatMap((passes, i) => [
      ...episodes(`t${i}`, "clean", passes),
      ...episodes(`t${i}`, "injected", passes === "111" ? "110" : "110"),
    ]);
    const { gap, degraded } = robustness(rows);
    expect(gap[0]?.delta.value).toBe(0);
    expect(degraded).toEqual({ pairs: 1, degraded: 0, beyondNoise: 0, largest: null });
  });

  it("counts degraded pairs by model and subset, and orders names as people do", () => {
    const tasks = Array.from({ length: 12 }, (_, i) => `t${i}`);
    const pair = (model: string, subset: string | null, injected: string): RobustnessRow[] =>
      tasks.flatMap((task, i) => [
        ...episodes(task, "clean", i < 9 ? "1" : "0", { model, subset }),
        ...episodes(task, "injected", injected[i] as string, { model, subset }),
      ]);
    const rows = [
      ...pair("q-32b", "b", "111111110000"),
      ...pair("q-4b", "b", "000000000000"),
      ...pair("q-4b", "a", "111111111111"),
      ...pair("q-4b", null, "100000000000"),
    ];
    const { gap, degraded, models, subsets } = robustness(rows);
    expect(models).toEqual(["q-4b", "q-32b"]);
    expect(subsets).toEqual(["a", "b", null]);
    expect(gap.map(({ model, subset, delta }) => [model, subset, delta.value, delta.beyondNoise])).toEqual([
      ["q-4b", "a", 0.25, false],
      ["q-4b", "b", -0.75, true],
      ["q-4b", null, -8 / 12, true],
      ["q-32b", "b", -1 / 12, false],
    ]);
    expect(degraded).toEqual({
      pairs: 4,
      degraded: 3,
      beyondNoise: 2,
      largest: { model: "q-4b", subset: "b", delta: -0.75 },
    });
    expect(["a10", "a9", "a", "b"].sort(compareNames)).toEqual(["a", "a9", "a10", "b"]);
  });

  it("takes every word for a condition, and alt beside it", () => {
    const words = ["inject_alt", "inject+alt", "injected_alt", "injected+alt"];
    const rows = [
      ...words.flatMap((word, i) => episodes(`t${i}`, word, "1")),
      ...episodes("t4", "injected", "0", { alt: true }),
      ...episodes("t5", "inject", "0", { alt: false }),
      ...episodes("t0", "clean", "1", { alt: 1 }),
      ...episodes("t1", "clean", "1", { alt: 0 }),
    ];
    const { gap, warnings } = robustness(rows);
    const [{ clean, injected, injectedAlt }] = gap as [RobustnessResult["gap"][number]];
    expect([clean.denominator, injected.denominator, injectedAlt.denominator]).toEqual([2, 1, 5]);
    expect(injectedAlt.numerator).toBe(4);
    expect(warnings).toContain(
      "Clean episodes with and without alternative tools (alt) are counted together.",
    );
  });

  it("leaves out and counts episodes without a result", () => {
    const rows = [...episodes("t", "clean", "1?1"), ...episodes("t", "injected", "???")];
    const { gap, excluded, episodes: scored, warnings } = robustness(rows);
    expect([scored, excluded.unscored]).toEqual([2, 4]);
    expect([gap[0]?.clean.value, gap[0]?.injected.value, gap[0]?.delta.reason]).toEqual([
      1,
      null,
      "no episodes",
    ]);
    expect(warnings).toEqual([
      "4 of 6 rows have no result (completed is missing) and are left out.",
      "m: no injected episodes, so no difference.",
    ]);
  });

  it("takes tasks as trials where they are too few or too alike to be resampled", () => {
    const rows = ["a", "b", "c"].flatMap((task) => episodes(task, "clean", "11111"));
    const { clean } = gapOf(rows);
    expect(clean).toMatchObject({
      value: 1,
      numerator: 15,
      denominator: 15,
      tasks: 3,
      interval: "task-wilson",
      high: 1,
    });
    expect(clean.low).toBeCloseTo(0.4385, 4);
    expect(gapOf(rows, { resamples: 0 }).clean).toMatchObject({ value: 1, low: null, interval: null });
  });
});

it("gives mean and sample deviation over seeds, each seed counted once", () => {
  const rows = [
    ...episodes("a", "clean", "110"),
    ...episodes("b", "clean", "101"),
    ...episodes("c", "clean", "1"),
  ];
  const [row] = robustness(rows).seeds;
  expect(row).toMatchObject({ model: "m", subset: null, condition: "clean", seeds: 3 });
  expect(row?.perSeed.map(({ seed, rate }) => [seed, rate.numerator, rate.denominator])).toEqual([
    ["0", 3, 3],
    ["1", 1, 2],
    ["2", 1, 2],
  ]);
  expect(row?.mean).toBeCloseTo(2 / 3, 15);
  expect(row?.std).toBeCloseTo(Math.sqrt(((1 / 3) ** 2 + 2 * (1 / 6) ** 2) / 2), 15);
  const [single] = robustness([{ model: "m", condition: "clean", task_id: 1, completed: 1 }]).seeds;
  expect(single).toMatchObject({ seeds: 1, mean: 1, std: null, perSeed: [{ seed: null }] });
});

it("gives the mean cost of the episodes with a result, num_turns where turns are missing", () => {
  const rows: RobustnessRow[] = [
    ...episodes("a", "clean", "1", { turns: 10, tokens: 100 }),
    ...episodes("b", "clean", "0", { num_turns: 13, subset: "s" }),
    ...episodes("c", "clean", "?", { turns: 1000, tokens: 1e9 }),
    ...episodes("a", "injected", "1"),
  ];
  expect(robustness(rows).cost).toEqual([
    { model: "m", condition: "clean", episodes: 2, turns: 11.5, tokens: 100 },
    { model: "m", condition: "injected", episodes: 1, turns: null, tokens: null },
  ]);
});

describe("other forms of the same rows", () => {
  const rows: RobustnessRow[] = ["a", "b", "c"].flatMap((task, i) => [
    ...episodes(task, "clean", "110".slice(i), { turns: i + 0.25, subset: "s" }),
    ...episodes(task, "injected", "010".slice(i), {
      turns: i,
      subset: "s",
      fault_type: "stale",
      p_clean: 0.6,
    }),
  ]);
  const columnOf = (name: keyof RobustnessRow): unknown[] => rows.map((row) => row[name] ?? null);
  const expected = robustness(rows, { systems: { base: "m" } });

  it("has the same numbers over columns, also under other names, and typed arrays", () => {
    const columns = {
      run: columnOf("model"),
      subset: columnOf("subset"),
      condition: columnOf("condition"),
      id: columnOf("task_id"),
      seed: Int8Array.from(columnOf("seed") as number[]),
      completed: Float64Array.from(columnOf("completed") as number[]),
      turns: columnOf("turns"),
      fault_types: columnOf("fault_type").map((name) => (name === null ? null : [name])),
      p_clean: columnOf("p_clean"),
    };
    const options = { systems: { base: "m" }, columns: { model: "run", task_id: "id" } } as const;
    expect(robustness(columns, options)).toEqual(expected);
    expect(() => robustness({ ...columns, turns: [1] }, options)).toThrow(
      "columns must have one length: run has 12 rows, turns has 1",
    );
    expect(() => robustness({ ...columns, turns: columnOf("model") }, options)).toThrow(
      "row 0: column turns: expected a number, found m",
    );
  });

  it("has the same numbers over Arrow tables of several batches", async () => {
    const parts = [rows.slice(0, 5), rows.slice(5)].map((part) =>
      tableFromArrays({
        model: part.map(({ model }) => model),
        subset: part.map(() => "s"),
        condition: part.map(({ condition }) => condition),
        id: part.map(({ task_id }) => task_id),
        seed: Int32Array.from(part, ({ seed }) => seed as number),
        completed: Uint8Array.from(part, ({ completed }) => Number(completed)),
        turns: Float64Array.from(part, ({ turns }) => turns as number),
        fault_type: part.map(({ fault_type }) => fault_type ?? null),
        p_clean: part.map(({ p_clean }) => p_clean ?? null),
      }),
    );
    const table = (parts[0] as Table).concat(parts[1] as Table);
    expect(table.batches).toHaveLength(2);
    const options = { systems: { base: "m" }, columns: { task_id: "id" } };
    expect(await robustnessFromTable(table, options)).toEqual(expected);
    const lists = new Table({
      model: vectorFromArray(["m"]),
      condition: vectorFromArray(["injected"]),
      task_id: vectorFromArray(["t"]),
      completed: vectorFromArray([true]),
      fault_types: vectorFromArray([["stale", "partial"]], new List(Field.new("item", new Utf8()))),
    });
    const { byFaultType } = await robustnessFromTable(lists);
    expect(
      byFaultType.filter(({ rates }) => rates[0]?.denominator === 1).map(({ faultType }) => faultType),
    ).toEqual(["partial", "stale"]);
  });
});
