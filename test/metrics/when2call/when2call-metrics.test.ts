import { Field, Float64, List, Struct, Table, tableFromArrays, Utf8, vectorFromArray } from "apache-arrow";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { When2CallPrediction } from "../../../src/metrics/when2call/prediction-reader.ts";
import { WHEN2CALL_CHOICES } from "../../../src/metrics/when2call/when2call-item.ts";
import { when2callItems, when2callItemsFromTable } from "../../../src/metrics/when2call/when2call-items.ts";
import {
  when2callMetrics,
  when2callMetricsFromTable,
} from "../../../src/metrics/when2call/when2call-metrics.ts";
import type { When2CallOptions } from "../../../src/metrics/when2call/when2call-options.ts";
import { ACTIONS } from "../../../src/types.ts";

const ANSWERS = { direct: "aa", tool_call: "bbbb", request_for_info: "cc", cannot_answer: "dddddddd" };
const item = (id: string, correct_answer: string, extra: object = {}): Record<string, unknown> => ({
  uuid: id,
  correct_answer,
  tools: ["{}"],
  answers: ANSWERS,
  ...extra,
});
const sums = (direct: number, tool_call: number, request_for_info: number, cannot_answer: number) => ({
  direct,
  tool_call,
  request_for_info,
  cannot_answer,
});
/** Predictions of one item that may be any of the four, as [acc, acc_norm] by place in ACTIONS; -1 = wrong or none. */
function decisions(
  prediction: Omit<When2CallPrediction, "id">,
  answers: object | null = ANSWERS,
  options: When2CallOptions = {},
): (number | null)[] {
  const right = ACTIONS.map((_, code) => {
    const gold = [item("a", WHEN2CALL_CHOICES[code] as string, { answers })];
    const { acc, accNorm } = when2callMetrics([{ id: "a", ...prediction }], gold, {
      ...options,
      resamples: 0,
    }).overall;
    return [acc.value, accNorm.value];
  });
  return [0, 1].map((which) => {
    const values = right.map((pair) => pair[which]);
    return values.every((value) => value === null) ? null : values.indexOf(1);
  });
}

describe("decisions by log-probs", () => {
  it("divide by code points, take the first of equals, and let -Infinity be", () => {
    expect(decisions({ logprobs: sums(-3, -4, -5, -7) })).toEqual([0, 3]);
    expect(decisions({ logprobs: sums(-4, -4, -2, -8) })).toEqual([2, 1]);
    expect(decisions({ logprobs: sums(-9, -4, -4, -8) })).toEqual([1, 1]);
    expect(decisions({ logprobs: sums(-Infinity, -Infinity, -Infinity, -5) })).toEqual([3, 3]);
    const none = -Infinity;
    expect(decisions({ logprobs: sums(none, none, none, none) })).toEqual([0, 0]);
    expect(decisions({ logprobs: sums(0, -1, -1, -1) })).toEqual([0, 0]);
  });

  it("count an emoji once: its two UTF-16 units would turn the decision", () => {
    const answers = {
      ...ANSWERS,
      direct: "😀😀😀",
      tool_call: "bbbb",
      request_for_info: "c",
      cannot_answer: "d",
    };
    // −3 / 3 loses to −3.5 / 4; over 6 units it would win.
    expect(decisions({ logprobs: sums(-3, -3.5, -9, -9) }, answers)).toEqual([0, 1]);
  });

  it("sum lists, by either name of the first choice, as object or as columns, also written as words", () => {
    const lists = { direct_answer: [-1, -1], tool_call: [-0.5], request_for_info: [-3], cannot_answer: [-9] };
    expect(decisions({ logprobs: lists })).toEqual([1, 1]);
    expect(decisions({ logprobs: JSON.stringify(lists) as never })).toEqual([1, 1]);
    const flat = {
      logprob_direct: -2,
      logprob_tool_call: "-Infinity" as never,
      logprob_request_for_info: -1,
    };
    expect(decisions({ ...flat, logprob_cannot_answer: -9 })).toEqual([2, 2]);
    expect(
      decisions({ ...flat, logprob_request_for_info: [-4, -1], logprob_cannot_answer: [-1] } as never),
    ).toEqual([3, 3]);
  });

  it.each([
    ["NaN", sums(-1, Number.NaN, -1, -1)],
    ["a positive sum", sums(-1, 0.5, -1, -1)],
    ["a missing choice", { direct: -1, tool_call: -1, request_for_info: -1 }],
    ["a positive token", { ...sums(-1, -1, -1, -1), direct: [-3, 0.5] }],
    ["a null token", { ...sums(-1, -1, -1, -1), direct: [-3, null] }],
    ["text", { ...sums(-1, -1, -1, -1), direct: "-1" }],
  ])("are unparsed with %s: wrong and counted", (_, logprobs) => {
    const { overall, warnings } = when2callMetrics([{ id: "a", logprobs } as never], [item("a", "direct")]);
    expect([overall.acc.value, overall.accNorm.value, overall.unparsed]).toEqual([0, 0, 1]);
    expect(overall.statuses.bad_logprob).toBe(1);
    expect(overall.confusion.unparsed).toEqual([1, 0, 0, 0]);
    expect(warnings).toHaveLength(1);
  });

  it("leave out items whose log-probs cover too few tokens, by a bound that is an option", () => {
    const long = { ...ANSWERS, tool_call: "x".repeat(25) };
    const few = { logprobs: sums(-1, -2, -3, -4), num_tokens: sums(1, 2, 1, 1) };
    expect(decisions(few, long)).toEqual([null, null]);
    expect(decisions({ ...few, num_tokens: sums(1, 3, 1, 1) }, long)).toEqual([0, 1]);
    expect(decisions(few, long, { maxCharactersPerToken: 13 })).toEqual([0, 1]);
    expect(decisions({ logprobs: few.logprobs, num_tokens_tool_call: 2 } as never, long)).toEqual([
      null,
      null,
    ]);
    expect(decisions({ logprobs: few.logprobs }, long)).toEqual([0, 1]);
    expect(decisions({ logprobs: { ...sums(-1, -2, -3, -4), tool_call: [-1, -1] } }, long)).toEqual([
      null,
      null,
    ]);
    // Without texts nothing is known but that answers have more than one token.
    expect(decisions({ ...few, num_tokens: sums(1, 1, 1, 1) }, null)).toEqual([null, null]);
    expect(decisions(few, null)).toEqual([0, null]);
    const rows = [item("a", "direct", { answers: long }), item("b", "direct", { answers: long })];
    const mixed = [
      { id: "a", ...few },
      { id: "b", logprobs: sums(-1, -9, -9, -9) },
    ];
    const { overall, warnings } = when2callMetrics(mixed, rows);
    expect([overall.acc.numerator, overall.acc.denominator, overall.scored, overall.fewTokens]).toEqual([
      1, 1, 1, 1,
    ]);
    expect([overall.fdar.denominator, warnings.length]).toEqual([1, 1]);
    expect(warnings[0]).toContain("1 of 2 items get no score");
    expect(warnings[0]).toMatch(/: a\.$/);
  });

  it("have no length-normalised score for an empty text", () => {
    const answers = { ...ANSWERS, cannot_answer: "" };
    expect(decisions({ logprobs: sums(-3, -4, -5, -1) }, answers)).toEqual([3, null]);
    const one = [{ id: "a", logprobs: sums(-3, -4, -5, -1) }];
    const byNorm = when2callMetrics(one, [item("a", "unable", { answers })]);
    expect([byNorm.overall.scored, byNorm.overall.macroF1.reason, byNorm.overall.noChoiceText]).toEqual([
      0,
      "no-choice-text",
      1,
    ]);
    const byAcc = when2callMetrics(one, [item("a", "unable", { answers })], { decision: "acc" });
    expect([byAcc.overall.scored, byAcc.overall.macroF1.value]).toEqual([1, 1]);
  });
});

describe("labels", () => {
  it("are read in any spelling, letters only where they are said to be letters", () => {
    for (const [label, code] of [
      ["Direct", 0],
      ["TOOL", 1],
      ["ask", 2],
      ["cannot_answer", 3],
      ["B", -1],
      ["", -1],
      ["tool call", -1],
    ] as const)
      expect(decisions({ label })[0], label).toBe(code);
    expect(decisions({ label: "B" }, ANSWERS, { letters: true })[0]).toBe(1);
    expect(decisions({ prediction: "ask" })[0]).toBe(2);
    expect(decisions({ label: null, action: "unable" })[0]).toBe(3);
    // A list is one response's token log-probs, as rollouts have them: the action decides.
    expect(decisions({ action: "tool", logprobs: [-1, -2] as never })).toEqual([1, null]);
    expect(decisions({ judge_output: "so it is a tool_call" })[0]).toBe(1);
  });

  it("make a class outside the gold ones a miss with 3 classes, and an absent class 0 with 4", () => {
    const rows = [item("a", "tool_call"), item("b", "ask"), item("c", "unable")];
    const predictions = [
      { id: "a", label: "tool_call" },
      { id: "b", label: "ask" },
      { id: "c", label: "direct" },
    ];
    const three = when2callMetrics(predictions, rows).overall;
    const four = when2callMetrics(predictions, rows, { classes: 4 }).overall;
    expect([three.macroF1.value, three.macroF1Classes.length]).toEqual([2 / 3, 3]);
    expect([four.macroF1.value, four.macroF1Classes]).toEqual([0.5, [...ACTIONS]]);
  });

  it("that are missing or unreadable are wrong everywhere and counted apart", () => {
    const rows = [item("a", "unable", { tools: [] }), item("b", "tool_call"), item("c", "tool_call")];
    const { overall, warnings } = when2callMetrics(
      [
        { id: "a", label: "?" },
        { id: "b", label: "tool" },
      ],
      rows,
    );
    expect([overall.acc.numerator, overall.acc.denominator, overall.unparsed, overall.missing]).toEqual([
      1, 3, 1, 1,
    ]);
    expect(overall.confusion).toEqual({
      counts: [
        [0, 0, 0, 0],
        [0, 1, 0, 0],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
      ],
      unparsed: [0, 0, 0, 1],
      missing: [0, 1, 0, 0],
    });
    expect([overall.toolHallucination.value, overall.fdar.value]).toEqual([0, 0]);
    expect(warnings).toHaveLength(2);
    expect(when2callMetrics([], rows).overall.missing).toBe(3);
  });

  it("have no tool hallucination without such items, and 0 in compatibility mode only", () => {
    const rows = [item("a", "unable"), item("b", "unable", { tools: null })];
    const predictions = [
      { id: "a", label: "tool" },
      { id: "b", label: "tool" },
    ];
    const plain = when2callMetrics(predictions, rows);
    expect([plain.overall.toolHallucination.value, plain.overall.toolHallucination.reason]).toEqual([
      null,
      "empty",
    ]);
    expect(plain.warnings[0]).toMatch(/^1 items with the gold answer cannot_answer do not say/);
    const compat = when2callMetrics(predictions, rows, { compat: true });
    expect([compat.overall.toolHallucination.value, compat.warnings.length]).toEqual([0, 2]);
    expect(when2callMetrics([], []).overall.acc.value).toBeNull();
  });
});

describe("errors", () => {
  const rows = [item("a", "direct"), item("b", "direct")];
  const label = "direct";
  it.each([
    [
      "ids",
      () =>
        when2callMetrics(
          [
            { id: "a", label },
            { id: "a", label },
            { id: "x", label },
            { id: 7, label },
          ],
          rows,
        ),
      "predictions: no item has the id of 2 ids: 7, x; one prediction an item, more for 1 id: a",
    ],
    [
      "a row without id",
      () => when2callMetrics([{ id: "a", label }, { label }], rows),
      "predictions: row 1: a prediction needs the id of its item",
    ],
    [
      "three log-prob columns",
      () => when2callMetrics([{ id: "a", logprob_direct: -1 }], rows),
      "predictions: every choice needs its log-prob, missing column logprob_tool_call, logprob_request_for_info, logprob_cannot_answer",
    ],
    [
      "nothing to score",
      () => when2callMetrics([{ id: "a" }], rows),
      /^predictions: missing column label .* or logprobs .*present: id$/,
    ],
    [
      "two items of one id",
      () => when2callItems([...rows, item("a", "ask")]),
      "items: an id stands for one item, found twice: a",
    ],
    [
      "a gold answer",
      () => when2callItems([rows[0] as object, item("c", "maybe")] as never),
      'items: row 1: correct_answer: expected one of direct, tool_call, request_for_info, cannot_answer, found "maybe"',
    ],
    [
      "tools",
      () => when2callItems([item("c", "ask", { tools: [3] })]),
      "items: row 0: tools[0]: expected an object or its JSON text, found 3",
    ],
    [
      "answers",
      () => when2callItems([item("c", "ask", { answers: { ...ANSWERS, direct: null } })]),
      "items: row 0: answers.direct: expected text, found null",
    ],
    [
      "an id",
      () => when2callItems([item("", "ask")]),
      'items: row 0: uuid: expected text or an integer, found ""',
    ],
    [
      "a slicing column",
      () => when2callMetrics([], rows, { by: ["sauce"] }),
      /^by: no item has the column, .*got sauce$/,
    ],
    ["a nested slicing column", () => when2callMetrics([], rows, { by: ["tools"] }), /item a has in tools/],
    ["classes", () => when2callMetrics([], rows, { classes: 5 as 4 }), "classes must be 3 or 4, got 5"],
    ["a level", () => when2callMetrics([], rows, { level: 1 }), /^level must be between 0 and 1/],
  ])("name %s", (_, run, message) => {
    expect(run).toThrow(message);
  });
});

const ids = Array.from({ length: 12 }, (_, i) => `i${i}`);
const anyRun = fc.record({
  gold: fc.array(fc.constantFrom(...WHEN2CALL_CHOICES), { minLength: 12, maxLength: 12 }),
  noTools: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
  logProbs: fc.array(fc.array(fc.integer({ min: -5, max: 0 }), { minLength: 4, maxLength: 4 }), {
    minLength: 12,
    maxLength: 12,
  }),
  order: fc.shuffledSubarray([...ids.keys()], { minLength: 6 }),
  cut: fc.integer({ min: 1, max: 5 }),
});

describe("tables", () => {
  const structOf = (type: Float64 | List<Float64> | Utf8): Struct =>
    new Struct(WHEN2CALL_CHOICES.map((choice) => new Field(choice, type, true)));
  const byChoice = <T>(values: readonly T[]): Readonly<Record<string, T>> =>
    Object.fromEntries(WHEN2CALL_CHOICES.map((choice, c) => [choice, values[c] as T]));

  it("give the same numbers as rows, in any batches and any order; slices are those of their items alone", async () => {
    await fc.assert(
      fc.asyncProperty(anyRun, async ({ gold, noTools, logProbs, order, cut }) => {
        const rows = ids.map((id, i) =>
          item(id, gold[i] as string, { tools: noTools[i] ? [] : ["{}"], fold: i % 2 }),
        );
        const predictions = order.map((i) => ({
          id: ids[i] as string,
          logprobs: byChoice(logProbs[i] as number[]),
        }));
        const options = { by: ["fold", "has_tools"], seed: 3, resamples: 50 } as const;
        const expected = when2callMetrics(predictions, rows, options);
        const columns = {
          id: predictions.map(({ id }) => id),
          logprobs: predictions.map(({ logprobs }) => logprobs),
        };
        expect(when2callMetrics(columns, rows, options)).toEqual(expected);
        const table = (part: readonly (typeof predictions)[number][], lists: boolean): Table =>
          new Table({
            id: vectorFromArray(
              part.map(({ id }) => id),
              new Utf8(),
            ),
            logprobs: vectorFromArray(
              part.map(({ logprobs }) =>
                lists ? byChoice(Object.values(logprobs).map((sum) => [sum / 2, sum / 2])) : logprobs,
              ),
              structOf(lists ? new List(new Field("item", new Float64(), true)) : new Float64()),
            ),
          });
        const sorted = [...predictions].reverse();
        for (const lists of [false, true]) {
          const parts = table(sorted.slice(0, cut), lists).concat(table(sorted.slice(cut), lists));
          expect(await when2callMetricsFromTable(parts, [...rows].reverse(), options)).toEqual(expected);
        }
        for (const { values, ...metrics } of expected.slices) {
          const part = rows.filter(
            (row) =>
              String(row.fold) === values.fold && String((row.tools as []).length > 0) === values.has_tools,
          );
          const own = predictions.filter(({ id }) => part.some((row) => row.uuid === id));
          expect(metrics).toEqual({
            ...when2callMetrics(own, part, { ...options, by: [] }).overall,
            accNorm: metrics.accNorm,
          });
        }
      }),
      { numRuns: 25 },
    );
  });

  it("of items keep flat columns and read nested ones as structs or as JSON text", async () => {
    const table = new Table({
      id: vectorFromArray([7n, 8n]),
      correct_answer: vectorFromArray(["direct", "unable"], new Utf8()),
      tools: vectorFromArray([[], ['{"name": "f"}']], new List(new Field("item", new Utf8(), true))),
      answers: vectorFromArray([ANSWERS, ANSWERS], structOf(new Utf8())),
      hard: vectorFromArray([true, false]),
      weight: vectorFromArray([0.5, 1], new Float64()),
    });
    const items = await when2callItemsFromTable(table);
    const expected = [
      { id: "7", correct_answer: "direct_answer", tools: [], answers: ANSWERS, hard: true, weight: 0.5 },
      {
        id: "8",
        correct_answer: "cannot_answer",
        tools: [{ name: "f" }],
        answers: ANSWERS,
        hard: false,
        weight: 1,
      },
    ];
    expect(items).toEqual(expected);
    const text = tableFromArrays({
      id: ["7", "8"],
      correct_answer: ["direct", "unable"],
      tools: ["[]", '["{\\"name\\": \\"f\\"}"]'],
      answers: [JSON.stringify(ANSWERS), JSON.stringify(ANSWERS)],
    });
    expect(await when2callItemsFromTable(text)).toEqual(expected.map(({ hard, weight, ...rest }) => rest));
    await expect(when2callItemsFromTable(tableFromArrays({ id: ["1"], tools: [1] }))).rejects.toThrow(
      /^items: missing column correct_answer .*; column tools: expected list of function schemas or JSON utf8, found double/,
    );
    const { slices } = when2callMetrics([], items, { by: ["hard"] });
    expect(slices.map(({ values }) => values.hard)).toEqual(["false", "true"]);
  });
});

describe("slices", () => {
  it("are ordered by value, numbers by size, missing ones last", () => {
    const rows = ["10", "9", null, "x"].map((group, i) => item(`i${i}`, "ask", { group }));
    const { slices } = when2callMetrics([{ id: "i0", label: "ask" }], rows, { by: ["group"] });
    expect(slices.map(({ values, acc }) => [values.group, acc.value])).toEqual([
      ["9", 0],
      ["10", 1],
      ["x", 0],
      [null, 0],
    ]);
    const [many] = when2callMetrics([], [item("a", "ask", { tools: ["{}", "{}"] })], {
      by: ["num_tools"],
    }).slices;
    expect(many?.values).toEqual({ num_tools: "2" });
  });
});
