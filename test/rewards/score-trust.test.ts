import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ScoreTrustOptions, scoreTrust, type TrustRollout } from "../../src/rewards/score-trust.ts";
import { groupMargin } from "../../src/uq/margin.ts";
import { sequencePerplexity } from "../../src/uq/sequence-perplexity.ts";

const VECTORS = new URL("../../../shared/cases/trust/paper_group.json", import.meta.url);

interface Vector {
  readonly name: string;
  readonly input: {
    readonly gold_action: string;
    readonly rollouts: readonly {
      readonly action: string | null;
      readonly logprobs: readonly number[];
      readonly r_fmt: number;
      readonly r_ans: number;
    }[];
    readonly tau: number;
    readonly ref_ppl?: number | null;
    readonly neg_ppl?: number | null;
  };
  readonly expected: {
    readonly ppl: readonly (number | null)[];
    readonly positive_mean: number;
    readonly negative_mean: number;
    readonly margin: number;
    readonly certainty: number;
    readonly r_cls: readonly number[];
    readonly reward: readonly number[];
  };
}

const vectors: readonly Vector[] = existsSync(VECTORS) ? JSON.parse(readFileSync(VECTORS, "utf8")) : [];

function expectNear(actual: number | undefined, expected: number | null): void {
  if (expected === null) expect(actual).toBeNaN();
  else
    expect(Math.abs((actual as number) - expected)).toBeLessThanOrEqual(
      1e-12 * Math.max(1, Math.abs(expected)),
    );
}

describe.skipIf(vectors.length === 0)("golden vectors of the paper's group reward", () => {
  it.each(vectors.map((vector) => [vector.name, vector] as const))("%s", (_name, { input, expected }) => {
    const rollouts = input.rollouts.map(
      (rollout): TrustRollout => ({
        groupId: "s",
        gtAction: input.gold_action,
        action: rollout.action,
        logprobs: rollout.logprobs,
        rFmt: rollout.r_fmt,
        rAns: rollout.r_ans,
        refPpl: input.ref_ppl,
        negPpl: input.neg_ppl,
      }),
    );
    const scores = scoreTrust(rollouts, { tau: input.tau });
    expected.ppl.forEach((ppl, row) => {
      expectNear(scores.ppl[row], ppl);
      expectNear(scores.margin[row], expected.margin);
      expectNear(scores.certainty[row], expected.certainty);
      expect(scores.rCls[row]).toBe(expected.r_cls[row]);
      expectNear(scores.reward[row], expected.reward[row] as number);
    });
    const right = input.rollouts.map(({ action }) => action === input.gold_action);
    const margin = groupMargin(
      input.rollouts.map(({ logprobs }) => sequencePerplexity(logprobs).ppl),
      right,
      { refPpl: input.ref_ppl ?? null, negPpl: input.neg_ppl ?? null },
    );
    expectNear(margin.positive, expected.positive_mean);
    expectNear(margin.negative, expected.negative_mean);
    expectNear(margin.margin, expected.margin);
  });
});

/** ln 2, ln 3: perplexities 2 and 3. */
const LN2 = Math.log(2);
const LN3 = Math.log(3);
const C_OF_1 = 1 / (1 + Math.exp(-10));

/** A decision point where `tool_call` is right, and its counterparts. */
const base = { groupId: "q", gtAction: "tool_call", rFmt: 1, rAns: 0 } as const;

describe("scoreTrust, worked by hand", () => {
  it("R = R_fmt + R_ans + c · R_cls", () => {
    const { margin, certainty, rCls, reward, ppl, nll, status } = scoreTrust([
      { ...base, action: "tool", logprobs: [-LN2, -LN2], rAns: 0.5 },
      { ...base, action: "DIRECT", logprobs: [-LN3] },
      { ...base, action: "ask", logprobs: [-LN3], rFmt: 0 },
    ]);
    expectNear(ppl[0], 2);
    expectNear(nll[1], LN3);
    for (const row of [0, 1, 2]) {
      expectNear(margin[row], 1);
      expectNear(certainty[row], C_OF_1);
    }
    expect([...rCls]).toEqual([3, 2, 1]);
    expectNear(reward[0], 1.5 + 3 * C_OF_1);
    expectNear(reward[1], 1 + 2 * C_OF_1);
    expectNear(reward[2], C_OF_1);
    expect(status).toEqual(["separated", "separated", "separated"]);
  });

  it("the same groups in any order and apart", () => {
    const one = { ...base, groupId: 7, action: "tool_call", ppl: 2 };
    const other = { ...base, groupId: "8", action: "cannot_answer", ppl: 3 };
    const { certainty, status } = scoreTrust([
      one,
      other,
      { ...one, groupId: "7", action: null, ppl: 3 },
      { ...other, groupId: 8n },
    ]);
    expectNear(certainty[0], C_OF_1);
    expect([...certainty.subarray(1)]).toEqual([0.5, certainty[0], 0.5]);
    expect(status).toEqual(["separated", "no_positive", "separated;unparsed", "no_positive"]);
  });

  it("all right: no evidence of separation, unless a counterfactual is given", () => {
    const right = { ...base, action: "tool_call", ppl: 2 };
    expect([...scoreTrust([right, right]).certainty]).toEqual([0.5, 0.5]);
    const { certainty, status } = scoreTrust([right, { ...right, negPpl: 3 }]);
    expectNear(certainty[0], C_OF_1);
    expect(status[0]).toBe("no_negative");
  });

  it("all wrong: the negative side is 1", () => {
    const wrong = { ...base, action: "ask", ppl: 5 };
    expect(scoreTrust([wrong]).margin[0]).toBe(0);
    expect(scoreTrust([wrong, { ...wrong, refPpl: 2 }]).margin[0]).toBe(-1);
    expect(scoreTrust([{ ...wrong, refPpl: 2 }], { emptyGroup: "neutral" }).margin[0]).toBe(0);
    expect(scoreTrust([wrong, wrong], { emptyGroup: "released" }).margin[0]).toBe(4);
  });

  it("the first reference of a group counts, given or from log-probs", () => {
    const wrong = { ...base, action: "ask", ppl: 5 };
    const margins = (rollouts: TrustRollout[]): number => scoreTrust(rollouts).margin[0] as number;
    expect(margins([wrong, { ...wrong, refPpl: 2 }, { ...wrong, refPpl: 4 }])).toBe(-1);
    expectNear(margins([{ ...wrong, refLogprobs: [-LN2, -LN2] }]), -1);
    expect(margins([{ ...wrong, refPpl: 3, refLogprobs: [-LN2] }])).toBe(-2);
    const right = { ...base, action: "tool_call", ppl: 3 };
    expect(scoreTrust([right, { ...wrong, refPpl: 2 }], { positive: "reference" }).margin[0]).toBe(3);
  });

  it("weights each term", () => {
    const rollout = { ...base, action: "tool_call", ppl: 2, rAns: 0.5 };
    const { reward } = scoreTrust([rollout], { weights: { format: 0.25, answer: 2, class: 0.5 } });
    expect(reward[0]).toBe(0.25 + 1 + 0.5 * 0.5 * 3);
  });

  it("infinite perplexities give certainty 0 or 1, two of them compare nll", () => {
    const right = { ...base, action: "tool_call" };
    const wrong = { ...base, action: "ask" };
    const certainty = (a: number[], b: number[]): number =>
      scoreTrust([
        { ...right, logprobs: a },
        { ...wrong, logprobs: b },
      ]).certainty[0] as number;
    expect(certainty([-1], [-Infinity])).toBe(1);
    expect(certainty([-9999], [-1])).toBe(0);
    expect(certainty([-800], [-900])).toBe(1);
    expect(certainty([-900], [-800])).toBe(0);
    expect(certainty([-900], [-900])).toBe(0.5);
    expect(certainty([-Infinity], [-9999])).toBe(0.5);
  });

  it("advantages are those of the group", () => {
    const right = { ...base, action: "tool_call", ppl: 2 };
    const { advantage, reward } = scoreTrust(
      [right, { ...right, action: "ask", ppl: 3 }, { ...right, groupId: "z" }],
      {
        advantage: { std: "none" },
      },
    );
    const mean = ((reward[0] as number) + (reward[1] as number)) / 2;
    expectNear(advantage[0], (reward[0] as number) - mean);
    expect(advantage[2]).toBe(0);
    const { status } = scoreTrust([right, right], { advantage: { minStd: 0.01 } });
    expect(status).toEqual(["no_negative;filtered", "no_negative;filtered"]);
  });

  it("has no rows for no rollouts", () => {
    expect(scoreTrust([]).reward.length).toBe(0);
    expect(scoreTrust([]).status).toEqual([]);
  });
});

const CALL = '{"name": "cd", "arguments": {"folder": "a", "force": true}}';
const TEXT = `<think>Go.</think><tool_call><answer>${CALL}</answer>`;

describe("what is judged from text", () => {
  it("a valid response with the gold call is worth everything", () => {
    const { rFmt, rAns, rCls } = scoreTrust([
      { groupId: 1, gtAction: "tool_call", gtAnswer: CALL, response: TEXT, ppl: 1.5 },
      {
        groupId: 1,
        gtAction: "tool_call",
        gtAnswer: CALL,
        response: TEXT.replace(', "force": true', ""),
        ppl: 1.5,
      },
      { groupId: 1, gtAction: "tool_call", gtAnswer: CALL, response: "Let me think.", ppl: 1.5 },
    ]);
    expect([...rFmt]).toEqual([1, 1, 0]);
    expect([...rAns]).toEqual([1, 0.5, 0]);
    expect([...rCls]).toEqual([3, 3, 1]);
  });

  it("gold calls come from gold_actions when there is no gold answer", () => {
    const goldActions = [{ name: "cd", arguments: { folder: "a" } }];
    const rollout = { groupId: 1, gtAction: "tool", response: TEXT, ppl: 2, goldActions };
    const { rAns, status } = scoreTrust([
      rollout,
      { ...rollout, gtAnswer: CALL },
      { ...rollout, goldActions: null },
    ]);
    expect([...rAns]).toEqual([0.5, 1, NaN]);
    expect(status).toEqual(["no_negative", "no_negative", "no_negative;no_gt_answer"]);
  });

  it("the action column wins over the text, the text over messages", () => {
    const messages = [{ role: "assistant", content: "<think>.</think><ask><answer>Where?</answer>" }];
    const rollout = { groupId: 1, gtAction: "ask", gtAnswer: "Where?", ppl: 2, messages };
    const { rCls, rFmt, rAns } = scoreTrust([
      rollout,
      { ...rollout, response: TEXT },
      { ...rollout, response: TEXT, action: "ask" },
      { ...rollout, action: "unable" },
      { ...rollout, action: "perhaps" },
      { ...rollout, action: "ask", answer: "Where to go?" },
    ]);
    expect([...rCls]).toEqual([3, 1, 3, 2, 1, 3]);
    expect([...rFmt]).toEqual([1, 1, 1, 1, 1, 1]);
    expect([...rAns]).toEqual([1, 0, 0, 0, 0, 0.5]);
  });

  it("native tool calls at the end read as tool_call, with those calls as the answer", () => {
    const call = { name: "cd", arguments: { folder: "a", force: true } };
    const openai = { id: "1", function: { name: "cd", arguments: '{"folder":"a","force":true}' } };
    const rollout = { groupId: 1, gtAction: "tool_call", gtAnswer: CALL, ppl: 2 };
    const { rCls, rFmt, rAns } = scoreTrust([
      { ...rollout, messages: [{ role: "assistant", content: null, toolCalls: [call] }] },
      {
        ...rollout,
        messages: [
          { role: "assistant", content: null, tool_calls: [openai] },
          { role: "tool", content: "" },
        ],
      },
    ]);
    expect([...rCls]).toEqual([3, 3]);
    expect([...rFmt]).toEqual([0, 0]);
    expect([...rAns]).toEqual([1, 1]);
  });

  it("format and answer can be switched off", () => {
    const rollout = { groupId: 1, gtAction: "tool_call", gtAnswer: CALL, response: TEXT, ppl: 2 };
    const { rFmt, rAns, reward, status } = scoreTrust([rollout], { format: "off", answer: "off" });
    expect([rFmt[0], rAns[0], reward[0], status[0]]).toEqual([0, 0, 1.5, "no_negative"]);
    expect(scoreTrust([rollout], { answer: "exact" }).rAns[0]).toBe(1);
    expect(scoreTrust([rollout], { answer: () => 0.25 }).rAns[0]).toBe(0.25);
  });
});

describe("statuses", () => {
  const rollout = { ...base, action: "tool_call" };
  const statusOf = (row: TrustRollout, options?: ScoreTrustOptions): string =>
    scoreTrust([row], options).status[0] as string;

  it("of perplexities", () => {
    expect(statusOf({ ...rollout, logprobs: [] })).toBe("no_perplexity;empty");
    expect(statusOf({ ...rollout, logprobs: [-1, null] })).toBe("no_perplexity;null");
    expect(statusOf({ ...rollout, logprobs: [0.5] })).toBe("no_perplexity;positive");
    expect(statusOf({ ...rollout, logprobs: [-1, -9999] })).toBe("no_negative;sentinel");
    expect(statusOf({ ...rollout, logprobs: [-1, -7] }, { sentinels: [-7] })).toBe("no_negative;sentinel");
    expect(statusOf({ ...rollout, logprobs: [0, 0] })).toBe("no_negative;all-zero-logprobs");
    expect(statusOf(rollout)).toBe("no_perplexity;no-logprobs");
    expect(statusOf({ ...rollout, ppl: 0.5 })).toBe("no_perplexity;bad_ppl");
    expect(statusOf({ ...rollout, ppl: 2, refPpl: -1 })).toBe("no_negative;bad_ppl");
    expect(statusOf({ ...rollout, ppl: 2, refLogprobs: [1] })).toBe("no_negative;bad_ppl");
    expect(statusOf({ ...rollout, ppl: 2, negPpl: 0 })).toBe("no_negative;bad_ppl");
    expect(statusOf({ ...rollout, ppl: Infinity })).toBe("no_negative");
  });

  it("log-probs win over a given perplexity, also when they say nothing", () => {
    expect(scoreTrust([{ ...rollout, logprobs: [-LN2], ppl: 7 }]).ppl[0]).toBeCloseTo(2, 14);
    expect(scoreTrust([{ ...rollout, logprobs: [], ppl: 7 }]).ppl[0]).toBeNaN();
  });

  it("a rollout without perplexity is rewarded all the same", () => {
    const { reward, certainty, status } = scoreTrust([
      { ...rollout, ppl: 2 },
      { ...rollout, action: "ask", ppl: 3 },
      { ...rollout, action: "direct", ppl: null },
    ]);
    expectNear(reward[2], 1 + 2 * (certainty[0] as number));
    expect(status[2]).toBe("separated;no-logprobs");
  });

  it("without gold there is no reward, and no part in the means", () => {
    const { reward, rCls, margin, status, advantage } = scoreTrust([
      { ...rollout, ppl: 2 },
      { ...rollout, action: "ask", ppl: 3 },
      { ...rollout, gtAction: null, ppl: 900 },
      { ...rollout, gtAction: "maybe", ppl: 900 },
    ]);
    expect([...reward.subarray(2), ...rCls.subarray(2)]).toEqual([NaN, NaN, NaN, NaN]);
    expect([...margin]).toEqual([1, 1, 1, 1]);
    expect([...advantage.subarray(2)]).toEqual([0, 0]);
    expect(status.slice(2)).toEqual(["separated;no_gold", "separated;no_gold"]);
  });

  it("without a group there is no margin and no reward", () => {
    const { reward, margin, certainty, advantage, rCls, status } = scoreTrust([
      { ...rollout, groupId: null, ppl: 2 },
    ]);
    expect([reward[0], margin[0], certainty[0], advantage[0]]).toEqual([NaN, NaN, NaN, NaN]);
    expect([rCls[0], status[0]]).toEqual([3, "no_group"]);
  });

  it("what cannot be judged adds nothing", () => {
    const bare = { groupId: 1, gtAction: "ask", action: "ask", ppl: 2 };
    const answered = scoreTrust([
      { ...bare, gtAnswer: "Who?" },
      { ...bare, gtAnswer: "Who?", response: "" },
    ]);
    expect([...answered.rAns]).toEqual([NaN, 0]);
    expect(answered.status).toEqual(["no_negative;no_response", "no_negative"]);
    expect(scoreTrust([{ ...bare, gtAnswer: "Who?" }], { format: "off" }).status).toEqual([
      "no_negative;no_response",
    ]);
    const { rFmt, rAns, reward, status } = scoreTrust([
      bare,
      { ...bare, messages: [{ role: "user", content: "Hello" }] },
      { ...bare, action: null },
      { ...bare, response: "", action: null },
    ]);
    expect([...rFmt]).toEqual([NaN, NaN, NaN, 0]);
    expect([...rAns]).toEqual([NaN, NaN, 0, 0]);
    expect(reward[0]).toBe(1.5);
    expect(status).toEqual([
      "separated;no_response;no_gt_answer",
      "separated;no_response;no_gt_answer",
      "separated;unparsed;no_response",
      "separated;unparsed",
    ]);
  });
});

describe("mask and segments", () => {
  const rollout = { ...base, action: "tool_call" };

  it("select and average", () => {
    const masked = { ...rollout, logprobs: [-9, -LN2, -9], logprobMask: [0, 1, 0] };
    expectNear(scoreTrust([masked, { ...rollout, logprobs: [-LN2] }]).ppl[0], 2);
    expectNear(scoreTrust([{ ...masked, logprobMask: [false, true, false] }]).ppl[0], 2);
    const options = { level: "segment" } as const;
    const segmented = { ...rollout, logprobs: [-1, -1, -1, -3], logprobSegments: [0, 3] };
    const { nll } = scoreTrust(
      [{ ...rollout, logprobs: [-5] }, segmented, { ...segmented, logprobSegments: [1] }],
      options,
    );
    expect([...nll]).toEqual([5, 2, (1 + 5 / 3) / 2]);
  });

  it.each([null, 2, Number.NaN])("must hold 0 and 1 alone, not %s", (value) => {
    const bad = { ...rollout, logprobs: [-1, -2], logprobMask: [1, value] as number[] };
    expect(() => scoreTrust([rollout, bad])).toThrow(
      `rollouts: row 1: column logprob_mask: must hold 0 and 1 (or false and true), got ${value}`,
    );
  });

  it("must fit the log-probs", () => {
    const bad = { ...rollout, logprobs: [-1, -2], logprobMask: [1] };
    expect(() => scoreTrust([rollout, bad])).toThrow(
      "rollouts: row 1: column logprob_mask: must be as long as logprobs, 2; got 1",
    );
    expect(() =>
      scoreTrust([{ ...rollout, logprobs: [-1], logprobSegments: [2] }], { level: "segment" }),
    ).toThrow("rollouts: row 0: column logprob_segments: must be ascending tokens of the row, got 2");
  });
});

describe("impossible input", () => {
  it.each<[string, ScoreTrustOptions]>([
    ["tau must be a positive number, got 0", { tau: 0 }],
    ["positive must be rollouts or reference, got best", { positive: "best" as "rollouts" }],
    ["emptyGroup must be paper, neutral or released, got zero", { emptyGroup: "zero" as "paper" }],
    ["format must be on, off, got no", { format: "no" as "off" }],
    ["answer must be auto, exact, call, token-f1, off, got bleu", { answer: "bleu" as "off" }],
    ["level must be token, segment, got word", { level: "word" as "token" }],
    ["weights.answer must be a finite number, got NaN", { weights: { answer: Number.NaN } }],
    ["sentinels must be a list of numbers, got -9999", { sentinels: -9999 as unknown as number[] }],
  ])("%s", (message, options) => {
    expect(() => scoreTrust([], options)).toThrow(message);
  });

  it("names rollout and column", () => {
    const bad = { ...base, logprobs: "[-1]" as unknown as number[] };
    expect(() => scoreTrust([{ ...base }, bad])).toThrow(
      /rollouts: row 1: column logprobs: expected list<float32\/64>/,
    );
  });
});

describe("laws", () => {
  const rollout = fc.record({
    groupId: fc.constantFrom("a", "b", null),
    gtAction: fc.constantFrom("tool_call", "ask", null),
    action: fc.constantFrom("tool_call", "direct", "ask", "unable", null),
    logprobs: fc.option(
      fc.array(
        fc.oneof(fc.double({ min: -20, max: 0, noNaN: true }), fc.constantFrom(-Infinity, NaN, -800, 1)),
        { maxLength: 4 },
      ),
    ),
    ppl: fc.option(fc.constantFrom(1, 2, 3.5, Infinity, 0.5)),
    refPpl: fc.option(fc.constantFrom(1, 2, Infinity)),
    negPpl: fc.option(fc.constantFrom(1, 2, Infinity)),
    rFmt: fc.option(fc.constantFrom(0, 1)),
    rAns: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  });

  it("certainty is in [0, 1] and the reward is there whenever gold and group are", () => {
    fc.assert(
      fc.property(fc.array(rollout, { maxLength: 12 }), (rollouts) => {
        const { certainty, margin, reward, rFmt, rAns, rCls } = scoreTrust(rollouts);
        rollouts.forEach(({ groupId, gtAction }, row) => {
          if (groupId === null) return;
          expect(margin[row]).not.toBeNaN();
          expect(certainty[row]).toBeGreaterThanOrEqual(0);
          expect(certainty[row]).toBeLessThanOrEqual(1);
          if (gtAction === null) {
            expect(reward[row]).toBeNaN();
            return;
          }
          const fmt = Number.isNaN(rFmt[row]) ? 0 : (rFmt[row] as number);
          const ans = Number.isNaN(rAns[row]) ? 0 : (rAns[row] as number);
          expect(reward[row]).toBe(fmt + ans + (certainty[row] as number) * (rCls[row] as number));
        });
      }),
    );
  });

  it("right rollouts are rewarded no less than wrong ones that are otherwise equal", () => {
    fc.assert(
      fc.property(fc.array(rollout, { minLength: 1, maxLength: 8 }), (rollouts) => {
        const { rCls, certainty, reward, rFmt, rAns } = scoreTrust(
          rollouts.map((r) => ({ ...r, rFmt: 1, rAns: 0 })),
        );
        for (let i = 0; i < rollouts.length; i++) {
          for (let j = 0; j < rollouts.length; j++) {
            if (certainty[i] !== certainty[j] || rFmt[i] !== rFmt[j] || rAns[i] !== rAns[j]) continue;
            if ((rCls[i] as number) >= (rCls[j] as number))
              expect(reward[i]).toBeGreaterThanOrEqual(reward[j] as number);
          }
        }
      }),
    );
  });
});
