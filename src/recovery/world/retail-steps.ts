import { sumOfMoney } from "./money.ts";
import type { RetailArguments } from "./retail-tool.ts";
import type { Address, OrderItem, Payment, Transaction, Variant } from "./retail-types.ts";

/** What a step of a task finds out; `write` carries out what was decided. */
export type RetailNeed = "customer" | "order" | "product" | "item" | "balance" | "write";

/** What the customer tells in the request. */
export interface KnownFacts {
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly zip: string;
  readonly order_id: string;
  /** The product that the request is about, where it is about one. */
  readonly product_id?: string;
  readonly product_name?: string;
  /** The article that is wanted instead, where one is named. */
  readonly wanted_id?: string;
  readonly wanted_options?: Readonly<Record<string, string>>;
  readonly budget?: number;
  readonly address?: Address;
}

/** An operation on an order. */
export interface RetailOperation {
  readonly kind: "cancel" | "exchange" | "return" | "address";
  readonly args: RetailArguments;
}

/** What an agent holds to be true in an episode. */
export interface Beliefs {
  customer?: { readonly customer_id: string };
  order?: { readonly status: string; readonly items: readonly OrderItem[]; readonly refunded: number };
  product?: { readonly variants: readonly Variant[] };
  item?: { readonly price: number; readonly stock: number };
  balance?: { readonly balance: number };
  write?: { readonly amount: number | null };
}

/** The tools of each need that can stand in for each other; those of `write` by operation. */
export const STEP_TOOLS: Readonly<Record<Exclude<RetailNeed, "write">, readonly string[]>> = {
  customer: ["find_customer_by_email", "find_customer_by_name_zip", "get_customer_by_order"],
  order: ["get_order", "list_customer_orders"],
  product: ["get_product", "search_products"],
  item: ["get_item", "find_item_by_options", "check_availability"],
  balance: ["get_balance", "list_transactions"],
};

/** The tools that carry out an operation. */
export const OPERATION_TOOLS: Readonly<Record<RetailOperation["kind"], readonly string[]>> = {
  cancel: ["cancel_order", "file_request"],
  exchange: ["exchange_item", "file_request"],
  return: ["return_item", "file_request"],
  address: ["change_address", "file_request"],
};

/** The arguments of a call, from what was told and found out. */
export function stepArguments(
  tool: string,
  known: KnownFacts,
  beliefs: Beliefs,
  operation: RetailOperation | null,
): RetailArguments {
  const { email, first_name, last_name, zip, order_id } = known;
  if (operation !== null)
    return tool === "file_request" ? { kind: operation.kind, ...operation.args } : operation.args;
  if (tool === "find_customer_by_email") return { email };
  if (tool === "find_customer_by_name_zip") return { first_name, last_name, zip };
  if (tool === "get_customer_by_order" || tool === "get_order") return { order_id };
  if (tool === "get_product") return { product_id: known.product_id };
  if (tool === "search_products") return { name: known.product_name };
  if (tool === "get_item" || tool === "check_availability") return { item_id: known.wanted_id };
  if (tool === "find_item_by_options") return { product_id: known.product_id, options: known.wanted_options };
  return { customer_id: beliefs.customer?.customer_id };
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a tool's answer without a doubt about its content: an empty field is an empty field.
 *
 * @returns null for what is visibly no answer: no JSON object, one with an `error`, or one without the fields that are needed.
 */
export function readStep<Need extends RetailNeed>(
  need: Need,
  text: string,
  known: KnownFacts,
): NonNullable<Beliefs[Need]> | null {
  const answer = parsedObject(text);
  if (answer === null || "error" in answer) return null;
  return READERS[need](answer, known) as NonNullable<Beliefs[Need]> | null;
}

const READERS: Readonly<Record<RetailNeed, (answer: Fields, known: KnownFacts) => object | null>> = {
  customer: ({ customer_id }) => (typeof customer_id === "string" ? { customer_id } : null),
  order: readOrder,
  product: ({ variants, products }, { product_id }) => {
    const found = listed(products)?.find((product) => product.product_id === product_id);
    const list = listed(variants) ?? (products === undefined ? null : (listed(found?.variants) ?? []));
    return list === null ? null : { variants: list };
  },
  item: ({ price, stock }) =>
    typeof price === "number" && typeof stock === "number" ? { price, stock } : null,
  balance: ({ balance, transactions }) => {
    if (typeof balance === "number") return { balance };
    const list = listed(transactions) as readonly Transaction[] | null;
    return list === null ? null : { balance: sumOfMoney(list.map(({ amount }) => amount)) };
  },
  write: ({ refund, price_difference }) => {
    const amount = refund ?? price_difference;
    return { amount: typeof amount === "number" ? amount : null };
  },
};

/** An order by its details, or from the summaries of all orders; one that is not among them has nothing in it. */
function readOrder(answer: Fields, { order_id }: KnownFacts): object | null {
  const orders = answer.orders === undefined ? null : (listed(answer.orders) ?? []);
  const order = orders === null ? answer : (orders.find((one) => one.order_id === order_id) ?? {});
  const { status = "", items = [], payments, refunded } = order;
  if (orders === null && answer.order_id === undefined) return null;
  const refunds = (listed(payments) as readonly Payment[] | null)?.filter(({ kind }) => kind === "refund");
  const sum = refunds === undefined ? refunded : sumOfMoney(refunds.map(({ amount }) => amount));
  return { status, items: listed(items) ?? [], refunded: typeof sum === "number" ? sum : 0 };
}

function listed(value: unknown): readonly Fields[] | null {
  return Array.isArray(value) ? (value as readonly Fields[]) : null;
}

function parsedObject(text: string): Fields | null {
  if (!text.startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Fields) : null;
  } catch {
    return null;
  }
}
