import { describe, expect, it } from "vitest";
import type { ColumnKind, FoundColumn, RolloutBatch } from "../../../src/data/columns.ts";
import { batchFromRows } from "../../../src/data/jsonl/rows-columns.ts";
import {
  type EvaluationSettings,
  evaluationSettings,
} from "../../../src/report/evaluate/evaluation-settings.ts";
import {
  readCorrect,
  readUncertainty,
  readUnitInterval,
  readWeights,
} from "../../../src/report/evaluate/read-rows.ts";
import type { EvaluationOptions } from "../../../src/report/evaluation-options.ts";

function found(columns: Record<string, ColumnKind>): FoundColumn[] {
  return Object.entries(columns).map(([name, kind]) => ({ name, type: kind, kinds: [kind] }));
}

function read(
  columns: Record<string, ColumnKind>,
  rows: readonly Record<string, unknown>[],
  options: EvaluationOptions = {},
): { batch: RolloutBatch; settings: EvaluationSettings } {
  const requests = Object.entries(columns).map(([name, kind]) => ({ name, kind }));
  return {
    batch: batchFromRows(rows, requests, "x.jsonl"),
    settings: evaluationSettings([found(columns)], options),
  };
}

describe("readUncertainty", () => {
  it("takes logarithms of perplexities; missing stays missing, rounding below 1 is 1", () => {
    const { batch, settings } = read({ ppl: "number", correct: "number" }, [
      { ppl: 1 },
      { ppl: Math.E },
      { ppl: null },
      { ppl: 0.9999999 },
      { ppl: "Infinity" },
    ]);
    expect([...readUncertainty(batch, settings)]).toEqual([0, 1, Number.NaN, 0, Number.POSITIVE_INFINITY]);
  });

  it("takes nll for a perplexity that overflowed, and alone", () => {
    const both = read({ ppl: "number", nll: "number", correct: "number" }, [
      { ppl: "Infinity", nll: 800 },
      { ppl: "Infinity", nll: null },
      { ppl: 2, nll: 5 },
    ]);
    expect([...readUncertainty(both.batch, both.settings)]).toEqual([
      800,
      Number.POSITIVE_INFINITY,
      Math.log(2),
    ]);
    const alone = read({ nll: "number", correct: "number" }, [{ nll: 0.5 }, { nll: -1e-9 }]);
    expect([...readUncertainty(alone.batch, alone.settings)]).toEqual([0.5, 0]);
  });

  it("refuses a perplexity below 1 with its place", () => {
    const { batch, settings } = read({ ppl: "number", correct: "number" }, [{ ppl: 2 }, { ppl: 0.5 }]);
    expect(() => readUncertainty(batch, settings)).toThrow(RangeError);
    expect(() => readUncertainty(batch, settings)).toThrow(/x\.jsonl.*ppl must be at least 1.*got 0\.5/);
  });

  it("takes any other score as it is", () => {
    const { batch, settings } = read(
      { entropy: "number", correct: "number" },
      [{ entropy: -3 }, { entropy: 0.2 }],
      { uncertainty: "entropy" },
    );
    expect(settings.scale).toBe("identity");
    expect([...readUncertainty(batch, settings)]).toEqual([-3, 0.2]);
  });
});

describe("readCorrect", () => {
  it("reads a column of labels, and refuses other numbers", () => {
    const rows = [{ ppl: 1, correct: true }, { ppl: 1, correct: 0 }, { ppl: 1 }];
    const { batch, settings } = read({ ppl: "number", correct: "number" }, rows);
    expect([...readCorrect(batch, settings)]).toEqual([1, 0, -1]);
    const bad = read({ ppl: "number", correct: "number" }, [{ correct: 0.5 }]);
    expect(() => readCorrect(bad.batch, bad.settings)).toThrow(
      /correct must be true, false, 1 or 0, got 0.5/,
    );
  });

  it("compares actions by their canonical names: an unknown one is wrong, no gold action is unknown", () => {
    const { batch, settings } = read({ ppl: "number", action: "key", gt_action: "key" }, [
      { action: "tool", gt_action: "tool_call" },
      { action: "ask", gt_action: "tool_call" },
      { action: "mumble", gt_action: "tool_call" },
      { action: null, gt_action: "tool_call" },
      { action: "ask", gt_action: null },
    ]);
    expect([...readCorrect(batch, settings)]).toEqual([1, 0, 0, 0, -1]);
  });

  it("takes the class reward of a scored file: 3 is the gold action", () => {
    const { batch, settings } = read({ ppl: "number", r_cls: "number" }, [
      { r_cls: 3 },
      { r_cls: 2 },
      { r_cls: 1 },
      { r_cls: null },
    ]);
    expect([...readCorrect(batch, settings)]).toEqual([1, 0, 0, -1]);
  });
});

describe("readUnitInterval and readWeights", () => {
  it("refuse values outside their range with their place", () => {
    const { batch, settings } = read(
      { ppl: "number", correct: "number", w: "number", c: "number" },
      [{ w: -1, c: 2 }],
      {
        weight: "w",
      },
    );
    expect(() => readUnitInterval(batch, "c")).toThrow(/confidence c must be in \[0, 1\], got 2/);
    expect(() => readWeights(batch, settings)).toThrow(/weight w must be finite and at least 0, got -1/);
  });
});
