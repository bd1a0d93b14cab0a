import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { actionCode } from "../../src/data/calls/action.ts";
import {
  ANSWER,
  ANSWER_END,
  CALL,
  CALL_END,
  LETTER,
  LETTER_END,
  NAME,
  nameCode,
  THINK,
  THINK_END,
  tagAt,
} from "../../src/rewards/response-tags.ts";

const MARKERS: Readonly<Record<string, number>> = {
  think: THINK,
  "/think": THINK_END,
  answer: ANSWER,
  "/answer": ANSWER_END,
  tool_call: CALL,
  "/tool_call": CALL_END,
};

/** The kind of the tag behind a `<`, said with a pattern and a table. */
function plainKind(rest: string): number {
  const word = /^([a-z_/]+)>/i.exec(rest)?.[1];
  // The pattern's `i` alone would do, but for letters that only lower-casing turns into ASCII.
  if (word === undefined || !/^[\x21-\x7e]+$/.test(word)) return 0;
  const lower = word.toLowerCase();
  if (lower in MARKERS) return MARKERS[lower] as number;
  if (/^[a-d]$/.test(lower)) return LETTER + lower.charCodeAt(0) - 97;
  if (/^\/[a-d]$/.test(lower)) return LETTER_END + lower.charCodeAt(1) - 97;
  return actionCode(lower) < 0 ? 0 : NAME + actionCode(lower);
}

const words = [
  ...Object.keys(MARKERS),
  ..."abcd/a/b/e".split(/(?=\/)|(?<=[a-d])(?=[a-d])/),
  ...["direct_answer", "direct", "tool", "request_for_info", "ask", "cannot_answer", "unable"],
];
/** Pieces of tags, and characters that differ from theirs in the bit of the letter case only. */
const piece = fc.constantFrom(...words, "_", "/", ">", "<", "\x7f", "\x1e", "\x0f", "{", "K", "ſ", "é", " ");
const text = fc
  .tuple(fc.array(piece, { maxLength: 3 }), fc.boolean(), fc.constantFrom("", ">", "> x"))
  .map(([pieces, upper, end]) => (upper ? pieces.join("").toUpperCase() : pieces.join("")) + end);

describe("tagAt", () => {
  it("finds what a plain reading of the tags finds, and its length", () => {
    fc.assert(
      fc.property(text, (rest) => {
        const tag = tagAt(`x<${rest}`, 2);
        expect(tag?.kind ?? 0).toBe(plainKind(rest));
        if (tag !== null) expect(rest[tag.units.length - 1]).toBe(">");
      }),
      { numRuns: 2000 },
    );
  });

  it.each(words.filter((word) => plainKind(`${word}>`) > 0))("knows %s in any letter case", (word) => {
    const kind = plainKind(`${word}>`);
    for (const spelling of [word, word.toUpperCase(), `${word[0]?.toUpperCase()}${word.slice(1)}`]) {
      expect(tagAt(`<${spelling}>`, 1)?.kind).toBe(kind);
      expect(tagAt(`<${spelling}`, 1)).toBeNull();
    }
  });
});

describe("nameCode", () => {
  it("reads a name in a text as actionCode reads it alone", () => {
    fc.assert(
      fc.property(fc.constantFrom(...words, "direct_", "request_for_info_"), fc.boolean(), (word, upper) => {
        const name = upper ? word.toUpperCase() : word;
        expect(nameCode(`x ${name}<A>`, 2, 2 + name.length)).toBe(actionCode(name));
      }),
    );
  });
});
