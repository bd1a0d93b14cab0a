import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { largestRepetition } from "../../src/data/calls/largest-repetition.ts";
import { readGoldActions, readMessages } from "../../src/data/calls/messages.ts";
import type { Column, RolloutBatch } from "../../src/data/columns.ts";
import { CalibrantError } from "../../src/errors.ts";
import {
  type Bench2RobustOptions,
  bench2robustJob,
  bench2robustReward,
  efficiency,
  partialCredit,
  repetition,
} from "../../src/rewards/bench2robust.ts";
import { matchActions } from "../../src/rewards/match-actions.ts";
import { type Bench2RobustRollout, scoreBench2Robust } from "../../src/rewards/score-bench2robust.ts";
import { statusWords } from "../../src/rewards/status-text.ts";
import type { ToolCall } from "../../src/types.ts";

const call = (name: string, args: ToolCall["arguments"] = {}): ToolCall => ({ name, arguments: args });
const A = call("a", { x: 1 });
const B = call("b");

describe("efficiency", () => {
  it.each([
    [0, 1],
    [12, 1],
    [13, 0.98],
    [17, 0.9],
    [46, 1 - 0.02 * 34],
    [48, 0.3],
    [1000, 0.3],
    [Number.NaN, Number.NaN],
  ])("of %d turns is %d", (turns, expected) => {
    expect(efficiency(turns)).toBe(expected);
  });

  it("takes other constants", () => {
    expect(efficiency(15, { freeTurns: 10, turnPenalty: 0.1 })).toBe(0.5);
    expect(efficiency(100, { minEfficiency: 0 })).toBe(0);
  });
});

describe("repetition", () => {
  it.each<[string, readonly ToolCall[], number, number]>([
    ["no calls", [], 1, 1],
    ["two of a kind", [A, A], 1, 1],
    ["three in a row", [A, A, A], 0.5, 0.5],
    ["four in a row", [B, A, A, A, A], 0, 0],
    ["nine in a row", Array.from({ length: 9 }, () => A), 0, 0],
    ["a loop A, B, A, B, A, B", [A, B, A, B, A, B], 0.5, 1],
    ["four times apart", [A, A, B, A, A], 0, 1],
    ["three in a row and one apart", [A, A, A, B, A], 0, 0.5],
  ])("of %s", (_, calls, total, consecutive) => {
    expect(repetition(calls)).toBe(total);
    expect(repetition(calls, "total")).toBe(total);
    expect(repetition(calls, "consecutive")).toBe(consecutive);
  });

  it("sees through the spelling of arguments, but not through the order of arrays", () => {
    const same = [
      call("f", { a: 1, b: [1, 2] }),
      call("f", { b: [1.0, 2], a: 1.0 }),
      call("f", { a: 1, b: [1, 2] }),
    ];
    expect(largestRepetition(same)).toBe(3);
    expect(largestRepetition([call("f", { b: [1, 2] }), call("f", { b: [2, 1] })])).toBe(1);
    expect(largestRepetition([call("f", "{x"), call("f", "{x"), call("f", "{x"), call("f", "{y")])).toBe(3);
  });

  it("takes other factors; the last holds for all larger numbers", () => {
    expect(
      [1, 2, 3, 9].map((n) =>
        repetition(
          Array.from({ length: n }, () => A),
          "total",
          [1, 0.8],
        ),
      ),
    ).toEqual([1, 0.8, 0.8, 0.8]);
  });

  const calls = fc.array(fc.constantFrom(A, B, call("a", { x: 2 })), { maxLength: 9 });

  it("falls with every call more, and in total mode depends on no order", () => {
    fc.assert(
      fc.property(calls, calls, (first, second) => {
        for (const mode of ["total", "consecutive"] as const) {
          expect(repetition([...first, ...second], mode)).toBeLessThanOrEqual(repetition(first, mode));
        }
        expect(repetition([...first, ...second], "consecutive")).toBeGreaterThanOrEqual(
          repetition([...first, ...second]),
        );
        expect(repetition([...second, ...first])).toBe(repetition([...first, ...second]));
      }),
    );
  });
});

describe("bench2robustReward", () => {
  const terms = { efficiency: 0.9, repetition: 0.5, partialCredit: 0.25 };

  it("is efficiency times repetition when completed, else a share of the partial credit", () => {
    expect(bench2robustReward({ completed: true, ...terms })).toBe(0.45);
    expect(bench2robustReward({ completed: false, ...terms })).toBe(0.3 * 0.25 * 0.5);
    expect(bench2robustReward({ completed: true, ...terms }, { completedWeight: 2 })).toBe(0.9);
    expect(bench2robustReward({ completed: false, ...terms }, { partialWeight: 1 })).toBe(0.125);
  });

  it("needs only the parts that it uses", () => {
    expect(bench2robustReward({ completed: true, ...terms, partialCredit: Number.NaN })).toBe(0.45);
    expect(bench2robustReward({ completed: false, ...terms, efficiency: Number.NaN })).toBe(0.0375);
    expect(bench2robustReward({ completed: true, ...terms, repetition: Number.NaN })).toBeNaN();
  });

  it("gives no partial credit when nothing is required", () => {
    expect(partialCredit(0, 0)).toBe(0);
    expect(partialCredit(1, 4)).toBe(0.25);
    expect(partialCredit(Number.NaN, 4)).toBeNaN();
  });

  it.each<[string, unknown]>([
    ["turns must be assistant, messages, calls, got users", { turns: "users" }],
    ["repetition must be total, consecutive, got none", { repetition: "none" }],
    ["freeTurns must be a finite number from 0 on, got -1", { freeTurns: -1 }],
    ["turnPenalty must be a finite number from 0 on, got NaN", { turnPenalty: Number.NaN }],
    ["minEfficiency must be in [0, 1], got 1.5", { minEfficiency: 1.5 }],
    [
      "completedWeight must be a finite number from 0 on, got Infinity",
      { completedWeight: Number.POSITIVE_INFINITY },
    ],
    ["partialWeight must be a finite number from 0 on, got 0.3", { partialWeight: "0.3" }],
    ["repetitionFactors must be a list of one or more factors, got ", { repetitionFactors: [] }],
    ["repetitionFactors must be in [0, 1], got 2", { repetitionFactors: [1, 2] }],
  ])("%s", (message, options) => {
    expect(() => bench2robustJob(options as Bench2RobustOptions)).toThrow(message);
    expect(() => bench2robustReward({ completed: true, ...terms }, options as Bench2RobustOptions)).toThrow(
      CalibrantError,
    );
  });
});

const numbers = (...values: number[]): Column => ({ kind: "number", values: Float64Array.from(values) });
const json = (...values: unknown[]): Column => ({ kind: "json", get: (row) => values[row] ?? null });
const batch = (rows: number, columns: Record<string, Column>): RolloutBatch => ({
  rows,
  columns: new Map(Object.entries(columns)),
});

interface Scored {
  readonly efficiency: number[];
  readonly repetition: number[];
  readonly partial_credit: number[];
  readonly reward: number[];
  readonly status: string[];
}

function runJob(input: RolloutBatch, options: Bench2RobustOptions = {}): Scored {
  const job = bench2robustJob(options);
  const groups = new Int32Array(input.rows).fill(-1);
  const state = job.createGroups();
  const parts = job.scoreRows(input);
  expect(parts.kept).toHaveLength(job.kept.length);
  state.add(parts, groups);
  const { columns, status } = state.finish(parts.kept, groups);
  expect(columns.map((column) => column.name)).toEqual(job.results);
  const entries = columns.map((column) => [column.name, [...column.values]]);
  return {
    ...Object.fromEntries(entries),
    status: [...status].map((mask) => statusWords(mask, job.statusNames).join(";")),
  } as Scored;
}

describe("bench2robustJob", () => {
  const wire = (one: ToolCall): object => ({
    function: { name: one.name, arguments: JSON.stringify(one.arguments) },
  });
  const messages = [
    { role: "system", content: "policy" },
    { role: "user", content: "?", tool_calls: [wire(call("users_own"))] },
    { role: "assistant", content: null, tool_calls: [wire(A), wire(B)] },
    { role: "tool", content: "" },
    { role: "assistant", content: "done", tool_calls: null },
  ];

  it("counts turns, calls and matches from messages", () => {
    const input = batch(1, {
      completed: numbers(1),
      messages: json(messages),
      gold_actions: json([B, call("c")]),
    });
    const turns = { freeTurns: 0, turnPenalty: 0.1, minEfficiency: 0 };
    expect(runJob(input, turns)).toEqual({
      efficiency: [0.8],
      repetition: [1],
      partial_credit: [0.5],
      reward: [0.8],
      status: ["ok"],
    });
    expect(runJob(input, { ...turns, turns: "messages" }).efficiency).toEqual([0.6]);
    expect(runJob(input, { ...turns, turns: "calls" }).efficiency).toEqual([0.8]);
  });

  it("prefers num_turns, tool_calls and the two counts, row by row", () => {
    const input = batch(3, {
      completed: numbers(0, 0, 1),
      messages: json(messages, messages, null),
      num_turns: numbers(20, Number.NaN, 14),
      tool_calls: json([A, A, A], null, [B]),
      matched_actions: numbers(1, Number.NaN, 2),
      required_actions: numbers(4, 4, 2),
      gold_actions: json(null, [A], null),
    });
    expect(runJob(input)).toEqual({
      efficiency: [0.84, 1, 0.96],
      repetition: [0.5, 1, 1],
      partial_credit: [0.25, 1, 1],
      reward: [0.3 * 0.25 * 0.5, 0.3, 0.96],
      status: ["ok", "ok", "ok"],
    });
    expect(runJob(input, { turns: "calls" }).efficiency).toEqual([0.84, 1, 0.96]);
  });

  it("marks what is missing, and gives no reward only where it is needed", () => {
    const input = batch(6, {
      completed: numbers(Number.NaN, 1, 0, 1, 0, 1),
      messages: json(messages, null, null, "not messages", messages, messages),
      num_turns: numbers(1, 1, Number.NaN, Number.NaN, 1, 1),
      tool_calls: json(null, null, [A], null, null, null),
      gold_actions: json([A], [A], [A, B], [], null, null),
    });
    const { reward, status } = runJob(input);
    expect(reward).toEqual([Number.NaN, Number.NaN, 0.15, Number.NaN, Number.NaN, 1]);
    expect(status).toEqual([
      "no_completed",
      "no_messages;no_gold",
      "no_turns",
      "no_turns;no_messages",
      "no_gold",
      "no_gold",
    ]);
  });

  it("gives 0, not NaN, to a failed episode of which nothing is required", () => {
    const input = batch(1, {
      completed: numbers(0),
      tool_calls: json([A]),
      num_turns: numbers(1),
      gold_actions: json([]),
    });
    expect(runJob(input)).toMatchObject({ partial_credit: [0], reward: [0], status: ["ok"] });
  });

  it.each<[string, Record<string, Column>]>([
    ["row 0: column completed: must be 0 or 1, got 0.5", { completed: numbers(0.5) }],
    ["row 0: column num_turns: must be a whole number from 0 on, got -1", { num_turns: numbers(-1) }],
    ["row 0: column num_turns: must be a whole number from 0 on, got 1.5", { num_turns: numbers(1.5) }],
    [
      "row 0: column matched_actions: must be at most required_actions = 3, got 5",
      { matched_actions: numbers(5), required_actions: numbers(3) },
    ],
  ])("%s", (message, columns) => {
    expect(() => runJob(batch(1, { completed: numbers(1), messages: json(messages), ...columns }))).toThrow(
      message,
    );
  });

  it("asks for either counts or gold actions, and for calls or messages", () => {
    const needs = bench2robustJob().needs.required.map((set) => set.map(({ name }) => name));
    expect(needs).toEqual([
      ["completed"],
      ["num_turns", "messages"],
      ["tool_calls", "messages"],
      ["matched_actions", "gold_actions"],
      ["required_actions", "gold_actions"],
    ]);
    const byCalls = bench2robustJob({ turns: "calls" }).needs.required[1]?.map(({ name }) => name);
    expect(byCalls).toEqual(["num_turns", "tool_calls", "messages"]);
  });

  it("does not depend on how rows are cut into batches", () => {
    const one = runJob(
      batch(2, {
        completed: numbers(1, 0),
        messages: json(messages, messages),
        gold_actions: json([A], [A]),
      }),
    );
    const cut = [1, 0].map((completed) =>
      runJob(batch(1, { completed: numbers(completed), messages: json(messages), gold_actions: json([A]) })),
    );
    expect(one.reward).toEqual(cut.flatMap(({ reward }) => reward));
  });
});

describe("scoreBench2Robust", () => {
  it("reads messages in either form", () => {
    const chat = [{ role: "assistant", content: null, tool_calls: [{ name: "a", arguments: { x: 1 } }] }];
    const rollouts = [
      { completed: false, messages: chat, goldActions: [A] },
      { completed: false, messages: readMessages(chat), goldActions: [A] },
      { completed: false, messages: chat, goldActions: [{ ...A, arguments: { x: 2 }, compareArgs: [] }] },
      { completed: false, messages: chat, goldActions: [{ name: "a", kwargs: { x: 1 } }] },
    ];
    expect([...scoreBench2Robust(rollouts).reward]).toEqual([0.3, 0.3, 0.3, 0.3]);
  });

  it("marks what is missing", () => {
    const {
      reward,
      partialCredit: credit,
      status,
    } = scoreBench2Robust([
      {},
      { completed: null, toolCalls: [A], numTurns: 3, matchedActions: 1, requiredActions: 2 },
      { completed: true, toolCalls: [A], numTurns: 3 },
    ]);
    expect([...reward]).toEqual([Number.NaN, Number.NaN, 1]);
    expect([...credit]).toEqual([Number.NaN, 0.5, Number.NaN]);
    expect(status).toEqual(["no_completed;no_turns;no_messages;no_gold", "no_completed", "no_gold"]);
  });

  it("marks messages that are none", () => {
    const rollouts = ["text", [null], [5], [{ content: "x" }]].map((messages) => ({
      completed: true,
      messages,
    }));
    const { status } = scoreBench2Robust(rollouts as readonly Bench2RobustRollout[]);
    expect(new Set(status)).toEqual(new Set(["no_turns;no_messages;no_gold"]));
  });

  it("takes no rollouts", () => {
    expect(scoreBench2Robust([])).toEqual({
      efficiency: new Float64Array(0),
      repetition: new Float64Array(0),
      partialCredit: new Float64Array(0),
      reward: new Float64Array(0),
      status: [],
    });
  });

  it("does not change its input", () => {
    const rollout = {
      completed: true,
      messages: [{ role: "assistant", toolCalls: [A], content: null }],
      goldActions: [A],
    };
    const before = structuredClone(rollout);
    scoreBench2Robust([rollout]);
    expect(rollout).toEqual(before);
  });
});

const shared = new URL("../../../shared/", import.meta.url);
const casesFile = new URL("cases/bench2robust/tau_bench_40.json", shared);
const episodesFile = new URL("data/tau_bench/gpt-4o-airline-40.json", shared);

interface TauEpisode {
  readonly reward: number;
  readonly traj: readonly Record<string, unknown>[];
  readonly info: { readonly task: { readonly actions: readonly Record<string, unknown>[] } };
}

describe.skipIf(!existsSync(casesFile) || !existsSync(episodesFile))(
  "the 40 tau-bench airline episodes",
  () => {
    const read = (file: URL): unknown => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : []);
    const cases = read(casesFile) as readonly Record<string, number | boolean>[];
    const episodes = read(episodesFile) as readonly TauEpisode[];
    const column = (name: string): unknown[] => cases.map((one) => one[name]);
    const rollouts = episodes.map(({ reward, traj, info }) => ({
      completed: reward === 1,
      messages: traj,
      goldActions: info.task.actions,
    }));

    it("have the expected calls, repetitions and matches", () => {
      const calls = rollouts.map(({ messages }) =>
        (readMessages(messages) ?? []).flatMap(({ toolCalls }) => toolCalls),
      );
      expect(calls.map((list) => list.length)).toEqual(column("calls"));
      expect(calls.map((list) => largestRepetition(list, "total"))).toEqual(column("max_identical_total"));
      expect(calls.map((list) => largestRepetition(list, "consecutive"))).toEqual(
        column("max_identical_consecutive"),
      );
      const gold = rollouts.map(({ goldActions }) => readGoldActions(goldActions));
      expect(gold.map((list) => list.length)).toEqual(column("required_actions"));
      expect(gold.map((list, index) => matchActions(calls[index] ?? [], list))).toEqual(
        column("matched_actions"),
      );
      expect(rollouts.map(({ completed }) => completed)).toEqual(column("completed"));
    });

    const choices = (["assistant", "messages", "calls"] as const).flatMap((turns) =>
      (["total", "consecutive"] as const).map((mode) => [turns, mode] as const),
    );

    it.each(choices)("get the expected columns with turns %s and repetition %s", (turns, mode) => {
      const scores = scoreBench2Robust(rollouts, { turns, repetition: mode });
      expect([...scores.reward]).toEqual(column(`reward_${turns}_${mode}`));
      expect([...scores.efficiency]).toEqual(column(turns).map((count) => efficiency(count as number)));
      const repeated = column(`max_identical_${mode}`) as number[];
      expect([...scores.repetition]).toEqual(repeated.map((most) => (most <= 2 ? 1 : most === 3 ? 0.5 : 0)));
      const credit = cases.map((one) =>
        partialCredit(one.matched_actions as number, one.required_actions as number),
      );
      expect([...scores.partialCredit]).toEqual(credit);
      expect(new Set(scores.status)).toEqual(new Set(["ok"]));
    });

    it("get the same rewards from counts as from messages", () => {
      const counted = rollouts.map(({ completed, messages }, index) => ({
        completed,
        toolCalls: (readMessages(messages) ?? []).flatMap(({ toolCalls }) => toolCalls),
        numTurns: cases[index]?.assistant as number,
        matchedActions: cases[index]?.matched_actions as number,
        requiredActions: cases[index]?.required_actions as number,
      }));
      expect(scoreBench2Robust(counted)).toEqual(scoreBench2Robust(rollouts));
    });
  },
);

const fragmentFile = new URL("data/tau2_bench/retail_trace_fragment.json", shared);

describe.skipIf(!existsSync(fragmentFile))("the tau2-bench retail episode", () => {
  it("gets its reward from the action checks", () => {
    const trace = JSON.parse(readFileSync(fragmentFile, "utf8")) as {
      readonly messages: readonly Record<string, unknown>[];
      readonly reward_info: { readonly action_checks: readonly { readonly action_match: boolean }[] };
    };
    const checks = trace.reward_info.action_checks;
    const rollout = {
      completed: false,
      messages: trace.messages,
      matchedActions: checks.filter((check) => check.action_match).length,
      requiredActions: checks.length,
    };
    expect(scoreBench2Robust([rollout])).toMatchObject({ reward: Float64Array.of(0.24), status: ["ok"] });
  });
});
