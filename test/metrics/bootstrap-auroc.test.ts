import { describe, expect, it } from "vitest";
import { seededRandom } from "../../src/math/seeded-random.ts";
import { auroc } from "../../src/metrics/auroc.ts";
import { bootstrapAuroc } from "../../src/metrics/bootstrap-auroc.ts";

/** Scores of two classes a unit apart, with ties. */
function sample(n: number, seed: number): { scores: Float64Array; labels: Uint8Array } {
  const random = seededRandom(seed);
  const labels = Uint8Array.from({ length: n }, () => Number(random() < 0.4));
  const scores = Float64Array.from(labels, (label) => {
    const noise = random() + random() + random();
    return Math.round(20 * (noise + 0.5 * label)) / 20;
  });
  return { scores, labels };
}

describe("bootstrapAuroc", () => {
  it("gives the AUROC itself and an interval around it", () => {
    const { scores, labels } = sample(500, 1);
    const result = bootstrapAuroc(scores, labels);
    expect(result.auroc).toBe(auroc(scores, labels).auroc);
    expect(result.low).toBeLessThan(result.auroc);
    expect(result.high).toBeGreaterThan(result.auroc);
    expect(result.replicates.length).toBe(1000);
    expect([result.undefinedReplicates, result.reason]).toEqual([0, null]);
  });

  it("has about the standard error of Hanley and McNeil", () => {
    const { scores, labels } = sample(2000, 2);
    const { auroc: a, replicates } = bootstrapAuroc(scores, labels, { seed: 5 });
    const positives = labels.reduce((sum, label) => sum + label, 0);
    const negatives = labels.length - positives;
    const q1 = a / (2 - a) - a * a;
    const q2 = (2 * a * a) / (1 + a) - a * a;
    const expected = Math.sqrt(
      (a * (1 - a) + (positives - 1) * q1 + (negatives - 1) * q2) / (positives * negatives),
    );
    const mean = replicates.reduce((sum, value) => sum + value, 0) / replicates.length;
    const variance = replicates.reduce((sum, value) => sum + (value - mean) ** 2, 0) / replicates.length;
    expect(mean).toBeCloseTo(a, 2);
    expect(Math.sqrt(variance) / expected).toBeGreaterThan(0.85);
    expect(Math.sqrt(variance) / expected).toBeLessThan(1.15);
  });

  it("gives the same bytes for the same seed, in any order of rows and by a monotone map", () => {
    const { scores, labels } = sample(300, 3);
    const one = bootstrapAuroc(scores, labels, { seed: 9, resamples: 50 });
    expect(bootstrapAuroc(scores, labels, { seed: 9, resamples: 50 })).toEqual(one);
    expect(bootstrapAuroc(scores, labels, { seed: 10, resamples: 50 })).not.toEqual(one);
    const reversed = bootstrapAuroc(scores.slice().reverse(), labels.slice().reverse(), {
      seed: 9,
      resamples: 50,
    });
    expect(reversed).toEqual(one);
    expect(bootstrapAuroc(scores.map(Math.exp), labels, { seed: 9, resamples: 50 })).toEqual(one);
  });

  it("turns around with the direction", () => {
    const { scores, labels } = sample(200, 4);
    const up = bootstrapAuroc(scores, labels, { resamples: 200 });
    const down = bootstrapAuroc(scores, labels, { resamples: 200, direction: "lower-is-positive" });
    expect(down.auroc).toBeCloseTo(1 - up.auroc, 14);
    expect(down.high).toBeLessThan(0.5);
  });

  it("draws clusters whole", () => {
    const { scores, labels } = sample(100, 5);
    const eight = <T>(values: ArrayLike<T>): T[] =>
      Array.from({ length: 8 * values.length }, (_, i) => values[Math.floor(i / 8)] as T);
    const clusters = eight(Array.from(scores, (_, i) => i));
    // Eight copies of each row, drawn together, tell no more than one.
    const options = { resamples: 400 } as const;
    const width = ({ low, high }: { low: number; high: number }): number => high - low;
    const alone = width(bootstrapAuroc(scores, labels, options));
    const together = width(bootstrapAuroc(eight(scores), eight(labels), { ...options, clusters }));
    const apart = width(bootstrapAuroc(eight(scores), eight(labels), options));
    expect(together / alone).toBeGreaterThan(0.85);
    expect(together / alone).toBeLessThan(1.15);
    expect(apart / alone).toBeLessThan(0.5);
  });

  it("repeats a clustered resample by hand", () => {
    const scores = [1, 2, 2, 3, 0, 5];
    const labels = [0, 1, 0, 1, 1, 0];
    const clusters = [7, 7, 3, 3, 9, 9];
    const { replicates } = bootstrapAuroc(scores, labels, { clusters, resamples: 5, seed: 2 });
    const random = seededRandom(2);
    const expected = Array.from({ length: 5 }, () => {
      const drawn = Array.from({ length: 3 }, () => [7, 3, 9][Math.trunc(random() * 3)]);
      const rows = drawn.flatMap((code) => clusters.flatMap((own, i) => (own === code ? [i] : [])));
      return auroc(
        rows.map((i) => scores[i] as number),
        rows.map((i) => labels[i] as number),
      ).auroc;
    });
    expect(Array.from(replicates)).toEqual(expected);
  });

  it("leaves resamples of one class out and counts them", () => {
    const result = bootstrapAuroc([1, 2, 3], [0, 0, 1], { resamples: 200 });
    // (2/3)^3 + (1/3)^3 of the resamples hold one class.
    expect(result.undefinedReplicates).toBeGreaterThan(40);
    expect(result.undefinedReplicates).toBeLessThan(95);
    expect(result.replicates.length).toBe(200 - result.undefinedReplicates);
    expect(result.replicates.some(Number.isNaN)).toBe(false);
    expect([result.low, result.high]).toEqual([1, 1]);
  });

  it("names why there is no number", () => {
    const one = bootstrapAuroc([1, 2], [1, 1], { resamples: 10 });
    expect([one.auroc, one.low, one.high, one.reason]).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
      "single-class",
    ]);
    expect(one.undefinedReplicates).toBe(10);
    expect(bootstrapAuroc([], []).reason).toBe("empty");
    const none = bootstrapAuroc([1, 2], [0, 1], { resamples: 0 });
    expect([none.auroc, none.low, none.high]).toEqual([1, Number.NaN, Number.NaN]);
  });

  it("refuses impossible options", () => {
    const call = (options: object) => (): unknown => bootstrapAuroc([1, 2], [0, 1], options);
    expect(call({ resamples: -1 })).toThrow("resamples must be a whole number from 0, got -1");
    expect(call({ seed: 0.5 })).toThrow("seed must be an integer, got 0.5");
    expect(call({ level: 1 })).toThrow(RangeError);
    expect(call({ clusters: [1] })).toThrow("clusters must have as many rows as scores (2), got 1");
  });
});
