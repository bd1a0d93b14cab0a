import type { ToolExchange } from "../../data/calls/tool-exchanges.ts";
import { isSilentFault } from "../fault-kinds.ts";
import type { ToolSwitch } from "./episode.ts";
import type { FaultyCall } from "./met-faults.ts";

/** The declared alternatives of each tool; null = none are declared. */
export type Alternatives = ReadonlyMap<string, ReadonlySet<string>> | null;

/**
 * The distinct switches of an episode, in the order of the failures that they follow. After a failure, the first later call
 * of an alternative, before the failed tool is called again, is a switch; without declared alternatives the first later call
 * of any other tool is, and only after failures that the agent can see. Calls of the failed call's own message were sent
 * without knowledge of it; calls of escalation tools are no switches.
 */
export function toolSwitches(
  exchanges: readonly ToolExchange[],
  faulty: readonly FaultyCall[],
  alternatives: Alternatives,
  escalationTools: ReadonlySet<string>,
): ToolSwitch[] {
  const switches = new Map<string, ToolSwitch>();
  for (const { tool: source, fault, index } of faulty) {
    if (index === null || (alternatives === null && isSilentFault(fault))) continue;
    const targets = alternatives === null ? null : (alternatives.get(source) ?? new Set());
    const isTarget = (tool: string): boolean =>
      !escalationTools.has(tool) && (targets === null || targets.has(tool));
    const target = nextTarget(exchanges, index, isTarget);
    if (target !== null) switches.set(JSON.stringify([source, target]), { source, target });
  }
  return [...switches.values()];
}

function nextTarget(
  exchanges: readonly ToolExchange[],
  failed: number,
  isTarget: (tool: string) => boolean,
): string | null {
  const { call, message } = exchanges[failed] as ToolExchange;
  for (let i = failed + 1; i < exchanges.length; i += 1) {
    const later = exchanges[i] as ToolExchange;
    if (later.message === message) continue;
    if (later.call.name === call.name) return null;
    if (isTarget(later.call.name)) return later.call.name;
  }
  return null;
}
