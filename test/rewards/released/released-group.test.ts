import { describe, expect, it } from "vitest";
import { releasedGold, releasedGroup, releasedPair } from "../../../src/rewards/released/released-group.ts";
import { HAS_VECTORS, numberOf, vectors } from "./shared-cases.ts";

interface GroupInput {
  readonly gold_label: string;
  readonly samples: readonly {
    readonly pred_letter: string | null;
    readonly seq_ppl: number | string | null;
  }[];
}

type GroupExpected = readonly {
  readonly ppl_gt: number | string | null;
  readonly ppl_neg: number | string | null;
  readonly margin: number;
  readonly cert: number;
}[];

describe.skipIf(!HAS_VECTORS)("the shared vectors of released_group", () => {
  it.each(vectors<GroupInput, GroupExpected>("released_group"))("$name", ({ input, expected }) => {
    const samples = input.samples.map(({ pred_letter, seq_ppl }) => ({
      letter: pred_letter,
      ppl: numberOf(seq_ppl),
    }));
    expect(releasedGroup(input.gold_label, samples)).toEqual(
      expected.map(({ ppl_gt, ppl_neg, margin, cert }) => ({
        pplGt: numberOf(ppl_gt),
        pplNeg: numberOf(ppl_neg),
        margin,
        certainty: cert,
      })),
    );
  });
});

describe("releasedGroup", () => {
  it("takes margin and certainty from the rounded pair", () => {
    expect(
      releasedGroup("a", [
        { letter: "A", ppl: 1.0000004 },
        { letter: "B", ppl: 1.1000006 },
      ])[0],
    ).toEqual({ pplGt: 1, pplNeg: 1.100001, margin: 0.100001, certainty: 0.7311 });
  });

  it("has a defined result for no, infinite and missing perplexities", () => {
    const [infinity, none] = [Number.POSITIVE_INFINITY, null];
    expect(releasedGroup("A", [])).toEqual([]);
    expect(
      releasedGroup("D", [
        { letter: "D", ppl: infinity },
        { letter: "A", ppl: 2 },
      ]),
    ).toEqual(Array(2).fill({ pplGt: infinity, pplNeg: 2, margin: 0, certainty: 0.5 }));
    expect(releasedGroup("A", Array(3).fill({ letter: "A", ppl: none }))).toEqual(
      Array(3).fill({ pplGt: 1, pplNeg: 1, margin: 0, certainty: 0.5 }),
    );
    expect(releasedGroup("A", [{ letter: null, ppl: 3 }])).toEqual([
      { pplGt: null, pplNeg: null, margin: 0, certainty: 0.5 },
    ]);
    expect(releasedGroup(null, [{ letter: "A", ppl: 3 }])[0]?.pplGt).toBe(3);
  });
});

describe("releasedGold", () => {
  it("knows letters and names in any case, and takes anything else for A", () => {
    const read: readonly (readonly [unknown, string])[] = [
      [" b\u0085", "B"],
      ["Direct", "A"],
      ["TOOL_CALL", "B"],
      ["\u3000request_for_info", "C"],
      ["Cannot_Answer", "D"],
      ["\ufeffd", "A"],
      ["unable", "A"],
      ["", "A"],
      [null, "A"],
      [undefined, "A"],
      [3, "A"],
    ];
    for (const [label, letter] of read) expect([label, releasedGold(label)]).toEqual([label, letter]);
  });
});

describe("releasedPair", () => {
  it("fills what is missing by the mean, then by 1, but not for a lone sample", () => {
    const sample = { isRight: true, ppl: null, meanRight: 1.25, meanWrong: null, samples: 2 };
    expect(releasedPair(sample)).toEqual({ pplGt: 1.25, pplNeg: 1 });
    expect(releasedPair({ ...sample, samples: 1, ppl: 1.23456789 })).toEqual({
      pplGt: 1.234568,
      pplNeg: null,
    });
    expect(releasedPair({ ...sample, isRight: null, ppl: 9, meanWrong: 2 })).toEqual({
      pplGt: 1.25,
      pplNeg: 2,
    });
  });
});
