import { describe, expect, it } from "vitest";
import { compileFailIf, type FailIfVerdict } from "../../../src/cli/report/fail-if.ts";
import type { Evaluation, EvaluationSlice } from "../../../src/report/evaluation.ts";
import type { MetricName } from "../../../src/report/metric-info.ts";
import { degenerateEvaluations, sampleEvaluation } from "../../report/sample-evaluation.ts";

/** The sample with the metrics of its slices replaced. */
function reportWith(name: MetricName, values: readonly number[]): Evaluation {
  const sample = sampleEvaluation();
  const slices = sample.slices.map((slice, index): EvaluationSlice => {
    const value = values[index] as number;
    const reason = Number.isNaN(value) ? "single-class" : null;
    const estimate = { value, low: value - 0.05, high: value + 0.05, reason };
    return {
      ...slice,
      wrong: Number.isNaN(value) ? 0 : slice.wrong,
      metrics: { ...slice.metrics, [name]: estimate },
    };
  });
  return { ...sample, slices };
}

async function verdict(text: string, evaluation: Evaluation, compared = false): Promise<FailIfVerdict> {
  return (await compileFailIf(text, compared))(evaluation);
}

const SLICES = reportWith("iou", [0.342, 0.7021, 0.351]);

describe("compileFailIf", () => {
  it("names the slices for which the expression is true, with the values that it names", async () => {
    expect(await verdict("iou > 0.5", SLICES)).toEqual({
      failing: `--fail-if "iou > 0.5" is true for decision-only GRPO (iou 0.702)`,
      unjudged: null,
      judged: 3,
    });
    expect((await verdict("iou > 0.35 or iou_high < 0.1", SLICES)).failing).toBe(
      `--fail-if "iou > 0.35 or iou_high < 0.1" is true for decision-only GRPO (iou 0.702, iou_high 0.752), TRUST (iou 0.351, iou_high 0.401)`,
    );
  });

  it("is silent when it is true for none", async () => {
    expect(await verdict("iou > 0.9", SLICES)).toEqual({ failing: null, unjudged: null, judged: 3 });
  });

  it("counts any number but 0 as true", async () => {
    expect((await verdict("iou - iou", SLICES)).failing).toBeNull();
    expect((await verdict("iou", SLICES)).failing).toContain("base (iou 0.342), ");
  });

  it("does not judge what is missing, and says why", async () => {
    const report = reportWith("iou", [Number.NaN, 0.7, 0.3]);
    expect(await verdict("iou > 0.5", report)).toEqual({
      failing: `--fail-if "iou > 0.5" is true for decision-only GRPO (iou 0.700)`,
      unjudged: `--fail-if "iou > 0.5" cannot be judged for base (iou missing: no wrong rows)`,
      judged: 2,
    });
    expect(await verdict("iou > 0.5", reportWith("iou", [Number.NaN, Number.NaN, Number.NaN]))).toMatchObject(
      {
        failing: null,
        judged: 0,
      },
    );
  });

  it("knows counts, nulls and intervals", async () => {
    const [base] = SLICES.slices as [EvaluationSlice];
    const names = "n + rows + excluded + iou_null + p_value + ece_null + accuracy_low";
    const { failing } = await verdict(`(${names}) > 0 and n == ${base.correct + base.wrong}`, SLICES);
    expect(failing).toContain(`base (n ${(base.correct + base.wrong).toLocaleString("en-US")}, rows `);
    expect(failing).toContain(", excluded 12, iou_null ");
  });

  it("judges the whole report where it has no slices", async () => {
    const whole = degenerateEvaluations()["no slicing"] as Evaluation;
    expect((await verdict("iou >= 0", whole)).failing).toMatch(/is true for all rows \(iou 0\.\d{3}\)$/);
  });

  it("judges differences to the baseline, not the baseline itself", async () => {
    const { failing, unjudged, judged } = await verdict("delta_iou_low > 0", SLICES, true);
    expect(failing).toMatch(/ is true for decision-only GRPO \(delta_iou_low 0\.\d{3}\)$/);
    expect(unjudged).toBeNull();
    expect(judged).toBe(2);
  });

  it("is true where one side of an `or` is, whatever the other lacks", async () => {
    const slices = SLICES.slices.map((slice, i) =>
      i === 0
        ? { ...slice, metrics: { ...slice.metrics, iou: { ...slice.metrics.iou, value: Number.NaN } } }
        : slice,
    );
    const lacking = { ...SLICES, slices };
    expect((await verdict("iou > 2 or accuracy >= 0", lacking)).failing).toContain("is true for base (");
    expect((await verdict("iou < 0 and accuracy < 0", lacking)).unjudged).toBeNull();
    expect((await verdict("iou > 2 or accuracy < 0", lacking)).unjudged).toContain("judged for base (");
  });

  it.each([
    [
      "ioo > 0.5",
      /^--fail-if: the expression has an unknown name, ioo; did you mean iou\?; known: accuracy, iou, /,
    ],
    ["iou >", /^--fail-if: the expression cannot be read/],
    ["1 > 0", /^--fail-if: the expression names no metric/],
    ["", /^--fail-if: the expression is empty/],
    ["delta_iou > 0", /^--fail-if: delta_iou needs a baseline: add --compare baseline=VALUE$/],
  ])("refuses %j before anything is judged", async (text, message) => {
    await expect(compileFailIf(text, false)).rejects.toMatchObject({
      code: "option",
      message: expect.stringMatching(message),
    });
  });
});
