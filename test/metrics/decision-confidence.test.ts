import { describe, expect, it } from "vitest";
import { confidenceFromPositive, topLabelConfidence } from "../../src/metrics/decision-confidence.ts";

describe("confidenceFromPositive", () => {
  it("decides positive above one half", () => {
    const { confidence, correct } = confidenceFromPositive(
      [0.25, 0.75, 0.5, 0.5],
      [false, false, true, false],
    );
    expect([...confidence]).toEqual([0.75, 0.75, 0.5, 0.5]);
    expect([...correct]).toEqual([1, 0, 0, 1]);
  });

  it("agrees with the top label of [1 - p, p]", () => {
    const positive = [0, 0.3, 0.5, 0.51, 1];
    const labels = [0, 1, 0, 1, 0];
    const rows = positive.flatMap((p) => [1 - p, p]);
    expect(topLabelConfidence(rows, 2, labels)).toEqual(confidenceFromPositive(positive, labels));
  });

  it("keeps NaN and refuses the impossible", () => {
    expect(confidenceFromPositive([Number.NaN], [0]).confidence[0]).toBeNaN();
    expect(() => confidenceFromPositive([1.2], [0])).toThrow("positive[0] must be in [0, 1], got 1.2");
    expect(() => confidenceFromPositive([0.2], [3])).toThrow("labels[0] must be 0, 1, true or false, got 3");
    expect(() => confidenceFromPositive([0.2], [])).toThrow(
      "labels must have as many rows as positive (1), got 0",
    );
  });
});
