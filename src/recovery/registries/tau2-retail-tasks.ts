import { checkOptionNames } from "../../data/check-option-names.ts";
import { CalibrantError } from "../../errors.ts";
import type { ScenarioTask } from "../scenario/scenario.ts";
import { taskPaths } from "../scenario/task-paths.ts";
import { RETAIL_LOOKUPS, TAU2_RETAIL } from "./tau2-retail.ts";

/** Options of {@link tau2RetailTasks}. */
export interface RetailTaskOptions {
  /** Whether the 5 added tools are there. Default false. */
  readonly withAlternatives?: boolean;
  /**
   * `known` (default): a lookup of the user counts as equivalent only when the user's instructions hold what it needs (an
   * e-mail address, a zip code, an order number), so that S2 leaves a path that this user can take. `any`: by the tools
   * alone, whatever the user knows.
   */
  readonly lookups?: "known" | "any";
}

type Fields = Readonly<Record<string, unknown>>;

/** The tools that choose among variants for an item of an order, for which one availability answer is enough. */
const CHANGES_ITEMS = ["exchange_delivered_order_items", "modify_pending_order_items"];

const NEEDED: Readonly<Record<(typeof RETAIL_LOOKUPS)[number], RegExp>> = {
  find_user_id_by_email: /\S@\S/,
  find_user_id_by_name_zip: /\b\d{5}\b/,
  get_user_by_order: /\bW\d{7}\b/,
};

/**
 * The paths of tau2-bench's retail tasks, from the benchmark's own `tasks.json` (parsed). A task needs the tools of its
 * reference actions (`evaluation_criteria.actions`) that the assistant calls; their equivalents are those of
 * {@link TAU2_RETAIL} that the task allows:
 *
 * - a lookup of the user that needs what this user does not know is none (`lookups: "known"`): in the released tasks hardly
 *   any user knows both an e-mail address and a zip code;
 * - where the reference uses two lookups, the first one finds nobody, so neither replaces the other;
 * - `check_order_item_availability` replaces `get_product_details` only in tasks that exchange or modify items.
 *
 * A task without reference actions has no paths and supports S1 only. Reference actions of short tasks name the final
 * writes alone; such a task has one path.
 *
 * @throws CalibrantError `data` naming the task, for a file of another shape or a tool that is not in the registry.
 *
 * @example
 * ```ts
 * import { supportedScenarios, tau2RetailTasks } from "calibrant/recovery";
 * const actions = [{ name: "find_user_id_by_email" }, { name: "get_order_details" }];
 * const [task] = tau2RetailTasks([{ id: "0", evaluation_criteria: { actions } }], { withAlternatives: true });
 * console.log(task?.paths.length, task && supportedScenarios(task)); // 6 [ 'S1', 'S2', 'S3' ]
 * ```
 */
export function tau2RetailTasks(tasks: unknown, options: RetailTaskOptions = {}): ScenarioTask[] {
  checkOptionNames(options, ["withAlternatives", "lookups"], "tau2RetailTasks");
  const { withAlternatives = false, lookups = "known" } = options;
  if (lookups !== "known" && lookups !== "any")
    throw new CalibrantError("option", `lookups must be known or any, got ${String(lookups)}`);
  if (!Array.isArray(tasks))
    throw new CalibrantError("data", `tau2 tasks must be a list of tasks, got ${typeof tasks}`);
  return tasks.map((value: unknown, index) => {
    const task = asFields(value);
    if (typeof task?.id !== "string" && typeof task?.id !== "number")
      throw new CalibrantError("data", `tau2 task ${index} has no id, got ${String(task?.id)}`);
    const taskId = String(task.id);
    const required = assistantTools(task, taskId);
    const without = [
      ...unusableLookups(task, required, lookups),
      ...(CHANGES_ITEMS.some((tool) => required.includes(tool)) ? [] : ["check_order_item_availability"]),
    ];
    return { taskId, paths: namedPaths(taskId, required, { withAlternatives, without }) };
  });
}

function namedPaths(
  taskId: string,
  required: readonly string[],
  options: { readonly withAlternatives: boolean; readonly without: readonly string[] },
): ScenarioTask["paths"] {
  try {
    return taskPaths(required, TAU2_RETAIL, options);
  } catch (error) {
    if (error instanceof CalibrantError)
      throw new CalibrantError(error.code, `tau2 task ${taskId}: ${error.message}`, error.details);
    throw error;
  }
}

/** The names of the reference actions that the assistant makes; those of the user simulator's device are not its own. */
function assistantTools(task: Fields, taskId: string): string[] {
  const actions = asFields(task.evaluation_criteria)?.actions ?? [];
  if (!Array.isArray(actions))
    throw new CalibrantError("data", `tau2 task ${taskId}: actions must be a list, got ${typeof actions}`);
  const names = actions.map(asFields).flatMap((action) => {
    if (typeof action?.name !== "string")
      throw new CalibrantError(
        "data",
        `tau2 task ${taskId}: an action has no name, got ${String(action?.name)}`,
      );
    return (action.requestor ?? "assistant") === "assistant" ? [action.name] : [];
  });
  return [...new Set(names)];
}

/** The lookups that cannot stand in. A task that says nothing of its user rules none out by what is known. */
function unusableLookups(task: Fields, required: readonly string[], lookups: "known" | "any"): string[] {
  if (RETAIL_LOOKUPS.filter((tool) => required.includes(tool)).length > 1) return [...RETAIL_LOOKUPS];
  const instructions = asFields(task.user_scenario)?.instructions;
  if (lookups === "any" || instructions === undefined || instructions === null) return [];
  const { unknown_info: _, ...told } = asFields(instructions) ?? { instructions };
  const text = Object.values(told).join("\n");
  return RETAIL_LOOKUPS.filter((tool) => !NEEDED[tool].test(text));
}

function asFields(value: unknown): Fields | undefined {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Fields) : undefined;
}
