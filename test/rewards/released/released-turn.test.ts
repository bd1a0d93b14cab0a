import { describe, expect, it } from "vitest";
import { releasedCertainty, releasedMargin } from "../../../src/rewards/released/released-certainty.ts";
import {
  type ReleasedEvidence,
  type ReleasedTurn,
  releasedScore,
  releasedTerms,
  releasedTurnReward,
} from "../../../src/rewards/released/released-turn.ts";
import { HAS_VECTORS, vectors } from "./shared-cases.ts";

type Fields = Readonly<Record<string, unknown>>;

const cases = vectors<Fields, Fields>("released_turn");

/** The vectors write what JSON lacks as text. */
function decoded(value: unknown): unknown {
  return value === "NaN" || value === "Infinity" || value === "-Infinity" ? Number(value) : value;
}

function wireNames(turn: ReleasedTurn & ReleasedEvidence): Record<string, unknown> {
  const reward = releasedTurnReward(turn);
  return {
    score: reward.score,
    raw_score: reward.rawScore,
    max_score: reward.maxScore,
    r_fmt: reward.rFmt,
    r_align: reward.rAlign,
    r_ans: reward.rAns,
    r_cls: reward.rCls,
    cert: reward.certainty,
    margin: reward.margin,
    letter: reward.letter,
    pred_action: reward.predAction,
    self_consistent: reward.selfConsistent,
    category_match: reward.categoryMatch,
  };
}

describe.skipIf(!HAS_VECTORS)("the golden vectors of the released turn reward", () => {
  it.each(cases.map((vector) => [vector.name, vector] as const))("%s", (_, { input, expected }) => {
    const turn = {
      response: input.response,
      goldLabel: input.gold_label,
      chosenResponse: input.chosen_response,
      tools: input.tools,
      pplGt: decoded(input.ppl_gt),
      pplNeg: decoded(input.ppl_neg),
      tau: decoded(input.tau),
      lambda: decoded(input.lambda),
    };
    const wanted = Object.entries(expected).map(([key, value]) => [key, decoded(value)]);
    expect(wireNames(turn)).toEqual(Object.fromEntries(wanted));
  });
});

describe("releasedTurnReward", () => {
  const turn = {
    response: "<think>source=recall</think> direct_answer<A> <answer>Paris</answer>",
    goldLabel: "A",
    chosenResponse: "Paris",
  };

  it("is 0 and otherwise unknown without a text", () => {
    for (const response of [null, undefined, "", 5, ["A"]]) {
      const { score, ...others } = releasedTurnReward({ ...turn, response });
      expect(score).toBe(0);
      expect(new Set(Object.values(others))).toEqual(new Set([null]));
    }
    expect(releasedTurnReward({ ...turn, response: " \n" })).toMatchObject({
      score: 0,
      letter: "",
      certainty: 0.5,
    });
  });

  it("reads labels as letters only, trimmed and in any case", () => {
    const points = (goldLabel: unknown) => releasedTerms({ ...turn, goldLabel }).class;
    expect(["\u0085a\x1c", "b", "C", "d", "direct_answer", "E", "", " ", null, 1].map(points)).toEqual([
      2, 1, 0, 0, 0, 0, 0, 0, 0, 0,
    ]);
    const unable = { ...turn, response: "cannot_answer<D>" };
    expect(
      ["E", "tool_call", "A", "C"].map((goldLabel) => releasedTerms({ ...unable, goldLabel }).class),
    ).toEqual([1, 1, 0, 1]);
  });

  it("gates alignment and the first certainty, not the second, when there is no answer or no letter", () => {
    const open = releasedTurnReward({ ...turn, pplGt: 1, pplNeg: 1 });
    expect([open.rAlign, open.rAns, open.rawScore]).toEqual([1, 1.5, 4.65]);
    const response = "<think>source=recall</think> direct_answer<A> <answer>\u0085</answer>";
    const gated = releasedTurnReward({ ...turn, response });
    expect([gated.rFmt, gated.rAlign, gated.rAns, gated.rawScore]).toEqual([2.15, 0, 0, 3.15]);
  });

  it("counts a source of four code points", () => {
    const format = (source: string) =>
      releasedTerms({ ...turn, response: `<think>source=${source}</think>` }).format;
    expect(["abc", "😀😀😀", "😀😀😀😀", "\u00a0abc\x1d", "abcd"].map(format)).toEqual([
      0.5, 0.5, 0.8, 0.5, 0.8,
    ]);
  });

  it("scores terms again and again with other evidence", () => {
    const terms = releasedTerms(turn);
    for (const evidence of [{}, { pplGt: "1.2", pplNeg: 1.5, lambda: "0" }, { tau: 1, lambda: -6 }])
      expect(releasedScore(terms, evidence)).toEqual(releasedTurnReward({ ...turn, ...evidence }));
    expect(releasedScore(terms, { pplGt: 2, pplNeg: "x", tau: "", lambda: {} })).toEqual(
      releasedScore(terms, {}),
    );
  });
});

describe("releasedMargin and releasedCertainty", () => {
  it("need two finite perplexities, and are exact from thirty on", () => {
    expect([
      releasedMargin(1, 3),
      releasedMargin(null, 3),
      releasedMargin(1, Number.NaN),
      releasedMargin(1, Number.POSITIVE_INFINITY),
    ]).toEqual([2, 0, 0, 0]);
    expect([3, -3, 2.9, -2.9, 0].map((margin) => releasedCertainty(margin, 0.1))).toEqual([
      1,
      0,
      1 / (1 + Math.exp(-2.9 / 0.1)),
      1 / (1 + Math.exp(2.9 / 0.1)),
      0.5,
    ]);
    expect(releasedCertainty(1e-6, -5)).toBe(1 / (1 + Math.exp(-1)));
  });
});
