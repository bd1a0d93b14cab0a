import type { Row } from "../jsonl/row-value.ts";
import {
  asFields,
  checkRecord,
  isCompleted,
  type RolloutRow,
  type RowAdapter,
  scalarFields,
} from "./row-adapter.ts";
import { conversationColumns, type WireMessage, wireMessages } from "./wire-messages.ts";

/**
 * Reads results of tau2-bench: a results object `{info, tasks, simulations}`, or simulations alone, one object each.
 *
 * `completed` = `reward_info.reward` is 1 (within 1e-6), `group_id` = task_id. `gold_actions` are the assistant's
 * actions of the task's `evaluation_criteria`; where the task is not at hand, `matched_actions` and `required_actions`
 * count the simulation's own `action_checks`. Messages are the conversation as the agent sees it: calls that the user
 * simulator makes on its own device, and their results, are left out. Voice runs that keep ticks alone have no messages.
 */
export async function fromTau2(): Promise<RowAdapter> {
  const { z } = await import("zod");
  const id = z.union([z.string(), z.number(), z.bigint()]);
  const simulation = z.looseObject({
    task_id: id,
    reward_info: z
      .looseObject({ reward: z.number(), action_checks: z.array(z.looseObject({})).nullish() })
      .nullish(),
    messages: z.array(z.looseObject({ role: z.string() })).nullish(),
  });
  const action = z.looseObject({
    name: z.string(),
    arguments: z.looseObject({}).nullish(),
    compare_args: z.array(z.string()).nullish(),
  });
  const results = z.looseObject({
    tasks: z
      .array(
        z.looseObject({
          id,
          evaluation_criteria: z.looseObject({ actions: z.array(action).nullish() }).nullish(),
        }),
      )
      .nullish(),
    simulations: z.array(simulation),
  });
  return (record, place) => {
    if (!("simulations" in record)) {
      checkRecord(simulation, record, place);
      return [simulationRow(record, {}, undefined)];
    }
    checkRecord(results, record, place);
    const tasks = new Map(((record.tasks ?? []) as Row[]).map((task) => [String(task.id), task]));
    const shared = runColumns(asFields(record.info));
    return (record.simulations as Row[]).map((run) =>
      simulationRow(run, shared, tasks.get(String(run.task_id))),
    );
  };
}

/** Columns that hold for the whole run: the agent's model, the domain and the seed. */
function runColumns(info: Row | null): RolloutRow {
  const model = asFields(info?.agent_info)?.llm;
  const subset = asFields(info?.environment_info)?.domain_name;
  return scalarFields({ model, subset, seed: info?.seed });
}

function simulationRow(run: Row, shared: RolloutRow, task: Row | undefined): RolloutRow {
  const rewardInfo = asFields(run.reward_info);
  const completed = isCompleted(rewardInfo?.reward);
  const rolloutId =
    run.id ?? (run.trial === null || run.trial === undefined ? undefined : `${run.task_id}:${run.trial}`);
  return {
    ...scalarFields({ rollout_id: rolloutId }),
    group_id: run.task_id,
    ...shared,
    ...scalarFields(run, ["id", "rollout_id", "group_id"]),
    ...scalarFields({ reward: rewardInfo?.reward }),
    ...(completed !== null && { completed }),
    ...(task === undefined ? checkedActions(rewardInfo) : { gold_actions: goldActions(task) }),
    ...(Array.isArray(run.messages) && conversationColumns(agentMessages(run.messages))),
  };
}

function goldActions(task: Row): RolloutRow[] {
  const actions = (asFields(task.evaluation_criteria)?.actions ?? []) as Row[];
  return actions.filter(isAssistants).map((action) => ({
    name: action.name,
    arguments: action.arguments ?? {},
    ...(action.compare_args ? { compare_args: action.compare_args } : {}),
  }));
}

/** How many of the task's actions the simulation's own evaluation found; nothing when it made no such check. */
function checkedActions(rewardInfo: Row | null): RolloutRow {
  if (!Array.isArray(rewardInfo?.action_checks)) return {};
  const checks = (rewardInfo.action_checks as Row[]).filter((check) =>
    isAssistants(asFields(check.action) ?? check),
  );
  return {
    matched_actions: checks.filter((check) => check.action_match === true).length,
    required_actions: checks.length,
  };
}

/** An action, call or tool result is the assistant's unless it says that the user asked for it. */
function isAssistants(entry: Row): boolean {
  return entry.requestor !== "user";
}

/** tau2's messages in OpenAI's format: several tool results in one message become one message each. */
function agentMessages(messages: readonly unknown[]): WireMessage[] {
  const single = (messages as Row[]).flatMap((message) =>
    Array.isArray(message.tool_messages) ? (message.tool_messages as Row[]) : [message],
  );
  const seen = single.flatMap((message): Row[] => {
    if (message.role === "tool")
      return isAssistants(message) ? [{ ...message, tool_call_id: message.id }] : [];
    if (message.role !== "user" || !isCalling(message)) return [message];
    return typeof message.content === "string" && message.content.trim() !== ""
      ? [{ role: "user", content: message.content }]
      : [];
  });
  return wireMessages(seen);
}

function isCalling(message: Row): boolean {
  return Array.isArray(message.tool_calls) && message.tool_calls.length > 0;
}
