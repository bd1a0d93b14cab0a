import { deriveSeed } from "../../math/derive-seed.ts";
import { seededRandom } from "../../math/seeded-random.ts";
import { sumOfMoney } from "./money.ts";
import type {
  Address,
  Customer,
  Order,
  OrderItem,
  OrderStatus,
  Product,
  RetailDatabase,
  Variant,
} from "./retail-types.ts";

const FIRST_NAMES = ["Ada", "Bruno", "Chidi", "Dana", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas"];
const LAST_NAMES = ["Abara", "Berg", "Costa", "Duarte", "Eriksen", "Fontaine", "Greco", "Haas", "Ito"];
const STREETS = ["Alder Lane", "Brook Street", "Canal Road", "Dune Walk", "Elm Row", "Fern Hill"];
const CITIES = ["Northport", "Eastvale", "Southwick", "Westbrook", "Midham"];
const MATERIALS = ["Linen", "Oak", "Steel", "Wool", "Cork"];
const THINGS = ["Lamp", "Backpack", "Kettle", "Chair", "Scarf", "Clock", "Teapot", "Blanket"];
const COLOURS = ["black", "green", "sand"];
const SIZES = ["small", "large"];
const STATUSES: readonly OrderStatus[] = ["pending", "processed", "shipped", "delivered"];

/** Uniform draws of the world's maker. */
export interface Draws {
  /** A number in [0, 1). */
  readonly random: () => number;
  /** A whole number from `low` to `high`. */
  readonly whole: (low: number, high: number) => number;
  readonly pick: <T>(list: readonly T[]) => T;
}

/** Draws from a seed and a name, so that parts of a world do not depend on each other. */
export function drawsOf(seed: number, name: string): Draws {
  const random = seededRandom(deriveSeed(seed, name));
  const whole = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1));
  return { random, whole, pick: (list) => list[whole(0, list.length - 1)] as (typeof list)[number] };
}

/**
 * A retail database of our own making: 40 products in six variants each, and for every customer one to three orders with one to three
 * articles. The same seed gives the same database.
 *
 * @param customers - how many; at least 1.
 */
export function buildRetailDatabase(seed: number, customers: number): RetailDatabase {
  const products = buildProducts(drawsOf(seed, "retail products"));
  const people = new Map<string, Customer>();
  const orders = new Map<string, Order>();
  const draws = drawsOf(seed, "retail customers");
  for (let i = 0; i < customers; i++) {
    const customer = buildCustomer(i, draws);
    people.set(customer.customer_id, customer);
    const count = draws.whole(1, 3);
    for (let k = 0; k < count; k++) {
      const order = buildOrder(`o${5000 + orders.size}`, customer, [...products.values()], draws);
      orders.set(order.order_id, order);
    }
  }
  return { customers: people, products, orders };
}

function buildProducts({ whole, random }: Draws): Map<string, Product> {
  const products = new Map<string, Product>();
  for (const material of MATERIALS) {
    for (const thing of THINGS) {
      const product_id = `p${100 + products.size}`;
      const variants = COLOURS.flatMap((color) =>
        SIZES.map((size, at): Variant => {
          const item_id = `i${product_id.slice(1)}${COLOURS.indexOf(color)}${at}`;
          const stock = random() < 0.25 ? 0 : whole(4, 40);
          return { item_id, options: { color, size }, price: whole(1200, 18000) / 100, stock };
        }),
      );
      products.set(product_id, { product_id, name: `${material} ${thing}`, variants });
    }
  }
  return products;
}

/** No two customers share a name and a zip code, nor an email. */
function buildCustomer(index: number, { pick, whole }: Draws): Customer {
  const [first_name, last_name] = [pick(FIRST_NAMES), pick(LAST_NAMES)];
  const transactions = Array.from({ length: whole(2, 4) }, (_, k) => ({
    transaction_id: `x${index}${k}`,
    amount: k === 0 ? whole(4000, 15000) / 100 : whole(-1300, 3000) / 100,
  }));
  return {
    customer_id: `c${1000 + index}`,
    first_name,
    last_name,
    email: `${first_name}.${last_name}.${index}@example.com`.toLowerCase(),
    zip: String(10000 + index * 7),
    balance: sumOfMoney(transactions.map(({ amount }) => amount)),
    transactions,
  };
}

function buildOrder(order_id: string, customer: Customer, products: readonly Product[], draws: Draws): Order {
  const chosen = new Set<Product>();
  const count = draws.whole(1, 3);
  while (chosen.size < count) chosen.add(draws.pick(products));
  const items = [...chosen].map((product): OrderItem => {
    const { item_id, price } = draws.pick(product.variants);
    return { item_id, product_id: product.product_id, name: product.name, price, state: "kept" };
  });
  const total = sumOfMoney(items.map(({ price }) => price));
  const refund =
    draws.random() < 0.5 ? [{ kind: "refund" as const, amount: draws.whole(500, 2500) / 100 }] : [];
  return {
    order_id,
    customer_id: customer.customer_id,
    status: draws.pick(STATUSES),
    items,
    address: buildAddress(draws),
    payments: [{ kind: "payment", amount: total }, ...refund],
  };
}

/** Some address. */
export function buildAddress({ pick, whole }: Draws): Address {
  return { street: `${whole(1, 99)} ${pick(STREETS)}`, city: pick(CITIES), zip: String(whole(20000, 89999)) };
}
