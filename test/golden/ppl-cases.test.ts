import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { CalibrantError } from "../../src/errors.ts";
import { logSoftmax, softmaxEntropy } from "../../src/math/log-sum-exp.ts";
import { certainty } from "../../src/uq/certainty.ts";
import { corpusPerplexity } from "../../src/uq/corpus-perplexity.ts";
import { pplFromNll } from "../../src/uq/nll.ts";
import { type PerplexityOptions, perplexity } from "../../src/uq/perplexity.ts";
import { type SequencePerplexity, sequencePerplexity } from "../../src/uq/sequence-perplexity.ts";

const FILE = new URL("../../../shared/cases/uq/ppl_cases.json", import.meta.url);

// biome-ignore lint/suspicious/noExplicitAny: every case has a shape of its own
type Loose = any;

interface Case {
  readonly id: string;
  readonly line: string;
  readonly input: Loose;
  readonly expected: Loose;
}

/** JSON has no NaN and no infinities: the cases write them as text. */
function numbers(value: Loose): Loose {
  if (Array.isArray(value)) return value.map(numbers);
  return value === "NaN" || value === "Infinity" || value === "-Infinity" ? Number(value) : value;
}

const cases: readonly Case[] = existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")) : [];
const caseOf = (id: string): Case => cases.find((item) => item.id === id) as Case;

function expectResult(result: SequencePerplexity, expected: Loose): void {
  for (const name of ["n", "nll", "ppl"] as const) {
    const value = numbers(expected[name]);
    if (value === undefined) continue;
    if (value > 0 && Number.isFinite(value)) expect(result[name] / value).toBeCloseTo(1, 14);
    else expect(result[name]).toBe(value);
  }
  if (expected.flags !== undefined) expect(result.flags).toEqual(expected.flags);
}

/** Cases that are one sequence, and how it is asked for. */
const SEQUENCES: Readonly<Record<string, (input: Loose) => [(number | null)[], PerplexityOptions?]>> = {
  P01: (input) => [input.logprobs, { kind: input.kind }],
  P03: (input) => [input.logprobs],
  P04: (input) => [input.logprobs],
  P07: (input) => [input.logprobs, { mask: input.mask }],
  P08: (input) => [input.logprobs],
  P09: ({ sum_logprob, n }) => [new Array(n).fill(sum_logprob / n)],
  P12: (input) => [input.logprobs],
  P15: (input) => [input.logprobs, { mask: input.attention_mask, tokenIds: input.token_ids }],
  P21: (input) => [input.logprobs],
  P33: (input) => [input.logprobs],
  P37: (input) => [
    input.logprobs,
    { kind: "prompt", mask: input.special_ids_mask.map((bit: number) => 1 - bit) },
  ],
};

describe.skipIf(cases.length === 0)("cases from public reports", () => {
  it.each(Object.keys(SEQUENCES))("%s: a sequence", (id) => {
    const { input, expected } = caseOf(id);
    const [logprobs, options] = (SEQUENCES[id] as (input: Loose) => [(number | null)[], PerplexityOptions?])(
      input,
    );
    const result = sequencePerplexity(numbers(logprobs), options);
    expectResult(result, expected);
    for (const wrong of expected.not ?? []) expect(result.ppl).not.toBe(wrong);
  });

  it("P11: certainty at the extremes", () => {
    const { input, expected } = caseOf("P11");
    const values = certainty(input.m as number[], { tau: input.tau });
    (expected.c as number[]).forEach((c, i) => {
      expect(values[i]).toBeCloseTo(c, 15);
    });
  });

  it("P16: padding on either side", () => {
    const { input, expected } = caseOf("P16");
    for (const { logprobs, mask } of [input.left, input.right]) {
      expect(sequencePerplexity(logprobs, { mask }).ppl).toBeCloseTo(expected.ppl_both, 14);
    }
  });

  it("P17: a continuation behind a prompt without its BOS", () => {
    const { input, expected } = caseOf("P17");
    const { n, ppl } = perplexity(input.ll, Int32Array.of(input.prompt_tokens_without_bos, input.ll.length));
    expect(n[0]).toBe(expected.n);
    expect(ppl[0]).toBeCloseTo(expected.ppl, 14);
  });

  it("P24: entropy with a token of probability zero", () => {
    const { input, expected } = caseOf("P24");
    expect(softmaxEntropy(numbers(input.logits))).toBeCloseTo(expected.entropy, 14);
  });

  it("P26, P41: log-softmax neither overflows nor underflows", () => {
    const large = caseOf("P26");
    (large.expected.logprobs as number[]).forEach((logprob, i) => {
      expect(logSoftmax(large.input.logits)[i]).toBeCloseTo(logprob, 14);
    });
    const { input, expected } = caseOf("P41");
    const logprob = logSoftmax(input.logits)[input.index] as number;
    expect(logprob).toBe(expected.logprob);
    expect(sequencePerplexity([logprob]).ppl / expected.ppl).toBeCloseTo(1, 13);
  });

  it("P27: float64 for a vocabulary of 128,000", () => {
    const { input, expected } = caseOf("P27");
    const logits = new Float32Array(128_000);
    logits[0] = 12;
    const logprob = logSoftmax(logits)[input.index] as number;
    expect(logprob).toBeCloseTo(expected.f64, 12);
    expect(sequencePerplexity([logprob]).ppl).toBeCloseTo(expected.ppl_f64, 12);
  });

  it("P28: four names for four numbers", () => {
    const { input, expected } = caseOf("P28");
    const docs = input.docs as number[][];
    const offsets = Int32Array.of(0, ...docs.map((_, i) => docs.slice(0, i + 1).flat().length));
    const corpus = corpusPerplexity(perplexity(docs.flat(), offsets));
    expect(corpus.tokenWeighted).toBeCloseTo(expected.token_weighted, 14);
    expect(corpus.geoMean).toBeCloseTo(expected.geo_mean_of_seq, 14);
    expect(corpus.sumPerDoc).toBeCloseTo(expected["lm_eval_perplexity(sum per doc)"], 14);
    expect(corpus.arithMean).toBeCloseTo(expected["arith_mean_of_seq_ppl (TRUST Eq.4 E[PPL])"], 14);
  });

  it("P30: nll under the name of perplexity", () => {
    const { input, expected } = caseOf("P30");
    const { nll, ppl } = sequencePerplexity(input.logprobs);
    expect(nll).toBe(expected.lmpolygraph);
    expect(ppl).toBeCloseTo(expected.ours_ppl, 14);
    expect(pplFromNll([nll])[0]).toBe(ppl);
  });

  it("P39: token ids and log-probs of different lengths", () => {
    const { input } = caseOf("P39");
    let code = "none";
    try {
      sequencePerplexity(input.logprobs, { kind: "prompt", tokenIds: input.token_ids });
    } catch (error) {
      code = (error as CalibrantError).code;
    }
    expect(code).toBe("length-mismatch");
  });

  it("leaves none out", () => {
    const elsewhere = ["P11", "P16", "P17", "P24", "P26", "P27", "P28", "P30", "P39", "P41"];
    // P32, PPL ≥ 1, is a law of test/uq/perplexity.test.ts.
    const covered = [...Object.keys(SEQUENCES), ...elsewhere, "P32"];
    expect(cases.map(({ id }) => id).filter((id) => !covered.includes(id))).toEqual([]);
  });
});
