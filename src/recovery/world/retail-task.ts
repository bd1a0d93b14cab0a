import type { ScenarioTask, ToolPath } from "../scenario/scenario.ts";
import { sumOfMoney } from "./money.ts";
import type { Beliefs, KnownFacts, RetailNeed, RetailOperation } from "./retail-steps.ts";
import type { Order } from "./retail-types.ts";

/** The kinds of task. */
export const TASK_KINDS: readonly RetailTaskKind[] = [
  "cancel",
  "exchange_cheapest",
  "exchange_wanted",
  "return_dearest",
  "change_address",
  "refund_total",
  "balance",
];

/** A kind of task. */
export type RetailTaskKind =
  | "cancel"
  | "exchange_cheapest"
  | "exchange_wanted"
  | "return_dearest"
  | "change_address"
  | "refund_total"
  | "balance";

/** What the customer must hear: an amount in dollars, that it is done, or that it cannot be done. */
export type RetailAnswer = number | "done" | "refused";

/** A gold action as rows have it. */
export interface RetailGoldAction {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly compare_args?: readonly string[];
}

/** One step: what it is for, and the tools that can do it, the one that the request suggests first. */
export interface RetailStep {
  readonly need: RetailNeed;
  readonly tools: readonly string[];
}

/** A customer's request, what solves it, and how its outcome is judged. */
export interface RetailTask extends ScenarioTask {
  readonly kind: RetailTaskKind;
  /** Which part of the tasks it belongs to, by a hash of its id. */
  readonly split: "training" | "heldout";
  readonly request: string;
  readonly known: KnownFacts;
  readonly steps: readonly RetailStep[];
  /** All combinations of the steps' tools, the suggested one first. */
  readonly paths: readonly ToolPath[];
  /** The calls of the first path. */
  readonly goldActions: readonly RetailGoldAction[];
  readonly expected: { readonly answer: RetailAnswer; readonly order: Order | null };
}

/** What an agent does with what it believes: an operation, or an answer right away. */
export type RetailDecision = { readonly operation: RetailOperation } | { readonly answer: RetailAnswer };

/** Carries out the shop's rules on what is believed. The rules are part of the request, the same for every agent. */
export function decide(kind: RetailTaskKind, known: KnownFacts, beliefs: Beliefs): RetailDecision {
  const { order_id } = known;
  const { status = "", items = [], refunded = 0 } = beliefs.order ?? {};
  const operation = (
    name: RetailOperation["kind"],
    args: Readonly<Record<string, unknown>>,
  ): RetailDecision => ({
    operation: { kind: name, args: { order_id, ...args } },
  });
  if (kind === "balance") return { answer: beliefs.balance?.balance ?? 0 };
  if (kind === "refund_total") return { answer: refunded };
  if (kind === "cancel" && status === "pending") return operation("cancel", { reason: "no longer needed" });
  if (kind === "change_address" && status === "pending")
    return operation("address", { address: known.address });
  const owned = items.filter(({ state }) => state === "kept");
  if (kind === "return_dearest" && status === "delivered" && owned.length > 0) {
    const [dearest] = [...owned].sort((a, b) => b.price - a.price);
    return operation("return", { item_id: dearest?.item_id });
  }
  const old = owned.find(({ product_id }) => product_id === known.product_id);
  const wanted =
    old === undefined || status !== "delivered" ? null : wantedItem(kind, known, beliefs, old.item_id);
  if (old === undefined || wanted === null) return { answer: "refused" };
  return operation("exchange", { item_id: old.item_id, new_item_id: wanted });
}

function wantedItem(
  kind: RetailTaskKind,
  { budget = 0, wanted_id = "" }: KnownFacts,
  { product, item }: Beliefs,
  oldId: string,
): string | null {
  if (kind === "exchange_wanted") {
    const fits = item !== undefined && item.stock > 0 && item.price <= budget && wanted_id !== oldId;
    return fits ? wanted_id : null;
  }
  if (kind !== "exchange_cheapest") return null;
  const others = (product?.variants ?? []).filter(
    ({ item_id, stock, price }) => item_id !== oldId && stock > 0 && price <= budget,
  );
  const [cheapest] = [...others].sort((a, b) => a.price - b.price);
  return cheapest?.item_id ?? null;
}

/** What the customer is told after an operation: the amount where money moves, else that it is done. */
export function answerAfter(amount: number | null): RetailAnswer {
  return amount ?? "done";
}

/** The amount that an operation should move, by what is believed; null where none moves or it is not known. */
export function expectedAmount({ kind, args }: RetailOperation, beliefs: Beliefs): number | null {
  const { order, product, item } = beliefs;
  const owned = order?.items.find(({ item_id }) => item_id === args.item_id);
  if (kind === "address" || order === undefined) return null;
  if (kind === "cancel") return sumOfMoney(order.items.map(({ price }) => price));
  if (owned === undefined) return null;
  if (kind === "return") return owned.price;
  const wanted = product?.variants.find(({ item_id }) => item_id === args.new_item_id) ?? item;
  return wanted === undefined ? null : sumOfMoney([wanted.price, -owned.price]);
}

/** The amount that an operation moved, by two looks at the order; null where these do not tell. */
export function movedAmount(
  { kind, args }: RetailOperation,
  before: Beliefs["order"],
  after: Beliefs["order"],
): number | null {
  if (before === undefined || after === undefined) return null;
  if (kind !== "exchange") return sumOfMoney([after.refunded, -before.refunded]);
  const old = before.items.find(({ item_id }) => item_id === args.item_id);
  const now = after.items.find(({ item_id }) => item_id === args.new_item_id);
  return old === undefined || now === undefined ? null : sumOfMoney([now.price, -old.price]);
}
