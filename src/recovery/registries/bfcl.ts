import type { ToolRegistry } from "../scenario/tool-registry.ts";

/** The eight domains of BFCL's multi-turn categories, by the names of their function documents. */
export const BFCL_DOMAIN_NAMES = [
  "gorilla_file_system",
  "math_api",
  "message_api",
  "posting_api",
  "ticket_api",
  "trading_bot",
  "travel_booking",
  "vehicle_control",
] as const;

/** A domain of BFCL's multi-turn categories. */
export type BfclDomain = (typeof BFCL_DOMAIN_NAMES)[number];

type Table = Pick<ToolRegistry, "tools" | "equivalences"> & { readonly escalationTools?: readonly string[] };

const names = (text: string): string[] => text.trim().split(/\s+/);

const TABLES: Readonly<Record<BfclDomain, Table>> = {
  gorilla_file_system: {
    tools: names("cat cd cp diff du echo find grep ls mkdir mv pwd rm rmdir sort tail touch wc"),
    equivalences: [
      {
        tool: "cat",
        alternatives: [
          { tools: ["tail"], note: "the whole file when lines is at least its number of lines" },
        ],
      },
      {
        tool: "tail",
        alternatives: [{ tools: ["cat"], note: "the whole file: keep its last lines" }],
      },
      {
        tool: "grep",
        alternatives: [{ tools: ["cat"], note: "the whole file: keep the lines that hold the pattern" }],
      },
      {
        tool: "ls",
        alternatives: [
          {
            tools: ["find"],
            note: "recursive: lists subdirectories too, keep the first level; no switch for hidden files",
          },
        ],
      },
      {
        tool: "find",
        alternatives: [{ tools: ["ls", "cd"], note: "one directory a call: go through the subdirectories" }],
      },
      {
        tool: "touch",
        alternatives: [
          {
            tools: ["echo"],
            note: "empty content written to the new file; an existing file would be overwritten",
          },
        ],
      },
      {
        tool: "mv",
        alternatives: [
          {
            tools: ["cp", "rm"],
            note: "copy, then remove the original; not one step, so check the copy before removing",
          },
        ],
      },
      {
        tool: "rmdir",
        alternatives: [{ tools: ["rm"], note: "removes files too: check that the name is the directory's" }],
      },
    ],
  },
  math_api: {
    tools:
      names(`absolute_value add divide imperial_si_conversion logarithm max_value mean min_value multiply percentage
      power round_number si_unit_conversion square_root standard_deviation subtract sum_values`),
    equivalences: [
      { tool: "add", alternatives: [{ tools: ["sum_values"], note: "a list of the two numbers" }] },
      {
        tool: "sum_values",
        alternatives: [{ tools: ["add"], note: "two numbers a call, one call fewer than numbers" }],
      },
      {
        tool: "subtract",
        alternatives: [{ tools: ["add"], note: "add the second number with its sign changed" }],
      },
      {
        tool: "mean",
        alternatives: [{ tools: ["sum_values", "divide"], note: "the sum, divided by the count" }],
      },
      {
        tool: "percentage",
        alternatives: [{ tools: ["divide", "multiply"], note: "part divided by whole, times 100" }],
      },
      {
        tool: "square_root",
        alternatives: [{ tools: ["power"], note: "exponent 0.5; no choice of precision" }],
      },
      {
        tool: "power",
        alternatives: [{ tools: ["multiply"], note: "repeated; for whole exponents from 1 only" }],
      },
    ],
  },
  message_api: {
    tools: names(`add_contact delete_message get_message_stats get_user_id list_users message_get_login_status
      message_login search_messages send_message view_messages_sent`),
    equivalences: [
      {
        tool: "search_messages",
        alternatives: [
          {
            tools: ["view_messages_sent"],
            note: "every message sent, by receiver: keep those with the keyword",
          },
        ],
      },
    ],
  },
  posting_api: {
    tools:
      names(`authenticate_twitter comment follow_user get_tweet get_tweet_comments get_user_stats get_user_tweets
      list_all_following mention post_tweet posting_get_login_status retweet search_tweets unfollow_user`),
    equivalences: [
      {
        tool: "get_tweet",
        alternatives: [
          {
            tools: ["get_user_tweets"],
            note: "all tweets of its author with the same fields: pick the id; needs the author",
          },
          {
            tools: ["search_tweets"],
            note: "all tweets with a word, with the same fields: pick the id; needs a word of it",
          },
        ],
      },
    ],
  },
  ticket_api: {
    tools: names(`close_ticket create_ticket edit_ticket get_ticket get_user_tickets logout resolve_ticket
      ticket_get_login_status ticket_login`),
    equivalences: [
      {
        tool: "get_ticket",
        alternatives: [
          {
            tools: ["get_user_tickets"],
            note: "the user's own tickets with the same fields: pick the id; not those of others",
          },
        ],
      },
      {
        tool: "close_ticket",
        alternatives: [
          {
            tools: ["edit_ticket"],
            note: "updates the status to Closed; any status is accepted, so spell it right",
          },
        ],
      },
    ],
  },
  trading_bot: {
    tools: names(`add_to_watchlist cancel_order filter_stocks_by_price fund_account get_account_info
      get_available_stocks get_current_time get_order_details get_order_history get_stock_info get_symbol_by_name
      get_transaction_history get_watchlist notify_price_change place_order remove_stock_from_watchlist
      trading_get_login_status trading_login trading_logout withdraw_funds`),
    equivalences: [
      {
        tool: "filter_stocks_by_price",
        alternatives: [
          { tools: ["get_stock_info"], note: "the price of one stock a call: keep those in the range" },
        ],
      },
      {
        tool: "notify_price_change",
        alternatives: [
          {
            tools: ["get_stock_info"],
            note: "the percent change of one stock a call: compare with the threshold",
          },
        ],
      },
    ],
  },
  travel_booking: {
    tools:
      names(`authenticate_travel book_flight cancel_booking compute_exchange_rate contact_customer_support
      get_all_credit_cards get_booking_history get_budget_fiscal_year get_credit_card_balance get_flight_cost
      get_nearest_airport_by_city list_all_airports purchase_insurance register_credit_card retrieve_invoice
      set_budget_limit travel_get_login_status verify_traveler_information`),
    escalationTools: ["contact_customer_support"],
    equivalences: [
      {
        tool: "get_credit_card_balance",
        alternatives: [
          { tools: ["get_all_credit_cards"], note: "every card with its balance: pick the card" },
        ],
      },
      {
        tool: "retrieve_invoice",
        alternatives: [
          {
            tools: ["get_booking_history"],
            note: "every booking with date, route, class and cost: pick the booking; no insurance",
          },
        ],
      },
    ],
  },
  vehicle_control: {
    tools: names(`activateParkingBrake adjustClimateControl check_tire_pressure displayCarStatus display_log
      estimate_distance estimate_drive_feasibility_by_mileage fillFuelTank find_nearest_tire_shop gallon_to_liter
      get_current_speed get_outside_temperature_from_google get_outside_temperature_from_weather_com
      get_zipcode_based_on_city liter_to_gallon lockDoors pressBrakePedal releaseBrakePedal setCruiseControl
      setHeadlights set_navigation startEngine`),
    equivalences: [
      {
        tool: "get_outside_temperature_from_google",
        alternatives: [
          {
            tools: ["get_outside_temperature_from_weather_com"],
            note: "the same temperature from another source",
          },
        ],
      },
      {
        tool: "get_outside_temperature_from_weather_com",
        alternatives: [
          {
            tools: ["get_outside_temperature_from_google"],
            note: "the same temperature from another source",
          },
        ],
      },
      {
        tool: "releaseBrakePedal",
        alternatives: [{ tools: ["pressBrakePedal"], note: "position 0, not pressed" }],
      },
    ],
  },
};

/**
 * The eight domains of BFCL's multi-turn categories, one registry each. BFCL has no list of equivalent tools; these are
 * read from its function documents: a tool that returns the same facts under another key or in a longer listing, or that
 * leaves the same state behind. Where the agent would have to compute what the tool computes (`sort`, `wc`, `diff`,
 * `standard_deviation`, unit conversions), or a field has no other source (`resolve_ticket`'s resolution, an invoice of an
 * insurance, ids of users), there is no entry.
 *
 * Escalation is travel_booking's `contact_customer_support`; the other domains have nobody to turn to.
 */
export const BFCL_DOMAINS: Readonly<Record<BfclDomain, ToolRegistry>> = Object.fromEntries(
  BFCL_DOMAIN_NAMES.map((name) => [name, { name: `bfcl-${name}`, escalationTools: [], ...TABLES[name] }]),
) as Record<BfclDomain, ToolRegistry>;

/** The eight domains of {@link BFCL_DOMAINS} as one registry, since a task may use several; no name occurs in two. */
export const BFCL: ToolRegistry = {
  name: "bfcl",
  tools: BFCL_DOMAIN_NAMES.flatMap((name) => BFCL_DOMAINS[name].tools),
  equivalences: BFCL_DOMAIN_NAMES.flatMap((name) => BFCL_DOMAINS[name].equivalences),
  escalationTools: BFCL_DOMAIN_NAMES.flatMap((name) => BFCL_DOMAINS[name].escalationTools),
};
