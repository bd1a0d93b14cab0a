import { checkOptionNames } from "../../data/check-option-names.ts";
import { CalibrantError } from "../../errors.ts";
import { checkRegistry } from "./check-registry.ts";
import type { ScenarioTask, ToolPath } from "./scenario.ts";
import { taskPaths } from "./task-paths.ts";
import type { ToolAlternative, ToolEquivalence, ToolRegistry } from "./tool-registry.ts";

/** Options of {@link readRegistry}. */
export interface ReadRegistryOptions {
  /** What to call the value in messages, such as its file. Default `registry`. */
  readonly place?: string;
  /** Whether paths that are built from `required_tools` may use the added tools. Default false. */
  readonly withAlternatives?: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a registry from parsed JSON and checks it:
 *
 * ```json
 * {
 *   "name": "shop",
 *   "tools": ["find_by_email", "find_by_name", "cancel", "call_human"],
 *   "added_tools": [],
 *   "escalation_tools": ["call_human"],
 *   "equivalences": [{ "tool": "find_by_email", "alternatives": [{ "tools": ["find_by_name"], "note": "needs the name" }] }],
 *   "tasks": [
 *     { "task_id": "t1", "paths": [{ "id": "by email", "tools": ["find_by_email", "cancel"] }] },
 *     { "task_id": "t2", "required_tools": ["find_by_email", "cancel"] }
 *   ]
 * }
 * ```
 *
 * Only `tools` is needed. A task has its `paths`, or its `required_tools`, whose paths {@link taskPaths} builds.
 *
 * @throws CalibrantError `data`, one line that names the place and the task or tool, for anything that does not fit, a key
 * that is not known among it.
 *
 * @example
 * ```ts
 * import { readRegistry } from "calibrant/recovery";
 * const { tasks } = readRegistry({ tools: ["find", "cancel"], tasks: [{ task_id: "t1", required_tools: ["find", "cancel"] }] });
 * console.log(tasks?.[0]?.paths.length); // 1
 * ```
 */
export function readRegistry(value: unknown, options: ReadRegistryOptions = {}): ToolRegistry {
  checkOptionNames(options, ["place", "withAlternatives"], "readRegistry");
  const { place = "registry", withAlternatives = false } = options;
  const keys = ["name", "tools", "added_tools", "escalation_tools", "equivalences", "tasks"];
  const fields = readFields(value, keys, place);
  const registry: ToolRegistry = {
    name: optionalText(fields.name, `${place}: name`) ?? place,
    tools: readNames(fields.tools, `${place}: tools`),
    addedTools: readNames(fields.added_tools ?? [], `${place}: added_tools`),
    escalationTools: readNames(fields.escalation_tools ?? [], `${place}: escalation_tools`),
    equivalences: readList(fields.equivalences ?? [], `${place}: equivalences`).map((entry, index) =>
      readEquivalence(entry, `${place}, equivalence ${index}`),
    ),
  };
  checkRegistry(registry);
  if (fields.tasks === undefined) return registry;
  const tasks = readList(fields.tasks, `${place}: tasks`).map((entry, index) =>
    readTask(entry, `${place}, task ${index}`, (required) =>
      taskPaths(required, registry, { withAlternatives }),
    ),
  );
  const whole = { ...registry, tasks };
  checkRegistry(whole);
  return whole;
}

function readEquivalence(value: unknown, place: string): ToolEquivalence {
  const fields = readFields(value, ["tool", "alternatives"], place);
  const tool = readText(fields.tool, `${place}: tool`);
  const alternatives = readList(fields.alternatives, `${place} (${tool}): alternatives`);
  return { tool, alternatives: alternatives.map((entry) => readAlternative(entry, `${place} (${tool})`)) };
}

function readAlternative(value: unknown, place: string): ToolAlternative {
  const fields = readFields(value, ["tools", "note"], place);
  return {
    tools: readNames(fields.tools, `${place}: tools`),
    note: optionalText(fields.note, `${place}: note`) ?? "",
  };
}

function readTask(value: unknown, place: string, build: (required: string[]) => ToolPath[]): ScenarioTask {
  const fields = readFields(value, ["task_id", "paths", "required_tools"], place);
  const taskId = readText(fields.task_id, `${place}: task_id`);
  const named = `${place} (${taskId})`;
  if ((fields.paths === undefined) === (fields.required_tools === undefined))
    throw new CalibrantError("data", `${named}: give either paths or required_tools`);
  if (fields.paths !== undefined)
    return { taskId, paths: readList(fields.paths, `${named}: paths`).map((path) => readPath(path, named)) };
  try {
    return { taskId, paths: build(readNames(fields.required_tools, `${named}: required_tools`)) };
  } catch (error) {
    if (error instanceof CalibrantError && !error.message.startsWith(named))
      throw new CalibrantError(error.code, `${named}: ${error.message}`, error.details);
    throw error;
  }
}

function readPath(value: unknown, place: string): ToolPath {
  const fields = readFields(value, ["id", "tools"], `${place}, path`);
  const id = optionalText(fields.id, `${place}, path: id`);
  return { ...(id !== undefined && { id }), tools: readNames(fields.tools, `${place}, path: tools`) };
}

function readFields(value: unknown, keys: readonly string[], place: string): Fields {
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw new CalibrantError("data", `${place} must be an object, got ${described(value)}`);
  const unknown = Object.keys(value).find((key) => !keys.includes(key));
  if (unknown !== undefined)
    throw new CalibrantError("data", `${place} has ${keys.join(", ")}, but not ${unknown}`);
  return value as Fields;
}

function readList(value: unknown, place: string): readonly unknown[] {
  if (!Array.isArray(value))
    throw new CalibrantError("data", `${place} must be a list, got ${described(value)}`);
  return value;
}

function readNames(value: unknown, place: string): string[] {
  return readList(value, place).map((name) => readText(name, place));
}

function readText(value: unknown, place: string): string {
  if (typeof value !== "string" || value === "")
    throw new CalibrantError("data", `${place} must be text that is not empty, got ${described(value)}`);
  return value;
}

function optionalText(value: unknown, place: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string")
    throw new CalibrantError("data", `${place} must be text, got ${described(value)}`);
  return value;
}

function described(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
