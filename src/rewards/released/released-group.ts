import { roundHalfEven } from "../../math/round-half-even.ts";
import type { ReleasedLetter } from "../action-letters.ts";
import { pythonStrip } from "./python-text.ts";
import { releasedCertainty, releasedMargin } from "./released-certainty.ts";

/** One sample of a group. */
export interface ReleasedSample {
  /** The letter that was read, A to D; null = unparsed. */
  readonly letter: string | null;
  /** PPL = exp(−mean log-prob), ≥ 1 or Infinity; NaN where it was computed and is no number; null = absent. */
  readonly ppl: number | null;
}

/** The two perplexities that a sample is judged by, to 6 decimals. */
export interface ReleasedPair {
  /** Of the gold action; null only for a lone sample. */
  readonly pplGt: number | null;
  /** Of the wrong actions; null only for a lone sample. */
  readonly pplNeg: number | null;
}

/** What a sample gets from its group. */
export interface ReleasedGroupMargin extends ReleasedPair {
  /** `pplNeg − pplGt`, to 6 decimals; 0 where one is absent or not finite. */
  readonly margin: number;
  /** σ(margin / 0.1), to 4 decimals. */
  readonly certainty: number;
}

const TAU = 0.1;

const GOLD_NAMES: ReadonlyMap<string, ReleasedLetter> = new Map([
  ["a", "A"],
  ["b", "B"],
  ["c", "C"],
  ["d", "D"],
  ["direct_answer", "A"],
  ["direct", "A"],
  ["tool_call", "B"],
  ["request_for_info", "C"],
  ["cannot_answer", "D"],
]);

/**
 * The margins of a group of samples of one prompt as TRUST's released code takes them (revision 2b5be3e, full group): per
 * sample, its own PPL against the mean of the other side. An unparsed sample is in no mean and gets both means.
 *
 * Unlike Eq. 4 of the paper a group in which all are right has margins ≤ 0, one in which all are wrong margins ≥ 0.
 *
 * @param goldLabel - a letter, a name or the alias `direct`, in any letter case and trimmed; anything else reads A.
 * @param samples - `(n)`, n ≥ 0.
 * @returns `(n)`, in order; empty for no samples. Linear.
 *
 * @example
 * ```ts
 * import { releasedGroup } from "calibrant/rewards";
 * const samples = [
 *   { letter: "A", ppl: 1.1 },
 *   { letter: "A", ppl: 1.3 },
 *   { letter: "B", ppl: 1.5 },
 * ];
 * console.log(releasedGroup("A", samples).map(({ margin, certainty }) => [margin, certainty]).join(" ")); // 0.4,0.982 0.2,0.8808 0.3,0.9526
 * ```
 */
export function releasedGroup(goldLabel: unknown, samples: readonly ReleasedSample[]): ReleasedGroupMargin[] {
  const gold = releasedGold(goldLabel);
  const sides = samples.map(({ letter, ppl }) => ({
    ppl,
    isRight: letter === null ? null : letter === gold,
  }));
  const meanOf = (side: boolean): number | null => {
    const ppls = sides.flatMap(({ isRight, ppl }) => (isRight === side && ppl !== null ? ppl : []));
    return ppls.length === 0 ? null : ppls.reduce((sum, ppl) => sum + ppl, 0) / ppls.length;
  };
  const meanRight = meanOf(true);
  const meanWrong = meanOf(false);
  return sides.map((side) => {
    const pair = releasedPair({ ...side, meanRight, meanWrong, samples: samples.length });
    const margin = releasedMargin(pair.pplGt, pair.pplNeg);
    const certainty = roundHalfEven(releasedCertainty(margin, TAU), 4);
    return { ...pair, margin: roundHalfEven(margin, 6), certainty };
  });
}

/**
 * The gold letter of a label as the released group margins read it: a letter or an action name (`direct` too), in any
 * letter case, trimmed. Anything else, nothing at all and the aliases `ask`, `tool` and `unable` too, is A.
 */
export function releasedGold(label: unknown): ReleasedLetter {
  return (typeof label === "string" && GOLD_NAMES.get(pythonStrip(label).toLowerCase())) || "A";
}

/**
 * The two perplexities of one sample from the means of its group: its own on its own side, the other side's mean on the
 * other. In a group of two or more what is missing is filled: by the mean of its side, else by 1.
 *
 * @param sample.isRight - null = unparsed; its own PPL is on neither side.
 * @param sample.meanRight - mean PPL of the right samples that have one; null without. `meanWrong` alike.
 * @param sample.samples - size of the group.
 */
export function releasedPair(sample: {
  readonly isRight: boolean | null;
  readonly ppl: number | null;
  readonly meanRight: number | null;
  readonly meanWrong: number | null;
  readonly samples: number;
}): ReleasedPair {
  const { isRight, ppl } = sample;
  const own = (side: boolean, mean: number | null): number | null => {
    const given = isRight === side ? ppl : null;
    const filled = sample.samples < 2 ? given : (given ?? mean ?? 1);
    return filled === null ? null : roundHalfEven(filled, 6);
  };
  return { pplGt: own(true, sample.meanRight), pplNeg: own(false, sample.meanWrong) };
}
