import { CalibrantError } from "../../errors.ts";
import { toolFaultHeuristic } from "./heuristic.ts";
import { type FaultType, NEXT_ACTIONS, type NextAction, nextActionCode } from "./labels.ts";
import type { ToolFaultAnswer, ToolFaultItem, ToolFaultPrediction } from "./tool-fault-item.ts";

/** The baselines of ToolFault-Bench that need no model. */
export const TOOLFAULT_BASELINES = ["always", "oracle", "heuristic"] as const;

/** The name of a baseline. */
export type ToolFaultBaseline = (typeof TOOLFAULT_BASELINES)[number];

/**
 * What a baseline predicts for items, in their order.
 *
 * - `always`: `none` and `proceed`, whatever the item.
 * - `oracle`: the gold fault type, and the preferred action that is most common for it among the given items; of equally
 *   common ones the first in the order of `NEXT_ACTIONS`. It shows what knowing the fault alone is worth.
 * - `heuristic`: rules on status codes and keywords of the last tool result, see the table in `heuristic.ts`.
 *
 * @throws CalibrantError `option` for another name.
 *
 * @example
 * ```ts
 * import { toolFaultBaseline, toolFaultItems } from "calibrant/metrics";
 * const items = toolFaultItems([
 *   {
 *     id: "1",
 *     fault_type: "rate_limited",
 *     next_action: "wait_then_retry",
 *     acceptable_next_actions: ["wait_then_retry"],
 *     critical_next_actions: [],
 *     tools: [],
 *     messages: [{ role: "tool", content: '{"status": 429, "retry_after": 2}' }],
 *   },
 * ]);
 * console.log(toolFaultBaseline("heuristic", items)[0]?.next_action); // wait_then_retry
 * ```
 */
export function toolFaultBaseline(
  name: ToolFaultBaseline,
  items: readonly ToolFaultItem[],
): ToolFaultPrediction[] {
  const answer = answerer(name, items);
  return items.map((item) => ({ id: item.id, ...answer(item) }));
}

function answerer(
  name: ToolFaultBaseline,
  items: readonly ToolFaultItem[],
): (item: ToolFaultItem) => ToolFaultAnswer {
  switch (name) {
    case "always":
      return () => ({ fault_type: "none", next_action: "proceed" });
    case "oracle": {
      const common = commonActions(items);
      return ({ fault_type }) => ({ fault_type, next_action: common.get(fault_type) as NextAction });
    }
    case "heuristic":
      return toolFaultHeuristic;
    default:
      throw new CalibrantError(
        "option",
        `baseline must be one of ${TOOLFAULT_BASELINES.join(", ")}, got ${String(name)}`,
        { baseline: name },
      );
  }
}

/** The most common preferred action of each fault type that occurs. */
function commonActions(items: readonly ToolFaultItem[]): ReadonlyMap<FaultType, NextAction> {
  const counts = new Map<FaultType, number[]>();
  for (const { fault_type, next_action } of items) {
    const row = counts.get(fault_type) ?? NEXT_ACTIONS.map(() => 0);
    const code = nextActionCode(next_action);
    row[code] = (row[code] as number) + 1;
    counts.set(fault_type, row);
  }
  const common = [...counts].map(([fault, row]) => {
    return [fault, NEXT_ACTIONS[row.indexOf(Math.max(...row))] as NextAction] as const;
  });
  return new Map(common);
}
