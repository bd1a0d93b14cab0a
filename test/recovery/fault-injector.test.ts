import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binomialQuantile, binomialWindow } from "../../src/math/binomial-window.ts";
import { FaultInjector, type FaultInjectorOptions } from "../../src/recovery/fault-injector.ts";
import { isSilentFault } from "../../src/recovery/fault-kinds.ts";
import { DEFAULT_NOISE, noiseProfile } from "../../src/recovery/noise-profile.ts";
import { FAULT_KINDS, type FaultKind, type MetFault } from "../../src/types.ts";

const UNLIMITED = { budget: Number.POSITIVE_INFINITY, maxConsecutive: Number.POSITIVE_INFINITY };

interface EpisodeCase {
  readonly seed: number;
  readonly episode: string;
  readonly tools: number;
  readonly budget: number;
  readonly maxConsecutive: number;
  readonly blocked: readonly string[];
  readonly met: readonly (MetFault | null)[];
}

/** What each call meets. */
function metBy(options: FaultInjectorOptions, tools: readonly string[]): (MetFault | null)[] {
  const injector = new FaultInjector(options);
  return tools.map((tool) => injector.begin(tool).fault);
}

describe("what calls meet", () => {
  const golden = JSON.parse(readFileSync(new URL("../golden/fault-draws.json", import.meta.url), "utf8")) as {
    readonly episodes: readonly EpisodeCase[];
  };

  it.each(golden.episodes)(
    "is fixed by seed $seed and episode $episode, limits $budget and $maxConsecutive",
    ({ tools, met, ...options }) => {
      const calls = met.map((_, call) => `tool${call % tools}`);
      expect(metBy(options, calls)).toEqual(met);
    },
  );

  it("keeps to Table 7 over a million draws, within exact binomial bounds", () => {
    const injector = new FaultInjector({ seed: 20260811, ...UNLIMITED });
    const draws = 1_000_000;
    for (let call = 0; call < draws; call++) injector.begin("t");
    const { clean, injected, suppressed } = injector.counts;
    expect(suppressed).toEqual({ budget: 0, consecutive: 0 });
    const counts: Readonly<Record<FaultKind | "clean", number>> = { clean, ...injected };
    for (const name of ["clean", ...FAULT_KINDS] as const) {
      // Two sides of ten names, at one in a thousand together.
      const window = binomialWindow(draws, DEFAULT_NOISE[name]);
      expect(counts[name], name).toBeGreaterThanOrEqual(binomialQuantile(window, 1e-3 / 20));
      expect(counts[name], name).toBeLessThanOrEqual(binomialQuantile(window, 1 - 1e-3 / 20));
    }
  });

  it("obeys the limits, and blocks outside of them (against a model)", () => {
    const tool = fc.integer({ min: 0, max: 3 }).map((number) => `t${number}`);
    fc.assert(
      fc.property(
        fc.nat(),
        fc.array(tool, { maxLength: 60 }),
        fc.nat({ max: 7 }),
        fc.nat({ max: 3 }),
        fc.subarray(["t0", "t1", "t2", "t3"]),
        fc.constantFrom(0, 0.3, 0.6, 1),
        (seed, calls, budget, maxConsecutive, blocked, clean) => {
          const noise = noiseProfile({ clean });
          const options = { seed, noise, budget, maxConsecutive, blocked };
          const free = metBy({ seed, noise, ...UNLIMITED }, calls);
          const streaks = new Map<string, number>();
          let spent = 0;
          const expected = calls.map((name, call) => {
            if (blocked.includes(name)) return "blocked";
            const streak = streaks.get(name) ?? 0;
            const drawn = free[call] ?? null;
            const comes = drawn !== null && spent < budget && streak < maxConsecutive;
            streaks.set(name, comes ? streak + 1 : 0);
            if (comes) spent += 1;
            return comes ? drawn : null;
          });
          expect(metBy(options, calls)).toEqual(expected);
        },
      ),
    );
  });

  it("depends on the number of the call alone, not on what is blocked or on other limits", () => {
    const calls = Array.from({ length: 200 }, (_, call) => (call % 3 === 0 ? "a" : "b"));
    const all = metBy({ seed: 5, ...UNLIMITED }, calls);
    const withBlock = metBy({ seed: 5, ...UNLIMITED, blocked: ["a"] }, calls);
    expect(withBlock.filter((_, call) => call % 3 !== 0)).toEqual(all.filter((_, call) => call % 3 !== 0));
    expect(metBy({ seed: 5, ...UNLIMITED, episode: "1" }, calls)).not.toEqual(all);
    expect(metBy({ seed: 6, ...UNLIMITED }, calls)).not.toEqual(all);
  });

  it("has other probabilities for single tools, whatever they are called", () => {
    const toolNoise = JSON.parse(
      `{"__proto__": ${JSON.stringify(noiseProfile({ timeout: 1 }))}}`,
    ) as Readonly<Record<string, typeof DEFAULT_NOISE>>;
    const injector = new FaultInjector({
      seed: 1,
      noise: noiseProfile({ clean: 1 }),
      toolNoise,
      ...UNLIMITED,
    });
    expect(injector.begin("__proto__").fault).toBe("timeout");
    expect(injector.begin("constructor").fault).toBe(null);
  });
});

describe("a wrapped function", () => {
  it("is never called under explicit faults and blocks, and exactly once under silent ones", async () => {
    for (const kind of [...FAULT_KINDS, "blocked"] as const) {
      const blocked = kind === "blocked" ? ["get"] : [];
      const noise = kind === "blocked" ? noiseProfile({ timeout: 1 }) : noiseProfile({ [kind]: 1 });
      const injector = new FaultInjector({ seed: 3, noise, blocked });
      let calls = 0;
      const get = injector.wrap(async () => {
        calls += 1;
        return { status: "delivered", total: 120, items: ["mug"] };
      });
      const answer = await get("get", {});
      expect(calls, kind).toBe(kind !== "blocked" && isSilentFault(kind) ? 1 : 0);
      const [record] = injector.log;
      expect([record?.fault, record?.executed, record?.tool], kind).toEqual([kind, calls === 1, "get"]);
      if (calls === 0) expect(answer, kind).toBe(record?.response);
      else expect(record?.changes.length, kind).toBeGreaterThan(0);
    }
  });

  it("leaves results as they are without a fault, and passes errors and further arguments", async () => {
    const injector = new FaultInjector({ seed: 3, noise: noiseProfile({ clean: 1 }) });
    const result = { status: "delivered" };
    const call = injector.wrap(async (_name, _args, extra: number) => {
      if (extra > 1) throw new Error("down");
      return result;
    });
    expect(await call("get", {}, 1)).toBe(result);
    await expect(call("get", {}, 2)).rejects.toThrow("down");
    expect(injector.log).toEqual([]);
    expect(injector.counts.clean).toBe(2);
  });

  it("logs integers beyond 2^53 so that the log is JSON, and keeps their digits", async () => {
    const injector = new FaultInjector({ seed: 3, noise: noiseProfile({ partial: 1 }) });
    const text = '{"prices": [90071992547409931234]}';
    expect(await injector.wrap(async () => text)("get", {})).toBe('{"prices": []}');
    const [change] = (JSON.parse(JSON.stringify(injector.log[0])) as { changes: unknown[] }).changes;
    expect(change).toEqual({ pointer: "/prices", before: ["90071992547409931234"], after: [] });
  });

  it("logs a silent fault that fails by itself, without changes", async () => {
    const injector = new FaultInjector({ seed: 3, noise: noiseProfile({ stale: 1 }) });
    const call = injector.wrap(async () => Promise.reject(new Error("down")));
    await expect(call("get", {})).rejects.toThrow("down");
    expect(injector.log[0]).toMatchObject({ fault: "stale", executed: true, changes: [] });
  });

  it("meets the same faults whatever order calls come back in", async () => {
    const answers = async (delays: readonly number[]): Promise<unknown> => {
      const injector = new FaultInjector({ seed: 11, ...UNLIMITED });
      const call = injector.wrap(async (_name, delay) => {
        for (let turn = 0; turn < (delay as number); turn++) await Promise.resolve();
        return JSON.stringify({ status: "shipped", total: 87.5, items: [1, 2] });
      });
      const results = await Promise.all(delays.map((delay) => call("get", delay)));
      return { results, log: injector.log };
    };
    const slowLast = Array.from({ length: 40 }, (_, call) => call);
    const slowFirst = [...slowLast].reverse();
    expect(await answers(slowFirst)).toEqual(await answers(slowLast));
  });

  it("begins anew with every episode, and episodes do not depend on the ones before", async () => {
    const calls = Array.from({ length: 50 }, () => "get");
    const injector = new FaultInjector({ seed: 2, episode: "a" });
    for (const name of calls) injector.begin(name);
    injector.startEpisode("b", ["get"]);
    expect(injector.begin("get").fault).toBe("blocked");
    injector.startEpisode("c");
    const third = calls.map((name) => injector.begin(name).fault);
    expect(third).toEqual(metBy({ seed: 2, episode: "c" }, calls));
    expect(injector.log[0]?.episode).toBe("c");
    expect(injector.counts.calls).toBe(50);
  });
});

it("refuses options that cannot be", () => {
  const refused: readonly [unknown, RegExp][] = [
    [{ seed: 0.5 }, /^seed must be an integer from 0 to 4294967295, got 0.5$/],
    [{ seed: -1 }, /got -1$/],
    [{ seed: 1, budget: -1 }, /^budget must be a whole number/],
    [{ seed: 1, maxConsecutive: 1.5 }, /^maxConsecutive must be/],
    [{ seed: 1, blocked: "get" }, /^blocked must be a list of tool names, got get$/],
    [{ seed: 1, noise: { ...DEFAULT_NOISE, clean: 0.7 } }, /sum/],
    [{ seed: 1, toolNoise: { get: { clean: 1 } } }, /toolNoise of get/],
    [{ seed: 1, kmax: 2 }, /no option kmax/],
  ];
  for (const [options, message] of refused)
    expect(() => new FaultInjector(options as FaultInjectorOptions)).toThrow(message);
});
