import type { ResultColumn } from "../data/columns.ts";

/**
 * Status masks as a text column: the words of all set bits joined by `;`, `ok` where none is set.
 *
 * @param names - `names[b]` is the word for bit b.
 */
export function statusText(name: string, masks: Uint32Array, names: readonly string[]): ResultColumn {
  const codeOf = new Map<number, number>();
  const dictionary: string[] = [];
  const codes = new Int32Array(masks.length);
  for (let row = 0; row < masks.length; row += 1) {
    const mask = masks[row] as number;
    let code = codeOf.get(mask);
    if (code === undefined) {
      code = dictionary.length;
      codeOf.set(mask, code);
      dictionary.push(statusWords(mask, names).join(";"));
    }
    codes[row] = code;
  }
  return { name, type: "utf8", codes, dictionary };
}

/** Status masks as texts, with the word `filtered` where the advantages say so: what the library entries return. */
export function statusTexts(masks: Uint32Array, filtered: Uint8Array, names: readonly string[]): string[] {
  const known = new Map<number, string>();
  const texts: string[] = [];
  for (let row = 0; row < masks.length; row += 1) {
    const mask = masks[row] as number;
    const isFiltered = filtered[row] === 1;
    const key = 2 * mask + (isFiltered ? 1 : 0);
    let text = known.get(key);
    if (text === undefined) {
      const words = statusWords(mask, names);
      text = (isFiltered ? [...words, "filtered"] : words).join(";");
      known.set(key, text);
    }
    texts.push(text);
  }
  return texts;
}

/** The words of a status mask; `["ok"]` for 0. */
export function statusWords(mask: number, names: readonly string[]): string[] {
  if (mask === 0) return ["ok"];
  return names.filter((_, bit) => (mask & (1 << bit)) !== 0);
}
