import { tableFromArrays } from "apache-arrow";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../src/math/seeded-random.ts";
import { releasedGroup } from "../../src/rewards/released/released-group.ts";
import { normaliseReleased } from "../../src/rewards/released/released-normalise.ts";
import { releasedTurnReward } from "../../src/rewards/released/released-turn.ts";
import { scoreTable, scoreTrustReleasedTable } from "../../src/rewards/score-table.ts";
import { scoreTrustReleased, type TrustReleasedRollout } from "../../src/rewards/score-trust-released.ts";
import { randomTurnInput } from "../reference/random-response.ts";

const ROLLOUT = { groupId: "g", gtAction: "A", gtAnswer: "Paris" };
const RIGHT = "<think>source=recall</think> direct_answer<A> <answer>Paris</answer>";
const WRONG = "<think>source=recall</think> cannot_answer<D> <answer>Sorry, I cannot say.</answer>";

/** Groups of hostile responses, rows of a group apart from each other. */
function hostileRollouts(groups: number, size: number): TrustReleasedRollout[] {
  const random = seededRandom(11);
  return Array.from({ length: groups * size }, (_, row) => {
    const { response, chosen_response } = randomTurnInput(random);
    return {
      groupId: row % groups,
      gtAction: "ABCD"[(row % groups) % 4],
      gtAnswer: typeof chosen_response === "string" ? chosen_response : "x",
      response: typeof response === "string" ? response : null,
      ppl: random() < 0.2 ? null : 1 + 2 * random(),
    };
  });
}

describe("scoreTrustReleased", () => {
  it("is the released scorer on the pairs of the released group", () => {
    const rollouts = hostileRollouts(40, 5);
    const scored = scoreTrustReleased(rollouts);
    for (let group = 0; group < 40; group++) {
      const rows = rollouts.flatMap((rollout, row) => (rollout.groupId === group ? [row] : []));
      const own = rows.map((row) => rollouts[row] as TrustReleasedRollout);
      const goldLabel = own[0]?.gtAction as string;
      const letters = own.map(
        ({ response }) => releasedTurnReward({ response, goldLabel, chosenResponse: "x" }).letter || null,
      );
      const pairs = releasedGroup(
        goldLabel,
        own.map(({ ppl }, at) => ({ letter: letters[at] ?? null, ppl: ppl as number | null })),
      );
      rows.forEach((row, at) => {
        const { response, gtAnswer } = own[at] as TrustReleasedRollout;
        const { pplGt = null, pplNeg = null } = pairs[at] ?? {};
        const turn = releasedTurnReward({ response, goldLabel, chosenResponse: gtAnswer, pplGt, pplNeg });
        expect(scored.reward[row]).toBe(turn.score);
        if (turn.rawScore === null) return;
        expect([scored.rawScore[row], scored.rAns[row], scored.margin[row], scored.certainty[row]]).toEqual([
          turn.rawScore,
          turn.rAns,
          turn.margin,
          turn.certainty,
        ]);
      });
    }
  });

  it("gives the numbers of the worked example, where the paper's differ", () => {
    const { reward, margin, rFmt, status } = scoreTrustReleased([
      { ...ROLLOUT, response: RIGHT, ppl: 1.2 },
      { ...ROLLOUT, response: WRONG, ppl: 1.5 },
      { ...ROLLOUT, response: "Hello there.", ppl: 3 },
    ]);
    expect(Array.from(reward)).toEqual([0.9769, 0.5045, 0]);
    expect(Array.from(margin)).toEqual([0.3, 0.3, 0.3]);
    expect(Array.from(rFmt)).toEqual([2.15, 2.15, 0]);
    expect(status).toEqual(["separated", "separated", "separated;unparsed"]);
  });

  it.each<[string, Partial<TrustReleasedRollout>, number, string]>([
    ["an empty response", { response: "" }, 0, "no_perplexity;unparsed;no_response"],
    ["no response", { response: null }, 0, "no_perplexity;unparsed;no_response"],
    ["no gold action", { gtAction: null, response: RIGHT }, Number.NaN, "no_perplexity;no_gold"],
    ["an unknown gold action", { gtAction: "E", response: RIGHT }, Number.NaN, "no_perplexity;no_gold"],
    ["no group", { groupId: null, response: RIGHT }, Number.NaN, "no_group"],
  ])("%s", (_name, changes, reward, status) => {
    const scored = scoreTrustReleased([{ ...ROLLOUT, ppl: 1.5, ...changes }]);
    expect(scored.reward[0]).toBe(reward);
    expect(scored.status[0]).toBe(status);
  });

  it("reads gold actions by letter, name and alias, and native calls as blocks", () => {
    const call = { function: { name: "f", arguments: '{"a": 1}' } };
    const messages = [{ role: "assistant", content: null, tool_calls: [call] }];
    const target = '<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>';
    const golds = ["B", " b ", "tool_call", "Tool"];
    const rows = golds.map((gtAction, row) => ({
      groupId: row,
      gtAction,
      messages,
      gtAnswer: target,
      ppl: 1.5,
    }));
    const { rAlign, rCls } = scoreTrustReleased(rows, { text: "normalised" });
    expect(Array.from(rAlign)).toEqual([1, 1, 1, 1]);
    expect(Array.from(rCls)).toEqual([2, 2, 2, 2]);
    const gold = scoreTrustReleased(
      [{ ...rows[0], gtAnswer: null, goldActions: [{ name: "f", arguments: { a: 1 } }] } as never],
      {
        text: "normalised",
      },
    );
    expect(gold.rAlign[0]).toBe(1);
  });

  it("scores the rewritten text when it is asked to", () => {
    const response = "Well: direct_answer <A> Paris it is.";
    const [raw, rewritten] = (["raw", "normalised"] as const).map((text) =>
      scoreTrustReleased([{ ...ROLLOUT, response, ppl: 1.5 }], { text }),
    );
    expect([raw?.rFmt[0], rewritten?.rFmt[0]]).toEqual([0.85, 2.15]);
    const direct = scoreTrustReleased([{ ...ROLLOUT, response: normaliseReleased(response), ppl: 1.5 }]);
    expect(direct.reward).toEqual(rewritten?.reward);
  });

  it.each([
    [{ tau: 0 }, /^tau must be a positive number, got 0$/],
    [{ lambda: Number.NaN }, /^lambda must be a finite number, got NaN$/],
    [{ text: "clean" as never }, /^text must be raw, normalised, got clean$/],
    [{ sentinels: 5 as never }, /^sentinels must be a list of numbers, got 5$/],
  ])("refuses %o", (options, message) => expect(() => scoreTrustReleased([], options)).toThrow(message));

  it("is the same over tables, and has a name in formulas", async () => {
    const rollouts = hostileRollouts(6, 4).map((rollout) => ({
      ...rollout,
      response: rollout.response ?? "",
    }));
    const table = tableFromArrays({
      group_id: rollouts.map(({ groupId }) => `g${groupId}`),
      gt_action: rollouts.map(({ gtAction }) => gtAction as string),
      gt_answer: rollouts.map(({ gtAnswer }) => gtAnswer as string),
      response: rollouts.map(({ response }) => response),
      ppl: Float64Array.from(rollouts, ({ ppl }) => ppl ?? Number.NaN),
    });
    const scored = await scoreTrustReleasedTable(table);
    const expected = scoreTrustReleased(rollouts);
    expect(scored.schema.fields.slice(5).map(({ name }) => name)).toEqual(
      "nll ppl_gt ppl_neg margin certainty r_fmt r_align r_ans r_cls raw_score reward advantage status".split(
        " ",
      ),
    );
    expect(Float64Array.from(scored.getChild("reward") ?? [])).toEqual(expected.reward);
    const formula = await scoreTable(table, ["trust_released - 0.5 * trust_released_certainty"]);
    const value = formula.getChild("reward")?.get(3);
    expect(value).toBe((expected.reward[3] as number) - 0.5 * (expected.certainty[3] as number));
  });
});
