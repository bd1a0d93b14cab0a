import type { ColumnNeeds, ColumnRequest, FoundColumn } from "../../data/columns.ts";
import { CalibrantError } from "../../errors.ts";

/** Stands for the name of the input where no column is called so. */
export const FILE_COLUMN = "file";

/** Which columns of the predictions name runs and repeats. */
export interface PredictionKeys {
  /** Columns whose values name a run, which is scored by itself: `model`. `file` is the input's name. */
  readonly run: readonly string[];
  /** Columns whose values name a repeat of a run: `seed`, `sample`. */
  readonly repeat: readonly string[];
}

/**
 * The columns to read from predictions: `id`, then `fault_type` and `next_action` or the model's text in `output`.
 *
 * @param found the columns of each input
 * @param logprobs also read `fault_logprob` and `action_logprob`, or `logprobs`
 * @throws CalibrantError `option` for a run or repeat column that no input has.
 */
export function predictionNeeds(
  found: readonly (readonly FoundColumn[])[],
  { run, repeat }: PredictionKeys,
  logprobs = false,
): ColumnNeeds {
  const output: ColumnRequest = { name: "output", kind: "text" };
  const fault: ColumnRequest = { name: "fault_type", kind: "key" };
  const action: ColumnRequest = { name: "next_action", kind: "key" };
  return {
    required: [[{ name: "id", kind: "key" }], [fault, output], [action, output]],
    optional: [
      { name: "prompt_hash", kind: "key" },
      ...[...run, ...repeat].flatMap((name) => keyRequest(name, found)),
      ...(logprobs ? LOGPROBS : []),
    ],
  };
}

const LOGPROBS: readonly ColumnRequest[] = [
  { name: "fault_logprob", kind: "number" },
  { name: "action_logprob", kind: "number" },
  { name: "fault_tokens", kind: "number" },
  { name: "action_tokens", kind: "number" },
  { name: "logprobs", kind: "list" },
];

function keyRequest(name: string, found: readonly (readonly FoundColumn[])[]): ColumnRequest[] {
  const columns = found.flatMap((one) => one.filter((column) => column.name === name));
  if (columns.length === 0) {
    const isNothing = found.every((one) => one.length === 0);
    if (name === FILE_COLUMN || isNothing) return [];
    const known = [...new Set(found.flat().map((column) => column.name))].join(", ");
    throw new CalibrantError("option", `the predictions have no column ${name}; they have ${known}`, {
      name,
    });
  }
  return [{ name, kind: columns.every(({ kinds }) => kinds.includes("key")) ? "key" : "number" }];
}
