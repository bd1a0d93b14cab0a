/** Where an order goes. */
export interface Address {
  readonly street: string;
  readonly city: string;
  readonly zip: string;
}

/** A movement of store credit, in dollars: into the balance, or out of it when negative. */
export interface Transaction {
  readonly transaction_id: string;
  readonly amount: number;
}

/** A customer; `balance` is the sum of the transactions. */
export interface Customer {
  readonly customer_id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly zip: string;
  readonly balance: number;
  readonly transactions: readonly Transaction[];
}

/** What an order can be, in the order in which it happens; a cancelled one ends there. */
export type OrderStatus = "pending" | "processed" | "shipped" | "delivered" | "cancelled";

/** One article of an order; no order holds an article twice. */
export interface OrderItem {
  readonly item_id: string;
  readonly product_id: string;
  readonly name: string;
  readonly price: number;
  readonly state: "kept" | "exchanged" | "returned";
}

/** Money that came or went back, in dollars. */
export interface Payment {
  readonly kind: "payment" | "refund";
  readonly amount: number;
}

/** An order. */
export interface Order {
  readonly order_id: string;
  readonly customer_id: string;
  readonly status: OrderStatus;
  readonly items: readonly OrderItem[];
  readonly address: Address;
  readonly payments: readonly Payment[];
}

/** An article: one choice of the options of a product. */
export interface Variant {
  readonly item_id: string;
  readonly options: Readonly<Record<string, string>>;
  readonly price: number;
  readonly stock: number;
}

/** A product and its articles. */
export interface Product {
  readonly product_id: string;
  readonly name: string;
  readonly variants: readonly Variant[];
}

/** The world: who bought what. Products and customers never change; orders do. */
export interface RetailDatabase {
  readonly customers: ReadonlyMap<string, Customer>;
  readonly products: ReadonlyMap<string, Product>;
  readonly orders: ReadonlyMap<string, Order>;
}
