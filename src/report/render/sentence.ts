/** A slice's label inside a sentence: it comes from the data, so every renderer marks and escapes it in its own way. */
export interface LabelPart {
  readonly label: string;
}

/** A sentence of plain words and of labels from the data. */
export type Sentence = readonly (string | LabelPart)[];

/**
 * The sentence as one text.
 *
 * @param word writes the words; default as they are
 * @param label writes a label; default as it is
 */
export function sentenceText(
  sentence: Sentence,
  word: (text: string) => string = (text) => text,
  label: (text: string) => string = (text) => text,
): string {
  return sentence.map((part) => (typeof part === "string" ? word(part) : label(part.label))).join("");
}

/** The parts joined by commas and a last `and`. */
export function listOf(items: readonly Sentence[]): Sentence {
  return items.flatMap((item, index) => {
    if (index === 0) return item;
    return [index === items.length - 1 ? " and " : ", ", ...item];
  });
}

/** `1 slice`, `2 slices`. */
export function plural(count: string | number, noun: string, plurals = `${noun}s`): string {
  return `${count} ${String(count) === "1" ? noun : plurals}`;
}
