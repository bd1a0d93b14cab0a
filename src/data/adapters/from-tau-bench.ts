import { asFields, checkRecord, isCompleted, type RowAdapter, scalarFields } from "./row-adapter.ts";
import { conversationColumns, wireMessages } from "./wire-messages.ts";

/** What tau-bench calls an answer to the user; its own scoring does not count it as an action. */
const RESPOND = "respond";

/**
 * Reads results of tau-bench's tool-calling agents: an array of episodes `{task_id, reward, info, traj, trial}`.
 *
 * `completed` = reward is 1 (within 1e-6), `gold_actions` = `info.task.actions` with their kwargs as arguments (absent
 * for an episode that failed with an error before its task was known), `group_id` = task_id, so that the trials of one
 * task form a group. Agents that act in text (act, react) have no tool calls, and their rows none.
 */
export async function fromTauBench(): Promise<RowAdapter> {
  const { z } = await import("zod");
  const action = z.looseObject({ name: z.string(), kwargs: z.looseObject({}) });
  const episode = z.looseObject({
    task_id: z.union([z.number(), z.bigint(), z.string()]),
    trial: z.union([z.number(), z.string()]).nullish(),
    reward: z.number().nullish(),
    info: z.looseObject({ task: z.looseObject({ actions: z.array(action) }).nullish() }).nullish(),
    traj: z.array(z.looseObject({ role: z.string() })),
  });
  return (record, place) => {
    checkRecord(episode, record, place);
    const { task_id: taskId, trial, traj } = record;
    const info = asFields(record.info);
    const actions = asFields(info?.task)?.actions as { name: string; kwargs: unknown }[] | undefined;
    const completed = isCompleted(record.reward);
    return [
      {
        rollout_id: trial === null || trial === undefined ? String(taskId) : `${taskId}:${trial}`,
        group_id: taskId,
        ...scalarFields(record, ["rollout_id", "group_id"]),
        ...(info !== null && scalarFields({ user_cost: info.user_cost, error: info.error })),
        ...(completed !== null && { completed }),
        ...(actions && {
          gold_actions: actions
            .filter((gold) => gold.name !== RESPOND)
            .map((gold) => ({ name: gold.name, arguments: gold.kwargs })),
        }),
        ...conversationColumns(wireMessages(traj as unknown[])),
      },
    ];
  };
}
