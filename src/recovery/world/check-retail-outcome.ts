import { canonicalJson } from "../../data/calls/canonical-json.ts";
import type { RetailAnswer, RetailTask } from "./retail-task.ts";
import type { Order } from "./retail-types.ts";

/**
 * Whether a task is completed: exactly the expected order was changed and is now what it should be, no other, and the customer was told
 * the right thing.
 *
 * @param changed - the orders that the episode changed, by id.
 */
export function checkRetailOutcome(
  { expected }: RetailTask,
  changed: ReadonlyMap<string, Order>,
  answer: RetailAnswer | null,
): boolean {
  if (answer !== expected.answer) return false;
  if (expected.order === null) return changed.size === 0;
  const order = changed.get(expected.order.order_id);
  return changed.size === 1 && canonicalJson(order) === canonicalJson(expected.order);
}
