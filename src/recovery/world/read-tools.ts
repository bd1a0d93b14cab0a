import { sumOfMoney } from "./money.ts";
import type { RetailSession } from "./retail-session.ts";
import { type RetailArguments, type RetailTool, RetailToolError } from "./retail-tool.ts";
import type { Customer, Order, Product, Variant } from "./retail-types.ts";

/** The tools that only read, by name. */
export const READ_TOOLS: Readonly<Record<string, RetailTool>> = {
  find_customer_by_email: (session, { email }) =>
    customerView(
      found(
        customers(session).find((customer) => customer.email === email),
        `no customer has the email ${String(email)}`,
      ),
    ),
  find_customer_by_name_zip: (session, { first_name, last_name, zip }) =>
    customerView(
      found(
        customers(session).find(
          (customer) =>
            customer.first_name === first_name && customer.last_name === last_name && customer.zip === zip,
        ),
        `no customer is named ${String(first_name)} ${String(last_name)} in ${String(zip)}`,
      ),
    ),
  get_customer_by_order: (session, { order_id }) =>
    customerView(customerOf(session, orderOf(session, { order_id }).customer_id)),
  get_order: (session, args) => orderView(orderOf(session, args)),
  list_customer_orders: (session, { customer_id }) => ({
    customer_id: customerOf(session, customer_id).customer_id,
    orders: session.ordersOf(customer_id).map(orderSummary),
  }),
  get_product: (session, { product_id }) => ({ ...productOf(session, product_id) }),
  search_products: (session, { name }) => {
    const words = typeof name === "string" ? name.toLowerCase() : "";
    if (words === "") throw new RetailToolError("name must be some words of a product's name");
    const products = [...session.database.products.values()];
    return { products: products.filter((product) => product.name.toLowerCase().includes(words)) };
  },
  get_item: (session, { item_id }) => {
    const [product, variant] = itemOf(session, item_id);
    return itemView(product, variant);
  },
  find_item_by_options: (session, { product_id, options }) => {
    const product = productOf(session, product_id);
    const wanted = Object.entries((options ?? {}) as Record<string, unknown>);
    const variant = product.variants.find((one) =>
      wanted.every(([name, value]) => one.options[name] === value),
    );
    return itemView(product, found(variant, `${product.product_id} has no variant with these options`));
  },
  check_availability: (session, { item_id }) => {
    const [, { stock, price }] = itemOf(session, item_id);
    return { item_id, available: stock > 0, stock, price };
  },
  get_balance: (session, { customer_id }) => ({
    customer_id,
    balance: customerOf(session, customer_id).balance,
  }),
  list_transactions: (session, { customer_id }) => ({
    customer_id,
    transactions: customerOf(session, customer_id).transactions,
  }),
};

function customers({ database }: RetailSession): Customer[] {
  return [...database.customers.values()];
}

function customerOf({ database }: RetailSession, id: unknown): Customer {
  return found(database.customers.get(String(id)), `no customer has the id ${String(id)}`);
}

/** @throws RetailToolError without such an order. */
export function orderOf(session: RetailSession, { order_id }: RetailArguments): Order {
  return found(session.order(order_id), `no order has the id ${String(order_id)}`);
}

function productOf({ database }: RetailSession, id: unknown): Product {
  return found(database.products.get(String(id)), `no product has the id ${String(id)}`);
}

/** @throws RetailToolError without such an article. */
export function itemOf({ database }: RetailSession, id: unknown): [Product, Variant] {
  for (const product of database.products.values()) {
    const variant = product.variants.find(({ item_id }) => item_id === id);
    if (variant !== undefined) return [product, variant];
  }
  throw new RetailToolError(`no item has the id ${String(id)}`);
}

function customerView({ customer_id, first_name, last_name, email, zip }: Customer): object {
  return { customer_id, first_name, last_name, email, zip };
}

function orderView(order: Order): object {
  return { ...order, total: sumOfMoney(order.items.map(({ price }) => price)) };
}

/** Without address and single payments. */
function orderSummary({ order_id, status, items, payments }: Order): object {
  const refunds = payments.filter(({ kind }) => kind === "refund");
  return {
    order_id,
    status,
    items,
    total: sumOfMoney(items.map(({ price }) => price)),
    refunded: sumOfMoney(refunds.map(({ amount }) => amount)),
  };
}

function itemView({ product_id, name }: Product, variant: Variant): object {
  return { ...variant, product_id, name };
}

function found<T>(value: T | undefined, otherwise: string): T {
  if (value === undefined) throw new RetailToolError(otherwise);
  return value;
}
