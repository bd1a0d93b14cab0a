import { describe, expect, it } from "vitest";
import { fillColumns, gatherFills, sourceColumn } from "../../../../src/cli/logprobs/server/fills.ts";

describe("gatherFills", () => {
  it("reads known names and columns, over several options", () => {
    const first = gatherFills("logprobs, ref", undefined);
    expect(gatherFills("old=previous_answer", first)).toEqual([
      { name: "logprobs", text: "response" },
      { name: "ref", text: "gt_answer" },
      { name: "old", text: "previous_answer" },
    ]);
    expect(gatherFills("neg=response", undefined)).toEqual([{ name: "neg", text: "response" }]);
  });

  it.each(["other", "", "a b=c", "x=", "ref,ref"])("refuses %j", (words) => {
    expect(() => gatherFills(words, undefined)).toThrow(/expected/);
  });
});

describe("fillColumns", () => {
  it("names the columns", () => {
    expect(fillColumns({ name: "logprobs", text: "response" }, "")).toEqual({
      logprobs: "logprobs",
      ppl: "ppl",
      status: "logprobs_status",
    });
    expect(fillColumns({ name: "ref", text: "gt_answer" }, "new_")).toEqual({
      logprobs: "new_ref_logprobs",
      ppl: "new_ref_ppl",
      status: "new_ref_logprobs_status",
    });
    expect(sourceColumn("new_")).toBe("new_logprobs_source");
  });
});
