import { checkOptionNames } from "../../data/check-option-names.ts";
import { nearestName } from "../../data/nearest-name.ts";
import { CalibrantError, CalibrantRangeError } from "../../errors.ts";
import { toolSetKey } from "./check-scenario-task.ts";
import type { ToolPath } from "./scenario.ts";
import type { ToolAlternative, ToolRegistry } from "./tool-registry.ts";

/** Which of a registry's alternatives count. */
export interface AlternativeOptions {
  /** Whether the registry's added tools are there (the paper's "with alternatives"). Default false. */
  readonly withAlternatives?: boolean;
  /** Tools that cannot stand in here, because this task has not what they need. Default: none. */
  readonly without?: readonly string[];
}

/** Options of {@link taskPaths}. */
export interface TaskPathOptions extends AlternativeOptions {
  /** The most combinations of replacements to go through. Default 1024. */
  readonly limit?: number;
}

/** One way to have what a required tool gives. */
interface Choice {
  readonly tools: readonly string[];
  /** What is replaced by what; null for the tool itself. */
  readonly replacement: string | null;
}

/**
 * The ways to solve a task that needs these tools: first the `primary` one, with the tools as given, then those where
 * tools are replaced by equivalents, in every combination; a later tool's replacements vary fastest. A stand-in is not
 * itself replaced. Ways with the same tools count once, under the name of the first.
 *
 * Replacements are named `tool->stand-in`, several tools used together joined with `+`, several replacements with
 * `, `.
 *
 * @returns at least one path; none when no tool is required.
 * @throws CalibrantError `data` for a tool that is not in the registry; `option` for more than `limit` combinations.
 *
 * @example
 * ```ts
 * import { TAU2_RETAIL, taskPaths } from "calibrant/recovery";
 * const paths = taskPaths(["find_user_id_by_email", "cancel_pending_order"], TAU2_RETAIL);
 * console.log(paths.map((path) => path.id).join(" | ")); // primary | find_user_id_by_email->find_user_id_by_name_zip
 * ```
 */
export function taskPaths(
  requiredTools: readonly string[],
  registry: ToolRegistry,
  options: TaskPathOptions = {},
): ToolPath[] {
  const { limit = 1024, ...usable } = options;
  checkOptionNames(usable, ["withAlternatives", "without"], "taskPaths");
  if (!(Number.isSafeInteger(limit) && limit >= 1))
    throw new CalibrantRangeError("option", `limit must be a whole number from 1, got ${String(limit)}`);
  const required = [...new Set(requiredTools)];
  if (required.length === 0) return [];
  const choices = required.map((tool) => toolChoices(tool, registry, usable));
  const combinations = choices.reduce((product, { length }) => product * length, 1);
  if (combinations > limit)
    throw new CalibrantError(
      "option",
      `the equivalents of ${required.join(", ")} give ${combinations} paths, more than limit ${limit}: raise limit, or name fewer equivalences`,
      { combinations, limit },
    );
  const distinct = new Map<string, ToolPath>();
  for (let number = 0; number < combinations; number++) {
    const path = combinedPath(choices, number);
    const key = toolSetKey(path.tools);
    if (!distinct.has(key)) distinct.set(key, path);
  }
  return [...distinct.values()];
}

/** The alternatives of a tool that can be used: all without added tools, or all; never those that need a tool left out. */
export function usableAlternatives(
  tool: string,
  registry: ToolRegistry,
  { withAlternatives = false, without = [] }: AlternativeOptions,
): ToolAlternative[] {
  const unusable = new Set([...without, ...(withAlternatives ? [] : (registry.addedTools ?? []))]);
  return registry.equivalences
    .filter((equivalence) => equivalence.tool === tool)
    .flatMap(({ alternatives }) => alternatives)
    .filter(({ tools }) => !tools.some((name) => unusable.has(name)));
}

function toolChoices(tool: string, registry: ToolRegistry, options: AlternativeOptions): Choice[] {
  if (!registry.tools.includes(tool)) {
    const nearest = nearestName(tool, registry.tools);
    const hint = nearest === null ? "" : `, did you mean ${nearest}?`;
    throw new CalibrantError("data", `registry ${registry.name} has no tool ${tool}${hint}`, { tool });
  }
  const replaced = usableAlternatives(tool, registry, options).map(({ tools }) => ({
    tools,
    replacement: `${tool}->${tools.join("+")}`,
  }));
  return [{ tools: [tool], replacement: null }, ...replaced];
}

/** The combination with a number, read as digits of mixed base: the last tool's choice is the last digit. */
function combinedPath(choices: readonly (readonly Choice[])[], number: number): ToolPath {
  const picked: Choice[] = [];
  let rest = number;
  for (const options of choices.toReversed()) {
    picked.unshift(options[rest % options.length] as Choice);
    rest = Math.floor(rest / options.length);
  }
  const replacements = picked.flatMap(({ replacement }) => replacement ?? []);
  return {
    id: replacements.length === 0 ? "primary" : replacements.join(", "),
    tools: [...new Set(picked.flatMap(({ tools }) => tools))],
  };
}
