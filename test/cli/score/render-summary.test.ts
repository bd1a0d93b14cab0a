import { describe, expect, it } from "vitest";
import { renderSummary, type TimedSummary } from "../../../src/cli/score/render-summary.ts";

const SUMMARY: TimedSummary = {
  rows: 12_345,
  groups: 1_000,
  rewards: ["trust", "trust - 0.1*n"],
  choices: {
    trust: { tau: 0.1, sentinels: [-9999, -1e9], format: "on", weights: { class: 1 } },
    advantage: { std: "sample", eps: 1e-6 },
  },
  status: { status: { ok: 12_000, null_term: 345 }, trust_status: {} },
  parts: {
    trust_ppl: { n: 12_000, nulls: 345, mean: Number.POSITIVE_INFINITY, quartiles: [1, 1.23456789, 1e21] },
    reward: { n: 0, nulls: 12_345, mean: null, quartiles: null },
  },
  quartileRows: 12_345,
  nonFinite: {},
  seed: 7,
  seconds: 0.5,
};

describe("renderSummary", () => {
  it("is a few lines and a table", () => {
    expect(renderSummary(SUMMARY)).toBe(
      [
        "12,345 rows, 1,000 groups, 24,690 rows/s",
        "reward: trust, trust - 0.1*n",
        'trust: tau=0.1 sentinels=[-9999,-1000000000] format=on weights={"class":1}',
        "advantage: std=sample eps=0.000001",
        "status: ok 12,000, null_term 345",
        "trust_status: none",
        "",
        "part            n    null      mean  25 %     50 %   75 %",
        "trust_ppl  12,000     345  Infinity     1  1.23457  1e+21",
        "reward          0  12,345         –     –        –      –",
        "",
      ].join("\n"),
    );
  });

  it("says that quartiles come from a sample, and what stood for numbers in the input", () => {
    const lines = renderSummary({
      ...SUMMARY,
      rows: 100_000,
      quartileRows: 65_536,
      nonFinite: { logprobs: 3, ppl: 1 },
    }).split("\n");
    expect(lines).toContain("bare NaN/Infinity in the input: logprobs 3, ppl 1");
    expect(lines.at(-2)).toBe("quartiles from a random sample of 65,536 rows, seed 7");
  });

  it("does without rows and without time", () => {
    const empty = { ...SUMMARY, rows: 0, groups: 0, parts: {}, quartileRows: 0, seconds: 0 };
    const lines = renderSummary(empty).split("\n");
    expect(lines[0]).toBe("0 rows, 0 groups, 0 rows/s");
    expect(lines.slice(-2)).toEqual(["part  n  null  mean  25 %  50 %  75 %", ""]);
  });

  it("writes -0 and small numbers as numbers", () => {
    const parts = { x: { n: 1, nulls: 0, mean: -0, quartiles: [1e-7, Number.NaN, -2.5] as const } };
    expect(
      renderSummary({ ...SUMMARY, parts })
        .split("\n")
        .at(-2),
    ).toBe("x     1     0     0  1e-7   NaN  -2.5");
  });
});
