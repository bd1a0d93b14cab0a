import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shellWords } from "../../src/cli/shell-words.ts";

describe("shellWords", () => {
  it("leaves plain words alone and quotes the others", () => {
    expect(
      shellWords(["calibrant", "report", "a.jsonl", "--fail-if", "iou > 0.5", "it's", "", "*.jsonl"]),
    ).toBe(`calibrant report a.jsonl --fail-if 'iou > 0.5' 'it'\\''s' '' '*.jsonl'`);
  });

  it.skipIf(process.platform === "win32")("is read back by a shell as the same arguments", () => {
    const word = fc
      .string({ unit: "grapheme" })
      .filter((text) => !text.includes("\0") && !text.includes("\r"));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
        const script = `for word in ${shellWords(words)}; do printf '%s\\0' "$word"; done`;
        const { stdout } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
        expect(stdout.split("\0").slice(0, -1)).toEqual(words);
      }),
      { numRuns: 50 },
    );
  });
});
