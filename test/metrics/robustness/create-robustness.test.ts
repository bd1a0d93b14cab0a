import fc from "fast-check";
import { expect, it } from "vitest";
import { batchFromRows } from "../../../src/data/jsonl/rows-columns.ts";
import { createRobustness } from "../../../src/metrics/robustness/create-robustness.ts";
import type { RobustnessRow } from "../../../src/metrics/robustness/robustness.ts";
import type { RobustnessResult } from "../../../src/metrics/robustness/robustness-result.ts";

it("depends on neither the order of rows nor how they are cut into batches", () => {
  const row = fc.record({
    model: fc.constantFrom("a", "b"),
    subset: fc.constantFrom("x", "y", null),
    condition: fc.constantFrom("clean", "injected", "injected_alt"),
    task_id: fc.nat(6),
    seed: fc.constantFrom(0, 1, null),
    completed: fc.constantFrom(true, false, null),
    fault_type: fc.constantFrom("stale", "timeout", "odd", null),
    p_clean: fc.constantFrom(0.6, 0.8),
    turns: fc.nat(30),
  });
  const identity = (one: RobustnessRow): string =>
    [one.model, one.subset, one.condition, one.task_id, one.seed, one.p_clean].join("|");
  const tableOf = (parts: readonly (readonly RobustnessRow[])[]): RobustnessResult => {
    const accumulator = createRobustness({ resamples: 40 });
    const { required, optional } = accumulator.needs;
    const requests = [...required.flat(), ...optional];
    for (const part of parts)
      accumulator.add(batchFromRows(part as unknown as Record<string, unknown>[], requests, "rows"));
    return accumulator.finish();
  };
  fc.assert(
    fc.property(
      fc.uniqueArray(row, { selector: identity, maxLength: 60 }),
      fc.nat(60),
      fc.integer(),
      (rows, cut, salt) => {
        const shuffled = rows
          .map((one, i) => ({ one, at: Math.imul(i + 1, salt | 1) }))
          .sort((a, b) => a.at - b.at)
          .map(({ one }) => one);
        const whole = tableOf([rows]);
        expect(tableOf([shuffled.slice(0, cut), [], shuffled.slice(cut)])).toEqual(whole);
        for (const { clean, injected, delta } of whole.gap) {
          if (delta.value === null || delta.pairedTasks < 2) continue;
          expect(delta.low as number).toBeLessThanOrEqual(delta.high as number);
          expect(Math.abs(delta.value)).toBeLessThanOrEqual(1);
          if (delta.onlyBaseline.count + delta.onlyCandidate.count > 0) continue;
          expect(delta.ofRates).toBeCloseTo((injected.value as number) - (clean.value as number), 12);
        }
      },
    ),
    { numRuns: 40 },
  );
});
