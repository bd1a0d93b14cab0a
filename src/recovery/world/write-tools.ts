import { sumOfMoney } from "./money.ts";
import { itemOf, orderOf } from "./read-tools.ts";
import type { RetailSession } from "./retail-session.ts";
import { type RetailArguments, type RetailTool, RetailToolError } from "./retail-tool.ts";
import type { Address, Order, OrderItem, OrderStatus } from "./retail-types.ts";

/**
 * The tools that change an order, and the one that ends an episode, by name. `file_request` does what the four others do, as a form
 * that names the operation.
 */
export const WRITE_TOOLS: Readonly<Record<string, RetailTool>> = {
  cancel_order: (session, args) => cancel(session, args),
  exchange_item: (session, args) => exchange(session, args),
  return_item: (session, args) => sendBack(session, args),
  change_address: (session, args) => readdress(session, args),
  file_request: (session, { kind, ...args }) => {
    const operation = OPERATIONS.get(kind);
    if (operation === undefined)
      throw new RetailToolError(
        `kind must be one of ${[...OPERATIONS.keys()].join(", ")}, got ${String(kind)}`,
      );
    return { kind, ...operation(session, args) };
  },
  transfer_to_human: () => ({ transferred: true }),
};

const OPERATIONS: ReadonlyMap<unknown, RetailTool> = new Map([
  ["cancel", cancel],
  ["exchange", exchange],
  ["return", sendBack],
  ["address", readdress],
]);

function cancel(session: RetailSession, args: RetailArguments): object {
  const order = orderIn(session, args, "pending", "cancelled");
  const refund = sumOfMoney(order.items.map(({ price }) => price));
  session.replaceOrder(refunded({ ...order, status: "cancelled" }, refund));
  return { order_id: order.order_id, status: "cancelled", refund };
}

function exchange(session: RetailSession, args: RetailArguments): object {
  const order = orderIn(session, args, "delivered", "exchanged");
  const old = keptItem(order, args.item_id);
  const [product, variant] = itemOf(session, args.new_item_id);
  if (product.product_id !== old.product_id)
    throw new RetailToolError(`${variant.item_id} is not a variant of ${old.product_id}`);
  if (variant.item_id === old.item_id) throw new RetailToolError(`${variant.item_id} is the same item`);
  if (variant.stock === 0) throw new RetailToolError(`${variant.item_id} is out of stock`);
  const { item_id, price } = variant;
  const items = order.items.map((item) =>
    item === old ? { ...old, item_id, price, state: "exchanged" as const } : item,
  );
  session.replaceOrder({ ...order, items });
  const difference = sumOfMoney([price, -old.price]);
  return {
    order_id: order.order_id,
    item_id: old.item_id,
    new_item_id: item_id,
    price_difference: difference,
  };
}

function sendBack(session: RetailSession, args: RetailArguments): object {
  const order = orderIn(session, args, "delivered", "returned");
  const old = keptItem(order, args.item_id);
  const items = order.items.map((item) => (item === old ? { ...old, state: "returned" as const } : item));
  session.replaceOrder(refunded({ ...order, items }, old.price));
  return { order_id: order.order_id, item_id: old.item_id, refund: old.price };
}

function readdress(session: RetailSession, args: RetailArguments): object {
  const order = orderIn(session, args, "pending", "sent elsewhere");
  const { street, city, zip } = (args.address ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof street !== "string" || typeof city !== "string" || typeof zip !== "string")
    throw new RetailToolError("address must have street, city and zip");
  const address: Address = { street, city, zip };
  session.replaceOrder({ ...order, address });
  return { order_id: order.order_id, address };
}

function orderIn(session: RetailSession, args: RetailArguments, status: OrderStatus, done: string): Order {
  const order = orderOf(session, args);
  if (order.status === status) return order;
  throw new RetailToolError(
    `order ${order.order_id} is ${order.status}: only a ${status} order can be ${done}`,
  );
}

function keptItem(order: Order, id: unknown): OrderItem {
  const item = order.items.find(({ item_id, state }) => item_id === id && state === "kept");
  if (item === undefined) throw new RetailToolError(`order ${order.order_id} has no item ${String(id)}`);
  return item;
}

function refunded(order: Order, amount: number): Order {
  return { ...order, payments: [...order.payments, { kind: "refund", amount }] };
}
