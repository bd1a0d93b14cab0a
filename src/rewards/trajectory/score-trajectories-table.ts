import type { Table } from "apache-arrow";
import { checkColumns } from "../../data/check-columns.ts";
import { newOutputs } from "../plan-outputs.ts";
import type { ScoreTrajectoriesOptions } from "./score-trajectories.ts";
import { TRAJECTORY_OUTPUTS, trajectoryColumns } from "./trajectory-columns.ts";
import { checkTurnEnds, trajectoryNeeds } from "./trajectory-needs.ts";
import { createTrajectoryScorer } from "./trajectory-scorer.ts";
import { trajectorySettings } from "./trajectory-settings.ts";

/**
 * {@link scoreTrajectories} over an Arrow table with the columns `group_id`, `messages`, `annotations`, `checklist_reward` (or
 * `checklists`), `logprobs` with `turn_ends` (or `turn_ppl`) and perhaps `judgements`, `logprob_mask`: returns it with
 * `base_reward uq_reward key_turns placements reward advantage status` added, `placements` as JSON text. Arrow is loaded on
 * the first call.
 *
 * @throws CalibrantError `schema` listing missing or mistyped columns; `option` for a bad option.
 */
export async function scoreTrajectoriesTable(
  table: Table,
  { advantage, prefix = "", ...options }: ScoreTrajectoriesOptions & { readonly prefix?: string } = {},
): Promise<Table> {
  const { foundArrowColumns } = await import("../../data/arrow/arrow-types.ts");
  const { batchFromArrow } = await import("../../data/arrow/arrow-columns.ts");
  const { appendTableColumns } = await import("../../data/arrow/append-table-columns.ts");
  const settings = trajectorySettings(options);
  const found = foundArrowColumns(table.schema);
  const names = new Set(found.map((column) => column.name));
  const requests = checkColumns(found, trajectoryNeeds(settings), "table");
  checkTurnEnds(names, "table");
  const prefixed = TRAJECTORY_OUTPUTS.map((output) => ({ ...output, name: `${prefix}${output.name}` }));
  const outputs = newOutputs({ outputs: prefixed }, names, requests, "table");
  const scorer = createTrajectoryScorer(settings, advantage);
  const ends: number[] = [];
  for (const batch of table.batches) {
    const first = ends.at(-1) ?? 0;
    scorer.add(batchFromArrow(batch, requests, "table", first));
    ends.push(first + batch.numRows);
  }
  const rewards = scorer.finish();
  const columns = ends.map((end, at) => trajectoryColumns(rewards, ends[at - 1] ?? 0, end, prefix));
  return appendTableColumns(table, outputs, columns);
}
