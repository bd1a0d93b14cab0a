const WORDS: ReadonlyMap<string, number> = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);

/**
 * The number that a JSON string stands for: `"NaN"`, `"Infinity"` and `"-Infinity"` are how JSON output of this
 * package writes numbers that JSON has no form for. Any other text gives `undefined`; numeric text is not read.
 */
export function nonFiniteFromWord(text: string): number | undefined {
  return WORDS.get(text);
}
