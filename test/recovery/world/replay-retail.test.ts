import { describe, expect, it } from "vitest";
import { type ReplayOutcome, replayRetail } from "../../../src/recovery/world/replay-retail.ts";

const SMALL = { seed: 2, tasks: 60, seeds: 2 } as const;

describe("replayRetail", () => {
  it("gives the same rows, byte for byte, and the same outcomes whatever other policies run", async () => {
    const rows = async (policies: readonly ("naive" | "switch" | "simple+memory")[]): Promise<string[]> => {
      const texts: string[] = [];
      await replayRetail({ ...SMALL, policies, onRow: (row) => texts.push(JSON.stringify(row)) });
      return texts;
    };
    const all = await rows(["naive", "switch", "simple+memory"]);
    expect(await rows(["naive", "switch", "simple+memory"])).toEqual(all);
    expect(await rows(["switch"])).toEqual(all.filter((text) => text.includes('"model":"switch"')));
    const ids = all.map((text) => (JSON.parse(text) as { episode_id: string }).episode_id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("runs every policy on the same held-out tasks and blocks; simple without memory is naive", async () => {
    const { outcomes, world } = await replayRetail(SMALL);
    const heldOut = world.tasks.filter(({ split }) => split === "heldout").map(({ taskId }) => taskId);
    const under = (policy: string): unknown[] =>
      outcomes
        .filter((one) => one.policy === policy)
        .map(({ task, scenario, seed, ownPathBlocked }) => [task, scenario, seed, ownPathBlocked]);
    expect(under("oracle")).toHaveLength(heldOut.length * 7);
    for (const name of ["naive", "retry", "switch", "simple+memory"])
      expect(under(name)).toEqual(under("oracle"));
    const of = (policy: string): Omit<ReplayOutcome, "policy">[] =>
      outcomes.filter((one) => one.policy === policy).map(({ policy: _, ...rest }) => rest);
    expect(of("simple")).toEqual(of("naive"));
  });

  it("updates learned beliefs online only, from nothing but the messages, and anew in each run", async () => {
    const options = { ...SMALL, policies: ["simple+learned", "simple+static"] } as const;
    const online = await replayRetail({ ...options, update: "online" });
    const fixed = await replayRetail(options);
    expect(JSON.stringify(online.memory)).toBe(JSON.stringify(fixed.memory));
    const again = await replayRetail({ ...options, memory: online.memory, update: "online" });
    expect(again.outcomes).toEqual(online.outcomes);
    const ofStatic = (all: readonly ReplayOutcome[]) =>
      all.filter(({ policy }) => policy === "simple+static");
    expect(ofStatic(online.outcomes)).toEqual(ofStatic(fixed.outcomes));
  });

  it("refuses what it does not know", async () => {
    await expect(replayRetail({ policies: ["brave" as "naive"] })).rejects.toThrow(
      "policies must be of naive, retry",
    );
    await expect(replayRetail({ seeds: 0 })).rejects.toThrow(
      "seeds must be a whole number from 1 to 1000, got 0",
    );
    await expect(replayRetail({ pClean: 2 })).rejects.toThrow("must be a number in [0, 1], got 2");
  });
});
