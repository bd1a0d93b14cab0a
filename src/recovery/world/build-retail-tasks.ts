import { CalibrantError } from "../../errors.ts";
import { deriveSeed } from "../../math/derive-seed.ts";
import type { ToolPath } from "../scenario/scenario.ts";
import { taskPaths } from "../scenario/task-paths.ts";
import { buildAddress, buildRetailDatabase, type Draws, drawsOf } from "./build-retail-database.ts";
import { sumOfMoney } from "./money.ts";
import { RETAIL_REGISTRY } from "./retail-registry.ts";
import { openRetailSession } from "./retail-session.ts";
import {
  type Beliefs,
  type KnownFacts,
  OPERATION_TOOLS,
  type RetailNeed,
  STEP_TOOLS,
  stepArguments,
} from "./retail-steps.ts";
import {
  answerAfter,
  decide,
  type RetailDecision,
  type RetailGoldAction,
  type RetailStep,
  type RetailTask,
  type RetailTaskKind,
  TASK_KINDS,
} from "./retail-task.ts";
import { RETAIL_TOOL_NAMES } from "./retail-tools.ts";
import type { Customer, Order, Product, RetailDatabase } from "./retail-types.ts";
import { WRITE_TOOLS } from "./write-tools.ts";

/** A database and the requests of its customers. */
export interface RetailWorld {
  readonly seed: number;
  readonly database: RetailDatabase;
  readonly tasks: readonly RetailTask[];
}

/** The share of the tasks that is held out, as a percentage. */
const HELD_OUT = 30;

const NEEDS: Readonly<Record<RetailTaskKind, readonly Exclude<RetailNeed, "write">[]>> = {
  cancel: ["customer", "order"],
  exchange_cheapest: ["customer", "order", "product"],
  exchange_wanted: ["customer", "order", "item"],
  return_dearest: ["customer", "order"],
  change_address: ["customer", "order"],
  refund_total: ["customer", "order"],
  balance: ["customer", "balance"],
};

/**
 * A retail world of our own making: one request of every customer, the kinds in turn. About one request in four must be refused by the
 * shop's rules. Which of several equal tools comes first in a task is drawn, as customers differ in what they mention first.
 *
 * @param tasks - how many requests, from 1 to 5000.
 * @throws CalibrantError `option` for a seed or number of tasks out of range.
 *
 * @example
 * ```ts
 * import { retailWorld } from "calibrant/recovery";
 * const { tasks } = retailWorld({ seed: 0, tasks: 300 });
 * console.log(tasks.length, tasks[0]?.kind, tasks.filter(({ split }) => split === "heldout").length > 60); // 300 cancel true
 * ```
 */
export function retailWorld({
  seed = 0,
  tasks = 300,
}: {
  readonly seed?: number;
  readonly tasks?: number;
}): RetailWorld {
  if (!(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32))
    throw new CalibrantError("option", `seed must be an integer from 0 to 4294967295, got ${seed}`, { seed });
  if (!(Number.isInteger(tasks) && tasks >= 1 && tasks <= 5000))
    throw new CalibrantError("option", `tasks must be a whole number from 1 to 5000, got ${tasks}`, {
      tasks,
    });
  const drawn = buildRetailDatabase(seed, tasks);
  const draws = drawsOf(seed, "retail tasks");
  const orders = new Map(drawn.orders);
  const made = [...drawn.customers.values()].map((customer, index) =>
    buildTask({ ...drawn, orders }, customer, index, draws),
  );
  for (const { order } of made) orders.set(order.order_id, order);
  const database = { ...drawn, orders };
  return { seed, database, tasks: made.map((draft) => finishTask(draft, database)) };
}

interface TaskDraft {
  readonly taskId: string;
  readonly kind: RetailTaskKind;
  readonly customer: Customer;
  readonly order: Order;
  readonly known: KnownFacts;
  /** The tools of each step in the order of this task. */
  readonly ordered: (tools: readonly string[]) => readonly string[];
}

function buildTask(database: RetailDatabase, customer: Customer, index: number, draws: Draws): TaskDraft {
  const kind = TASK_KINDS[index % TASK_KINDS.length] as RetailTaskKind;
  const own = [...database.orders.values()].filter(({ customer_id }) => customer_id === customer.customer_id);
  const order = orderFor(kind, draws.pick(own), draws);
  const product = database.products.get(draws.pick(order.items).product_id) as Product;
  const { email, first_name, last_name, zip } = customer;
  const known = { email, first_name, last_name, zip, order_id: order.order_id };
  const suggested = draws.whole(0, 5);
  return {
    taskId: `retail-${String(index).padStart(4, "0")}`,
    kind,
    customer,
    order,
    known: { ...known, ...wishes(kind, product, order, draws) },
    ordered: (tools) => tools.map((_, at) => tools[(at + suggested) % tools.length] as string),
  };
}

/** The order with a status that mostly, but not always, allows the request. */
function orderFor(kind: RetailTaskKind, order: Order, { random }: Draws): Order {
  const refused = random() < 0.2;
  if (kind === "cancel" || kind === "change_address")
    return { ...order, status: refused ? "shipped" : "pending" };
  if (kind === "refund_total" || kind === "balance") return order;
  return { ...order, status: refused ? "shipped" : "delivered" };
}

function wishes(kind: RetailTaskKind, product: Product, order: Order, draws: Draws): Partial<KnownFacts> {
  if (kind === "change_address") return { address: buildAddress(draws) };
  if (kind !== "exchange_cheapest" && kind !== "exchange_wanted") return {};
  const owned = order.items.find(({ product_id }) => product_id === product.product_id);
  const others = product.variants.filter(({ item_id }) => item_id !== owned?.item_id);
  const wanted = draws.pick(others);
  const named = { product_id: product.product_id, product_name: product.name };
  const budget = Math.round(wanted.price * (draws.random() < 0.8 ? 1.1 + draws.random() : 0.9));
  if (kind === "exchange_cheapest") return { ...named, budget };
  return { ...named, budget, wanted_id: wanted.item_id, wanted_options: wanted.options };
}

function finishTask(draft: TaskDraft, database: RetailDatabase): RetailTask {
  const { taskId, kind, known, ordered } = draft;
  const beliefs = truth(draft, database);
  const decision = decide(kind, known, beliefs);
  const needs = NEEDS[kind].map((need): RetailStep => ({ need, tools: ordered(STEP_TOOLS[need]) }));
  const steps: readonly RetailStep[] =
    "answer" in decision
      ? needs
      : [...needs, { need: "write", tools: ordered(OPERATION_TOOLS[decision.operation.kind]) }];
  const paths = pathsOf(steps);
  return {
    taskId,
    kind,
    split: deriveSeed("retail split", taskId) % 100 < HELD_OUT ? "heldout" : "training",
    request: requestText(kind, known),
    known,
    steps,
    paths,
    goldActions: goldActions(paths[0]?.tools ?? [], known, beliefs, decision),
    expected: expectedOutcome(decision, database, known),
  };
}

/** What is true of a task. */
function truth({ customer, order, known }: TaskDraft, { products }: RetailDatabase): Beliefs {
  const product = known.product_id === undefined ? undefined : products.get(known.product_id);
  const item = product?.variants.find(({ item_id }) => item_id === known.wanted_id);
  const refunds = order.payments.filter(({ kind }) => kind === "refund");
  return {
    customer: { customer_id: customer.customer_id },
    order: { ...order, refunded: sumOfMoney(refunds.map(({ amount }) => amount)) },
    balance: { balance: customer.balance },
    ...(product !== undefined && { product }),
    ...(item !== undefined && { item }),
  };
}

/** Every way through the steps, the suggested tools first; never with a tool for another operation. */
function pathsOf(steps: readonly RetailStep[]): ToolPath[] {
  const usable = new Set(steps.flatMap(({ tools }) => tools));
  const without = RETAIL_TOOL_NAMES.filter((name) => !usable.has(name));
  return taskPaths(
    steps.map(({ tools }) => tools[0] as string),
    RETAIL_REGISTRY,
    { without },
  );
}

function goldActions(
  tools: readonly string[],
  known: KnownFacts,
  beliefs: Beliefs,
  decision: RetailDecision,
): RetailGoldAction[] {
  return tools.map((name) => {
    const operation = name in WRITE_TOOLS && "operation" in decision ? decision.operation : null;
    const args = stepArguments(name, known, beliefs, operation);
    // The reason is free text.
    const compared = Object.keys(args).filter((key) => key !== "reason");
    return { name, arguments: args, ...("reason" in args && { compare_args: compared }) };
  });
}

function expectedOutcome(
  decision: RetailDecision,
  database: RetailDatabase,
  { order_id }: KnownFacts,
): RetailTask["expected"] {
  if ("answer" in decision) return { answer: decision.answer, order: null };
  const session = openRetailSession(database);
  const { operation } = decision;
  const result = WRITE_TOOLS.file_request?.(session, { kind: operation.kind, ...operation.args });
  const { refund, price_difference } = (result ?? {}) as { refund?: number; price_difference?: number };
  return { answer: answerAfter(refund ?? price_difference ?? null), order: session.order(order_id) ?? null };
}

function requestText(kind: RetailTaskKind, known: KnownFacts): string {
  const { first_name, last_name, email, zip, order_id, product_name = "", budget = 0, address } = known;
  const where = address === undefined ? "" : `${address.street}, ${address.zip} ${address.city}`;
  const options = Object.values(known.wanted_options ?? {}).join(", ");
  const wish: Readonly<Record<RetailTaskKind, string>> = {
    cancel: "Please cancel it and tell me the refund.",
    exchange_cheapest: `Please exchange the ${product_name} (${known.product_id}) for its cheapest other variant in stock, for at most ${budget} dollars, and tell me the price difference.`,
    exchange_wanted: `Please exchange the ${product_name} (${known.product_id}) for item ${known.wanted_id} (${options}) if it is in stock and costs at most ${budget} dollars, and tell me the price difference.`,
    return_dearest: "Please return its most expensive item and tell me the refund.",
    change_address: `Please send it to ${where} instead.`,
    refund_total: "How much was refunded for it so far?",
    balance: "What is my store credit?",
  };
  return `I am ${first_name} ${last_name} (${email}, zip code ${zip}), my order is ${order_id}. ${wish[kind]}`;
}
