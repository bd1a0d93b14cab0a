import { placedWords } from "./field-words.ts";

/** A stage found at the beginning of a value. */
export interface StageMatch {
  readonly index: number;
  /** The part of the value that names the stage. */
  readonly written: string;
}

/** No stage of more words is looked for. */
const MOST_WORDS = 6;

/**
 * The stage that a value begins with, the longest that fits: "pending (item modified)" is at `pending`.
 *
 * @param indexOf - the number of a stage by its words joined with `_`.
 */
export function matchStage(value: string, indexOf: ReadonlyMap<string, number>): StageMatch | null {
  const words = placedWords(value.slice(0, 200)).slice(0, MOST_WORDS);
  for (let count = words.length; count > 0; count -= 1) {
    const joined = words.slice(0, count).map(({ word }) => word.toLowerCase());
    const index = indexOf.get(joined.join("_"));
    if (index === undefined) continue;
    const last = words[count - 1] as { readonly word: string; readonly start: number };
    return { index, written: value.slice(words[0]?.start, last.start + last.word.length) };
  }
  return null;
}

/**
 * A stage in the spelling of another: the case of `like` and what stands between its words. Where `like` is one word, the
 * separator is that of `stage`, or a space after a capital ("Delivered" → "In Transit").
 */
export function spelledLike(stage: string, like: string): string {
  const words = placedWords(stage).map(({ word }) => word.toLowerCase());
  const model = placedWords(like);
  const first = model[0]?.word ?? "";
  const second = model[1];
  const isUpper = like === like.toUpperCase();
  const isCapital = first[0] !== first[0]?.toLowerCase();
  const separator =
    second === undefined
      ? isCapital && !isUpper
        ? " "
        : separatorOf(stage)
      : like.slice(first.length + (model[0]?.start ?? 0), second.start);
  const later = second === undefined ? model : model.slice(1);
  const capitalAfter = later.some(({ word }) => word[0] !== word[0]?.toLowerCase());
  return words
    .map((word, i) => {
      if (isUpper) return word.toUpperCase();
      return (i === 0 ? isCapital : capitalAfter) ? capitalized(word) : word;
    })
    .join(separator);
}

function separatorOf(stage: string): string {
  const [first, second] = placedWords(stage);
  if (first === undefined || second === undefined) return "_";
  return stage.slice(first.start + first.word.length, second.start);
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
