import { describe, expect, it } from "vitest";
import { confusionMatrix } from "../../src/metrics/confusion.ts";
import { type AbsentClass, f1Scores } from "../../src/metrics/f1-scores.ts";

describe("f1Scores", () => {
  it("counts a missing prediction as a miss of its class and nothing else", () => {
    const scores = f1Scores(confusionMatrix([0, 0, 1, 1], [0, -1, 1, 1]));
    expect(Array.from(scores.precision)).toEqual([1, 1]);
    expect(Array.from(scores.recall)).toEqual([0.5, 1]);
    expect(Array.from(scores.f1)).toEqual([2 / 3, 1]);
    expect(Array.from(scores.support)).toEqual([2, 2]);
    expect(scores.macro).toBeCloseTo(5 / 6, 15);
    // 3 hits, no false alarm, one miss.
    expect(scores.micro).toBeCloseTo(6 / 7, 15);
    expect(scores.weighted).toBeCloseTo(5 / 6, 15);
    expect(scores.accuracy).toBe(0.75);
  });

  it("has micro F1 equal to accuracy when every row is predicted", () => {
    const { micro, accuracy } = f1Scores(confusionMatrix([0, 1, 2, 2, 1], [0, 2, 2, 1, 1]));
    expect(micro).toBe(accuracy);
    expect(accuracy).toBe(0.6);
  });

  it("tells a class never right from a class that is absent", () => {
    const scores = f1Scores(confusionMatrix([0, 1], [0, 2], { classes: 4 }));
    expect(Array.from(scores.f1)).toEqual([1, 0, 0, Number.NaN]);
    expect(Array.from(scores.precision)).toEqual([1, Number.NaN, 0, Number.NaN]);
    expect(Array.from(scores.recall)).toEqual([1, 0, Number.NaN, Number.NaN]);
  });

  it("has no averages without rows", () => {
    const scores = f1Scores(confusionMatrix([], [], { classes: 2 }), { absent: "zero" });
    expect([scores.macro, scores.micro, scores.weighted, scores.accuracy]).toEqual(Array(4).fill(Number.NaN));
    expect(scores.reason).toBe("empty");
  });

  it("refuses another word", () => {
    const absent = "drop" as AbsentClass;
    expect(() => f1Scores(confusionMatrix([0], [0]), { absent })).toThrow(
      'absent must be zero, skip, one or observed, got "drop"',
    );
  });
});
