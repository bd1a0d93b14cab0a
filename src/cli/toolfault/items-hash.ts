import { createHash } from "node:crypto";
import type { ToolFaultGold } from "../../metrics/toolfault/tool-fault-item.ts";

/** SHA-256 (hex) of what scoring reads of a dataset: ids, fault types, sets of actions and hard negatives, in any order. */
export function itemsHash(items: readonly ToolFaultGold[]): string {
  const lines = items.map((item) => {
    const sets = [item.acceptable_next_actions, item.critical_next_actions].map((set) => [...set].sort());
    return JSON.stringify([item.id, item.fault_type, ...sets, item.is_hard_negative]);
  });
  return createHash("sha256").update(lines.sort().join("\n")).digest("hex");
}
