import { describe, expect, it } from "vitest";
import { orderSlices } from "../../../src/report/evaluate/slice-order.ts";

const order = (rows: readonly (readonly string[])[]): (readonly string[])[] =>
  orderSlices(rows.length, (i) => rows[i] as readonly string[]).map((i) => rows[i] as readonly string[]);

describe("orderSlices", () => {
  it("sorts numbers as numbers, words by first appearance, columns from left to right", () => {
    expect(order([["10"], ["9"], ["-1.5"]])).toEqual([["-1.5"], ["9"], ["10"]]);
    expect(order([["trust"], ["base"]])).toEqual([["trust"], ["base"]]);
    expect(
      order([
        ["base", "20"],
        ["trust", "10"],
        ["base", "3"],
        ["trust", "3"],
      ]),
    ).toEqual([
      ["base", "3"],
      ["base", "20"],
      ["trust", "3"],
      ["trust", "10"],
    ]);
  });

  it("treats a column with one word in it as words", () => {
    expect(order([["10"], ["(missing)"], ["9"]])).toEqual([["10"], ["(missing)"], ["9"]]);
    expect(order([])).toEqual([]);
  });
});
