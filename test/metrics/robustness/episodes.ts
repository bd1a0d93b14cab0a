import type { RobustnessRow } from "../../../src/metrics/robustness/robustness.ts";

/** Episodes from digits of passes, one a seed. */
export function episodes(
  task_id: string,
  condition: string,
  passes: string,
  more: Partial<RobustnessRow> = {},
): RobustnessRow[] {
  return [...passes].map((digit, seed) => ({
    model: "m",
    condition,
    task_id,
    seed,
    completed: digit === "?" ? null : digit === "1",
    ...more,
  }));
}
