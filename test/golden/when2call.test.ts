import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Rate } from "../../src/metrics/rate.ts";
import type { When2CallPrediction } from "../../src/metrics/when2call/prediction-reader.ts";
import { WHEN2CALL_CHOICES, type When2CallItem } from "../../src/metrics/when2call/when2call-item.ts";
import { when2callItems } from "../../src/metrics/when2call/when2call-items.ts";
import { when2callMetrics } from "../../src/metrics/when2call/when2call-metrics.ts";
import type { When2CallResult } from "../../src/metrics/when2call/when2call-result.ts";
import { ACTIONS } from "../../src/types.ts";

const PUBLISHED = new URL("../../../shared/data/when2call/when2call_test_llm_judge.jsonl", import.meta.url);
// biome-ignore lint/suspicious/noExplicitAny: parsed JSON of known shape
type Golden = any;

const golden: Golden = JSON.parse(readFileSync(new URL("./when2call.json", import.meta.url), "utf8"));

function expectRate(rate: Rate, expected: readonly number[] | null): void {
  if (expected === null) {
    expect(rate.value).toBeNull();
    return;
  }
  const [numerator, denominator, low, high] = expected as [number, number, number, number];
  expect([rate.numerator, rate.denominator]).toEqual([numerator, denominator]);
  expect(rate.low).toBeCloseTo(low, 12);
  expect(rate.high).toBeCloseTo(high, 12);
}

function expectMetrics(result: When2CallResult, expected: Golden): void {
  const { overall, options } = result;
  expectRate(
    overall[options.decision === "acc_norm" && result.input === "logprobs" ? "accNorm" : "acc"],
    expected.acc,
  );
  expect(overall.macroF1.value).toBeCloseTo(expected.macroF1[options.classes], 13);
  expect(overall.confusion.counts).toEqual(expected.confusion);
  expect(overall.confusion.unparsed).toEqual(expected.unparsed);
  expectRate(overall.toolHallucination, expected.toolHallucination);
  expectRate(overall.fdar, expected.fdar[options.fdarDenominator]);
  expectRate(overall.answerHallucination, expected.answerHallucination);
  expectRate(overall.paramHallucination, expected.paramHallucination);
  overall.perClass.forEach((scores, code) => {
    expect(scores.support).toBe(expected.support[code]);
    for (const [value, other] of [
      [scores.precision.value, expected.precision[code]],
      [scores.recall.value, expected.recall[code]],
      [scores.f1, expected.f1[code]],
    ]) {
      if (other === null) expect(value).toBeNull();
      else expect(value).toBeCloseTo(other, 13);
    }
  });
}

const labelCases: readonly { readonly index: number; readonly expected: Golden }[] = golden.labels.map(
  (expected: Golden, index: number) => ({ index, expected }),
);

describe("metrics of labels", () => {
  it.each(labelCases)("equal scikit-learn and statsmodels, case $index", ({ expected }) => {
    const items = expected.gold.map((code: number, i: number) => ({
      id: i,
      correct_answer: WHEN2CALL_CHOICES[code],
      tools: expected.noTools[i] ? [] : ["{}"],
    }));
    const predictions = expected.predicted.map((code: number, i: number) => ({
      id: String(i),
      label: ACTIONS[code] ?? "no idea",
    }));
    expectMetrics(when2callMetrics(predictions, items), expected);
    const other = { classes: 4, fdarDenominator: "gold_tool_call", resamples: 0 } as const;
    expectMetrics(when2callMetrics(predictions, items, other), expected);
  });
});

describe("argmax of log-probs", () => {
  it("equals numpy's over Python's text lengths, ties to the first", () => {
    const items = golden.logProbs.map(({ texts }: Golden, i: number) => ({
      id: i,
      correct_answer: "direct",
      answers: Object.fromEntries(WHEN2CALL_CHOICES.map((choice, c) => [choice, texts[c]])),
    }));
    const predictions = golden.logProbs.map(({ sums }: Golden, i: number) => ({
      id: i,
      logprobs: Object.fromEntries(WHEN2CALL_CHOICES.map((choice, c) => [choice, sums[c]])),
    }));
    for (const decision of ["acc", "acc_norm"] as const) {
      const { overall } = when2callMetrics(predictions, items, { decision, resamples: 0 });
      const key = decision === "acc" ? "acc" : "accNorm";
      const counts = ACTIONS.map((_, c) => golden.logProbs.filter((one: Golden) => one[key] === c).length);
      expect(overall.confusion.counts[0]).toEqual(counts);
      expect(overall[key].numerator).toBe(counts[0]);
    }
  });
});

describe.skipIf(!existsSync(PUBLISHED))("the published items", () => {
  const rows = existsSync(PUBLISHED)
    ? readFileSync(PUBLISHED, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];
  const items = existsSync(PUBLISHED) ? when2callItems(rows) : [];
  const sumOf = (i: number, c: number): number => {
    const length = [...(items[i]?.answers?.[WHEN2CALL_CHOICES[c] as "direct"] ?? "")].length;
    return (-(((37 * i + 41 * c + 7 * i * c) % 97) + 1) * length) / 64;
  };
  const predictions: When2CallPrediction[] = items.map((item, i) => ({
    id: item.id,
    logprobs: Object.fromEntries(WHEN2CALL_CHOICES.map((choice, c) => [choice, sumOf(i, c)])),
  }));

  it("are 300 with 17 unanswerable ones without tools, and keep their columns", () => {
    expect(items).toHaveLength(300);
    const without = items.filter(({ tools }) => tools?.length === 0);
    expect([without.length, without.every((item) => item.correct_answer === "cannot_answer")]).toEqual([
      17,
      true,
    ]);
    expect([items[0]?.id, items[0]?.source]).toEqual([
      "276e4475-e087-4660-9a3a-1fe295fa452c",
      "BFCL v2 Live Multiple",
    ]);
    expect(items[0]?.tools?.[0]).toMatchObject({ name: "api_token_api.APITokenApi.get_api_tokens" });
    expect(items.some((item: When2CallItem) => item.tools?.some((tool) => typeof tool === "string"))).toBe(
      false,
    );
  });

  it("have the golden metrics under both decisions", () => {
    expectMetrics(when2callMetrics(predictions, items), golden.published.acc_norm);
    expectMetrics(
      when2callMetrics(predictions, items, { decision: "acc", classes: 4 }),
      golden.published.acc,
    );
  });

  it("get no score from choices of one token each, and one from lists of plausible length", () => {
    const single = predictions.map((one) => ({
      ...one,
      num_tokens: { direct: 1, tool_call: 1, request_for_info: 1, cannot_answer: 1 },
    }));
    const { overall, warnings } = when2callMetrics(single, items);
    expect([overall.acc.value, overall.accNorm.value, overall.macroF1.value]).toEqual([null, null, null]);
    expect([overall.acc.reason, overall.fewTokens, overall.scored]).toEqual(["few-tokens", 300, 0]);
    expect(warnings[0]).toMatch(/^300 of 300 items get no score/);
    const tokens = predictions.map((one, i) => ({
      id: one.id as string,
      logprobs: Object.fromEntries(
        WHEN2CALL_CHOICES.map((choice, c) => {
          const count = Math.ceil((items[i]?.answers?.[choice].length ?? 0) / 4);
          return [choice, [sumOf(i, c), ...new Array<number>(count - 1).fill(0)]];
        }),
      ),
    }));
    expectMetrics(when2callMetrics(tokens, items), golden.published.acc_norm);
  });

  it("have answers that judges' verdicts name", () => {
    const predicted = items.map((item, i) => ({
      id: item.id,
      judge_output: `{"classification": "${WHEN2CALL_CHOICES[i % 4]}", "rationale": "not a tool_call"}`,
    }));
    const expected = items.filter((item, i) => item.correct_answer === ACTIONS[i % 4]).length;
    expect(when2callMetrics(predicted, items).overall.acc.numerator).toBe(expected);
  });
});
