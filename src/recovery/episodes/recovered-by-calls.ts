import type { ToolExchange } from "../../data/calls/tool-exchanges.ts";
import { isSilentFault } from "../fault-kinds.ts";
import type { ToolSwitch } from "./episode.ts";
import type { FaultyCall } from "./met-faults.ts";
import type { Alternatives } from "./tool-switches.ts";

/**
 * Whether the calls overcame what failed: for every tool with a visible failure or a block, a call of a later message than
 * its last one came back and met nothing. It may be of the tool itself, of a declared alternative, or of a tool that the agent
 * switched to or from. Null when no visible failure was met, or one that no call of the conversation fits.
 */
export function recoveredByCalls(
  exchanges: readonly ToolExchange[],
  faulty: readonly FaultyCall[],
  switches: readonly ToolSwitch[],
  alternatives: Alternatives,
): boolean | null {
  const last = new Map<string, number>();
  for (const { tool, fault, index } of faulty) {
    if (isSilentFault(fault)) continue;
    if (index === null) return null;
    last.set(tool, index);
  }
  if (last.size === 0) return null;
  const failed = new Set(faulty.map(({ index }) => index));
  return [...last].every(([tool, index]) => {
    const standIns = new Set([tool, ...(alternatives?.get(tool) ?? [])]);
    for (const { source, target } of switches) {
      if (source === tool) standIns.add(target);
      if (target === tool) standIns.add(source);
    }
    const { message } = exchanges[index] as ToolExchange;
    return exchanges.some(
      (later, i) =>
        later.message > message && later.result !== null && !failed.has(i) && standIns.has(later.call.name),
    );
  });
}
