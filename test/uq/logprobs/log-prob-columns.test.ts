import { describe, expect, it } from "vitest";
import { ROW_STATUS } from "../../../src/uq/logprobs/log-prob-backend.ts";
import { closeColumns, openColumns } from "../../../src/uq/logprobs/log-prob-columns.ts";

const nothing = { entropy: false, rank: false, argmax: false, topK: 0 };

describe("columns of log-probs", () => {
  it("open as rows that are all skipped", () => {
    const open = openColumns(2, { entropy: true, rank: true, argmax: true, topK: 2 });
    expect(open).toEqual({
      logprob: Float64Array.of(Number.NaN, Number.NaN),
      status: Uint8Array.of(1, 1),
      entropy: Float64Array.of(Number.NaN, Number.NaN),
      rank: Int32Array.of(0, 0),
      argmax: Int32Array.of(-1, -1),
      topIds: Int32Array.of(-1, -1, -1, -1),
      topLogprobs: new Float64Array(4).fill(Number.NaN),
      coveredMass: Float64Array.of(Number.NaN, Number.NaN),
    });
  });

  it("have nothing for what was not wanted", () => {
    const open = openColumns(1, { ...nothing, rank: true });
    expect([open.entropy, open.argmax, open.topIds, open.topLogprobs, open.coveredMass]).toEqual(
      new Array(5).fill(null),
    );
    expect(Object.keys(closeColumns(open)).sort()).toEqual(["counts", "logprob", "rank", "status"]);
    expect(Object.keys(closeColumns(openColumns(1, nothing))).sort()).toEqual([
      "counts",
      "logprob",
      "status",
    ]);
  });

  it("close with the same arrays and the number of rows of each status", () => {
    const open = openColumns(6, { ...nothing, entropy: true, topK: 1 });
    open.status.set([
      ROW_STATUS.ok,
      ROW_STATUS.notFinite,
      ROW_STATUS.ok,
      ROW_STATUS.skipped,
      ROW_STATUS.ok,
      0,
    ]);
    const columns = closeColumns(open);
    expect(columns.counts).toEqual({ scored: 4, skipped: 1, notFinite: 1 });
    expect(columns.logprob).toBe(open.logprob);
    expect(columns.entropy).toBe(open.entropy);
    expect(columns.topIds).toBe(open.topIds);
    expect(columns.topLogprobs).toBe(open.topLogprobs);
    expect(columns.coveredMass).toBe(open.coveredMass);
  });

  it("are empty for no rows", () => {
    const columns = closeColumns(openColumns(0, { ...nothing, topK: 3 }));
    expect(columns.logprob.length).toBe(0);
    expect(columns.topIds?.length).toBe(0);
    expect(columns.counts).toEqual({ scored: 0, skipped: 0, notFinite: 0 });
  });
});
