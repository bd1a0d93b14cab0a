import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pythonFloatText } from "../../../src/rewards/released/python-float.ts";
import { readPythonFloat } from "../../../src/rewards/released/python-number.ts";
import { isPythonSpace, isPythonWord, pythonStrip } from "../../../src/rewards/released/python-text.ts";

const { floats } = JSON.parse(
  readFileSync(new URL("../../golden/released-turn.json", import.meta.url), "utf8"),
) as { readonly floats: readonly [string, string | null][] };

describe("Python's whitespace", () => {
  it("is exactly str.isspace()", () => {
    const spaces: number[] = [];
    for (let code = 0; code <= 0xffff; code += 1) if (isPythonSpace(code)) spaces.push(code);
    const between = Array.from({ length: 11 }, (_, i) => 0x2000 + i);
    const ascii = [9, 10, 11, 12, 13, 28, 29, 30, 31, 32];
    const above = [0x2028, 0x2029, 0x202f, 0x205f, 0x3000];
    expect(spaces).toEqual([...ascii, 0x85, 0xa0, 0x1680, ...between, ...above]);
    expect(isPythonSpace(Number.NaN)).toBe(false);
  });

  it("is what pythonStrip removes, and no more", () => {
    expect(pythonStrip("\x1c\u0085\u00a0 a b\u2029\u3000\n")).toBe("a b");
    expect(pythonStrip("\ufeff a \u200b")).toBe("\ufeff a \u200b");
    expect(pythonStrip(" \n")).toBe("");
  });
});

describe("isPythonWord", () => {
  it("takes letters and numbers of any script and _, no mark, no symbol, no half of a pair", () => {
    const words = ["a", "Z", "0", "_", "é", "是", "²", "½", "Ⅷ", "٣", "𝐀", "𐏕"];
    expect(words.filter((text) => !isPythonWord(text.codePointAt(0) as number))).toEqual([]);
    const others = ["@", "[", "`", "{", "\u0301", "😀", "’", "\ud835", "\u200b", "‿"];
    expect(others.filter((text) => isPythonWord(text.codePointAt(0) as number))).toEqual([]);
  });
});

describe("readPythonFloat", () => {
  it("reads what Python's float() reads", () => {
    const different = floats.filter(([text, wanted]) => {
      const number = readPythonFloat(text);
      return (number === null ? null : pythonFloatText(number)) !== wanted;
    });
    expect(different).toEqual([]);
  });

  it("takes numbers as they are and nothing but numbers and text", () => {
    expect([1.5, 7n, " -Inf ", "1_000.5", "٣.５", "1e400"].map(readPythonFloat)).toEqual([
      1.5,
      7,
      Number.NEGATIVE_INFINITY,
      1000.5,
      3.5,
      Number.POSITIVE_INFINITY,
    ]);
    expect([null, undefined, true, [1], {}, "", "0x10", "1__0", "1,5"].map(readPythonFloat)).toEqual(
      Array(9).fill(null),
    );
    expect(readPythonFloat("+NaN")).toBeNaN();
  });
});
