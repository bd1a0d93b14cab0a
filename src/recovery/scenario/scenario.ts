/**
 * The three recoverability scenarios of Bench2Robust (section 2.1). S1: nothing is blocked, a retry can recover. S2: one
 * of several equivalent paths is blocked, the agent must switch. S3: every path is blocked, escalation is right.
 */
export const SCENARIOS = ["S1", "S2", "S3"] as const;

/** A recoverability scenario. */
export type Scenario = (typeof SCENARIOS)[number];

/** One way to solve a task. */
export interface ToolPath {
  /** A name for logs, distinct within its task. Default: the tools joined with `+`. */
  readonly id?: string;
  /** The tools that this way needs; order and repetition do not matter. At least one. */
  readonly tools: readonly string[];
}

/** A task as the scenarios see it: the equivalent ways to solve it, the usual one first. */
export interface ScenarioTask {
  readonly taskId: string;
  /** Empty where none is known: such a task supports S1 only. */
  readonly paths: readonly ToolPath[];
}

/** The name of a path in plans and logs: its id, or its tools joined with `+`. */
export function pathName(path: ToolPath): string {
  return path.id ?? path.tools.join("+");
}
