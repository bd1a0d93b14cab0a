import { expect, it } from "vitest";
import { FaultInjector } from "../../src/recovery/fault-injector.ts";
import { noiseProfile } from "../../src/recovery/noise-profile.ts";
import { ToolFaultError } from "../../src/recovery/tool-fault-error.ts";
import { withFaults } from "../../src/recovery/with-faults.ts";

const plain = {
  getOrder: (args: { readonly id: string }) => ({ id: args.id, status: "delivered" }),
  add: async (left: number, right: number) => left + right,
};

it("changes what tools answer and keeps their arguments", async () => {
  const { tools, injector } = withFaults(plain, { seed: 1, noise: noiseProfile({ stale: 1 }) });
  const order = await tools.getOrder({ id: "W7" });
  expect(order).toMatchObject({ id: "W7" });
  expect(order).not.toMatchObject({ status: "delivered" });
  expect(injector.log[0]?.changes[0]).toMatchObject({ pointer: "/status", before: "delivered" });
  expect(await tools.add(2, 3)).toBe(5);
});

it("returns what the agent is told, or throws it", async () => {
  const options = { seed: 1, noise: noiseProfile({ rate_limit: 1 }), episode: "e" };
  const told = await withFaults(plain, options).tools.getOrder({ id: "W7" });
  expect(typeof told).toBe("string");
  const { tools, injector } = withFaults(plain, new FaultInjector(options), { deliver: "throw" });
  const thrown: unknown = await tools.getOrder({ id: "W7" }).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(ToolFaultError);
  expect(thrown).toMatchObject({ message: told, fault: "rate_limit", tool: "getOrder" });
  expect(injector.log[0]?.response).toBe(told);
});

it("refuses another delivery, unknown options, and tools that are no object", () => {
  const withOptions = (options: unknown) => () =>
    withFaults(plain, { seed: 1 }, options as { deliver: "return" });
  expect(withOptions({ deliver: "x" })).toThrow("deliver must be return or throw, got x");
  expect(withOptions({ delivr: "throw" })).toThrow("withFaults has no option delivr: did you mean deliver?");
  expect(() => withFaults(null as unknown as typeof plain, { seed: 1 })).toThrow("tools must be an object");
});

it("refuses a tool that is no function", () => {
  const tools = { get: "x" } as unknown as typeof plain;
  expect(() => withFaults(tools, { seed: 1 })).toThrow("tools: get must be a function, got string");
});
