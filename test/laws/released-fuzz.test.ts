import { describe, expect, it } from "vitest";
import { seededRandom } from "../../src/math/seeded-random.ts";
import { normaliseReleased } from "../../src/rewards/released/released-normalise.ts";
import { releasedTurnReward } from "../../src/rewards/released/released-turn.ts";
import { randomRawText, randomTurnInput } from "../reference/random-response.ts";
import { referenceNormalise } from "../reference/reference-normalise.ts";
import { referenceTurn, type TurnTerms } from "../reference/released-reference.ts";

const CASES = Number(process.env.FUZZ_CASES ?? 1500);
const SEED = Number(process.env.FUZZ_SEED ?? 1);

/** The reward under the names of the reference. */
function turnTerms(input: ReturnType<typeof randomTurnInput>): TurnTerms {
  const reward = releasedTurnReward({
    response: input.response,
    goldLabel: input.gold_label,
    chosenResponse: input.chosen_response,
    tools: input.tools,
    pplGt: input.ppl_gt,
    pplNeg: input.ppl_neg,
    tau: input.tau,
    lambda: input.lambda,
  });
  const isEmpty = reward.rawScore === null;
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
    letter: isEmpty ? null : (reward.letter ?? ""),
    pred_action: isEmpty ? null : (reward.predAction ?? ""),
    self_consistent: reward.selfConsistent,
    category_match: reward.categoryMatch,
  };
}

/** -0 and 0 are one number here. */
function plain(terms: TurnTerms): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(terms).map(([name, value]) => [name, typeof value === "number" ? value + 0 : value]),
  );
}

describe("the released scorer and a second one, written from the same text without looking at the first", () => {
  it(`agree on ${CASES} hostile responses`, () => {
    const random = seededRandom(SEED);
    for (let at = 0; at < CASES; at++) {
      const input = randomTurnInput(random);
      const [ours, theirs] = [plain(turnTerms(input)), plain(referenceTurn(input))];
      expect(
        ours,
        JSON.stringify(input, (_k, v: unknown) => (typeof v === "bigint" ? `${v}n` : v)),
      ).toEqual(theirs);
    }
  });

  it(`agree on ${CASES} hostile texts to normalise`, () => {
    const random = seededRandom(SEED + 1000);
    for (let at = 0; at < CASES; at++) {
      const text = randomRawText(random);
      expect(normaliseReleased(text), JSON.stringify(text)).toBe(referenceNormalise(text));
    }
  });
});
