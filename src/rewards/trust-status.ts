import { MARGIN_STATUSES } from "../uq/margin.ts";
import { PERPLEXITY_FLAGS } from "../uq/perplexity-flags.ts";

/**
 * The words of a TRUST status, bit by bit: where the margin of the group comes from (one of the first four, or
 * `no_group`), then facts of the row.
 *
 * - `unparsed`: the action is none of the four
 * - `no_gold`: the gold action is missing or none of the four; no reward, and in no mean
 * - the flags of the row's perplexity (PERPLEXITY_FLAGS)
 * - `bad_ppl`: a given ppl, ref_ppl, ref_logprobs or neg_ppl is no perplexity (below 1) and was not used
 * - `no_response`: no text to judge the format or the answer by; R_fmt or R_ans is null and adds nothing
 * - `no_gt_answer`: nothing to compare the answer with; R_ans is null and adds nothing
 */
export const TRUST_STATUSES: readonly string[] = [
  ...MARGIN_STATUSES,
  "no_group",
  "unparsed",
  "no_gold",
  ...PERPLEXITY_FLAGS,
  "bad_ppl",
  "no_response",
  "no_gt_answer",
];

/** The bit values of the status words that are no perplexity flags. */
export const TRUST_BIT: Readonly<
  Record<"noGroup" | "unparsed" | "noGold" | "badPpl" | "noResponse" | "noGtAnswer", number>
> = {
  noGroup: bitOf("no_group"),
  unparsed: bitOf("unparsed"),
  noGold: bitOf("no_gold"),
  badPpl: bitOf("bad_ppl"),
  noResponse: bitOf("no_response"),
  noGtAnswer: bitOf("no_gt_answer"),
};

/** Where the perplexity flags begin: `flags << FLAG_SHIFT` are their status bits. */
export const FLAG_SHIFT: number = TRUST_STATUSES.indexOf(PERPLEXITY_FLAGS[0]);

function bitOf(word: string): number {
  return 2 ** TRUST_STATUSES.indexOf(word);
}
