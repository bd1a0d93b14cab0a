import { CalibrantError } from "../../errors.ts";
import type { ScenarioTask } from "./scenario.ts";
import { pathName } from "./scenario.ts";

/**
 * Checks that a task is one: a non-empty id, paths of at least one non-empty tool name, no two paths of one name with
 * different tools.
 *
 * @throws CalibrantError `data` naming the task and the path.
 */
export function checkScenarioTask(task: ScenarioTask): void {
  if (typeof task?.taskId !== "string" || task.taskId === "")
    throw new CalibrantError(
      "data",
      `a task needs an id that is not empty, got ${JSON.stringify(task?.taskId)}`,
    );
  if (!Array.isArray(task.paths))
    throw new CalibrantError("data", `task ${task.taskId}: paths must be a list, got ${typeof task.paths}`);
  const tools = new Map<string, string>();
  task.paths.forEach((path, index) => {
    if (!isToolList(path?.tools))
      throw new CalibrantError(
        "data",
        `task ${task.taskId}, path ${index}: tools must be at least one name, got ${JSON.stringify(path?.tools)}`,
      );
    const key = toolSetKey(path.tools);
    const name = pathName(path);
    if ((tools.get(name) ?? key) !== key)
      throw new CalibrantError("data", `task ${task.taskId}: two different paths have the id ${name}`);
    tools.set(name, key);
  });
}

/** Whether something is a list of at least one non-empty name. */
export function isToolList(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((tool) => typeof tool === "string" && tool !== "")
  );
}

/** One text for all orders and repetitions of the same tools. */
export function toolSetKey(tools: readonly string[]): string {
  return JSON.stringify([...new Set(tools)].sort());
}
