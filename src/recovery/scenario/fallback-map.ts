import { checkOptionNames } from "../../data/check-option-names.ts";
import { type AlternativeOptions, usableAlternatives } from "./task-paths.ts";
import type { ToolRegistry } from "./tool-registry.ts";

/** A tool that an agent can turn to. */
export interface Fallback {
  readonly tool: string;
  /** What it gives compared with the tool that fails. */
  readonly note: string;
}

/**
 * The alternatives of every tool that has one, for the static part of a {@link BayesianToolMemory}. Tools that stand in
 * together have an entry each, whose note names the others.
 *
 * @throws CalibrantError `option` for an unknown option.
 *
 * @example
 * ```ts
 * import { fallbackMap, TAU2_RETAIL } from "calibrant/recovery";
 * console.log(fallbackMap(TAU2_RETAIL).get_item_details?.[0]?.tool); // get_product_details
 * ```
 */
export function fallbackMap(
  registry: ToolRegistry,
  options: AlternativeOptions = {},
): Record<string, readonly Fallback[]> {
  checkOptionNames(options, ["withAlternatives", "without"], "fallbackMap");
  const absent = new Set(options.withAlternatives === true ? [] : (registry.addedTools ?? []));
  const entries = registry.equivalences
    .filter(({ tool }) => !absent.has(tool))
    .map(({ tool }) => [tool, fallbacks(tool, registry, options)] as const);
  // fromEntries defines properties, so that a tool called __proto__ is one.
  return Object.fromEntries(entries.filter(([, found]) => found.length > 0));
}

function fallbacks(tool: string, registry: ToolRegistry, options: AlternativeOptions): Fallback[] {
  return usableAlternatives(tool, registry, options).flatMap(({ tools, note }) =>
    tools.map((name) => {
      const others = tools.filter((other) => other !== name);
      return { tool: name, note: others.length === 0 ? note : `with ${others.join(" and ")}: ${note}` };
    }),
  );
}
