import { createGroupOrder } from "./group-order.ts";
import { openHeldItems } from "./held-items.ts";
import { runOrdered } from "./ordered-pool.ts";
import type { ScoreOutput } from "./score-files.ts";
import { addRows, finishRows, type ScoreRun } from "./score-run.ts";
import { openScoredTarget, type PassItem, type ScoredTarget } from "./scored-target.ts";

/** Rows that wait for the rest of their last group. */
interface WaitingRows {
  readonly item: PassItem | null;
  readonly kept: readonly Float64Array[];
  readonly groups: Int32Array;
  readonly firstRow: number;
}

/**
 * Scores a pipe: everything is read once, in order, and rows are written as soon as their
 * groups are complete. The rows of a group must lie together.
 */
export async function scorePipe(run: ScoreRun, output: ScoreOutput | null): Promise<void> {
  const held = await openHeldItems(run, output?.format ?? null);
  const order = createGroupOrder(run.groups);
  let target: ScoredTarget | null = null;
  const waiting: WaitingRows[] = [];
  let rewarded = 0;
  let rows = 0;

  const release = async (complete: number): Promise<void> => {
    rewardRows(run, waiting, rewarded, complete);
    rewarded = complete;
    for (let head = waiting[0]; head !== undefined && rowsEnd(head) <= complete; head = waiting[0]) {
      waiting.shift();
      const columns = finishRows(run, head.kept, head.groups);
      if (output === null || head.item === null) continue;
      target ??= await openScoredTarget(output.format, output.sink, output.target, held.schema);
      await target.write(head.item, columns);
    }
  };

  for await (const part of runOrdered(held.tasks, run.plan, run.poolPlan, run.options.jobs)) {
    const groups = addRows(run, part);
    waiting.push({ item: await held.next(), kept: part.kept, groups, firstRow: rows });
    rows += part.rows;
    await release(order.follow(groups));
  }
  await release(rows);
  if (output === null) return;
  target ??= await openScoredTarget(output.format, output.sink, output.target, held.schema);
  await target.close();
}

function rowsEnd(rows: WaitingRows): number {
  return rows.firstRow + rows.groups.length;
}

/** Feeds the rewards of rows `from … to - 1` to the groups' statistics. */
function rewardRows(run: ScoreRun, waiting: readonly WaitingRows[], from: number, to: number): void {
  for (const rows of waiting) {
    const begin = Math.max(from, rows.firstRow) - rows.firstRow;
    const end = Math.min(to, rowsEnd(rows)) - rows.firstRow;
    if (begin >= end) continue;
    const kept = rows.kept.map((column) => column.subarray(begin, end));
    run.state.addRewards(kept, rows.groups.subarray(begin, end));
  }
}
