import { describe, expect, it } from "vitest";
import type { RolloutBatch } from "../../../src/data/columns.ts";
import { batchFromRows } from "../../../src/data/jsonl/rows-columns.ts";
import { createSliceIndex } from "../../../src/report/evaluate/slice-index.ts";

const batch = (rows: readonly Record<string, unknown>[]): RolloutBatch =>
  batchFromRows(
    rows,
    [
      { name: "checkpoint", kind: "key" },
      { name: "lr", kind: "number" },
    ],
    "x.jsonl",
  );

describe("createSliceIndex", () => {
  it("numbers combinations over batches; a missing value is a slice of its own", () => {
    const index = createSliceIndex(["checkpoint", "lr"], true);
    const first = batch([
      { checkpoint: "a", lr: 0.1 },
      { checkpoint: "b", lr: 0.1 },
      { checkpoint: "a", lr: 0.1 },
      { checkpoint: null, lr: null },
    ]);
    expect([...index.add(first, "x")]).toEqual([0, 1, 0, 2]);
    const second = batch([
      { checkpoint: "b", lr: 0.1 },
      { checkpoint: "b", lr: 0.25 },
      { checkpoint: null, lr: null },
    ]);
    expect([...index.add(second, "y")]).toEqual([1, 3, 2]);
    expect(Array.from({ length: index.size }, (_, i) => index.values(i))).toEqual([
      ["a", "0.1"],
      ["b", "0.1"],
      ["(missing)", "(missing)"],
      ["b", "0.25"],
    ]);
  });

  it("takes `file` as the input's name where no column has that name", () => {
    const index = createSliceIndex(["file"], false);
    expect([...index.add(batch([{}, {}]), "base.jsonl")]).toEqual([0, 0]);
    expect([...index.add(batch([{}]), "trust.jsonl")]).toEqual([1]);
    expect(index.values(1)).toEqual(["trust.jsonl"]);
  });

  it("has one slice without slicing columns", () => {
    const index = createSliceIndex([], true);
    expect([...index.add(batch([{}, {}]), "x")]).toEqual([0, 0]);
    expect(index.size).toBe(1);
  });
});
