import {
  Dictionary,
  Int32,
  Table,
  tableFromArrays,
  tableFromIPC,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolFaultGold } from "../../../src/metrics/toolfault/tool-fault-item.ts";
import {
  toolFaultMetrics,
  toolFaultMetricsFromTable,
} from "../../../src/metrics/toolfault/tool-fault-metrics.ts";
import { TOOLFAULT_METRICS, type ToolFaultSlice } from "../../../src/metrics/toolfault/tool-fault-result.ts";
import { cardItems, cardPredictions, type ExpectedMetrics, GOLDEN, randomCase } from "./golden-cases.ts";

const gold = (id: string, fields: Partial<ToolFaultGold> = {}): ToolFaultGold => ({
  id,
  fault_type: "timeout",
  acceptable_next_actions: ["verify_before_retry"],
  critical_next_actions: ["retry_same"],
  ...fields,
});

const overall = (...args: Parameters<typeof toolFaultMetrics>): ToolFaultSlice =>
  toolFaultMetrics(...args).runs[0]?.overall as ToolFaultSlice;

function expectMetrics(slice: ToolFaultSlice, expected: ExpectedMetrics, wilson = true): void {
  for (const metric of TOOLFAULT_METRICS) {
    const rate = slice.metrics[metric];
    const wanted = expected[metric] ?? null;
    if (wanted === null)
      expect(rate, metric).toMatchObject({ value: null, low: null, high: null, reason: "empty" });
    else if (typeof wanted === "number") expect(rate.value, metric).toBeCloseTo(wanted, 12);
    else {
      const [numerator, denominator, low, high] = wanted as [number, number, number, number];
      expect(rate, metric).toMatchObject({
        numerator,
        denominator,
        value: numerator / denominator,
        reason: null,
      });
      if (!wilson) continue;
      expect(rate.low, metric).toBeCloseTo(low, 9);
      expect(rate.high, metric).toBeCloseTo(high, 9);
    }
  }
}

describe("the card's baselines", () => {
  const items = cardItems();
  it.each(["always", "oracle", "heuristic"])("%s has the card's numbers, by slice too", (name) => {
    const expected = GOLDEN.card.expected[name];
    const by = ["domain", "difficulty"] as const;
    const { runs, hardNegatives } = toolFaultMetrics(cardPredictions(name), items, { by, resamples: 0 });
    const { overall: all, slices } = runs[0] as NonNullable<(typeof runs)[0]>;
    expect([items.length, hardNegatives]).toEqual([441, 80]);
    expectMetrics(all, expected?.overall as ExpectedMetrics);
    const domains = slices.filter(({ columns }) => columns[0] === "domain");
    expect(domains.map(({ values }) => values[0])).toEqual(GOLDEN.card.domains);
    for (const [i, slice] of domains.entries()) expectMetrics(slice, expected?.domain[i] as ExpectedMetrics);
    for (const [i, difficulty] of GOLDEN.card.difficulties.entries()) {
      const slice = slices.find(({ values }) => values[0] === difficulty) as ToolFaultSlice;
      expectMetrics(slice, expected?.difficulty[i] as ExpectedMetrics);
    }
  });

  it("has macro-F1 (160/521)/13 for always none", () => {
    expect(overall(cardPredictions("always"), items).metrics.fault_macro_f1.value).toBeCloseTo(
      160 / 521 / 13,
      15,
    );
  });
});

describe("toolFaultMetrics", () => {
  it.each(GOLDEN.random)("agrees with scikit-learn and statsmodels: $name", (golden) => {
    const { items, rows } = randomCase(golden);
    const repeat = golden.predictions.length === 1 ? [] : ["seed"];
    const options = { repeat, interval: "wilson", resamples: 0, by: ["part"] } as const;
    const { runs } = toolFaultMetrics(rows as never, items, options);
    const run = runs[0] as NonNullable<(typeof runs)[0]>;
    // Without items no repeat can be seen.
    expect(run.repeats).toBe(items.length === 0 ? 1 : golden.predictions.length);
    expectMetrics(run.overall, golden.expected);
    expect(run.overall).toMatchObject({ missing: golden.missing, unparsed: golden.unparsed });
    for (const slice of golden.slices === undefined ? [] : run.slices)
      expectMetrics(slice, golden.slices?.[Number(slice.values[0])] as ExpectedMetrics);
  });

  it("counts unreadable and missing answers as wrong, not as none", () => {
    const items = [
      gold("a"),
      gold("b"),
      gold("c", { fault_type: "none", acceptable_next_actions: ["proceed"], critical_next_actions: [] }),
      gold("d", { fault_type: "none", acceptable_next_actions: ["proceed"], critical_next_actions: [] }),
    ];
    const rows = [
      { id: "a", fault_type: "timeout", next_action: "dance" },
      { id: "c", output: "I cannot say." },
    ];
    const { runs } = toolFaultMetrics(rows, items);
    expect(runs[0]?.overall).toMatchObject({ rows: 4, unparsed: 2, missing: 2 });
    expect(runs[0]?.unknownLabels).toEqual([["dance", 1]]);
    const values = TOOLFAULT_METRICS.map((metric) => runs[0]?.overall.metrics[metric].value);
    expect(values).toEqual([0, 0, 0, 0, 0, 1, 0]);
    expect(runs[0]?.confusion[1]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
  });

  it("reads the text of the model where there are no labels", () => {
    const output =
      'First {"fault_type":"none","next_action":"proceed"}, no: ```{"fault_type":"timeout","next_action":"verify_before_retry"}```';
    expect(overall([{ id: "a", output }], [gold("a")]).metrics.joint_accuracy.value).toBe(1);
    const given = { id: "a", fault_type: "none", next_action: "proceed", output };
    expect(overall([given], [gold("a")]).metrics.joint_accuracy.value).toBe(0);
  });

  it("reads labels alike in columns and in texts: trimmed, in lower case", () => {
    for (const fault of ["timeout", "Timeout", " TIMEOUT\n"]) {
      const labels = { fault_type: fault, next_action: "Verify_Before_Retry " };
      const rows = [
        { id: "a", ...labels },
        { id: "b", output: JSON.stringify(labels) },
      ];
      expect(overall(rows, [gold("a"), gold("b")]).metrics.joint_accuracy.value, fault).toBe(1);
    }
    const { runs } = toolFaultMetrics(
      [{ id: "a", fault_type: "time out", next_action: "proceed" }],
      [gold("a")],
    );
    expect([runs[0]?.overall.unparsed, runs[0]?.unknownLabels]).toEqual([1, [["time out", 1]]]);
  });

  it("has null, not 0, for shares of nothing", () => {
    const { metrics } = overall(
      [{ id: "a", fault_type: "timeout", next_action: "proceed" }],
      [gold("a", { critical_next_actions: [] })],
    );
    expect(metrics.critical_error_rate).toMatchObject({ value: null, denominator: 0, reason: "empty" });
    expect(metrics.false_alarm_rate).toMatchObject({ value: null, reason: "empty" });
    expect(overall([], []).metrics.fault_macro_f1).toMatchObject({ value: null, reason: "empty" });
  });

  it("refuses ids predicted twice or not in the dataset, and lists them", () => {
    const row = (id: string) => ({ id, fault_type: "none", next_action: "proceed" });
    const many = Array.from({ length: 24 }, (_, i) => `x${i}`);
    expect(() => overall([row("a"), row("b"), row("a"), row("zz")], [gold("a"), gold("b")])).toThrow(
      "the predictions have ids that are not in the dataset: zz; and ids predicted twice (where a column tells repeats or models apart, name it as repeat or run): a",
    );
    expect(() => overall(many.map(row), [])).toThrow(/x0, x1, x10, .*, x5 and 4 more/);
    expect(() => overall([{ id: null } as never], [gold("a")])).toThrow(/fault_type/);
    expect(() => overall([{ ...row("a"), id: null } as never], [gold("a")])).toThrow(
      "the prediction has no id",
    );
  });

  it("refuses a dataset that cannot be scored, naming the item", () => {
    const bad = (fields: object) => () => overall([], [gold("ok"), gold("b", fields)]);
    expect(bad({ fault_type: "slow" })).toThrow(
      /items\[1\] \(b\): fault_type must be one of none, timeout.*got "slow"/,
    );
    expect(bad({ acceptable_next_actions: ["proceed", "wait"] })).toThrow(
      /\(b\): acceptable_next_actions .*got "wait"/,
    );
    expect(bad({ acceptable_next_actions: [] })).toThrow("acceptable_next_actions must name an action");
    expect(bad({ critical_next_actions: "proceed" })).toThrow(
      "critical_next_actions must be a list of actions",
    );
    expect(bad({ id: "ok" })).toThrow("the dataset has ids twice: ok");
  });

  it("scores runs apart and their repeats together, each item asked as often as the run was repeated", () => {
    const rows = ["m1", "m2"].flatMap((model) =>
      [1, 2].flatMap((seed) =>
        model === "m2" && seed === 2
          ? []
          : [
              {
                id: "a",
                model,
                seed,
                fault_type: "timeout",
                next_action: model === "m1" && seed === 1 ? "retry_same" : "verify_before_retry",
              },
            ],
      ),
    );
    const result = toolFaultMetrics(rows, [gold("a"), gold("b")], { run: ["model"], repeat: ["seed"] });
    expect(result.runs.map(({ name, repeats, interval }) => [name, repeats, interval])).toEqual([
      [["m1"], 2, "bootstrap"],
      [["m2"], 1, "wilson"],
    ]);
    expect(
      result.runs.map(({ overall: { metrics, missing } }) => [
        metrics.joint_accuracy.numerator,
        metrics.joint_accuracy.denominator,
        missing,
      ]),
    ).toEqual([
      [1, 4, 2],
      [1, 2, 1],
    ]);
    expect(() => toolFaultMetrics(rows, [gold("a"), gold("b")], { run: ["model"] })).toThrow(
      /predicted twice within one model.*: a$/,
    );
  });

  it("slices by columns and by their combinations; unknown columns are refused", () => {
    const items = [
      { ...gold("a"), domain: "bank", level: 10, flag: true },
      { ...gold("b"), domain: "bank", level: 9, flag: true },
      { ...gold("c"), domain: null, level: 10, flag: false },
    ];
    const rows = items.map(({ id }) => ({ id, fault_type: "timeout", next_action: "ask_user" }));
    const by = ["level", ["domain", "flag"]] as const;
    const { slices } = toolFaultMetrics(rows, items, { by }).runs[0] as { slices: readonly ToolFaultSlice[] };
    expect(slices.map(({ columns, values, items: n }) => [columns.join("+"), values.join("+"), n])).toEqual([
      ["level", "9", 1],
      ["level", "10", 2],
      ["domain+flag", "bank+true", 2],
      ["domain+flag", "(missing)+false", 1],
    ]);
    const named = [...items, { ...gold("d"), domain: "(missing)", level: 1, flag: true }];
    const split = toolFaultMetrics([], named, { by: ["domain"] }).runs[0]?.slices;
    expect(split?.map(({ values, items: n }) => [values[0], n])).toEqual([
      ["(missing)", 1],
      ["bank", 2],
      ["(missing)", 1],
    ]);
    expect(() => toolFaultMetrics(rows, items, { by: ["colour"] })).toThrow(
      /no column colour to slice by; it has id, fault_type/,
    );
    expect(() => toolFaultMetrics(rows, items, { by: ["acceptable_next_actions"] })).toThrow(
      /cannot be sliced by/,
    );
  });

  it.each([
    [{ level: 1 }, /level/],
    [{ resamples: -1 }, /resamples must be/],
    [{ seed: 0.5 }, /seed must be an integer/],
    [{ interval: "exact" }, /interval must be wilson or bootstrap, got exact/],
    [{ run: ["model"] }, /no column model; they have id, fault_type, next_action/],
    [{ baseline: "other" }, /the baseline is none of the runs \(all\), got other/],
    [{ run: ["id"], repeat: ["id"] }, /a run or a repeat, not both: id/],
  ])("refuses the options %j", (options, message) => {
    const row = { id: "a", fault_type: "none", next_action: "proceed" };
    expect(() => overall([row], [gold("a")], options as never)).toThrow(message);
  });
});

describe("intervals and comparisons", () => {
  const items = cardItems();

  it("compares runs by McNemar's test and a paired bootstrap, as statsmodels and scipy do", () => {
    for (const pair of GOLDEN.paired) {
      const right = { fault_type: "timeout", next_action: "verify_before_retry" };
      const wrong = { fault_type: "timeout", next_action: "ask_user" };
      const rows = (["a", "b"] as const).flatMap((model) =>
        [...pair[model]].map((mark, i) => ({ id: `${i}`, model, ...(mark === "1" ? right : wrong) })),
      );
      const dataset = [...pair.a].map((_, i) => gold(`${i}`));
      const { comparisons } = toolFaultMetrics(rows, dataset, {
        run: ["model"],
        baseline: "b",
        resamples: 2000,
      });
      const { joint, metrics } = comparisons[0] as NonNullable<(typeof comparisons)[0]>;
      expect(joint).toMatchObject({ onlyBaseline: pair.only_b, onlyCandidate: pair.only_a });
      expect(joint?.pValue).toBeCloseTo(pair.p, 12);
      expect(metrics.joint_accuracy.value).toBeCloseTo(pair.difference, 12);
      expect(Math.abs((metrics.joint_accuracy.low ?? 9) - pair.low)).toBeLessThanOrEqual(pair.tolerance);
      expect(Math.abs((metrics.joint_accuracy.high ?? 9) - pair.high)).toBeLessThanOrEqual(pair.tolerance);
    }
  });

  it("has bootstrap intervals close to Wilson's, and macro-F1 inside its own", () => {
    const wilson = overall(cardPredictions("heuristic"), items);
    const bootstrap = overall(cardPredictions("heuristic"), items, { interval: "bootstrap" });
    for (const metric of ["joint_accuracy", "critical_error_rate", "missed_fault_rate"] as const) {
      expect(bootstrap.metrics[metric].low).toBeCloseTo(wilson.metrics[metric].low as number, 1.7);
      expect(bootstrap.metrics[metric].high).toBeCloseTo(wilson.metrics[metric].high as number, 1.7);
    }
    const { value, low, high } = wilson.metrics.fault_macro_f1 as {
      value: number;
      low: number;
      high: number;
    };
    expect(low).toBeLessThan(value);
    expect(high).toBeGreaterThan(value);
    expect(high - low).toBeLessThan(0.12);
  });

  it("keeps repeats of an item together: ten equal answers say no more than one", () => {
    const once = cardPredictions("heuristic");
    const often = Array.from({ length: 10 }, (_, seed) => once.map((row) => ({ ...row, seed }))).flat();
    const one = overall(once, items, { interval: "bootstrap" });
    const ten = overall(often, items, { repeat: ["seed"] });
    for (const metric of TOOLFAULT_METRICS) {
      const { value, low, high } = one.metrics[metric];
      expect(ten.metrics[metric].value, metric).toBeCloseTo(value as number, 12);
      expect(ten.metrics[metric].low, metric).toBeCloseTo(low as number, 12);
      expect(ten.metrics[metric].high, metric).toBeCloseTo(high as number, 12);
    }
  });

  it("resamples many items in blocks, with the width that items have", () => {
    const many = Array.from({ length: 4000 }, (_, i) => gold(`${i}`));
    const rows = many.map(({ id }, i) => ({
      id,
      fault_type: "timeout",
      next_action: i % 2 === 0 ? "ask_user" : "verify_before_retry",
    }));
    const { low, high } = overall(rows, many, { interval: "bootstrap" }).metrics.joint_accuracy;
    expect((high as number) - (low as number)).toBeGreaterThan(0.027);
    expect((high as number) - (low as number)).toBeLessThan(0.035);
  });
});

describe("toolFaultMetricsFromTable", () => {
  const items = cardItems();
  const rows = ["x", "y", "z"].flatMap((model) =>
    cardPredictions(model === "x" ? "heuristic" : "oracle").map((row, i) => ({
      ...row,
      model,
      seed: i % 2 === 0 ? 1 : 1,
      next_action: i % 7 === 0 ? "nonsense" : row.next_action,
    })),
  );

  it("has the numbers of the plain form, with dictionaries and any number of batches", async () => {
    const options = { run: ["model"], by: ["domain"], baseline: "y", resamples: 50 } as const;
    const plain = toolFaultMetrics(rows, items, options);
    const column = (name: "id" | "fault_type" | "next_action" | "model") =>
      vectorFromArray(
        rows.map((row) => row[name]),
        new Dictionary(new Utf8(), new Int32()),
      );
    const encoded = new Table({
      id: column("id"),
      fault_type: column("fault_type"),
      next_action: column("next_action"),
      model: column("model"),
    });
    const flat = tableFromArrays({ id: rows.map(({ id }) => id) });
    expect(await toolFaultMetricsFromTable(encoded, items, options)).toEqual(plain);
    const cut = [0, 5, 441, 900].map((start, i, starts) => encoded.slice(start, starts[i + 1]));
    const batches = cut.flatMap((part) => tableFromIPC(tableToIPC(part)).batches);
    expect(await toolFaultMetricsFromTable(new Table(batches), items, options)).toEqual(plain);
    await expect(toolFaultMetricsFromTable(flat, items)).rejects.toThrow(
      /missing column fault_type .* or output/,
    );
  });

  it("has the numbers of rows for columns, typed arrays too", () => {
    const many = rows.map((row, i) => ({ ...row, seed: i % 5 === 0 ? 2 : 1, output: null }));
    const texts = { id: "extra", model: "x", seed: 3, fault_type: null, next_action: null };
    const all = [...many, { ...texts, output: '{"fault_type":"none","next_action":"proceed"}' }];
    const columns = {
      id: all.map(({ id }) => id),
      model: all.map(({ model }) => model),
      seed: Int32Array.from(all, ({ seed }) => seed),
      fault_type: all.map(({ fault_type }) => fault_type),
      next_action: all.map(({ next_action }) => next_action),
      output: all.map(({ output }) => output),
    };
    const extra = { ...(items[0] as (typeof items)[0]), id: "extra" };
    const options = { run: ["model"], repeat: ["seed"], resamples: 10 } as const;
    const result = toolFaultMetrics(columns, [...items, extra], options);
    expect(result).toEqual(toolFaultMetrics(all, [...items, extra], options));
    expect(result.runs[0]?.repeats).toBe(3);
    expect(() => toolFaultMetrics({ ...columns, fault_type: [] }, items)).toThrow(
      /columns must have one length/,
    );
  });

  it("has all items missing where there are no predictions, in every form", async () => {
    const none = toolFaultMetrics([], items);
    expect(none.runs[0]?.overall).toMatchObject({ rows: 441, missing: 441, items: 441 });
    expect(toolFaultMetrics({ id: [], fault_type: [], next_action: [] }, items)).toEqual(none);
    const text = (): Utf8 => new Utf8();
    const empty = new Table({
      id: vectorFromArray([], text()),
      fault_type: vectorFromArray([], text()),
      next_action: vectorFromArray([], text()),
    });
    expect(await toolFaultMetricsFromTable(empty, items)).toEqual(none);
    expect(await toolFaultMetricsFromTable(new Table(empty.schema), items)).toEqual(none);
  });

  it.each([63, 64, 65, 130])("counts %i repeats alike in any order and any batches", async (repeats) => {
    const few = items.slice(0, 7);
    const some = few.flatMap(({ id, fault_type }, i) =>
      Array.from({ length: repeats }, (_, seed) => ({
        id,
        seed,
        fault_type: (i + seed) % 5 === 0 ? "none" : fault_type,
        next_action: (i * seed) % 3 === 0 ? null : "proceed",
        // Read where there are no labels: the answer of a row changes after it was stored.
        output: '{"fault_type":"timeout","next_action":"ask_user"}',
      })),
    );
    const texts = some.map((row, i) =>
      i % 11 === 0 ? { ...row, fault_type: null, next_action: null } : row,
    );
    const options = { repeat: ["seed"], by: ["difficulty"], resamples: 20 } as const;
    // One repeat after the other is scored answer by answer below 64 of them: the sums by hand.
    const right = texts.filter(
      (row) => row.fault_type === few.find(({ id }) => id === row.id)?.fault_type && row.next_action !== null,
    );
    const plain = toolFaultMetrics(texts, few, options);
    const { overall: all } = plain.runs[0] as NonNullable<(typeof plain.runs)[0]>;
    expect([all.rows, all.missing]).toEqual([7 * repeats, 0]);
    const fromText = texts.filter(
      (row, i) => i % 11 === 0 && few.find(({ id }) => id === row.id)?.fault_type === "timeout",
    );
    expect(all.metrics.fault_accuracy.numerator).toBe(right.length + fromText.length);
    const table = tableFromArrays({
      id: texts.map(({ id }) => id),
      seed: Int32Array.from(texts, ({ seed }) => seed),
    });
    const columns = ["fault_type", "next_action", "output"] as const;
    const vectors = columns.map(
      (name) =>
        [
          name,
          vectorFromArray(
            texts.map((row) => row[name]),
            new Utf8(),
          ),
        ] as const,
    );
    const whole = new Table({
      id: table.getChild("id"),
      seed: table.getChild("seed"),
      ...Object.fromEntries(vectors),
    } as never);
    const cuts = [0, 3, repeats + 1, 3 * repeats, 7 * repeats];
    const batches = cuts
      .slice(1)
      .flatMap((end, i) => tableFromIPC(tableToIPC(whole.slice(cuts[i], end))).batches);
    expect(await toolFaultMetricsFromTable(new Table(batches), few, options)).toEqual(plain);
    expect(
      toolFaultMetrics(
        [...texts].sort((a, b) => b.seed - a.seed),
        few,
        options,
      ),
    ).toEqual(plain);
  });

  it("does not depend on the order of rows", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(rows, { minLength: rows.length }), (shuffled) => {
        const options = { run: ["model"], resamples: 20 } as const;
        expect(toolFaultMetrics(shuffled, items, options)).toEqual(toolFaultMetrics(rows, items, options));
      }),
      { numRuns: 5 },
    );
  });
});
