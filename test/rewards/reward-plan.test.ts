import { describe, expect, it } from "vitest";
import type { ColumnRequest, ResultColumn } from "../../src/data/columns.ts";
import { newOutputs, pickColumns } from "../../src/rewards/plan-outputs.ts";
import { planRewards, REWARD_NAMES, type RewardPlan } from "../../src/rewards/reward-plan.ts";
import { planBatch, type Row, scoreRows, valuesByName } from "./plan-rows.ts";

const TRUST = ["ppl", "nll", "margin", "certainty", "r_fmt", "r_ans", "r_cls", "reward"];
const ROBUST = ["efficiency", "repetition", "partial_credit", "reward"];
const names = (plan: RewardPlan): string[] => plan.outputs.map((output) => output.name);
const under = (prefix: string, ...all: string[]): string[] => all.map((name) => `${prefix}${name}`);
const required = (plan: RewardPlan): string[] =>
  plan.needs.required.map((alternatives) =>
    alternatives.map(({ name, kind }) => `${name}:${kind}`).join("|"),
  );

/** Four rollouts of two groups with everything that both rewards read; `n` is null in the last row. */
const ROWS: readonly Row[] = [
  { group_id: "a", action: "tool", ppl: 1.1, completed: true, num_turns: 3, n: 1 },
  { group_id: "a", action: "direct", ppl: 1.4, completed: false, num_turns: 5, n: 2 },
  { group_id: "b", action: "tool", ppl: 1.2, completed: true, num_turns: 20, n: 3 },
  { group_id: "b", action: "tool", ppl: 1.3, completed: false, num_turns: 9, n: null },
].map((row) => ({ ...row, gt_action: "tool", tool_calls: [], matched_actions: 1, required_actions: 2 }));

describe("planRewards", () => {
  it("plans one reward under its plain names", async () => {
    const plan = await planRewards(["trust"]);
    expect(REWARD_NAMES).toEqual(["trust", "trust-released", "bench2robust"]);
    expect(names(plan)).toEqual([...TRUST, "advantage", "status"]);
    expect(plan.outputs.map((output) => output.type)).toEqual([...Array(9).fill("float64"), "utf8"]);
    expect(plan.width).toBe(6);
    expect(plan.choices).toMatchObject({
      trust: { tau: 0.1, positive: "rollouts", format: "on" },
      advantage: { std: "sample", eps: 1e-6, minStd: 0 },
    });
    expect(names(await planRewards(["bench2robust"]))).toEqual([...ROBUST, "advantage", "status"]);
    expect(names(await planRewards(["trust", "trust"]))).toEqual(names(plan));
  });

  it("puts each reward's name before its columns when there are several", async () => {
    const plan = await planRewards(["bench2robust", "trust"], { prefix: "x_" });
    expect(names(plan)).toEqual([
      ...under("x_trust_", ...TRUST, "advantage", "status"),
      ...under("x_bench2robust_", ...ROBUST, "advantage", "status"),
    ]);
    expect(plan.width).toBe(10);
    expect(names(await planRewards(["trust"], { prefix: "x_" }))).toEqual(
      under("x_", ...TRUST, "advantage", "status"),
    );
  });

  it("has advantages of what was asked for by name, and of a formula", async () => {
    expect(names(await planRewards(["0.5*trust + bench2robust_efficiency"]))).toEqual([
      ...under("trust_", ...TRUST, "status"),
      ...under("bench2robust_", ...ROBUST, "status"),
      "reward",
      "advantage",
      "status",
    ]);
    expect(names(await planRewards(["trust_margin", "trust"], { prefix: "p_" }))).toEqual([
      ...under("p_trust_", ...TRUST, "advantage", "status"),
      ...under("p_", "reward", "advantage", "status"),
    ]);
  });

  it("plans a formula over columns alone, without any reward", async () => {
    const plan = await planRewards(["n^2 + pi"], {}, ["n", "m"]);
    expect(names(plan)).toEqual(["reward", "advantage", "status"]);
    expect(required(plan)).toEqual(["n:number"]);
    expect(plan.needs.optional).toEqual([{ name: "group_id", kind: "key" }]);
    expect(plan.width).toBe(1);
    expect(Object.keys(plan.choices)).toEqual(["advantage"]);
  });

  it("plans a formula over nothing at all", async () => {
    const plan = await planRewards(["1 + 1"]);
    expect(plan.width).toBe(0);
    const found = valuesByName(scoreRows(plan, [{ group_id: "a" }, { group_id: null }]));
    expect(found).toEqual({ reward: [2, 2], advantage: [0, null], status: ["ok", "no_group"] });
  });

  it("asks for the columns of a formula beside those of its rewards", async () => {
    const plan = await planRewards(["bench2robust - 0.1*n - 0*num_turns"], {}, ["n", "num_turns"]);
    expect(required(plan)).toEqual([
      "completed:number",
      "num_turns:number|messages:json",
      "tool_calls:json|messages:json",
      "matched_actions:number|gold_actions:json",
      "required_actions:number|gold_actions:json",
      "n:number",
      "num_turns:number",
    ]);
    expect(plan.width).toBe(6);
  });

  it.each([
    ["trust-bench2robust", ["trust", "bench2robust"]],
    ["trust-n", ["trust"]],
    ["-n", []],
    ["trust-1", ["trust"]],
  ])("takes %s for a formula", async (text, jobs) => {
    const plan = await planRewards([text], {}, ["n"]);
    expect(Object.keys(plan.choices)).toEqual([...jobs, "advantage"]);
    expect(names(plan).slice(-3)).toEqual(["reward", "advantage", "status"]);
  });

  it.each([
    [[], "no reward asked for; known: trust, trust-released, bench2robust"],
    [["trsut"], "unknown reward; known: trust, trust-released, bench2robust, or a formula; got trsut"],
    [
      ["trust-paper"],
      "unknown reward; known: trust, trust-released, bench2robust, or a formula; got trust-paper",
    ],
    [["2"], "unknown reward; known: trust, trust-released, bench2robust, or a formula; got 2"],
    [["-"], "unknown reward; known: trust, trust-released, bench2robust, or a formula; got -"],
    [
      ["trust_score"],
      "unknown reward; known: trust, trust-released, bench2robust, or a formula; got trust_score",
    ],
    [["trust", "n+1", "n+2"], "only one expression at a time, got n+1 and n+2"],
  ])("refuses %j", async (rewards, message) => {
    await expect(planRewards(rewards, {}, ["n"])).rejects.toMatchObject({ code: "option", message });
  });

  it.each(["0.5*trsut", "trust +", "text + 1", "", " ", "group_id + 1"])(
    "refuses the formula %j with the names that it may use",
    async (text) => {
      await expect(planRewards([text], {}, ["n", "group_id"])).rejects.toMatchObject({ code: "option" });
    },
  );

  it("names what a formula may use", async () => {
    await expect(planRewards(["0.5*trsut"], {}, ["n"])).rejects.toThrow(
      /trust, trust_ppl, .*bench2robust, .*, n/,
    );
  });

  it("passes options on to the rewards, and refuses those that they refuse", async () => {
    const plan = await planRewards(["trust", "bench2robust"], {
      trust: { tau: 0.5 },
      bench2robust: { turns: "calls" },
      advantage: { std: "none", minStd: 0.01 },
    });
    expect(plan.choices).toMatchObject({
      trust: { tau: 0.5 },
      bench2robust: { turns: "calls" },
      advantage: { std: "none", eps: 1e-6, minStd: 0.01 },
    });
    await expect(planRewards(["trust"], { trust: { tau: 0 } })).rejects.toMatchObject({ code: "option" });
  });
});

describe("columns that are named like rewards", () => {
  it("are read where no result has the name", async () => {
    const rows = ROWS.map((row, index) => ({ ...row, trust_score: index, trusted: 10 }));
    const plan = await planRewards(["trust_score + trusted"], {}, ["trust_score", "trusted"]);
    expect(Object.keys(plan.choices)).toEqual(["advantage"]);
    expect(required(plan)).toEqual(["trust_score:number", "trusted:number"]);
    expect(valuesByName(scoreRows(plan, rows)).reward).toEqual([10, 11, 12, 13]);
  });

  it("are hidden by results of the name", async () => {
    const rows = ROWS.map((row) => ({ ...row, trust: 100, trust_reward: 100, bench2robust_efficiency: 100 }));
    const columns = ["trust", "trust_reward", "bench2robust_efficiency"];
    const formula = "trust_reward + bench2robust_efficiency";
    const plan = await planRewards([formula], { trust: { format: "off", answer: "off" } }, columns);
    const found = valuesByName(scoreRows(plan, rows));
    expect(found.bench2robust_efficiency).toEqual([1, 1, 0.84, 1]);
    expect(found.reward).toEqual(
      found.trust_reward?.map(
        (trust, row) => (trust as number) + (found.bench2robust_efficiency?.[row] as number),
      ),
    );
  });

  it("are an input like any other when the formula writes its reward beside them", async () => {
    const rows = ROWS.map((row, index) => ({ ...row, reward: index }));
    const plan = await planRewards(["2*reward"], { prefix: "new_" }, ["reward"]);
    expect(valuesByName(scoreRows(plan, rows)).new_reward).toEqual([0, 2, 4, 6]);
  });
});

describe("the results of a plan", () => {
  it("are those of each reward run alone", async () => {
    const rows = ROWS.map((row) => ({ ...row, response: "direct_answer<A> <answer>Paris</answer>" }));
    const together = valuesByName(scoreRows(await planRewards(REWARD_NAMES), rows));
    for (const name of REWARD_NAMES) {
      const alone = valuesByName(scoreRows(await planRewards([name]), rows));
      for (const [column, values] of Object.entries(alone)) {
        expect(together[`${name.replace("-", "_")}_${column}`], column).toEqual(values);
      }
    }
  });

  it("combine several rewards, their parts and columns; null where one is", async () => {
    const formula = "0.5*trust + bench2robust_efficiency*trust_r_cls - n";
    const plan = await planRewards(["bench2robust", formula], { advantage: { std: "none" } }, ["n"]);
    const found = valuesByName(scoreRows(plan, ROWS));
    const at = (name: string, row: number): number => found[name]?.[row] as number;
    ROWS.forEach((row, i) => {
      const expected =
        row.n === null
          ? null
          : 0.5 * at("trust_reward", i) +
            at("bench2robust_efficiency", i) * at("trust_r_cls", i) -
            (row.n as number);
      expect(found.reward?.[i]).toBe(expected);
    });
    expect(found.status).toEqual(["ok", "ok", "ok", "null_term"]);
    expect(found.advantage?.[0]).toBeCloseTo((at("reward", 0) - at("reward", 1)) / 2, 12);
    expect(found.advantage?.slice(2)).toEqual([0, 0]);
    expect(found.bench2robust_advantage?.[0]).toBeCloseTo((1 - 0.15) / 2, 12);
    expect(found.trust_advantage).toBeUndefined();
  });

  it("have no advantage for rows without a group", async () => {
    const rows = ROWS.map((row) => ({ ...row, group_id: null }));
    const found = valuesByName(scoreRows(await planRewards(["n"], {}, ["n"]), rows));
    expect(found).toEqual({
      reward: [1, 2, 3, null],
      advantage: [null, null, null, null],
      status: ["no_group", "no_group", "no_group", "null_term;no_group"],
    });
    const ungrouped = ROWS.map(({ group_id: _, ...row }) => row);
    const robust = valuesByName(scoreRows(await planRewards(["bench2robust"]), ungrouped));
    expect(robust.reward).toEqual([1, 0.15, 0.84, 0.15]);
    expect(robust.advantage).toEqual([null, null, null, null]);
  });

  it("say which groups were filtered, after the reward's own words", async () => {
    const plan = await planRewards(["n"], { advantage: { minStd: 0.1 } }, ["n"]);
    const rows = [1, 1, null, 1, 3].map((n, row) => ({ group_id: row < 3 ? "a" : "b", n }));
    const found = valuesByName(scoreRows(plan, rows));
    expect(found.status).toEqual(["filtered", "filtered", "null_term;filtered", "ok", "ok"]);
    expect(found.advantage?.slice(0, 3)).toEqual([0, 0, 0]);
    expect(found.advantage?.[4]).toBeCloseTo(Math.SQRT1_2, 5);
  });

  it("are the same when they are asked for again", async () => {
    const plan = await planRewards(["trust", "trust + n"], { advantage: { minStd: 5 } }, ["n"]);
    const state = plan.createState();
    const parts = plan.scoreRows(planBatch(plan, ROWS));
    const groups = Int32Array.of(0, 0, 1, -1);
    state.add(parts, groups);
    state.addRewards(parts.kept, groups);
    expect(state.results(parts.kept, groups)).toEqual(state.results(parts.kept, groups));
  });

  it("keep nothing of a batch but their own numbers", async () => {
    const plan = await planRewards(["n + m"], {}, ["n", "m"]);
    const shared = Float64Array.from({ length: 1000 }, (_, row) => row);
    const batch = {
      rows: 2,
      columns: new Map([
        ["n", { kind: "number", values: shared.subarray(10, 12) } as const],
        ["m", { kind: "number", values: shared.subarray(20, 22) } as const],
      ]),
    };
    const { kept } = plan.scoreRows(batch);
    expect(kept).toEqual([Float64Array.of(10, 11), Float64Array.of(20, 21)]);
    expect(kept.map((column) => column.buffer.byteLength)).toEqual([16, 16]);
  });

  it("take a column that was not read for missing", async () => {
    const plan = await planRewards(["n"], {}, ["n"]);
    expect(plan.scoreRows({ rows: 2, columns: new Map() }).kept).toEqual([
      Float64Array.of(Number.NaN, Number.NaN),
    ]);
  });
});

describe("newOutputs", () => {
  const request = (name: string): ColumnRequest => ({ name, kind: "number" });

  it("leaves out a result that would only repeat its column", async () => {
    const plan = await planRewards(["trust"]);
    const columns = new Set(["group_id", "ppl"]);
    const outputs = newOutputs(plan, columns, [request("ppl")], "f");
    expect(outputs.map((output) => output.name)).toEqual([...TRUST.slice(1), "advantage", "status"]);
    expect(newOutputs(plan, new Set(["group_id"]), [request("logprobs")], "f")).toEqual(plan.outputs);
  });

  it.each([
    ["logprobs are there too, which give another one", ["ppl"], ["ppl", "logprobs"], "ppl"],
    ["the column is not what is read as ppl", ["ppl"], ["logprobs"], "ppl"],
    ["another result has the name of a column", ["reward", "status"], ["ppl"], "reward, status"],
  ])("refuses a name that is taken when %s", async (_, columns, read, taken) => {
    const plan = await planRewards(["trust"]);
    expect(() => newOutputs(plan, new Set(columns), read.map(request), "f.jsonl")).toThrow(
      expect.objectContaining({
        code: "schema",
        message: `f.jsonl already has ${taken}: name the added columns apart with a prefix, for example --prefix new_`,
      }),
    );
  });

  it("lets a prefix put names apart, under which nothing is a repetition", async () => {
    const plan = await planRewards(["trust"], { prefix: "new_" });
    expect(newOutputs(plan, new Set(["ppl", "reward"]), [request("ppl")], "f")).toEqual(plan.outputs);
    const several = await planRewards(["trust", "bench2robust"]);
    expect(newOutputs(several, new Set(["ppl", "reward"]), [request("ppl")], "f")).toEqual(several.outputs);
    expect(() => newOutputs(several, new Set(["trust_ppl"]), [], "f")).toThrow("already has trust_ppl");
  });
});

describe("pickColumns", () => {
  it("keeps the columns that are outputs, in their order", () => {
    const column = (name: string): ResultColumn => ({ name, type: "float64", values: new Float64Array(0) });
    const picked = pickColumns(["a", "b", "c"].map(column), [
      { name: "c", type: "float64" },
      { name: "a", type: "float64" },
    ]);
    expect(picked.map(({ name }) => name)).toEqual(["a", "c"]);
  });
});
