import type { RewardPlan } from "../../rewards/reward-plan.ts";
import { groupKeys } from "../../rewards/score-batches.ts";
import type { InputTask } from "../input/input-task.ts";
import { readTask } from "../input/read-task.ts";
import type { TaskRows } from "./task-rows.ts";

/** Reads the rows of a task and scores them as far as single rows can be scored. */
export async function* runTask(task: InputTask, plan: RewardPlan): AsyncGenerator<TaskRows> {
  for await (const { batch, nonFinite } of readTask(task)) {
    const parts = plan.scoreRows(batch);
    const keys = groupKeys(batch);
    yield {
      rows: batch.rows,
      kept: parts.kept,
      passing: parts.passing,
      codes: keys?.codes ?? null,
      keys: keys?.keys ?? [],
      nonFinite,
    };
  }
}
