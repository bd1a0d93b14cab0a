import { describe, expect, it } from "vitest";
import { FaultInjector } from "../../../src/recovery/fault-injector.ts";
import { noiseProfile } from "../../../src/recovery/noise-profile.ts";
import { supportedScenarios } from "../../../src/recovery/scenario/assign-scenario.ts";
import { retailWorld } from "../../../src/recovery/world/build-retail-tasks.ts";
import { checkRetailOutcome } from "../../../src/recovery/world/check-retail-outcome.ts";
import { NAIVE_POLICY } from "../../../src/recovery/world/recovery-policy.ts";
import { RETAIL_ALTERNATIVES, RETAIL_REGISTRY } from "../../../src/recovery/world/retail-registry.ts";
import { openRetailSession } from "../../../src/recovery/world/retail-session.ts";
import { type RetailTask, TASK_KINDS } from "../../../src/recovery/world/retail-task.ts";
import { callRetailTool, RETAIL_TOOL_NAMES } from "../../../src/recovery/world/retail-tools.ts";
import type { Order } from "../../../src/recovery/world/retail-types.ts";
import { runRetailEpisode } from "../../../src/recovery/world/run-retail-episode.ts";

const world = retailWorld({ seed: 3, tasks: 140 });
const clean = (): FaultInjector => new FaultInjector({ seed: 0, noise: noiseProfile({ clean: 1 }) });
const planned = (task: RetailTask) => ({ task, scenario: null, seed: 0, blocked: [], ownPathBlocked: false });
const cents = (amounts: readonly number[]): number =>
  Math.round(amounts.reduce((sum, amount) => sum + amount, 0) * 100) / 100;

describe("the retail world", () => {
  it("is the same for the same seed, and another for another", () => {
    const text = (seed: number): string => {
      const { database, tasks } = retailWorld({ seed, tasks: 20 });
      return JSON.stringify([[...database.orders], [...database.products], [...database.customers], tasks]);
    };
    expect(text(3)).toBe(text(3));
    expect(text(4)).not.toBe(text(3));
  });

  it("has tasks of seven kinds, some to be refused, 30 % held out, solvable in every scenario's way", () => {
    for (const kind of TASK_KINDS) expect(world.tasks.filter((task) => task.kind === kind)).toHaveLength(20);
    const refused = world.tasks.filter(({ expected }) => expected.answer === "refused").length;
    expect(refused / world.tasks.length).toBeGreaterThan(0.1);
    expect(refused / world.tasks.length).toBeLessThan(0.35);
    const heldOut = world.tasks.filter(({ split }) => split === "heldout").length;
    expect(heldOut / world.tasks.length).toBeGreaterThan(0.2);
    expect(heldOut / world.tasks.length).toBeLessThan(0.4);
    for (const task of world.tasks) expect(supportedScenarios(task)).toEqual(["S1", "S2", "S3"]);
  });

  it("expects what the rules say, worked out again from the database", () => {
    for (const { kind, known, expected } of world.tasks) {
      const order = world.database.orders.get(known.order_id) as Order;
      const prices = order.items.map(({ price }) => price);
      const refunds = order.payments.filter((one) => one.kind === "refund").map(({ amount }) => amount);
      const product = world.database.products.get(known.product_id ?? "");
      const old = order.items.find(({ product_id }) => product_id === known.product_id);
      const chosen = (product?.variants ?? []).filter(
        ({ item_id, stock, price }) =>
          item_id !== old?.item_id &&
          stock > 0 &&
          price <= (known.budget ?? 0) &&
          (kind === "exchange_cheapest" || item_id === known.wanted_id),
      );
      const lowest = Math.min(...chosen.map(({ price }) => price));
      const customer = [...world.database.customers.values()].find(({ email }) => email === known.email);
      const answers = {
        cancel: order.status === "pending" ? cents(prices) : "refused",
        change_address: order.status === "pending" ? "done" : "refused",
        return_dearest: order.status === "delivered" ? Math.max(...prices) : "refused",
        exchange_cheapest:
          order.status === "delivered" && chosen.length > 0 ? cents([lowest, -(old?.price ?? 0)]) : "refused",
        exchange_wanted:
          order.status === "delivered" && chosen.length > 0 ? cents([lowest, -(old?.price ?? 0)]) : "refused",
        refund_total: cents(refunds),
        balance: cents((customer?.transactions ?? []).map(({ amount }) => amount)),
      };
      expect([kind, expected.answer]).toEqual([kind, answers[kind]]);
      if (kind === "cancel" && order.status === "pending") expect(expected.order?.status).toBe("cancelled");
      if (kind === "change_address" && order.status === "pending")
        expect(expected.order?.address).toEqual(known.address);
      const isRead = expected.answer === "refused" || kind === "refund_total" || kind === "balance";
      expect(expected.order === null).toBe(isRead);
    }
  });

  it("has paths that are equivalent: each alone completes its task, with the calls that the gold actions name on the first", async () => {
    let paths = 0;
    for (const task of world.tasks.slice(0, 70)) {
      for (const [index, { tools }] of task.paths.entries()) {
        const steps = task.steps.map(({ need }, at) => ({ need, tools: [tools[at] as string] }));
        const episode = await runRetailEpisode(
          world.database,
          planned({ ...task, steps }),
          NAIVE_POLICY,
          clean(),
        );
        expect([task.taskId, tools, episode.completed]).toEqual([task.taskId, tools, true]);
        const calls = episode.messages.flatMap(
          (message) => (message.tool_calls ?? []) as { function: object }[],
        );
        const gold = task.goldActions.map(({ name, arguments: args }) => ({
          name,
          arguments: JSON.stringify(args),
        }));
        if (index === 0) expect(calls.map((call) => call.function)).toEqual(gold);
        paths += 1;
      }
    }
    expect(paths).toBeGreaterThan(400);
  });

  it("judges the database and the answer, each by itself", () => {
    const task = world.tasks.find(
      ({ kind, expected }) => kind === "cancel" && expected.order !== null,
    ) as RetailTask;
    const { answer, order } = task.expected;
    const right = new Map([[(order as Order).order_id, order as Order]]);
    const other = [...world.database.orders.values()].find(({ order_id }) => !right.has(order_id)) as Order;
    expect(checkRetailOutcome(task, right, answer)).toBe(true);
    expect(checkRetailOutcome(task, right, "refused")).toBe(false);
    expect(checkRetailOutcome(task, right, null)).toBe(false);
    expect(checkRetailOutcome(task, new Map(), answer)).toBe(false);
    expect(checkRetailOutcome(task, new Map([...right, [other.order_id, other]]), answer)).toBe(false);
  });

  it("registers alternatives for every tool but the way to a person, each way round", () => {
    expect(RETAIL_REGISTRY.escalationTools).toEqual(["transfer_to_human"]);
    expect([...RETAIL_ALTERNATIVES.keys()].sort()).toEqual(
      RETAIL_TOOL_NAMES.filter((name) => name !== "transfer_to_human").sort(),
    );
    for (const [tool, others] of RETAIL_ALTERNATIVES)
      for (const other of others) expect(RETAIL_ALTERNATIVES.get(other)).toContain(tool);
    expect(RETAIL_ALTERNATIVES.get("file_request")).toEqual([
      "cancel_order",
      "exchange_item",
      "return_item",
      "change_address",
    ]);
  });

  it("answers wrong use with an error and changes nothing", async () => {
    const session = openRetailSession(world.database);
    const orders = [...world.database.orders.values()];
    const shipped = orders.find(({ status }) => status === "shipped") as Order;
    const delivered = orders.find(({ status }) => status === "delivered") as Order;
    const item_id = delivered.items[0]?.item_id;
    const calls: readonly (readonly [string, Record<string, unknown>, string])[] = [
      ["get_order", { order_id: "o1" }, "no order has the id o1"],
      ["find_customer_by_email", {}, "no customer has the email undefined"],
      ["search_products", { name: "" }, "name must be some words of a product's name"],
      ["cancel_order", { order_id: shipped.order_id }, "only a pending order can be cancelled"],
      ["return_item", { order_id: delivered.order_id, item_id: "i0" }, "has no item i0"],
      ["exchange_item", { order_id: delivered.order_id, item_id, new_item_id: item_id }, "is the same item"],
      ["file_request", { kind: "steal" }, "kind must be one of cancel, exchange, return, address, got steal"],
      ["file_request", { kind: "constructor" }, "kind must be one of"],
    ];
    for (const [name, args, message] of calls) {
      const { error } = JSON.parse(await callRetailTool(session, name, args)) as { error: string };
      expect(error).toContain(message);
    }
    expect(session.changed.size).toBe(0);
    await expect(callRetailTool(session, "get_weather", {})).rejects.toThrow(
      "the retail world has no tool get_weather",
    );
  });

  it("refuses seeds and numbers of tasks that cannot be", () => {
    expect(() => retailWorld({ seed: -1 })).toThrow("seed must be an integer from 0 to 4294967295, got -1");
    expect(() => retailWorld({ tasks: 0 })).toThrow("tasks must be a whole number from 1 to 5000, got 0");
  });
});
