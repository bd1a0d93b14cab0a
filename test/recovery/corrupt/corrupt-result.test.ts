import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonLine } from "../../../src/data/jsonl/parse-json-line.ts";
import { seededRandom } from "../../../src/math/seeded-random.ts";
import { corruptResult } from "../../../src/recovery/corrupt/corrupt-result.ts";
import type { CorruptionRules } from "../../../src/recovery/corrupt/corruption-rules.ts";
import { SILENT_FAULTS, type SilentFault } from "../../../src/recovery/fault-kinds.ts";
import { applied, at } from "./apply-changes.ts";
import { arbitraryResult, idsIn, spelled } from "./arbitrary-result.ts";

/** What each of many seeds makes of a value. */
function outcomes(value: unknown, fault: SilentFault, rules: CorruptionRules = {}, seeds = 60): Set<string> {
  const found = new Set<string>();
  for (let seed = 0; seed < seeds; seed += 1) {
    const { changes } = corruptResult(value, fault, seededRandom(seed), rules);
    for (const { pointer, after } of changes) found.add(`${pointer} ${JSON.stringify(after)}`);
    if (changes.length === 0) found.add("nothing");
  }
  return found;
}

const only = (value: unknown, fault: SilentFault, rules: CorruptionRules = {}) =>
  [...outcomes(value, fault, rules)].sort();

describe("corruptResult: laws", () => {
  const job = fc.tuple(arbitraryResult, fc.constantFrom(...SILENT_FAULTS), fc.nat());

  it("keeps shape and ids, does not touch its input, and says what it changed: data", () => {
    fc.assert(
      fc.property(job, ([value, fault, seed]) => {
        const before = JSON.stringify(value);
        const { value: after, changes } = corruptResult(deeplyFrozen(value), fault, seededRandom(seed));
        expect(JSON.stringify(value)).toBe(before);
        expect(corruptResult(value, fault, seededRandom(seed))).toEqual({ value: after, changes });
        expect(applied(value, changes)).toEqual(after);
        for (const change of changes) expect(at(value, change.pointer)).toEqual(change.before);
        expect(idsIn(after)).toEqual(idsIn(value));
        expect(changes.length).toBeLessThanOrEqual(fault === "stale" ? 1 : 3);
        expect(shape(after)).toEqual(shape(fault === "partial" ? applied(value, changes) : value));
        if (changes.length === 0) expect(after).toBe(value);
      }),
      { numRuns: 300 },
    );
  });

  it("keeps every character of a text but the changed tokens", () => {
    fc.assert(
      fc.property(job, ([value, fault, seed]) => {
        const text = spelled(value, seededRandom(seed + 1));
        const { value: after, changes } = corruptResult(text, fault, seededRandom(seed));
        expect(parsed(after)).toEqual(applied(parsed(text), changes));
        if (fault === "partial") return;
        const [old, fresh] = [tokens(text), tokens(after as string)];
        expect(fresh).toHaveLength(old.length);
        const changed = old.flatMap((token, i) => (token === fresh[i] ? [] : [[token, fresh[i]]]));
        expect(changed.map(([token]) => parsed(token))).toEqual(changes.map((change) => change.before));
        expect(changed.map(([, token]) => parsed(token))).toEqual(changes.map((change) => change.after));
        if (fault === "factual_error")
          for (const [a, b] of changed) expectPerturbed(a as string, b as string);
      }),
      { numRuns: 300 },
    );
  });

  it("moves every number by 10 to 25 % of its digits as they are written", () => {
    const digits = fc.bigInt({ min: 0n, max: 10n ** 25n });
    fc.assert(
      fc.property(digits, fc.nat(9), fc.boolean(), fc.nat(), (n, decimals, minus, seed) => {
        const padded = String(n).padStart(decimals + 1, "0");
        const whole = padded.slice(0, padded.length - decimals);
        const text = `${minus ? "-" : ""}${whole}${decimals > 0 ? `.${padded.slice(-decimals)}` : ""}`;
        const { value, changes } = corruptResult(`{"price": ${text}}`, "factual_error", seededRandom(seed));
        const after = /: (.*)\}$/.exec(value as string)?.[1] as string;
        if (changes.length > 0) expectPerturbed(text, after);
        else expect(n < 4n || (isWhole(text) && BigInt(whole) < 4n)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });
});

describe("corruptResult: partial", () => {
  const order = {
    order_id: "#W1",
    status: "delivered",
    items: [{ name: "Mug", item_id: "1234567890", price: 4.5, options: { color: "red" } }],
    address: { street: "Main Street 5", city: "Rome" },
    orders: ["#W2611340", "#W7678072"],
    payment_methods: { paypal_5727330: { source: "paypal" } },
    coupons: [],
  };

  it("empties critical fields, and in place of those that hold ids what they hold", () => {
    expect(only(order, "partial")).toEqual([
      "/address {}",
      '/address/city ""',
      '/address/street ""',
      '/items/0/name ""',
      "/items/0/options {}",
      "/payment_methods/paypal_5727330 {}",
      '/status ""',
    ]);
  });

  it("keeps to declared fields, never those that are protected", () => {
    expect(only(order, "partial", { criticalFields: ["Status", "/items/*/name", "order_id"] })).toEqual([
      '/items/0/name ""',
      '/status ""',
    ]);
    expect(only(order, "partial", { criticalFields: ["notes"] })).toEqual(["nothing"]);
    expect(only(order, "partial", { protectedFields: ["/address/city", "status", "items"] })).toEqual([
      '/address/street ""',
      "/payment_methods/paypal_5727330 {}",
    ]);
  });

  it("falls back to the outer fields, and empties lists and prose, but no ids", () => {
    expect(only({ id: 5, title: "x", nested: { text: "y", deep: { z: "w" } } }, "partial")).toEqual([
      "/nested {}",
      "/nested/deep {}",
      '/nested/text ""',
      '/title ""',
    ]);
    expect(corruptResult('[ "red", "green" ]\n', "partial", () => 0)).toEqual({
      value: "[]\n",
      changes: [{ pointer: "", before: ["red", "green"], after: [] }],
    });
    expect(corruptResult("All done.", "partial", () => 0)).toEqual({
      value: "",
      changes: [{ pointer: "", before: "All done.", after: "" }],
    });
    for (const left of ["", "mia_li_3668", '["VAAOXJ", "NO6JO3"]', "{}", 12, null, true, undefined])
      expect(only(left, "partial")).toEqual(["nothing"]);
  });
});

describe("corruptResult: stale", () => {
  const stages = (value: unknown, rules: CorruptionRules = {}) =>
    [...outcomes({ order: { status: value } }, "stale", rules)]
      .map((text) => text.replace(/^.* /, ""))
      .sort();

  it("moves back by one or more stages", () => {
    expect(only({ order_id: "#W1", status: "shipped" }, "stale")).toEqual([
      '/status "pending"',
      '/status "processed"',
    ]);
    expect(only({ flight_number: "HAT069", status: "landed" }, "stale")).toEqual([
      '/status "boarding"',
      '/status "departed"',
      '/status "scheduled"',
    ]);
    expect(only({ job: { state: "completed" } }, "stale")).toEqual([
      '/job/state "queued"',
      '/job/state "running"',
    ]);
    expect(only({ ticket_id: "T-1000", status: "resolved" }, "stale")).toEqual([
      '/status "in_progress"',
      '/status "open"',
    ]);
  });

  it("keeps case and separators, and drops a remark", () => {
    expect(stages("PROCESSED")).toEqual(['"PENDING"']);
    expect(only({ status: "Out for Delivery" }, "stale")).toContain('/status "In Transit"');
    expect(only({ status: "OUT-FOR-DELIVERY" }, "stale")).toContain('/status "IN-TRANSIT"');
    expect(only({ status: "outForDelivery" }, "stale")).toContain('/status "inTransit"');
    expect(only({ status: "Delivered" }, "stale")).toContain('/status "In Transit"');
    expect(only({ issue: { status: "in progress" } }, "stale")).toEqual(['/issue/status "open"']);
    expect(stages("processed (item modified)")).toEqual(['"pending"']);
    expect(only({ status: "return requested" }, "stale")).toContain('/status "out for delivery"');
  });

  it("leaves first stages, unknown values, what was, and regions", () => {
    for (const value of ["pending", "pending (item modified)", "unheard of", "", "success"])
      expect(stages(value)).toEqual(["nothing"]);
    const left = {
      address: { state: "CA" },
      previous_status: "shipped",
      prev_status: "shipped",
      lastStatus: "shipped",
      name: "delivered",
      status: 200,
    };
    expect(only(left, "stale")).toEqual(["nothing"]);
    expect(only('"delivered"', "stale")).toEqual(["nothing"]);
  });

  it("follows declared lifecycles", () => {
    expect(only({ status: "Gold" }, "stale", { lifecycles: [["bronze", "silver", "gold"]] })).toEqual([
      '/status "Bronze"',
      '/status "Silver"',
    ]);
    expect(only({ status: "shipped" }, "stale", { lifecycles: [["a", "b"]] })).toEqual(["nothing"]);
    const lifecycles = {
      tier: ["Free plan", "Paid plan"],
      "/steps/*/at": [
        ["x", "y"],
        ["x", "z"],
      ],
    };
    const value = { tier: "Paid plan", status: "shipped", steps: [{ at: "z" }, { at: "x" }] };
    expect(only(value, "stale", { lifecycles })).toEqual(['/steps/0/at "x"', '/tier "Free plan"']);
  });
});

describe("corruptResult: factual error", () => {
  it("draws every admissible integer, either way, and leaves what has none", () => {
    const found = [...outcomes({ price: 40 }, "factual_error", {}, 400)].map((text) => Number(text.slice(7)));
    expect(found.sort((a, b) => a - b)).toEqual([30, 31, 32, 33, 34, 35, 36, 44, 45, 46, 47, 48, 49, 50]);
    for (const price of [
      0,
      1,
      -1,
      2,
      3,
      -3,
      -0,
      0.3,
      true,
      "12.50",
      null,
      Number.NaN,
      Number.POSITIVE_INFINITY,
    ])
      expect(only({ price }, "factual_error")).toEqual(["nothing"]);
    expect(only({ price: -4 }, "factual_error")).toEqual(["/price -3", "/price -5"]);
    expect(only({ price: 0.4 }, "factual_error")).toEqual(["/price 0.3", "/price 0.5"]);
  });

  it("prefers critical numbers, and takes any that is an amount where there is none", () => {
    expect(only({ price: 4, height: 4 }, "factual_error")).toEqual(["/price 3", "/price 5"]);
    expect(only({ height: 4, prices: { adult: 4 } }, "factual_error")).toEqual([
      "/prices/adult 3",
      "/prices/adult 5",
    ]);
    expect(only({ height: 4, width: 5 }, "factual_error")).toHaveLength(4);
    expect(
      only({ prices: { adult: 4 }, height: 4 }, "factual_error", { criticalFields: ["height"] }),
    ).toEqual(["/height 3", "/height 5"]);
    const none = {
      id: 40,
      user_id: 41,
      zip: 80279,
      order_number: 42,
      status_code: 404,
      year: 2024,
      founded: 1998,
      room: 214,
      created_at: 1716200000,
      latitude: 48.85,
      seen: 1716200000123,
      user: 77,
      version: 12,
      ids: [50, 60],
      status: 200,
    };
    expect(only(none, "factual_error")).toEqual(["nothing"]);
    expect(only(none, "factual_error", { criticalFields: ["version", "id"] }).length).toBeGreaterThan(1);
    expect(only({ price: 40 }, "factual_error", { protectedFields: ["price"] })).toEqual(["nothing"]);
  });

  it("keeps big integers, exponents, decimals and whole numbers as they are written", () => {
    const change = (text: string) => corruptResult(text, "factual_error", seededRandom(3));
    expect(change('{"balance": 12345678901234567890}').changes[0]?.before).toBe(12345678901234567890n);
    expect(typeof change('{"balance": 12345678901234567890}').changes[0]?.after).toBe("bigint");
    expect(typeof corruptResult({ balance: 40n }, "factual_error", () => 0).changes[0]?.after).toBe("bigint");
    expect(change('{"cost": 40.00}').value).toMatch(/^\{"cost": \d\d\.00\}$/);
    expect(change('{"cost": 2.5e+3}').value).toMatch(/^\{"cost": \d\.\de\+3\}$/);
    expect(change('{"cost": 1e400, "fee": 5e-2}').value).toMatch(/^\{"cost": 1e400, "fee": [46]e-2\}$/);
    expect(change("10519.0").value).toMatch(/^\d+\.0$/);
    expect(change("80279").changes).toEqual([]);
  });
});

describe("corruptResult: texts and values of all kinds", () => {
  it("leaves members that a later one hides, and finds its way by escaped and integer-like keys", () => {
    const text = '{"10": {"price": 8}, "2": {"price": 8}, "10": {"a/b~": {"price": 8 }}, "x": NaN}';
    const { value, changes } = corruptResult(text, "factual_error", () => 0.99);
    expect(changes.map(({ pointer }) => pointer)).toEqual(["/2/price", "/10/a~1b~0/price"]);
    expect(value).toBe('{"10": {"price": 8}, "2": {"price": 10}, "10": {"a/b~": {"price": 10 }}, "x": NaN}');
  });

  it("takes any depth, members that name the prototype, cycles, and other objects", () => {
    const deep = `${'{"status":"shipped","price":40,"a":'.repeat(10000)}1${"}".repeat(10000)}`;
    for (const fault of SILENT_FAULTS) {
      expect(corruptResult(deep, fault, seededRandom(1)).changes.length).toBeGreaterThan(0);
      expect(corruptResult(JSON.parse(deep), fault, seededRandom(1)).changes.length).toBeGreaterThan(0);
    }
    const own = JSON.parse('{"__proto__": {"price": 40}}');
    const after = corruptResult(own, "factual_error", () => 0).value;
    expect(JSON.stringify(after)).toBe('{"__proto__":{"price":36}}');
    const cyclic: Record<string, unknown> = {
      price: 40,
      when: new Date(0),
      none: Object.assign(Object.create(null), { fee: 8 }),
    };
    cyclic.self = cyclic;
    expect(only(cyclic, "factual_error").length).toBeGreaterThan(2);
  });

  it("keeps what it says apart from the input, and draws nothing in vain", () => {
    const value = { items: ["a"] };
    const { changes } = corruptResult(value, "partial", () => 0, { criticalFields: ["items"] });
    value.items.push("b");
    expect(changes).toEqual([{ pointer: "/items", before: ["a"], after: [] }]);
    const refuse = (): number => {
      throw new Error("drawn");
    };
    for (const fault of SILENT_FAULTS) expect(corruptResult({ id: 5 }, fault, refuse).changes).toEqual([]);
  });
});

function deeplyFrozen<T>(value: T): T {
  if (value !== null && typeof value === "object") Object.values(Object.freeze(value)).forEach(deeplyFrozen);
  return value;
}

/** Keys, types, lengths, and whether numbers are integers. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape);
  if (value !== null && typeof value === "object")
    return Object.entries(value).map(([key, inner]) => [key, shape(inner)]);
  return Number.isInteger(value) ? `integer ${Math.sign(value as number)}` : typeof value;
}

function parsed(text: unknown): unknown {
  return parseJsonLine(text as string, { exactIntegers: true }).value;
}

/** Strings, whitespace, punctuation and scalars of a JSON text. */
function tokens(text: string): string[] {
  return text.match(/"(?:[^"\\]|\\.)*"|\s+|[[\]{}:,]|[^\s[\]{}:,"]+/g) ?? [];
}

function isWhole(text: string): boolean {
  return /^-?\d+(?:\.0*)?$/.test(text);
}

/** The rule in exact arithmetic. */
function expectPerturbed(before: string, after: string): void {
  const decimals = (text: string): number => text.split(".")[1]?.length ?? 0;
  const integer = (text: string): bigint => BigInt(text.replace(".", ""));
  expect(decimals(after)).toBe(decimals(before));
  expect(after.startsWith("-")).toBe(before.startsWith("-"));
  if (isWhole(before)) expect(isWhole(after)).toBe(true);
  const [n, m] = [integer(before), integer(after)];
  const size = n < 0n ? -n : n;
  const by = m < n ? n - m : m - n;
  expect(10n * by >= size && 4n * by <= size, `${before} → ${after}`).toBe(true);
  const ratio = Math.abs(Number(after) - Number(before)) / Math.abs(Number(before));
  if (size < 10n ** 9n && size > 20n)
    expect(ratio >= 0.1 && ratio <= 0.25, `${before} → ${after}`).toBe(true);
}
