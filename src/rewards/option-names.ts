/** The options of each reward, by the names that functions know them by. */
export const TRUST_OPTIONS = [
  "tau",
  "positive",
  "emptyGroup",
  "weights",
  "format",
  "answer",
  "sentinels",
  "level",
] as const;
export const RELEASED_OPTIONS = ["tau", "lambda", "text", "sentinels"] as const;
