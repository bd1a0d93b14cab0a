import fc from "fast-check";

const ID_NAMES = ["id", "order_id", "itemIds", "zip", "tracking-number", "sku", "currencyCode", "last_four"];
const NAMES = [
  "status",
  "orderStatus",
  "price",
  "total_amount",
  "items",
  "options",
  "a/b~c",
  "note",
  "7",
  "10",
  "name",
  "état",
];

const id = fc.oneof(
  fc.constantFrom("#W2611340", "credit_card_4421486", "JG7FMM", "9612497925", "80279"),
  fc.integer({ min: 1000, max: 9_999_999_999 }),
);
const word = fc.constantFrom(
  "delivered",
  "IN_TRANSIT",
  "Out for Delivery",
  "pending (item modified)",
  "processed",
  "red",
  'say "no" \\ yes',
  "ü",
  "",
);
const leaf = fc.oneof(
  word,
  fc.integer({ min: -5000, max: 5000 }),
  fc.integer({ min: -50000, max: 50000 }).map((cents) => cents / 100),
  fc.boolean(),
  fc.constant(null),
);

/** Results as tools give them: ids, states, amounts, lists, at some depth. */
export const arbitraryResult: fc.Arbitrary<unknown> = fc.letrec<{ node: unknown; object: unknown }>(
  (tie) => ({
    node: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      tie("object"),
      fc.array(tie("node"), { maxLength: 4 }),
    ),
    object: fc
      .tuple(
        fc.dictionary(fc.constantFrom(...ID_NAMES), fc.oneof(id, fc.array(id, { maxLength: 2 })), {
          maxKeys: 2,
        }),
        fc.dictionary(fc.constantFrom(...NAMES), tie("node"), { maxKeys: 5 }),
      )
      .map(([ids, fields]) => ({ ...fields, ...ids })),
  }),
).object;

/** Every identifier under a known name, with where it stands. */
export function idsIn(value: unknown, path = ""): [string, unknown][] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, inner]): [string, unknown][] =>
    ID_NAMES.includes(key) ? [[`${path}/${key}`, inner]] : idsIn(inner, `${path}/${key}`),
  );
}

/** JSON text with spaces, line breaks, escapes and `.0` wherever `pick` says so. */
export function spelled(value: unknown, pick: () => number): string {
  const space = (): string => ["", "", " ", "\n  "][Math.floor(pick() * 4)] as string;
  if (typeof value === "number" && Number.isInteger(value) && pick() < 0.2) return `${value}.0`;
  if (value === null || typeof value !== "object") {
    const text = JSON.stringify(value);
    return pick() < 0.2 ? text.replace("e", typeof value === "string" ? "\\u0065" : "e") : text;
  }
  const members = Array.isArray(value)
    ? value.map((inner) => spelled(inner, pick))
    : Object.entries(value).map(
        ([key, inner]) => `${JSON.stringify(key)}${space()}:${space()}${spelled(inner, pick)}`,
      );
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}${space()}${members.join(`${space()},${space()}`)}${space()}${close}`;
}
