import { describe, expect, it } from "vitest";
import { scoreTrust } from "../../../src/rewards/score-trust.ts";
import { scoreTrustReleased } from "../../../src/rewards/score-trust-released.ts";
import {
  scoreTrajectories,
  type TrajectoryRollout,
} from "../../../src/rewards/trajectory/score-trajectories.ts";

type Messages = Readonly<Record<string, unknown>>[];

const call = (name: string, json: string): Readonly<Record<string, unknown>> => ({
  function: { name, arguments: json },
});

/** Two turns: a call and its result, then an answer in free text. */
function conversation(city: string, last: string): Messages {
  return [
    { role: "system", content: "Help." },
    { role: "user", content: "Weather?" },
    { role: "assistant", content: null, tool_calls: [call("weather", `{"city":"${city}"}`)] },
    { role: "tool", content: "17" },
    { role: "assistant", content: "It is 17 degrees." },
    { role: "user", content: "Book a flight." },
    { role: "assistant", content: last },
  ];
}

const ANNOTATIONS = [
  {
    turn_idx: 0,
    gt_action: "tool_call",
    target_answer: '<tool_call>{"name":"weather","arguments":{"city":"Paris"}}</tool_call>',
  },
  { turn_idx: 1, gt_action: "cannot_answer", target_answer: "I cannot book flights." },
];

const judged = (action: string, answer: string): Messages => [
  { turn_idx: 1, pred_action: action, pred_answer: answer },
];

const GROUP: TrajectoryRollout[] = [
  {
    groupId: "q",
    messages: conversation("Paris", "I cannot book flights."),
    annotations: ANNOTATIONS,
    judgements: judged("cannot_answer", "I cannot book flights."),
    checklistReward: 0.75,
    // Turn 0 is tokens 0 to 3, of which the model made three; turn 1 is tokens 4 and 5.
    logprobs: [-0.5, -9, -0.5, -0.5, -0.25, -0.25],
    logprobMask: [1, 0, 1, 1, 1, 1],
    turnEnds: [3, 5],
  },
  {
    groupId: "q",
    messages: conversation("Rome", "Which day?"),
    annotations: ANNOTATIONS,
    judgements: judged("request_for_info", "Which day?"),
    checklistReward: 0.25,
    logprobs: [-1, -1, -0.125],
    logprobMask: [1, 1, 1],
    turnEnds: [1, 2],
  },
];

describe("scoreTrajectories", () => {
  const { reward, uqReward, baseReward, placements, keyTurns, status, advantage } = scoreTrajectories(GROUP);

  it("gives each key turn the R_UQ of its decision among those of the group, without R_fmt", () => {
    const first = scoreTrust(
      [
        { logprobs: [-0.5, -0.5, -0.5], answer: '{"name":"weather","arguments":{"city":"Paris"}}' },
        { logprobs: [-1, -1], answer: '{"name":"weather","arguments":{"city":"Rome"}}' },
      ].map((own) => ({
        ...own,
        groupId: "turn 0",
        action: "tool_call",
        gtAction: "tool_call",
        gtAnswer: ANNOTATIONS[0]?.target_answer,
      })),
      { format: "off" },
    );
    const second = scoreTrust(
      [
        { action: "cannot_answer", answer: "I cannot book flights.", logprobs: [-0.25, -0.25] },
        { action: "request_for_info", answer: "Which day?", logprobs: [-0.125] },
      ].map((own) => ({
        ...own,
        groupId: "turn 1",
        gtAction: "cannot_answer",
        gtAnswer: "I cannot book flights.",
      })),
      { format: "off" },
    );
    expect(placements.map((turns) => turns.map(({ reward: own }) => own))).toEqual([
      [first.reward[0], second.reward[0]],
      [first.reward[1], second.reward[1]],
    ]);
    // By hand: all right at turn 0, so m = 0, c = 1/2 and R_UQ = R_ans + 3/2; R_ans is 1 and 1/2 (the city differs).
    expect(placements[0]?.[0]?.uqReward).toBe(2.5);
    expect(placements[1]?.[0]?.uqReward).toBe(1.5);
    // Turn 1: c = sigmoid((e^0.125 − e^0.25) / 0.1); right: 1 + 3c, the same coarse pair: 2c.
    const c = 1 / (1 + Math.exp((Math.exp(0.25) - Math.exp(0.125)) / 0.1));
    expect(placements[0]?.[1]?.uqReward).toBeCloseTo(1 + 3 * c, 12);
    expect(placements[1]?.[1]?.uqReward).toBeCloseTo(2 * c, 12);
  });

  it("adds them to the base reward and says where they land", () => {
    expect(Array.from(baseReward)).toEqual([0.75, 0.25]);
    expect(Array.from(keyTurns)).toEqual([2, 2]);
    for (const row of [0, 1]) {
      const sum = (placements[row] ?? []).reduce((total, { uqReward: own }) => total + own, 0);
      expect(uqReward[row]).toBe(sum);
      expect(reward[row]).toBe((baseReward[row] as number) + sum);
    }
    expect(
      placements[0]?.map(({ turnIdx, messageIdx, tokenIdx }) => [turnIdx, messageIdx, tokenIdx]),
    ).toEqual([
      [0, 4, 3],
      [1, 6, 5],
    ]);
    expect(status).toEqual(["no_negative", "no_negative"]);
    expect(Math.sign(advantage[0] as number)).toBe(1);
  });

  it("weighs the two terms", () => {
    const weighted = scoreTrajectories(GROUP, { weights: { base: 2, uq: 0.5 } });
    expect(weighted.reward[0]).toBe(2 * 0.75 + 0.5 * (uqReward[0] as number));
    expect(weighted.placements[0]?.[0]?.reward).toBe(1.25);
    expect(weighted.uqReward[0]).toBe(uqReward[0]);
  });

  it("takes perplexities by turn as well", () => {
    const plain = GROUP.map(({ logprobs: _l, logprobMask: _m, turnEnds: _e, ...rest }, row) => ({
      ...rest,
      turnPpl: row === 0 ? [Math.exp(0.5), Math.exp(0.25)] : [Math.E, Math.exp(0.125)],
    }));
    const scored = scoreTrajectories(plain);
    expect(Array.from(scored.reward)).toEqual(Array.from(reward));
    expect(scored.placements[0]?.map(({ tokenIdx }) => tokenIdx)).toEqual([null, null]);
    expect(scored.status[0]).toBe("no_negative");
  });
});

const ONE = GROUP[0] as TrajectoryRollout;

function alone(changes: Partial<TrajectoryRollout>): { reward: number; status: string; turns: number[] } {
  const { reward, status, placements } = scoreTrajectories([{ ...ONE, ...changes }]);
  return {
    reward: reward[0] as number,
    status: status[0] as string,
    turns: (placements[0] ?? []).map(({ turnIdx }) => turnIdx),
  };
}

describe("what is missing or wrong", () => {
  const annotation = (turn_idx: unknown, gt_action: unknown): Readonly<Record<string, unknown>> => ({
    turn_idx,
    gt_action,
    target_answer: "x",
  });

  it.each<[string, Partial<TrajectoryRollout>, number, string, number[]]>([
    ["nothing annotated", { annotations: [] }, 0.75, "no_key_turn", []],
    ["annotations missing", { annotations: null }, 0.75, "no_key_turn", []],
    [
      "a turn that is none",
      { annotations: [annotation(2, "tool_call")] as never },
      0.75,
      "no_key_turn;turn_out_of_range",
      [],
    ],
    [
      "a turn before the first",
      { annotations: [annotation(-1, "B")] as never },
      0.75,
      "no_key_turn;turn_out_of_range",
      [],
    ],
    ["half a turn", { annotations: [annotation(0.5, "B")] as never }, 0.75, "no_key_turn;bad_annotation", []],
    ["no action", { annotations: [annotation(0, "fly")] }, 0.75, "no_key_turn;bad_annotation", []],
    ["no base", { checklistReward: null }, Number.NaN, "no_base;no_negative", [0, 1]],
    ["no group", { groupId: null }, Number.NaN, "no_group", []],
    [
      "a judge that failed",
      { judgements: [{ turn_idx: 1, pred_action: null }] },
      Number.NaN,
      "judge_failed;no_negative",
      [0],
    ],
    [
      "a turn that was not judged",
      { judgements: [{ turn_idx: 0, pred_action: "B" }] },
      Number.NaN,
      "not_judged;no_negative",
      [0],
    ],
    ["an empty conversation", { messages: [] }, Number.NaN, "no_messages;no_key_turn;turn_out_of_range", []],
    ["no messages", { messages: null }, Number.NaN, "no_messages;no_key_turn;turn_out_of_range", []],
    [
      "no messages and nothing annotated",
      { messages: null, annotations: [] },
      0.75,
      "no_messages;no_key_turn",
      [],
    ],
  ])("%s", (_name, changes, reward, status, turns) => {
    expect(alone(changes)).toEqual({ reward, status, turns });
  });

  it.each([
    [null],
    [[]],
    [undefined],
    [[{ turn_idx: null, pred_action: "D", pred_answer: "x" }]],
    [[{ turn_idx: "1", pred_action: "D" }]],
  ])("takes the judgements %j, if all are like that, for none at all", (judgements) => {
    const { status, reward } = alone({ judgements: judgements as never });
    expect(status.split(";")).toContain("unparsed");
    expect(reward).not.toBeNaN();
  });

  it("takes a refused judgement for a judge that failed, whatever it says", () => {
    const judgements = [{ turn_idx: 1, status: "rejected", pred_action: "D", pred_answer: "x" }];
    expect(alone({ judgements }).status).toBe("judge_failed;no_negative");
  });

  it("does not take a missing judgement for an unparsed answer when others were judged", () => {
    const { reward, status } = scoreTrajectories([
      { ...ONE, judgements: null },
      GROUP[1] as TrajectoryRollout,
    ]);
    expect([reward[0], status[0]]).toEqual([Number.NaN, "not_judged;no_negative"]);
    expect(reward[1]).not.toBeNaN();
  });

  it("marks rewards that land on a token which the model did not generate", () => {
    const { status } = alone({ logprobMask: [1, 0, 1, 0, 1, 1] });
    expect(status).toBe("end_masked;no_negative");
  });

  it("rewards free text as unparsed when nothing was judged at all", () => {
    const { reward, status, turns } = alone({ judgements: null, annotations: ANNOTATIONS.slice(1) });
    // No right rollout: m = 1 − 1, c = 1/2; R_cls is 1, R_ans 0.
    expect({ reward, turns }).toEqual({ reward: 0.75 + 0.5 * 1, turns: [1] });
    expect(status.split(";")).toContain("unparsed");
  });

  it("does not punish for a turn in which the assistant said nothing", () => {
    const messages = [...(ONE.messages ?? []).slice(0, 6)];
    expect(alone({ messages })).toEqual({
      reward: 0.75 + 2.5,
      status: "no_assistant;no_negative",
      turns: [0],
    });
  });

  it("keeps a failed judgement out of the margins of the others", () => {
    const failed = { ...(GROUP[1] as TrajectoryRollout), judgements: [{ turn_idx: 1, pred_action: null }] };
    const { placements, reward } = scoreTrajectories([ONE, failed]);
    expect(placements[0]?.[1]?.uqReward).toBe(alone({}).reward - 0.75 - 2.5);
    expect(reward[1]).toBeNaN();
  });

  it("averages several annotations of a turn, each in its own comparison", () => {
    const twice = [ANNOTATIONS[0], { ...ANNOTATIONS[0], gt_action: "A", target_answer: "17" }] as never;
    const { placements } = scoreTrajectories([{ ...ONE, annotations: twice }]);
    const [turn] = placements[0] ?? [];
    expect(turn?.decisions.map(({ gtAction, reward }) => [gtAction, reward])).toEqual([
      ["tool_call", 2.5],
      // No right rollout: c = 1/2 for want of a reference; the same coarse pair: R_cls 2.
      ["direct_answer", 1],
    ]);
    expect(turn?.uqReward).toBe((2.5 + 1) / 2);
  });

  it("counts a perplexity once, however often its turn is annotated", () => {
    const rollouts = [1.1, 1.5, 2].map((ppl, index) => ({
      groupId: "g",
      messages: [
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          content: index < 2 ? "<ask><answer>Who?</answer>" : "<unable><answer>No.</answer>",
        },
      ],
      annotations: new Array(index === 0 ? 2 : 1).fill({
        turn_idx: 0,
        gt_action: "ask",
        target_answer: "Who?",
      }),
      checklistReward: 0,
      turnPpl: [ppl],
    }));
    const { placements } = scoreTrajectories(rollouts);
    const margins = placements.flatMap((turns) => turns[0]?.decisions.map(({ parts }) => parts.margin) ?? []);
    for (const margin of margins) expect(margin).toBeCloseTo(2 - (1.1 + 1.5) / 2, 12);
    expect(margins).toHaveLength(4);
  });

  it("takes reference perplexities of annotations, and says when one is none", () => {
    const withRef = (ref_ppl: unknown): readonly [unknown, string] => {
      const annotations = [{ ...ANNOTATIONS[0], gt_action: "A", target_answer: "17", ref_ppl }];
      const { placements } = scoreTrajectories([{ ...ONE, annotations }]);
      const [decision] = placements[0]?.[0]?.decisions ?? [];
      return [decision?.parts.margin, decision?.status ?? ""];
    };
    expect(withRef(1.5)).toEqual([1 - 1.5, "no_positive"]);
    expect(withRef("Infinity")).toEqual([Number.NEGATIVE_INFINITY, "no_positive"]);
    expect(withRef("1.5")).toEqual([0, "no_positive;bad_ppl"]);
  });

  it("says so when it does not know where a turn ends", () => {
    const { status } = alone({ turnEnds: [3] });
    expect(status).toBe("no_turn_end;no_negative;no_perplexity;no-logprobs");
    expect(alone({ turnEnds: null }).status.split(";")).toContain("no_turn_end");
  });

  it.each<[string, Partial<TrajectoryRollout>, RegExp]>([
    ["ends that go back", { turnEnds: [3, 2] }, /^trajectories: row 0: column turn_ends: .* got 2 after 3$/],
    [
      "ends of something else than turns",
      { turnEnds: [1, 3, 5] },
      /ends of turns must number at most 2, one a user turn; got 3$/,
    ],
    ["an end behind the tokens", { turnEnds: [3, 6] }, /a turn ends at token 6, but logprobs has 6 tokens$/],
    [
      "a mask that is too short",
      { logprobMask: [1] },
      /logprob_mask: must be as long as logprobs, 6; got 1$/,
    ],
    ["a mask of other numbers", { logprobMask: [2, 1, 1, 1, 1, 1] }, /must hold 0 and 1 .* got 2$/],
  ])("refuses %s", (_name, changes, message) => expect(() => alone(changes)).toThrow(message));
});

describe("trust-released at trajectory level", () => {
  const released = (rollouts: readonly TrajectoryRollout[]): ReturnType<typeof scoreTrajectories> =>
    scoreTrajectories(rollouts, { reward: "trust-released" });

  it("scores the rewritten turn, whose format is always whole, as the authors do", () => {
    const { placements } = released([{ ...ONE, annotations: ANNOTATIONS.slice(0, 1) }]);
    const [decision] = placements[0]?.[0]?.decisions ?? [];
    // r_fmt 2.15, r_align 1, a lone sample: no margin, certainty 0.5; 2.15 + 1.5 + 0.5 · 2 = 4.65 of 6.15.
    expect(decision).toMatchObject({ action: "tool_call", reward: 0.7561 });
    expect(decision?.parts).toMatchObject({ rFmt: 2.15, rAlign: 1, rAns: 1.5, rCls: 2, certainty: 0.5 });
  });

  it.each([
    ['{"x":1.0}', '{"x":1.0}', 0.7561],
    ['{"x":1.0}', '{"x":1}', 0.7398],
    ['{"x":1e22,"y":1e-7}', '{"x":1e22,"y":1e-7}', 0.7561],
    ['{"x":-0.0}', '{"x":-0.0}', 0.7561],
  ])("reads the arguments %s of a native call as they were written, against %s", (args, target, score) => {
    const messages = [
      { role: "user", content: "Go." },
      { role: "assistant", content: null, tool_calls: [call("f", args)] },
    ];
    const target_answer = `<tool_call>{"name":"f","arguments":${target}}</tool_call>`;
    const annotations = [{ turn_idx: 0, gt_action: "B", target_answer }];
    const trajectory = { groupId: "q", messages, annotations, checklistReward: 0 };
    expect(released([trajectory]).placements[0]?.[0]?.uqReward).toBe(score);
    const turn = {
      groupId: "q",
      gtAction: "B",
      gtAnswer: target_answer,
      messages: messages.slice(1),
      ppl: null,
    };
    expect(scoreTrustReleased([turn], { text: "normalised" }).reward[0]).toBe(score);
  });

  it("lets an annotation name the functions that may be called", () => {
    const annotations = [{ ...ANNOTATIONS[0], tools: [{ name: "other" }] }];
    const { placements } = released([{ ...ONE, annotations }]);
    expect(placements[0]?.[0]?.decisions[0]?.parts.rAlign).toBe(0);
  });

  it("takes letters and names as gold actions, and judgements", () => {
    const letters = ANNOTATIONS.map((annotation, at) => ({ ...annotation, gt_action: "BD"[at] }));
    const byName = released(GROUP);
    expect(released(GROUP.map((rollout) => ({ ...rollout, annotations: letters }))).reward).toEqual(
      byName.reward,
    );
    expect(byName.placements[1]?.[1]?.decisions[0]?.action).toBe("request_for_info");
  });

  it("states its options and refuses those of single decisions", () => {
    expect(() => scoreTrajectories([], { trust: { format: "on" } as never })).toThrow(
      /^format cannot be set/,
    );
    expect(() => scoreTrajectories([], { reward: "bench2robust" as never })).toThrow(
      /trust or trust-released/,
    );
    expect(() => scoreTrajectories([], { weights: { uq: Number.NaN } })).toThrow(/^weights.uq must be/);
    expect(() => scoreTrajectories([], { variant: "released" } as never)).toThrow(
      /^scoreTrajectories has no option variant: known are reward, trust, /,
    );
    expect(() => scoreTrajectories([], { trust: { sentinel: 1 } as never })).toThrow(
      /^trust has no option sentinel: did you mean sentinels\?$/,
    );
    expect(() => scoreTrajectories([], null as never)).toThrow(
      /^the options of scoreTrajectories must be an object, got null$/,
    );
    expect(() => scoreTrajectories([], { advantage: { stdev: "none" } as never })).toThrow(
      /^advantage has no option stdev/,
    );
    expect(() => scoreTrajectories([{ ...ONE, messages: 5 as never }])).not.toThrow();
    expect(scoreTrajectories([]).reward).toEqual(new Float64Array(0));
  });
});
