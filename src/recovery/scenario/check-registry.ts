import { CalibrantError } from "../../errors.ts";
import { checkScenarioTask, isToolList } from "./check-scenario-task.ts";
import type { ToolEquivalence, ToolRegistry } from "./tool-registry.ts";

/**
 * Checks a registry: tools named once, every tool that is mentioned among them, one entry of equivalences a tool, no tool
 * that stands in for itself, no escalation tool replaced or as a stand-in, task ids that differ.
 *
 * @throws CalibrantError `data`, one line that names the registry and the tool or task.
 *
 * @example
 * ```ts
 * import { checkRegistry } from "calibrant/recovery";
 * const equivalences = [{ tool: "find", alternatives: [{ tools: ["serach"], note: "" }] }];
 * try {
 *   checkRegistry({ name: "shop", tools: ["find", "search"], equivalences, escalationTools: [] });
 * } catch (error) {
 *   console.log((error as Error).message); // registry shop, alternatives of find: serach is not among its tools
 * }
 * ```
 */
export function checkRegistry(registry: ToolRegistry): void {
  const place = `registry ${registry.name}`;
  const tools = distinctTools(registry.tools, place, "tools");
  for (const [list, name] of [
    [registry.addedTools ?? [], "added tools"],
    [registry.escalationTools, "escalation tools"],
  ] as const) {
    distinctTools(list, place, name);
    for (const tool of list) checkKnown(tool, tools, `${place}, ${name}`);
  }
  checkEquivalences(registry, tools, place);
  const ids = new Set<string>();
  for (const task of registry.tasks ?? []) {
    checkScenarioTask(task);
    if (ids.has(task.taskId))
      throw new CalibrantError("data", `${place}: two tasks have the id ${task.taskId}`);
    ids.add(task.taskId);
    for (const tool of task.paths.flatMap((path) => path.tools))
      checkKnown(tool, tools, `${place}, task ${task.taskId}`);
  }
}

function checkEquivalences(registry: ToolRegistry, tools: ReadonlySet<string>, place: string): void {
  const escalation = new Set(registry.escalationTools);
  const seen = new Set<string>();
  for (const equivalence of registry.equivalences) {
    const { tool } = equivalence;
    checkKnown(tool, tools, `${place}, equivalences`);
    if (seen.has(tool)) throw new CalibrantError("data", `${place}: two entries of equivalences for ${tool}`);
    seen.add(tool);
    checkAlternatives(equivalence, tools, `${place}, alternatives of ${tool}`);
    const mentioned = [tool, ...equivalence.alternatives.flatMap((alternative) => alternative.tools)];
    const human = mentioned.find((name) => escalation.has(name));
    if (human !== undefined)
      throw new CalibrantError(
        "data",
        `${place}, alternatives of ${tool}: an escalation tool is no equivalent, got ${human}`,
      );
  }
}

function checkAlternatives(
  { tool, alternatives }: ToolEquivalence,
  tools: ReadonlySet<string>,
  place: string,
): void {
  for (const alternative of alternatives) {
    if (!isToolList(alternative.tools))
      throw new CalibrantError(
        "data",
        `${place}: each needs at least one tool, got ${JSON.stringify(alternative.tools)}`,
      );
    distinctTools(alternative.tools, place, "tools");
    for (const name of alternative.tools) checkKnown(name, tools, place);
    if (alternative.tools.includes(tool))
      throw new CalibrantError("data", `${place}: a tool cannot stand in for itself, got ${tool}`);
  }
}

function distinctTools(tools: readonly string[], place: string, name: string): Set<string> {
  const distinct = new Set<string>();
  for (const tool of tools) {
    if (typeof tool !== "string" || tool === "")
      throw new CalibrantError("data", `${place}: ${name} must be names, got ${JSON.stringify(tool)}`);
    if (distinct.has(tool)) throw new CalibrantError("data", `${place}: ${name} name ${tool} twice`);
    distinct.add(tool);
  }
  return distinct;
}

function checkKnown(tool: string, tools: ReadonlySet<string>, place: string): void {
  if (!tools.has(tool))
    throw new CalibrantError("data", `${place}: ${tool} is not among its tools`, { tool });
}
