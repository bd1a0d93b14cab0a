import { describe, expect, it } from "vitest";
import { FaultInjector } from "../../../src/recovery/fault-injector.ts";
import { BayesianToolMemory } from "../../../src/recovery/memory/bayesian-tool-memory.ts";
import { noiseProfile } from "../../../src/recovery/noise-profile.ts";
import { retailWorld } from "../../../src/recovery/world/build-retail-tasks.ts";
import { learnRetailMemory } from "../../../src/recovery/world/learn-retail-memory.ts";
import { memoryPolicy } from "../../../src/recovery/world/memory-policy.ts";
import {
  NAIVE_POLICY,
  ORACLE_POLICY,
  RETRY_POLICY,
  type RecoveryPolicy,
  switchPolicy,
} from "../../../src/recovery/world/recovery-policy.ts";
import { RETAIL_ALTERNATIVES, RETAIL_FALLBACKS } from "../../../src/recovery/world/retail-registry.ts";
import type { RetailTask } from "../../../src/recovery/world/retail-task.ts";
import { type RetailEpisode, runRetailEpisode } from "../../../src/recovery/world/run-retail-episode.ts";

const world = retailWorld({ seed: 5, tasks: 140 });
const SWITCH = switchPolicy(RETAIL_ALTERNATIVES);
const task = world.tasks.find(
  ({ kind, expected }) => kind === "return_dearest" && expected.order !== null,
) as RetailTask;
const [find = "", look = "", write = ""] = task.paths[0]?.tools ?? [];
const secondOf = (step: number): string => task.steps[step]?.tools[1] ?? "";

interface Setting {
  readonly noise?: Parameters<typeof noiseProfile>[0];
  readonly budget?: number;
  readonly blocked?: readonly string[];
}

function run(
  policy: RecoveryPolicy,
  { noise = { clean: 1 }, budget = 5, blocked = [] }: Setting,
): Promise<RetailEpisode> {
  const injector = new FaultInjector({ seed: 1, noise: noiseProfile(noise), budget, blocked });
  return runRetailEpisode(
    world.database,
    { task, scenario: null, seed: 1, blocked, ownPathBlocked: false },
    policy,
    injector,
  );
}

function callNames({ messages }: RetailEpisode): string[] {
  return messages.flatMap((message) =>
    ((message.tool_calls ?? []) as { function: { name: string } }[]).map((call) => call.function.name),
  );
}

describe("the scripted policies", () => {
  it("naive hands over at the first visible failure", async () => {
    const episode = await run(NAIVE_POLICY, { noise: { timeout: 1 } });
    expect(callNames(episode)).toEqual([find, "transfer_to_human"]);
    expect([episode.completed, episode.escalated, episode.turns]).toEqual([false, true, 3]);
  });

  it("retry outlasts two failures in a row on each tool, and never uses another", async () => {
    const episode = await run(RETRY_POLICY, { noise: { rate_limit: 1 } });
    expect(callNames(episode)).toEqual([find, find, find, look, look, look, write, write]);
    expect(episode.completed).toBe(true);
    const blocked = await run(RETRY_POLICY, { blocked: [look] });
    expect(callNames(blocked)).toEqual([find, look, look, look, "transfer_to_human"]);
  });

  it("switch goes to what stands in, reads twice before it writes, and hands over when all is spent", async () => {
    const other = secondOf(1);
    expect(callNames(await run(SWITCH, {}))).toEqual([find, look, other, write]);
    const blocked = await run(SWITCH, { blocked: [look, write] });
    const form = secondOf(2);
    expect(callNames(blocked)).toEqual([find, look, look, look, other, other, write, write, write, form]);
    expect(blocked.completed).toBe(true);
    const all = await run(SWITCH, { blocked: [look, other] });
    expect(callNames(all).at(-1)).toBe("transfer_to_human");
    expect([all.completed, all.answer]).toEqual([false, null]);
  });

  it("oracle begins with what is open and reads what was really returned", async () => {
    const other = secondOf(1);
    const blocked = await run(ORACLE_POLICY, { blocked: [look] });
    expect(callNames(blocked)).toEqual([find, other, write]);
    expect((await run(ORACLE_POLICY, { noise: { factual_error: 1 } })).completed).toBe(true);
    expect(callNames(await run(ORACLE_POLICY, { blocked: [look, other] }))).toEqual([
      find,
      "transfer_to_human",
    ]);
  });

  it("silent faults: who believes every result ends wrong, not handed over; who verifies sees through one", async () => {
    for (const kind of ["partial", "stale", "factual_error"] as const) {
      const wrong = { naive: 0, retry: 0, switch: 0 };
      const policies = { naive: NAIVE_POLICY, retry: RETRY_POLICY, switch: SWITCH };
      for (const [index, held] of world.tasks.entries()) {
        for (const name of ["naive", "retry", "switch"] as const) {
          const injector = new FaultInjector({
            seed: index,
            noise: noiseProfile({ [kind]: 0.3 }),
            budget: 1,
          });
          const planned = { task: held, scenario: null, seed: 0, blocked: [], ownPathBlocked: false };
          const episode = await runRetailEpisode(world.database, planned, policies[name], injector);
          if (!episode.completed) wrong[name] += 1;
          // stale can make a write look possible that the tool refuses.
          if (kind !== "stale") expect(episode.escalated).toBe(false);
        }
      }
      expect([kind, wrong.naive > 1, wrong.retry]).toEqual([kind, true, wrong.naive]);

      expect([kind, wrong.switch]).toEqual([kind, 0]);
    }
  });
});

describe("the policy with a memory", () => {
  it("does what naive does with an empty memory", async () => {
    const empty = memoryPolicy(new BayesianToolMemory({ constraints: [] }));
    const noise = { clean: 0.6 };
    expect(await run(empty, { noise })).toEqual(await run(NAIVE_POLICY, { noise }));
    expect(empty.verifies).toBe(false);
  });

  it("retries and switches as far as its beliefs say so", () => {
    const memory = new BayesianToolMemory({ constraints: [] });
    const met = (fault: "timeout" | "blocked", recovered: boolean, target?: string): void => {
      const switches = target === undefined ? [] : [{ source: "get_order", target }];
      memory.observe({ faults: [{ tool: "get_order", fault }], switches, recovered });
    };
    for (let i = 0; i < 5; i++) met("timeout", true);
    for (let i = 0; i < 30; i++) met("blocked", false, "get_item");
    for (let i = 0; i < 5; i++) met("timeout", true, "list_customer_orders");
    const policy = memoryPolicy(memory);
    const timeout = { tool: "get_order", text: "HTTP 504 Gateway Timeout" };
    expect(policy.afterFailure({ ...timeout, attempts: 2 })).toEqual({ do: "retry" });
    const onward = { do: "switch", to: ["list_customer_orders"] };
    expect(policy.afterFailure({ ...timeout, attempts: 3 })).toEqual(onward);
    const text = "Error: get_order is disabled for the rest of this session";
    expect(policy.afterFailure({ tool: "get_order", text, attempts: 1 })).toEqual(onward);
    expect(policy.afterFailure({ ...timeout, tool: "get_item", attempts: 1 })).toEqual({ do: "escalate" });
  });

  it("obeys the default rules: one retry, then the declared alternatives, everything read twice", async () => {
    const policy = memoryPolicy(new BayesianToolMemory({ fallbacks: RETAIL_FALLBACKS }));
    const other = secondOf(1);
    expect(callNames(await run(policy, { blocked: [look] }))).toEqual([
      find,
      look,
      look,
      other,
      other,
      write,
    ]);
  });

  it("learns from the training tasks alone", async () => {
    const severity = { noise: noiseProfile(), budget: 5, maxConsecutive: 2 };
    const training = world.tasks.filter(({ split }) => split === "training");
    const memory = await learnRetailMemory(world, severity);
    expect(JSON.stringify(await learnRetailMemory({ ...world, tasks: training }, severity))).toBe(
      JSON.stringify(memory),
    );
    const { clean, recovered, failed } = memory.episodes.observed;
    expect(clean + recovered + failed).toBe(2 * training.length);
    expect(memory.recovery("get_order", "timeout").mean).toBeGreaterThan(
      memory.recovery("get_order", "blocked").mean,
    );
    expect(memory.toJSON().switching.length).toBeGreaterThan(10);
  });
});
