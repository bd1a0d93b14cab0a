import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planRewards } from "../../src/rewards/reward-plan.ts";
import { groupKeys, scoreBatches } from "../../src/rewards/score-batches.ts";
import { scoreTrust } from "../../src/rewards/score-trust.ts";
import { planBatch, type Row, scoreRows, valuesByName } from "./plan-rows.ts";

const ACTIONS = ["direct_answer", "tool_call", "request_for_info", "cannot_answer", "nothing"];

const rollout: fc.Arbitrary<Row> = fc.record({
  group_id: fc.option(fc.constantFrom("a", "b", "c")),
  action: fc.constantFrom(...ACTIONS),
  gt_action: fc.constantFrom(...ACTIONS),
  ppl: fc.option(fc.double({ min: 1, max: 20, noNaN: true })),
  completed: fc.option(fc.boolean()),
  num_turns: fc.nat(30),
  tool_calls: fc.constant([]),
  matched_actions: fc.constant(1),
  required_actions: fc.constant(2),
});
/** All columns as kinds that have a value somewhere. */
const WHOLE: Row = {
  group_id: "z",
  action: "direct",
  gt_action: "direct",
  ppl: 1,
  completed: true,
  num_turns: 1,
  tool_calls: [],
  matched_actions: 1,
  required_actions: 1,
};

describe("scoreBatches", () => {
  it("completes groups whose rows lie anywhere", async () => {
    const plan = await planRewards(["trust"], { trust: { format: "off", answer: "off" } });
    const row = (group_id: string, right: boolean, ppl: number): Row => ({
      group_id,
      action: right ? "tool" : "direct",
      gt_action: "tool",
      ppl,
    });
    const rows = [row("a", true, 1.1), row("b", true, 1.5), row("a", false, 1.3), row("b", false, 1.2)];
    const [first, second] = scoreRows(plan, rows, [1]).map((columns) => valuesByName([columns]));
    expect(first?.margin?.[0]).toBeCloseTo(0.2, 12);
    expect(second?.margin?.map((margin) => (margin as number).toFixed(6))).toEqual([
      "-0.300000",
      "0.200000",
      "-0.300000",
    ]);
    expect(first?.status).toEqual(["separated"]);
    expect(Math.sign(first?.advantage?.[0] as number)).toBe(1);
  });

  it("gives the numbers of one batch however rows are cut", async () => {
    const plan = await planRewards(["trust", "bench2robust", "trust - 0.01*num_turns + e"], {}, [
      "num_turns",
    ]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(rollout, { maxLength: 14 }),
        fc.array(fc.nat(5), { maxLength: 5 }),
        async (rows, sizes) => {
          const all = [WHOLE, ...rows];
          const whole = valuesByName(scoreRows(plan, all));
          expect(valuesByName(scoreRows(plan, all, sizes))).toEqual(whole);
          expect(Object.keys(whole)).toEqual(plan.outputs.map((output) => output.name));
          for (const values of Object.values(whole)) expect(values).toHaveLength(all.length);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("gives the numbers of scoreTrust", async () => {
    const plan = await planRewards(["trust"]);
    await fc.assert(
      fc.asyncProperty(fc.array(rollout, { maxLength: 10 }), async (rows) => {
        const all = [WHOLE, ...rows];
        const scores = scoreTrust(
          all.map((row) => ({
            groupId: row.group_id as string,
            action: row.action as string,
            gtAction: row.gt_action as string,
            ppl: row.ppl as number,
          })),
        );
        const found = valuesByName(scoreRows(plan, all));
        const nulls = (values: Float64Array): (number | null)[] =>
          Array.from(values, (value) => (Number.isNaN(value) ? null : value));
        expect(found.reward).toEqual(nulls(scores.reward));
        expect(found.advantage).toEqual(nulls(scores.advantage));
        expect(found.certainty).toEqual(nulls(scores.certainty));
        expect(found.status).toEqual(scores.status);
      }),
      { numRuns: 50 },
    );
  });

  it("is nothing for no batches", async () => {
    expect(scoreBatches(await planRewards(["trust"]), [])).toEqual([]);
  });
});

describe("groupKeys", () => {
  it("is the group_id column, where it was read", async () => {
    const plan = await planRewards(["trust"]);
    const batch = planBatch(plan, [{ ...WHOLE, group_id: 7 }]);
    expect(groupKeys(batch)).toEqual({ kind: "key", codes: Int32Array.of(0), keys: ["7"] });
    expect(groupKeys({ rows: 1, columns: new Map() })).toBeUndefined();
    const number = { kind: "number", values: Float64Array.of(7) } as const;
    expect(groupKeys({ rows: 1, columns: new Map([["group_id", number]]) })).toBeUndefined();
  });
});
