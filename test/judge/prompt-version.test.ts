import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { labelBalance } from "../../src/judge/label-balance.ts";
import {
  ANNOTATOR_PROMPT_VERSION,
  annotatorPromptHash,
  JUDGE_PROMPT_VERSION,
  judgePromptHash,
} from "../../src/judge/prompt-version.ts";
import { fittingLimit, shortenMiddle } from "../../src/judge/shorten-texts.ts";

describe("the prompts", () => {
  it("have not changed without a new version", async () => {
    expect([ANNOTATOR_PROMPT_VERSION, await annotatorPromptHash()]).toEqual([
      "1",
      "323737afcf1fec09690069c7d2be375482e92724bbd762ca0fbf9e4ff49af882",
    ]);
    expect([JUDGE_PROMPT_VERSION, await judgePromptHash()]).toEqual([
      "1",
      "438dca24085b40420f684874847b7dbecf2a805ddddaedd19e48fae958cd6b87",
    ]);
  });
});

describe("labelBalance", () => {
  const of = (direct_answer: number, tool_call: number, request_for_info: number, cannot_answer: number) => {
    const { under, over } = labelBalance({ direct_answer, tool_call, request_for_info, cannot_answer });
    return [under.join(" "), over.join(" ")];
  };

  it("names actions below 80 % and above 120 % of an even share, from 8 labels on", () => {
    expect(of(0, 7, 0, 0)).toEqual(["", ""]);
    expect(of(0, 8, 0, 0)).toEqual(["direct_answer request_for_info cannot_answer", "tool_call"]);
    expect(of(2, 2, 2, 2)).toEqual(["", ""]);
    expect(of(20, 30, 25, 25)).toEqual(["", ""]);
    expect(of(19, 31, 25, 25)).toEqual(["direct_answer", "tool_call"]);
  });
});

describe("shortening", () => {
  it("keeps the limit, both ends and whole characters, and counts what is left out", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 400 }),
        fc.integer({ min: 60, max: 200 }),
        (text, limit) => {
          const short = shortenMiddle(text, limit);
          expect(short === text).toBe(text.length <= limit);
          if (short === text) return;
          const [, head = "", out = "", tail = ""] =
            /^(.*) … \[(\d+) characters left out\] … (.*)$/s.exec(short) ?? [];
          expect(short.length).toBeLessThanOrEqual(limit);
          expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
          expect(head.length + Number(out) + tail.length).toBe(text.length);
          expect(/\p{Surrogate}/u.test(short)).toBe(/\p{Surrogate}/u.test(text));
        },
      ),
      { numRuns: 200 },
    );
  });

  it("finds the largest limit that fits", () => {
    expect(fittingLimit([10, 20, 1000], 2000)).toBe(Number.POSITIVE_INFINITY);
    expect(fittingLimit([10, 1000, 2000], 2000)).toBe(995);
    expect(fittingLimit([500, 500, 500], 30)).toBe(100);
    expect(fittingLimit([], 30)).toBe(Number.POSITIVE_INFINITY);
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 5000 }), { maxLength: 20 }),
        fc.integer({ min: 3000, max: 20_000 }),
        (lengths, total) => {
          const limit = fittingLimit(lengths, total);
          const sum = (most: number): number =>
            lengths.reduce((all, length) => all + Math.min(length, most), 0);
          expect(sum(limit)).toBeLessThanOrEqual(total);
          if (limit !== Number.POSITIVE_INFINITY) expect(sum(limit + 1)).toBeGreaterThan(total);
        },
      ),
    );
  });
});
