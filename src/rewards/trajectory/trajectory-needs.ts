import type { ColumnNeeds, ColumnRequest } from "../../data/columns.ts";
import { CalibrantError } from "../../errors.ts";

/** Which columns of trajectories must be there. */
export interface TrajectoryInput {
  /** The base reward comes from a column. */
  readonly hasBase: boolean;
  /** Annotations come from a column; else from elsewhere. */
  readonly hasAnnotations?: boolean;
}

/** The columns of trajectories that their reward reads. */
export function trajectoryNeeds({ hasBase, hasAnnotations = true }: TrajectoryInput): ColumnNeeds {
  const json = (name: string): ColumnRequest => ({ name, kind: "json" });
  const list = (name: string): ColumnRequest => ({ name, kind: "list" });
  const checklistReward: ColumnRequest = { name: "checklist_reward", kind: "number" };
  const base: ColumnRequest[] = [
    checklistReward,
    { ...json("checklists"), fallbackFor: checklistReward.name },
  ];
  return {
    required: [
      [{ name: "group_id", kind: "key" }],
      [json("messages")],
      ...(hasAnnotations ? [[json("annotations")]] : []),
      ...(hasBase ? [base] : []),
    ],
    optional: [
      ...["turn_ppl", "logprobs", "logprob_mask", "turn_ends", "turn_end_mask"].map(list),
      json("judgements"),
    ],
  };
}

/**
 * Log-probs of a whole trajectory are of no use without the ends of its turns.
 *
 * @param names - the columns that an input has.
 * @throws CalibrantError `schema` when it has `logprobs` alone.
 */
export function checkTurnEnds(names: ReadonlySet<string>, inputName: string): void {
  if (!names.has("logprobs") || ["turn_ppl", "turn_ends", "turn_end_mask"].some((name) => names.has(name)))
    return;
  throw new CalibrantError(
    "schema",
    `${inputName}: logprobs of whole trajectories need the column turn_ends (list<int32>: the last token of each turn) or turn_end_mask; or give turn_ppl (list<float64>, one a turn)`,
  );
}
