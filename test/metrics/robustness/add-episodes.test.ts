import { describe, expect, it } from "vitest";
import { type RobustnessRow, robustness } from "../../../src/metrics/robustness/robustness.ts";

describe("bad rows", () => {
  const good = { model: "m", condition: "clean", task_id: "t", completed: true } as const;
  it.each([
    [
      { ...good, condition: "noisy" },
      'rows: row 1: condition must be one of clean, inject, injected, inject_alt, inject+alt, injected_alt, injected+alt, got "noisy"',
    ],
    [
      { ...good, condition: null },
      "rows: row 1: condition is missing: every row needs one of clean, inject, injected, inject_alt, inject+alt, injected_alt, injected+alt",
    ],
    [{ ...good, model: null }, "rows: row 1: model is missing: every row needs one"],
    [{ ...good, task_id: null }, "rows: row 1: task_id is missing: every row needs one"],
    [{ ...good, completed: 0.5 }, "rows: row 1: completed must be true, false, 1 or 0, got 0.5"],
    [
      { ...good, condition: "injected_alt", alt: false },
      "rows: row 1: condition and alt contradict each other: alt is false, condition is injected_alt",
    ],
    [{ ...good, p_clean: 60 }, "rows: row 1: p_clean must be in [0, 1], got 60"],
    [{ ...good, budget: -1 }, "rows: row 1: budget must be a whole number from 0 on, got -1"],
    [
      { ...good, tokens: Number.POSITIVE_INFINITY },
      "rows: row 1: tokens must be finite and 0 or more, got Infinity",
    ],
    [{ ...good, fault_types: { a: 1 } }, 'rows: row 1: fault_types must be a list of names, got {"a":1}'],
  ])("names the row: %o", (bad, message) => {
    const rows = [{ ...good, task_id: "other" }, bad] as unknown as RobustnessRow[];
    expect(() => robustness(rows)).toThrow(message);
  });

  it("lists episodes that are there twice; other seeds, conditions and severities are other episodes", () => {
    const twice = [
      good,
      { ...good, seed: 1 },
      { ...good, completed: null },
      { ...good, seed: 1, subset: "s" },
    ];
    expect(() => robustness(twice)).toThrow(
      '1 row repeats an episode that is there already: keep one row each, or tell runs apart by the column seed: model "m", condition clean, task_id "t", no seed (row 0 and row 2)',
    );
    const apart = [
      good,
      { ...good, seed: 1 },
      { ...good, condition: "injected" },
      { ...good, condition: "injected", alt: true },
      { ...good, condition: "injected", budget: 3 },
      { ...good, model: "n" },
      { ...good, subset: "s" },
    ];
    expect(robustness(apart).episodes).toBe(7);
  });

  it("refuses options that do not fit, and rows without the columns", () => {
    expect(() => robustness([good], { systems: { base: "x" } })).toThrow(
      "systems.base: no row has this model; models present: m; got x",
    );
    expect(() => robustness([good], { systems: { base: "m", rl: "m" } })).toThrow(
      'systems must be different models, got "m" twice',
    );
    expect(() => robustness([good], { level: 95 })).toThrow("level must be between 0 and 1");
    expect(() => robustness([good], { seed: 0.5 })).toThrow("seed must be an integer, got 0.5");
    expect(() => robustness([{ model: "m" } as RobustnessRow])).toThrow("missing column condition");
    expect(robustness([])).toMatchObject({ rows: 0, gap: [], seeds: [], cost: [], warnings: [] });
  });
});
