import type { KeyColumn, ResultColumn, RolloutBatch } from "../data/columns.ts";
import { createGroupIndex } from "../data/keys/group-index.ts";
import type { PlanParts } from "./plan-state.ts";
import type { RewardPlan } from "./reward-plan.ts";

/**
 * Runs a plan over batches in memory. Groups may lie anywhere in them.
 *
 * @returns the added columns of each batch, in the plan's order.
 */
export function scoreBatches(plan: RewardPlan, batches: readonly RolloutBatch[]): ResultColumn[][] {
  const state = plan.createState();
  const index = createGroupIndex();
  const scored = batches.map((batch) => {
    const parts = plan.scoreRows(batch);
    const groups = index.add(groupKeys(batch), batch.rows);
    state.add(parts, groups);
    return { parts, groups } satisfies { parts: PlanParts; groups: Int32Array };
  });
  for (const { parts, groups } of scored) state.addRewards(parts.kept, groups);
  return scored.map(({ parts, groups }) => state.results(parts.kept, groups));
}

/** The `group_id` column of a batch, when it was read. */
export function groupKeys(batch: RolloutBatch): KeyColumn | undefined {
  const column = batch.columns.get("group_id");
  return column?.kind === "key" ? column : undefined;
}
