import { describe, expect, it } from "vitest";
import type { RolloutBatch } from "../../../src/data/columns.ts";
import { batchFromRows } from "../../../src/data/jsonl/rows-columns.ts";
import { createSliceIndex } from "../../../src/data/keys/slice-index.ts";

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

  it.each([
    ["few", 3],
    ["thousands", 3000],
    ["so many values that combinations pass 2^31", 40_000],
  ])("gives equal combinations of %s the same slice", (_, values) => {
    const rows = 2 * values;
    const names = ["a", "b", "c"];
    const codes = names.map((_, i) =>
      Int32Array.from({ length: rows }, (_, row) => ((row * (i + 1)) % (values + 1)) - 1),
    );
    const keys = Array.from({ length: values }, (_, code) => `v${code}`);
    const columns = new Map(
      names.map((name, i) => [name, { kind: "key", codes: codes[i] as Int32Array, keys } as const]),
    );
    const index = createSliceIndex(names, true);
    const slices = index.add({ rows, columns }, "x");
    const expected = codes.map((column) => [...column].map((code) => (code < 0 ? "(missing)" : `v${code}`)));
    const wrong = [...slices].filter(
      (slice, row) => index.values(slice).join() !== expected.map((column) => column[row]).join(),
    );
    expect(wrong).toEqual([]);
    expect(index.size).toBe(new Set(slices).size);
  });
});
