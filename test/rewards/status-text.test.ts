import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { statusText, statusWords } from "../../src/rewards/status-text.ts";

const NAMES = Array.from({ length: 32 }, (_, bit) => `bit${bit}`);

describe("statusWords", () => {
  it("is ok for none, else the words of all bits from the lowest", () => {
    expect(statusWords(0, ["a", "b"])).toEqual(["ok"]);
    expect(statusWords(1, ["a", "b", "c"])).toEqual(["a"]);
    expect(statusWords(6, ["a", "b", "c"])).toEqual(["b", "c"]);
  });

  it("reads all 32 bits", () => {
    expect(statusWords(0x80000000, NAMES)).toEqual(["bit31"]);
    expect(statusWords(0x80000001, NAMES)).toEqual(["bit0", "bit31"]);
    expect(statusWords(0xffffffff, NAMES)).toEqual(NAMES);
  });
});

describe("statusText", () => {
  it("has each mask once, in order of first appearance", () => {
    expect(statusText("s", Uint32Array.of(2, 0, 2, 3), ["a", "b"])).toEqual({
      name: "s",
      type: "utf8",
      codes: Int32Array.of(0, 1, 0, 2),
      dictionary: ["b", "ok", "a;b"],
    });
    expect(statusText("s", new Uint32Array(0), ["a"])).toMatchObject({
      codes: new Int32Array(0),
      dictionary: [],
    });
  });

  it("says of every row what its mask says", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 })), (masks) => {
        const column = statusText("s", Uint32Array.from(masks), NAMES);
        if (column.type !== "utf8") throw new Error("a status is text");
        const texts = [...column.codes].map((code) => column.dictionary[code]);
        expect(texts).toEqual(masks.map((mask) => statusWords(mask, NAMES).join(";")));
        expect(new Set(column.dictionary).size).toBe(column.dictionary.length);
      }),
    );
  });
});
