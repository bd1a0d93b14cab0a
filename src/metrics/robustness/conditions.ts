import type { RobustnessCondition } from "./robustness-result.ts";

/** What a row's condition is stored as; `cleanAlt` rows ran without faults but with the alternative tools at hand. */
export const CONDITION = { clean: 0, injected: 1, injectedAlt: 2, cleanAlt: 3 } as const;

/** The stored conditions behind each condition of the tables. */
export const STORED_CONDITIONS: Readonly<Record<RobustnessCondition, readonly number[]>> = {
  clean: [CONDITION.clean, CONDITION.cleanAlt],
  injected: [CONDITION.injected],
  injectedAlt: [CONDITION.injectedAlt],
};

/** The conditions in the order of the tables. */
export const CONDITIONS: readonly RobustnessCondition[] = ["clean", "injected", "injectedAlt"];

const WORDS: ReadonlyMap<string, number> = new Map([
  ["clean", CONDITION.clean],
  ["inject", CONDITION.injected],
  ["injected", CONDITION.injected],
  ["inject_alt", CONDITION.injectedAlt],
  ["inject+alt", CONDITION.injectedAlt],
  ["injected_alt", CONDITION.injectedAlt],
  ["injected+alt", CONDITION.injectedAlt],
]);

/** The words that a `condition` may be, for messages. */
export const CONDITION_WORDS: string = [...WORDS.keys()].join(", ");

/** The stored condition of a word; -1 for another word. */
export function conditionCode(word: string): number {
  return WORDS.get(word) ?? -1;
}

/**
 * The stored condition of a word and the column `alt`; -1 where they contradict each other.
 *
 * @param alt 1 or 0; NaN = not said
 */
export function withAlternatives(code: number, alt: number): number {
  if (alt === 1) return code === CONDITION.clean ? CONDITION.cleanAlt : CONDITION.injectedAlt;
  return alt === 0 && code === CONDITION.injectedAlt ? -1 : code;
}
