const ASCII_WORD = /[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;
const ANY_WORD = /\p{Lu}{2,}s(?!\p{Ll})|\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lt}\p{Lm}\p{Lo}\p{M}]+|\p{N}+/gu;

/**
 * The words of a field's name or of a state, in lower case: `user_id`, `userId`, `user-id` and `USER ID` are all
 * `["user", "id"]`; digits are words of their own. Empty for a text without letters and digits.
 */
export function fieldWords(name: string): string[] {
  return (name.match(isAscii(name) ? ASCII_WORD : ANY_WORD) ?? []).map((word) => word.toLowerCase());
}

/** Like {@link fieldWords}, the words as they are written, each with where it begins. */
export function placedWords(text: string): { readonly word: string; readonly start: number }[] {
  return [...text.matchAll(isAscii(text) ? ASCII_WORD : ANY_WORD)].map((match) => ({
    word: match[0],
    start: match.index,
  }));
}

/** One spelling for all spellings of a field's name; a name without words is itself. */
export function plainName(name: string): string {
  return fieldWords(name).join("_") || name;
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) > 127) return false;
  return true;
}
