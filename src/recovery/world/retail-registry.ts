import type { FallbackMap } from "../memory/memory-data.ts";
import { fallbackMap } from "../scenario/fallback-map.ts";
import type { ToolEquivalence, ToolRegistry } from "../scenario/tool-registry.ts";
import { OPERATION_TOOLS, STEP_TOOLS } from "./retail-steps.ts";
import { RETAIL_TOOL_NAMES, TRANSFER_TOOL } from "./retail-tools.ts";

/** What a tool gives where it stands in for another one. */
const NOTES: Readonly<Record<string, string>> = {
  find_customer_by_email: "by email",
  find_customer_by_name_zip: "by first name, last name and zip code",
  get_customer_by_order: "by an order's id, without further identification",
  get_order: "one order in full: with address and single payments",
  list_customer_orders:
    "all orders of the customer at once, as summaries: sums instead of payments, no address",
  get_product: "one product by id, with all variants",
  search_products: "by words of the name; may find several products, take the one with the right id",
  get_item: "one item by id, with its options",
  find_item_by_options: "one item by product and options, without its id",
  check_availability: "stock and price only, by the item's id",
  get_balance: "the balance alone",
  list_transactions: "the single transactions; their sum is the balance",
  cancel_order: "one step, for cancellations only",
  exchange_item: "one step, for exchanges only",
  return_item: "one step, for returns only",
  change_address: "one step, for addresses only",
  file_request: "a form for every operation: the operation is named in kind, the rest is the same",
};

/**
 * The retail world's tools and which can stand in for which, with what differs. In every group of equal tools each can stand in for each;
 * `file_request` carries out all four operations.
 */
export const RETAIL_REGISTRY: ToolRegistry = {
  name: "retail-world",
  tools: RETAIL_TOOL_NAMES,
  equivalences: equivalences(),
  escalationTools: [TRANSFER_TOOL],
};

/** The registry as the fallback map of a memory. */
export const RETAIL_FALLBACKS: FallbackMap = fallbackMap(RETAIL_REGISTRY);

/** The names of the tools that can stand in for each. */
export const RETAIL_ALTERNATIVES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(RETAIL_FALLBACKS).map(([tool, found]) => [tool, found.map(({ tool: name }) => name)]),
);

function equivalences(): ToolEquivalence[] {
  const others = new Map<string, Set<string>>();
  for (const group of [...Object.values(STEP_TOOLS), ...Object.values(OPERATION_TOOLS)]) {
    for (const tool of group) {
      const known = others.get(tool) ?? new Set();
      others.set(tool, known);
      for (const other of group) if (other !== tool) known.add(other);
    }
  }
  return [...others].map(([tool, names]) => ({
    tool,
    alternatives: [...names].map((name) => ({ tools: [name], note: NOTES[name] ?? "" })),
  }));
}
