import type { Column, RolloutBatch } from "../data/columns.ts";
import type { GoldAction, Message, ToolCall } from "../types.ts";
import { type Bench2RobustOptions, bench2robustJob } from "./bench2robust.ts";
import { statusWords } from "./status-text.ts";

/** One episode as plain data. What is absent, null or undefined is missing. */
export interface Bench2RobustRollout {
  /** Whether the environment counts the task as done. */
  readonly completed?: boolean | null | undefined;
  /** The conversation: messages as `readMessages` gives them, or in OpenAI's chat format. */
  readonly messages?: readonly (Message | Readonly<Record<string, unknown>>)[] | null | undefined;
  /** The episode's calls; else the assistant's calls in `messages`. Calls of OpenAI's chat format are read too. */
  readonly toolCalls?: readonly (ToolCall | Readonly<Record<string, unknown>>)[] | null | undefined;
  /** The actions that the task requires. */
  readonly goldActions?: readonly (GoldAction | Readonly<Record<string, unknown>>)[] | null | undefined;
  /** Number of turns; else counted. */
  readonly numTurns?: number | null | undefined;
  /** With `requiredActions`: used instead of `goldActions`. */
  readonly matchedActions?: number | null | undefined;
  readonly requiredActions?: number | null | undefined;
}

/** The reward and its parts, one entry per rollout; NaN = unknown. See `bench2robustJob` for the columns and statuses. */
export interface Bench2RobustScores {
  readonly efficiency: Float64Array;
  readonly repetition: Float64Array;
  readonly partialCredit: Float64Array;
  readonly reward: Float64Array;
  /** `ok`, or the statuses joined by `;`. */
  readonly status: string[];
}

/**
 * Scores episodes with the Bench2Robust reward; the same job, and so the same numbers, as tables and files go through.
 *
 * @returns arrays of shape (rollouts); empty for no rollouts.
 * @throws CalibrantError `option` for a bad option, `data` for a count that cannot be.
 *
 * @example
 * ```ts
 * import { scoreBench2Robust } from "calibrant/rewards";
 * const find = { name: "find_user", arguments: { id: 7 } };
 * const rollouts = [
 *   { completed: true, toolCalls: [find], numTurns: 14, goldActions: [find] },
 *   { completed: false, toolCalls: [find], numTurns: 14, goldActions: [find, { name: "refund", arguments: {} }] },
 * ];
 * const { reward, status } = scoreBench2Robust(rollouts);
 * console.log(reward[0], reward[1], status[0]); // 0.96 0.15 ok
 * ```
 */
export function scoreBench2Robust(
  rollouts: readonly Bench2RobustRollout[],
  options: Bench2RobustOptions = {},
): Bench2RobustScores {
  const job = bench2robustJob(options);
  const { kept } = job.scoreRows(batchOf(rollouts));
  const { columns, status } = job.createGroups().finish(kept, new Int32Array(rollouts.length).fill(-1));
  const [efficiency, repetition, partialCredit, reward] = columns.map((column) => column.values) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  return {
    efficiency,
    repetition,
    partialCredit,
    reward,
    status: Array.from(status, (mask) => statusWords(mask, job.statusNames).join(";")),
  };
}

function batchOf(rollouts: readonly Bench2RobustRollout[]): RolloutBatch {
  const numbers = (read: (rollout: Bench2RobustRollout) => number | boolean | null | undefined): Column => ({
    kind: "number",
    values: Float64Array.from(rollouts, (rollout) => Number(read(rollout) ?? Number.NaN)),
  });
  const json = (read: (rollout: Bench2RobustRollout) => unknown): Column => ({
    kind: "json",
    get: (row) => read(rollouts[row] as Bench2RobustRollout) ?? null,
  });
  return {
    rows: rollouts.length,
    columns: new Map([
      ["completed", numbers((rollout) => rollout.completed)],
      ["num_turns", numbers((rollout) => rollout.numTurns)],
      ["matched_actions", numbers((rollout) => rollout.matchedActions)],
      ["required_actions", numbers((rollout) => rollout.requiredActions)],
      ["messages", json((rollout) => wireMessages(rollout.messages))],
      ["tool_calls", json((rollout) => rollout.toolCalls)],
      ["gold_actions", json((rollout) => rollout.goldActions)],
    ]),
  };
}

/** Messages with their calls under the name that chat logs use; what is no list of objects stays for the job to judge. */
function wireMessages(messages: unknown): unknown {
  if (!Array.isArray(messages)) return messages;
  return messages.map((message: { readonly toolCalls?: unknown } | null) =>
    message?.toolCalls === undefined ? message : { ...message, tool_calls: message.toolCalls },
  );
}
