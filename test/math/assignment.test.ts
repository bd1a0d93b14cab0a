import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxAssignment } from "../../src/math/assignment.ts";

describe("maxAssignment", () => {
  it("beats the greedy choice", () => {
    const { total, columnOf } = maxAssignment([0.9, 0.8, 0.8, 0.1], 2, 2);
    expect(total).toBe(1.6);
    expect([...columnOf]).toEqual([1, 0]);
  });

  it("leaves rows without a column when there are fewer columns", () => {
    const { total, columnOf } = maxAssignment([1, 3, 2], 3, 1);
    expect(total).toBe(3);
    expect([...columnOf]).toEqual([-1, 0, -1]);
  });

  it("takes empty sides", () => {
    expect(maxAssignment([], 0, 0)).toEqual({ total: 0, columnOf: new Int32Array(0) });
    expect(maxAssignment([], 2, 0)).toEqual({ total: 0, columnOf: Int32Array.of(-1, -1) });
    expect(maxAssignment([], 0, 3).total).toBe(0);
  });

  it("refuses weights of another shape or that are not finite", () => {
    expect(() => maxAssignment([1], 1, 2)).toThrow("weights must have rows * columns = 2 entries, got 1");
    expect(() => maxAssignment([1, Number.NaN], 1, 2)).toThrow("weights must be finite: entry 1 is NaN");
  });

  it("finds the best of all assignments", () => {
    const shape = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }));
    const problem = shape.chain(([rows, columns]) =>
      fc.record({
        rows: fc.constant(rows),
        columns: fc.constant(columns),
        weights: fc.array(fc.integer({ min: -4, max: 9 }), {
          minLength: rows * columns,
          maxLength: rows * columns,
        }),
      }),
    );
    fc.assert(
      fc.property(problem, ({ rows, columns, weights }) => {
        const { total, columnOf } = maxAssignment(weights, rows, columns);
        expect(total).toBe(bestByTrying(weights, rows, columns));
        const used = [...columnOf].filter((column) => column >= 0);
        expect(new Set(used).size).toBe(Math.min(rows, columns));
        expect(used).toHaveLength(Math.min(rows, columns));
      }),
      { numRuns: 300 },
    );
  });
});

/** The largest total over all ways of pairing min(rows, columns) rows and columns. */
function bestByTrying(weights: readonly number[], rows: number, columns: number): number {
  const from = (row: number, free: readonly number[], skips: number): number => {
    if (row === rows) return 0;
    const taken = free.map(
      (column) =>
        (weights[row * columns + column] as number) +
        from(
          row + 1,
          free.filter((c) => c !== column),
          skips,
        ),
    );
    const skipped = skips > 0 ? [from(row + 1, free, skips - 1)] : [];
    return Math.max(...taken, ...skipped, Number.NEGATIVE_INFINITY);
  };
  return from(
    0,
    Array.from({ length: columns }, (_, column) => column),
    Math.max(0, rows - columns),
  );
}
