import type { Order, RetailDatabase } from "./retail-types.ts";

/** The database as one episode sees and changes it; the original stays as it is. */
export interface RetailSession {
  readonly database: RetailDatabase;
  order(id: unknown): Order | undefined;
  ordersOf(customerId: unknown): Order[];
  replaceOrder(order: Order): void;
  /** The orders that were changed, by id, as they are now. */
  readonly changed: ReadonlyMap<string, Order>;
}

/** Opens a database for one episode: a copy on write, so that an episode costs what it changes. */
export function openRetailSession(database: RetailDatabase): RetailSession {
  const changed = new Map<string, Order>();
  const order = (id: unknown): Order | undefined =>
    typeof id === "string" ? (changed.get(id) ?? database.orders.get(id)) : undefined;
  return {
    database,
    order,
    ordersOf: (customerId) =>
      [...database.orders.values()]
        .filter((found) => found.customer_id === customerId)
        .map((found) => changed.get(found.order_id) ?? found),
    replaceOrder: (replaced) => {
      changed.set(replaced.order_id, replaced);
    },
    changed,
  };
}
