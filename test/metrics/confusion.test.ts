import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { confusionMatrix } from "../../src/metrics/confusion.ts";

const code = fc.integer({ min: -1, max: 3 });
const row = fc.tuple(code, code, fc.integer({ min: 0, max: 3 }));

describe("confusionMatrix", () => {
  it("counts by true and predicted class, missing ones apart", () => {
    const matrix = confusionMatrix([0, 0, 1, 2, -1], [0, 2, -1, 2, 1]);
    expect(matrix.labels).toEqual([0, 1, 2]);
    expect(Array.from(matrix.counts)).toEqual([1, 0, 1, 0, 0, 0, 0, 0, 1]);
    expect(Array.from(matrix.missing)).toEqual([0, 1, 0]);
    expect([matrix.total, matrix.excluded]).toEqual([4, 1]);
  });

  it("orders classes as the labels say", () => {
    const matrix = confusionMatrix([7, 2, 7], [7, 7, -1], { labels: [7, 2] });
    expect(Array.from(matrix.counts)).toEqual([1, 0, 1, 0]);
    expect(Array.from(matrix.missing)).toEqual([1, 0]);
  });

  it("gives one matrix for every kind of array, with weights as repetition", () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 50 }), (rows) => {
        const truth = rows.map(([t]) => t);
        const predicted = rows.map(([, p]) => p);
        const expected = confusionMatrix(truth, predicted, { classes: 4 });
        for (const Kind of [Int32Array, Int8Array, Int16Array, Float32Array, Float64Array]) {
          expect(confusionMatrix(Kind.from(truth), Kind.from(predicted), { classes: 4 })).toEqual(expected);
        }
        const many = rows.flatMap((item) => Array.from({ length: item[2] }, () => item));
        const repeated = confusionMatrix(
          many.map(([t]) => t),
          many.map(([, p]) => p),
          { classes: 4 },
        );
        const weights = rows.map(([, , w]) => w);
        const weighted = confusionMatrix(truth, predicted, { classes: 4, weights });
        expect(weighted.counts).toEqual(repeated.counts);
        expect(weighted.missing).toEqual(repeated.missing);
        expect(weighted.total).toBe(repeated.total);
      }),
    );
  });

  it("reads booleans as 0 and 1, and more rows than one block", () => {
    const truth = Array.from({ length: 5000 }, (_, i) => i % 2 === 0);
    const matrix = confusionMatrix(truth, new Uint8Array(5000));
    expect(Array.from(matrix.counts)).toEqual([2500, 0, 2500, 0]);
  });

  it("finds the number of classes, many ones too", () => {
    const truth = [...Array(3000).keys(), 40, 2999];
    const predicted = truth.map((code, i) => (i === 3000 ? 2900 : code));
    const matrix = confusionMatrix(truth, predicted);
    expect(matrix.labels.length).toBe(3000);
    expect([matrix.counts[0], matrix.counts[40 * 3000 + 2900], matrix.counts.at(-1), matrix.total]).toEqual([
      1, 1, 2, 3002,
    ]);
    expect(confusionMatrix([0, -1], [0, 5]).labels.length).toBe(6);
    expect(() => confusionMatrix([0, 1], [0, 5000])).toThrow(/^predicted\[1\].* got 5000$/);
    expect(confusionMatrix([0, 5000], [0, 5000], { labels: [0, 5000] }).counts).toEqual(
      Float64Array.of(1, 0, 0, 1),
    );
  });

  it("is empty without rows", () => {
    const matrix = confusionMatrix([], []);
    expect([matrix.labels.length, matrix.counts.length, matrix.total]).toEqual([0, 0, 0]);
  });

  it("refuses codes that are no classes", () => {
    const classes = 2;
    expect(() => confusionMatrix([0, 5], [0, 0], { classes })).toThrow(
      "truth[1] must be a class code or -1 for none, got 5",
    );
    expect(() => confusionMatrix(Int32Array.of(0, 1), Int32Array.of(0, -2), { classes })).toThrow(
      "predicted[1] must be a class code or -1 for none, got -2",
    );
    expect(() => confusionMatrix([0, 1], [0, 0.5])).toThrow(/^predicted\[1\].*got 0.5$/);
    expect(() => confusionMatrix([0, null as unknown as number], [0, 1])).toThrow(/^truth\[1\].*got null$/);
    expect(() => confusionMatrix([0, 4], [0, 0], { labels: [0, 9] })).toThrow(/^truth\[1\].*got 4$/);
    expect(() => confusionMatrix([0, 1], [0], {})).toThrow(
      "predicted must have as many rows as truth (2), got 1",
    );
  });

  it("refuses impossible options", () => {
    const call = (options: object) => (): unknown => confusionMatrix([0], [0], options);
    expect(call({ classes: 0 })).toThrow(/^classes must be .* got 0$/);
    expect(call({ labels: [0, 0] })).toThrow(/^labels must be distinct .* got 0$/);
    expect(call({ labels: [0], classes: 1 })).toThrow("pass labels or classes, got both");
    expect(call({ weights: [-1] })).toThrow(RangeError);
  });
});
