import type { ToolAlternative, ToolRegistry } from "../scenario/tool-registry.ts";

/** The lookups that authenticate a user: the two of the benchmark, and the added one. */
export const RETAIL_LOOKUPS = [
  "find_user_id_by_email",
  "find_user_id_by_name_zip",
  "get_user_by_order",
] as const;

const BY_EMAIL: ToolAlternative = {
  tools: ["find_user_id_by_email"],
  note: "the same user id, found by the e-mail address; the user has to know it",
};
const BY_NAME: ToolAlternative = {
  tools: ["find_user_id_by_name_zip"],
  note: "the same user id, found by first name, last name and zip code; the user has to know them",
};
const BY_ORDER: ToolAlternative = {
  tools: ["get_user_by_order"],
  note: "the user of an order, found by the order number; the user has to know one",
};
const PRODUCT_DETAILS: ToolAlternative = {
  tools: ["get_product_details"],
  note: "lists every variant of the product with options, availability and price: pick the item; needs the product id, which orders and list_all_product_types hold",
};

/**
 * The retail domain of tau2-bench: its 16 tools and the 5 alternatives that Bench2Robust adds (Table 8).
 *
 * Among the 16, only these replace each other: the two lookups of a user, where the user knows what both need, and
 * `get_item_details` by `get_product_details`, which lists the same variant (not the reverse: an item does not lead to
 * its product's other variants). The tools that write have no equivalent: each changes another thing. `get_order_details`
 * holds a user id too, but the policy does not let it authenticate anyone. `get_user_details` alone holds payment methods.
 *
 * Of the added tools, `get_orders_for_user` is a summary of all orders: it can replace the details of one order where the
 * summary says enough; `check_order_item_availability` replaces `get_product_details` only for exchanging or modifying
 * items of an order. `list_all_product_types` stays without equivalent: a search by name does not count the types.
 */
export const TAU2_RETAIL: ToolRegistry = {
  name: "tau2-retail",
  tools: [
    "calculate",
    "cancel_pending_order",
    "exchange_delivered_order_items",
    "find_user_id_by_email",
    "find_user_id_by_name_zip",
    "get_item_details",
    "get_order_details",
    "get_product_details",
    "get_user_details",
    "list_all_product_types",
    "modify_pending_order_address",
    "modify_pending_order_items",
    "modify_pending_order_payment",
    "modify_user_address",
    "return_delivered_order_items",
    "transfer_to_human_agents",
    "search_product_by_name",
    "get_item_by_product_options",
    "get_orders_for_user",
    "get_user_by_order",
    "check_order_item_availability",
  ],
  addedTools: [
    "search_product_by_name",
    "get_item_by_product_options",
    "get_orders_for_user",
    "get_user_by_order",
    "check_order_item_availability",
  ],
  escalationTools: ["transfer_to_human_agents"],
  equivalences: [
    { tool: "find_user_id_by_email", alternatives: [BY_NAME, BY_ORDER] },
    { tool: "find_user_id_by_name_zip", alternatives: [BY_EMAIL, BY_ORDER] },
    { tool: "get_user_by_order", alternatives: [BY_EMAIL, BY_NAME] },
    {
      tool: "get_item_details",
      alternatives: [
        PRODUCT_DETAILS,
        {
          tools: ["get_item_by_product_options"],
          note: "the same item, found by its product and options instead of its id",
        },
      ],
    },
    {
      tool: "get_item_by_product_options",
      alternatives: [
        PRODUCT_DETAILS,
        { tools: ["get_item_details"], note: "the same item, by its id, which has to be known" },
      ],
    },
    {
      tool: "get_product_details",
      alternatives: [
        { tools: ["search_product_by_name"], note: "the same product, found by its name instead of its id" },
        {
          tools: ["check_order_item_availability"],
          note: "one answer for one item of an order: whether the wanted variant is available; does not list the other variants",
        },
      ],
    },
    {
      tool: "search_product_by_name",
      alternatives: [
        {
          tools: ["list_all_product_types", "get_product_details"],
          note: "the list gives the product id for the name, the details give the variants",
        },
      ],
    },
    {
      tool: "get_order_details",
      alternatives: [
        {
          tools: ["get_orders_for_user"],
          note: "all orders of the user at once, as a summary: less detail of each; look up what is missing item by item",
        },
      ],
    },
    {
      tool: "get_orders_for_user",
      alternatives: [
        {
          tools: ["get_user_details", "get_order_details"],
          note: "the user's order numbers, then one call an order; more detail than the summary",
        },
      ],
    },
    {
      tool: "check_order_item_availability",
      alternatives: [
        {
          tools: ["get_order_details", "get_product_details"],
          note: "the item in the order and the variants of its product: match the options yourself",
        },
      ],
    },
  ],
};
