import { describe, expect, it } from "vitest";
import type { Delta, Estimate, Evaluation, EvaluationSlice } from "../../../src/report/evaluation.ts";
import { headline } from "../../../src/report/render/headline.ts";
import { sentenceText } from "../../../src/report/render/sentence.ts";
import { separation } from "../../../src/report/render/separation.ts";
import { degenerateEvaluations, sampleEvaluation } from "../sample-evaluation.ts";

const sample = sampleEvaluation();
const [base, grpo] = sample.slices as readonly [EvaluationSlice, EvaluationSlice, EvaluationSlice];
const texts = (sentences: readonly Parameters<typeof sentenceText>[0][]): string[] =>
  sentences.map((sentence) => sentenceText(sentence));

function around(value: number, half = 0.02): Estimate {
  return { value, low: value - half, high: value + half, reason: null };
}

/** The slice of `base` with another IoU, AUROC and null. */
function slice(iou: number, auroc: Estimate, mean: number, pValue: number): EvaluationSlice {
  return { ...base, metrics: { ...base.metrics, iou: around(iou), auroc }, iouNull: { mean, pValue } };
}

const REPORT = { level: 0.95, permutations: 200 };

describe("separation", () => {
  it.each([
    ["separated", slice(0.34, around(0.8), 0.94, 0.005)],
    ["barely", slice(0.86, around(0.55), 0.94, 0.005)],
    ["ranked", slice(0.93, around(0.6), 0.94, 0.3)],
    ["few", { ...slice(0.34, around(0.8), 0.94, 0.005), clusters: 9 }],
    ["few", { ...slice(0.34, around(0.8), 0.94, 0.005), correct: 9 }],
    ["few", { ...slice(0.34, around(1, 0), 0.94, 0.005), wrong: 1 }],
    ["separated", { ...slice(0.34, around(0.8), 0.94, 0.005), wrong: 10 }],
    ["none", slice(0.93, around(0.51), 0.94, 0.3)],
    ["shape", slice(0.34, around(0.51), 0.94, 0.005)],
    ["reversed", slice(0.34, around(0.2), 0.94, 0.005)],
    ["reversed", slice(0.93, around(0.45), 0.94, 0.3)],
    ["separated", slice(0.34, around(0.8), Number.NaN, Number.NaN)],
    ["none", slice(0.34, around(0.51), Number.NaN, Number.NaN)],
    ["separated", slice(0.34, { ...around(0.8), low: Number.NaN, high: Number.NaN }, 0.94, 0.005)],
    ["reversed", slice(0.34, { ...around(0.2), low: Number.NaN, high: Number.NaN }, 0.94, 0.005)],
    ["untested", slice(0.34, { ...around(0.8), low: Number.NaN, high: Number.NaN }, Number.NaN, Number.NaN)],
    ["unknown", slice(Number.NaN, around(Number.NaN), Number.NaN, Number.NaN)],
  ])("%s", (verdict, given) => {
    expect(separation(given, REPORT)).toBe(verdict);
  });

  it("does not ask so few permutations that none of them could reach the level", () => {
    const [yes, no] = [slice(0.34, around(0.8), 0.94, 1 / 11), slice(0.93, around(0.51), 0.94, 1 / 11)];
    expect(separation(yes, { level: 0.95, permutations: 10 })).toBe("separated");
    expect(separation(no, { level: 0.95, permutations: 10 })).toBe("none");
  });

  it("counts a p-value of exactly 1 - level", () => {
    expect(separation(slice(0.34, around(0.8), 0.94, 0.05), REPORT)).toBe("separated");
  });
});

describe("headline", () => {
  it.each([
    [{ clusters: 8 }, "It cannot be said from 8 prompts, fewer than 10 independent ones: "],
    [{ correct: 1 }, "It cannot be said from 1 correct row, fewer than 10: "],
    [{ wrong: 9 }, "It cannot be said from 9 wrong rows, fewer than 10: "],
  ])("says how few there are: %j", (few, start) => {
    const given = { ...sample, slices: [], overall: { ...base, ...few }, comparisons: [] };
    expect(sentenceText(headline(given).answer).startsWith(start)).toBe(true);
  });

  it("tells the story of the sample", () => {
    const { question, answer, evidence, rows, flags, comparisons } = headline(sample);
    expect(question).toBe("Does this policy know when it is wrong?");
    expect(sentenceText(answer)).toBe(
      "Beyond chance in all 3 slices: calibration IoU from 0.334 (base) to 0.699 (decision-only GRPO).",
    );
    expect(texts(evidence)).toEqual([
      "An IoU of 0 is full separation; without any, these counts would read from 0.924 to 0.942.",
      expect.stringMatching(
        /^AUROC from 0\.\d{3} \[.*\] \(decision-only GRPO\) to 0\.\d{3} \[.*\] \(base\): in that share of pairs/,
      ),
      expect.stringMatching(/^Accuracy from 0\.620 \[.*\] \(base\) to 0\.780 \[.*\] \(TRUST\)\.$/),
    ]);
    expect(sentenceText(rows)).toBe(
      "6,000 rows used (4,280 correct, 1,720 wrong) from 750 prompts; not used: 15 uncertainty missing, 1 gold missing.",
    );
    expect(flags).toEqual([]);
    expect(texts(comparisons)).toEqual([
      "decision-only GRPO separates wrong from correct worse than base, beyond noise (ΔIoU +0.366 [0.321, 0.411]).",
      "TRUST against base: no difference beyond noise (ΔIoU +0.016 [−0.029, 0.061]).",
    ]);
  });

  it.each([
    [
      slice(0.34, around(0.8), 0.94, 0.005),
      /^Yes, beyond chance: calibration IoU 0\.340 \[0\.320, 0\.360\], where no separation would read 0\.940\.$/,
    ],
    [slice(0.86, around(0.55), 0.94, 0.005), /^Barely: .* 0\.940\.$/],
    [slice(0.93, around(0.51), 0.94, 0.3), /^Not shown: /],
    [slice(0.34, around(0.51), 0.94, 0.005), /^Not in order: /],
    [slice(0.34, around(0.2), 0.94, 0.005), /^The wrong way round: /],
  ])("answers for one slice", (overall, expected) => {
    const one: Evaluation = { ...sample, overall, slices: [], comparisons: [] };
    expect(sentenceText(headline(one).answer)).toMatch(expected);
  });

  it("says why there is no answer", () => {
    const answers = Object.entries(degenerateEvaluations()).map(([name, evaluation]) => [
      name,
      sentenceText(headline(evaluation).answer),
    ]);
    expect(Object.fromEntries(answers)).toMatchObject({
      "all correct": "It cannot be said: there are no wrong rows.",
      "all wrong": "It cannot be said: there are no correct rows.",
      "no rows": "It cannot be said: there are no rows.",
    });
  });

  it("counts the verdicts of many slices and what chance would do", () => {
    const none = slice(0.93, around(0.51), 0.94, 0.3);
    const slices = Array.from({ length: 40 }, (_, i) => (i < 30 ? base : none)).map((given, i) => ({
      ...given,
      label: String(i),
      key: { step: String(i) },
    }));
    const { answer, evidence } = headline({ ...sample, slices, comparisons: [] });
    expect(sentenceText(answer)).toBe(
      "Beyond chance in 30 of 40 slices: calibration IoU from 0.334 (step 0) to 0.930 (step 30).",
    );
    expect(texts(evidence).slice(0, 2)).toEqual([
      "Slices: 30 separated, 10 not beyond chance.",
      "With 40 slices judged at 5% each, about 2 would look separated by chance alone.",
    ]);
  });

  it("does not call less overlap better where uncertainty points the wrong way", () => {
    const reversed = { ...grpo, metrics: { ...grpo.metrics, auroc: around(0.2) } };
    const delta = sample.comparisons[0]?.deltas.iou as Delta;
    const lower = { ...delta, value: -0.2, low: -0.25, high: -0.15, verdict: "beyond noise" as const };
    const [first] = sample.comparisons;
    if (first === undefined) throw new Error("the sample has no comparison");
    const evaluation = {
      ...sample,
      slices: [base, reversed],
      comparisons: [{ ...first, deltas: { iou: lower } }],
    };
    expect(texts(headline(evaluation).comparisons)).toEqual([
      "decision-only GRPO has less overlap than base, beyond noise (ΔIoU −0.200 [−0.250, −0.150]), but an AUROC is below 0.5: there, uncertainty points the wrong way.",
    ]);
  });

  it("counts many comparisons", () => {
    const [worse, same] = sample.comparisons;
    if (worse === undefined || same === undefined) throw new Error("the sample has no comparisons");
    const comparisons = Array.from({ length: 9 }, (_, i) => (i < 2 ? worse : same));
    expect(texts(headline({ ...sample, comparisons }).comparisons)).toEqual([
      "Of 9 slices against base: 0 with a lower IoU beyond noise (better), 2 with a higher one (worse), 7 not beyond noise.",
    ]);
  });
});
