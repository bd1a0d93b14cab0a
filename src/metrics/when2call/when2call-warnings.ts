import { ACTIONS } from "../../types.ts";
import { listedIds } from "../listed-ids.ts";
import { WHEN2CALL_STATUSES, type When2CallStatus } from "./choice-outcome.ts";
import type { ScoredItems } from "./score-items.ts";
import type { When2CallItem } from "./when2call-item.ts";
import type { When2CallSettings } from "./when2call-options.ts";

/** What a reader of the scores must know, a sentence each, most serious first. */
export function when2callWarnings(
  items: readonly When2CallItem[],
  scored: ScoredItems,
  settings: When2CallSettings,
): string[] {
  const idsOf = (status: When2CallStatus): string[] => {
    const code = WHEN2CALL_STATUSES.indexOf(status);
    return items.filter((_, item) => scored.status[item] === code).map(({ id }) => id);
  };
  const warning = (status: When2CallStatus, text: string): string[] => {
    const ids = idsOf(status).sort();
    return ids.length === 0 ? [] : [`${ids.length} of ${items.length} items ${text}: ${listedIds(ids, 5)}.`];
  };
  return [
    ...warning(
      "few_tokens",
      `get no score, since the log-probs of a choice cover fewer tokens than its text plausibly has (its characters / ${settings.maxCharactersPerToken}; without text, one token in all four)`,
    ),
    ...warning(
      "no_choice_text",
      "have no length-normalised score, since a choice has no text to divide by (acc_norm and what it decides leave them out)",
    ),
    ...warning(
      "bad_logprob",
      "count as wrong, since a choice's log-prob is missing, NaN or positive (unparsed)",
    ),
    ...warning(
      "unparsed_label",
      `count as wrong, since the prediction names no category (unparsed${settings.letters ? "" : "; the letters A to D are read with the option letters"})`,
    ),
    ...warning("missing", "count as wrong, since they have no prediction"),
    ...unknownTools(items),
    ...compatZero(scored, settings),
  ];
}

function unknownTools(items: readonly When2CallItem[]): string[] {
  const unknown = items.filter((item) => item.correct_answer === "cannot_answer" && item.tools === null);
  if (unknown.length === 0) return [];
  return [
    `${unknown.length} items with the gold answer cannot_answer do not say which tools were given: they are left out of the tool hallucination.`,
  ];
}

function compatZero({ gold, noTools }: ScoredItems, { compat }: When2CallSettings): string[] {
  const cannot = ACTIONS.indexOf("cannot_answer");
  if (!compat || gold.some((code, item) => code === cannot && noTools[item] === 1)) return [];
  return ["No item could show a tool hallucination: the 0.0 is reported for compatibility only."];
}
