import fc from "fast-check";
import { expect, it } from "vitest";
import { compareSliceValues, type SliceValues } from "../../src/metrics/slice-value-order.ts";

it("puts numbers by their size before text, and missing values last", () => {
  const sorted = [["2"], ["10"], ["1a"], ["b"], [null]];
  expect([[null], ["b"], ["10"], ["1a"], ["2"]].sort(compareSliceValues)).toEqual(sorted);
});

it("is an order of all values: sorting does not depend on the order before", () => {
  const value = fc.oneof(
    fc.constantFrom("2", "10", "1a", "9a", "", " ", "1e3", "NaN", "x", null),
    fc.string(),
  );
  const slices = fc.uniqueArray(fc.tuple(value, value), { selector: (values) => JSON.stringify(values) });
  fc.assert(
    fc.property(slices, fc.infiniteStream(fc.nat()), (all, weights) => {
      const mixed = all.map((values) => ({ values, weight: weights.next().value as number }));
      const shuffled = mixed.toSorted((a, b) => a.weight - b.weight).map(({ values }): SliceValues => values);
      expect(shuffled.sort(compareSliceValues)).toEqual([...all].sort(compareSliceValues));
    }),
  );
});
