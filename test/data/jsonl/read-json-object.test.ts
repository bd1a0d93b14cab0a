import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJsonObject } from "../../../src/data/jsonl/read-json-object.ts";

/** What the reader says of every brace of a text: the end of the object that begins there, 0 where none does. */
function objectEnds(text: string): number[] {
  const ends = new Int32Array(text.length);
  for (let at = text.length - 1; at >= 0; at -= 1)
    if (text[at] === "{") ends[at] = readJsonObject(text, at, ends, () => undefined);
  return Array.from(ends);
}

/** The same by asking `JSON.parse` about every piece of the text. */
function parsedEnds(text: string): number[] {
  return Array.from(text, (character, start) => {
    if (character !== "{") return 0;
    for (let end = start + 2; end <= text.length; end += 1) {
      try {
        JSON.parse(text.slice(start, end));
        return end;
      } catch {
        // Not here.
      }
    }
    return 0;
  });
}

describe("readJsonObject", () => {
  it.each([
    "{}",
    '{"a":1,"b":[1,[2,{}],[]],"c":{"d":"}"}} tail',
    '{"a":[1,]}',
    '{"a":1,}',
    '{"a":[}',
    '{"a":"\\u12g4"}',
    '{"a":"\\u00e9\\n\\""}',
    '{"a":"line\nbreak"}',
    '{"a":01}{"a":-0.5e+3}{"a":1.}{"a":1e}{"a":-}{"a":.5}',
    '{"a":true,"b":false,"c":null,"d":nul}',
    "{'a':1}",
    '{"a" : { "b" :\t[ ] } ,\n"c":\r{ } }',
    '{"a":"{"b":1}"}',
  ])("ends objects where JSON.parse does: %s", (text) => {
    expect(objectEnds(text)).toEqual(parsedEnds(text));
  });

  it("agrees with JSON.parse on any jumble of JSON's pieces", () => {
    const piece = fc.constantFrom(
      '{"',
      '":',
      '"',
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      "1",
      "0.",
      "e5",
      "null",
      "\\",
      " ",
      "a",
    );
    const jumble = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(""));
    const json = fc.json({ maxDepth: 3 }).map((text) => `x${text}{`);
    fc.assert(
      fc.property(fc.oneof(jumble, json), (text) => {
        expect(objectEnds(text)).toEqual(parsedEnds(text));
      }),
      { numRuns: 400 },
    );
  });
});
