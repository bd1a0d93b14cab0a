import type { FallbackMap } from "../../recovery/memory/memory-data.ts";
import { fallbackMap } from "../../recovery/scenario/fallback-map.ts";
import type { ToolRegistry } from "../../recovery/scenario/tool-registry.ts";
import { readJsonFile } from "./read-json-file.ts";

/** The registries that come with the package, by their names on the command line. */
export const REGISTRY_NAMES = ["tau2-retail", "bfcl"] as const;

/**
 * The alternatives of a registry: one that comes with the package, else the file of this name.
 *
 * @param withAlternatives - also the tools that a benchmark does not have by itself
 * @throws CalibrantError `io` or `data`, naming the file.
 */
export async function namedFallbacks(name: string, withAlternatives: boolean): Promise<FallbackMap> {
  return fallbackMap(await namedRegistry(name), { withAlternatives });
}

async function namedRegistry(name: string): Promise<ToolRegistry> {
  if (name === "tau2-retail") return (await import("../../recovery/registries/tau2-retail.ts")).TAU2_RETAIL;
  if (name === "bfcl") return (await import("../../recovery/registries/bfcl.ts")).BFCL;
  const { readRegistry } = await import("../../recovery/scenario/read-registry.ts");
  return readRegistry(await readJsonFile(name), { place: name });
}
