import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MET_FAULTS } from "../../../src/recovery/fault-kinds.ts";
import { BayesianToolMemory } from "../../../src/recovery/memory/bayesian-tool-memory.ts";
import type { EpisodeOutcome } from "../../../src/recovery/memory/episode-outcome.ts";
import { learnMemory } from "../../../src/recovery/memory/learn-memory.ts";
import type { MemoryData } from "../../../src/recovery/memory/memory-data.ts";
import { mergeMemories } from "../../../src/recovery/memory/merge-memories.ts";
import { readMemory } from "../../../src/recovery/memory/read-memory.ts";

const names = fc.oneof(
  fc.constantFrom(
    "a",
    "b",
    "a,b",
    "__proto__",
    "constructor",
    "toString",
    "",
    "10",
    "9",
    "é",
    "a\u0000b",
    "🛠",
    "\ud800",
  ),
  fc.string({ maxLength: 3 }),
);
const outcomes: fc.Arbitrary<EpisodeOutcome> = fc.record({
  faults: fc.array(fc.record({ tool: names, fault: fc.constantFrom(...MET_FAULTS) }), { maxLength: 4 }),
  switches: fc.array(fc.record({ source: names, target: names }), { maxLength: 3 }),
  recovered: fc.constantFrom(true, false, null),
});
const episodeLists = fc.array(outcomes, { maxLength: 12 });
const bytes = (memory: BayesianToolMemory): string => JSON.stringify(memory);

/** Counts again from nothing: for each pair its episodes, as sets of episode numbers. */
function batchCounts(episodes: readonly EpisodeOutcome[]): [string, number, number][] {
  const counts = new Map<string, [number, number]>();
  for (const { faults, switches, recovered } of episodes) {
    if (recovered === null) continue;
    const keys = [
      ...faults.map(({ tool, fault }) => JSON.stringify(["fault", tool, fault])),
      ...switches.map(({ source, target }) => JSON.stringify(["switch", source, target])),
    ];
    for (const key of new Set(keys)) {
      const [good, bad] = counts.get(key) ?? [0, 0];
      counts.set(key, recovered ? [good + 1, bad] : [good, bad + 1]);
    }
  }
  return [...counts].map(([key, [good, bad]]): [string, number, number] => [key, good, bad]).sort(byText);
}

function countsOf({ recovery, switching }: MemoryData): [string, number, number][] {
  return [
    ...recovery.map((pair): [string, number, number] => [
      JSON.stringify(["fault", pair.tool, pair.fault]),
      pair.observed.recovered,
      pair.observed.failed,
    ]),
    ...switching.map((pair): [string, number, number] => [
      JSON.stringify(["switch", pair.source, pair.target]),
      pair.observed.recovered,
      pair.observed.failed,
    ]),
  ].sort(byText);
}

function byText([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number {
  return a < b ? -1 : 1;
}

const met = (recovered: boolean | null, tool = "get_order"): EpisodeOutcome => ({
  faults: [{ tool, fault: "timeout" }],
  switches: [],
  recovered,
});

describe("BayesianToolMemory", () => {
  it("counts an episode once a pair, whatever it met how often", () => {
    const memory = new BayesianToolMemory();
    const twice = { tool: "get_order", fault: "timeout" } as const;
    const done = memory.observe({
      faults: [twice, twice, { tool: "get_order", fault: "stale" }],
      switches: [
        { source: "get_order", target: "list_orders" },
        { source: "get_order", target: "list_orders" },
      ],
      recovered: true,
    });
    expect(done).toBe("counted");
    expect(memory.observe(met(false))).toBe("counted");
    expect(memory.recovery("get_order", "timeout")).toMatchObject({
      alpha: 2,
      beta: 2,
      recovered: 1,
      failed: 1,
    });
    expect(memory.recovery("get_order", "stale")).toMatchObject({ alpha: 2, beta: 1 });
    expect(memory.switching("get_order", "list_orders")).toMatchObject({ alpha: 2, beta: 1 });
    expect(memory.switching("list_orders", "get_order")).toMatchObject({ alpha: 1, beta: 1 });
  });

  it("counts episodes that say nothing, without a belief", () => {
    const memory = new BayesianToolMemory();
    expect(memory.observe({ faults: [], switches: [], recovered: true })).toBe("clean");
    expect(memory.observe({ faults: [], switches: [], recovered: null })).toBe("clean");
    expect(memory.observe(met(null))).toBe("skipped");
    expect(memory.observe(met(true))).toBe("counted");
    expect(memory.episodes.observed).toEqual({ clean: 2, recovered: 1, failed: 0, skipped: 1 });
    expect(memory.recovery("get_order", "timeout")).toMatchObject({ alpha: 2, beta: 1 });
  });

  it("does not change when it is fixed, and says so", () => {
    const learned = learnMemory([met(true), met(true), met(false)]);
    const fixed = new BayesianToolMemory({ initial: learned, update: "fixed" });
    const before = bytes(fixed);
    expect([fixed.observe(met(true)), fixed.observe(met(null)), fixed.update]).toEqual([
      "fixed",
      "fixed",
      "fixed",
    ]);
    expect(bytes(fixed)).toBe(before);
    expect(fixed.recovery("get_order", "timeout")).toMatchObject({ alpha: 3, beta: 2 });
    const alsoFixed = learnMemory([met(true)], { update: "fixed" });
    expect([alsoFixed.update, alsoFixed.recovery("get_order", "timeout").alpha]).toEqual(["fixed", 2]);
  });

  it("starts from the posterior of another memory, and returns to it", () => {
    const learned = learnMemory([met(true), met(false), met(null)], { prior: { alpha: 2, beta: 3 } });
    const memory = new BayesianToolMemory({ initial: learned });
    expect(memory.episodes.initial).toEqual({ clean: 0, recovered: 1, failed: 1, skipped: 1 });
    const before = bytes(memory);
    memory.observe(met(true));
    memory.observe(met(true, "other"));
    expect(memory.recovery("get_order", "timeout")).toMatchObject({
      alpha: 4,
      beta: 4,
      recovered: 2,
      failed: 1,
    });
    memory.reset();
    expect(bytes(memory)).toBe(before);
    expect(memory.recovery("get_order", "timeout")).toMatchObject({ alpha: 3, beta: 4 });
    expect(memory.beliefs().recovery.map(({ tool }) => tool)).toEqual(["get_order"]);
    memory.observe(met(false));
    expect(memory.recovery("get_order", "timeout")).toMatchObject({ alpha: 3, beta: 5 });
    expect(learned.recovery("get_order", "timeout")).toMatchObject({ alpha: 3, beta: 4 });
  });

  it("takes malformed outcomes in whole or not at all", () => {
    const memory = new BayesianToolMemory();
    const bad: readonly unknown[] = [
      null,
      { ...met(true), recovered: 1 },
      { ...met(true), recovered: undefined },
      { ...met(true), switches: null },
      { ...met(true), switches: [{ source: "a" }] },
      { ...met(true), faults: [...met(true).faults, { tool: "a", fault: "time out" }] },
      { ...met(true), faults: [{ tool: null, fault: "timeout" }] },
    ];
    for (const outcome of bad)
      expect(() => memory.observe(outcome as EpisodeOutcome), JSON.stringify(outcome)).toThrow(/outcome/);
    expect(bytes(memory)).toBe(bytes(new BayesianToolMemory()));
  });

  it("updated online is the batch recomputation, whatever the names", () => {
    fc.assert(
      fc.property(episodeLists, (episodes) => {
        const data = learnMemory(episodes).toJSON();
        expect(countsOf(data)).toEqual(batchCounts(episodes));
        expect(bytes(learnMemory([...episodes].reverse()))).toBe(JSON.stringify(data));
        const { clean, recovered, failed, skipped } = data.episodes.observed;
        expect(clean + recovered + failed + skipped).toBe(episodes.length);
      }),
    );
  });

  it("reads back what it wrote, to the byte", () => {
    fc.assert(
      fc.property(episodeLists, episodeLists, names, names, (before, after, tool, other) => {
        fc.pre(tool !== other);
        const fallbacks = Object.fromEntries([[tool, [{ tool: other, note: "by name" }]]]);
        const memory = new BayesianToolMemory({ initial: learnMemory(before, { fallbacks }) });
        for (const episode of after) memory.observe(episode);
        const again = readMemory(JSON.parse(bytes(memory)));
        expect(bytes(again)).toBe(bytes(memory));
        expect(again.fallbacks).toEqual(fallbacks);
        again.reset();
        memory.reset();
        expect(bytes(again)).toBe(bytes(memory));
      }),
    );
  });

  it("merges to the memory of all episodes, in any order and grouping", () => {
    fc.assert(
      fc.property(episodeLists, fc.tuple(episodeLists, episodeLists, episodeLists), (before, parts) => {
        const initial = learnMemory(before);
        const [a, b, c] = parts.map((episodes) => learnMemory(episodes, { initial })) as [
          BayesianToolMemory,
          BayesianToolMemory,
          BayesianToolMemory,
        ];
        const all = bytes(learnMemory(parts.flat(), { initial }));
        expect(bytes(mergeMemories(a, mergeMemories(b, c)))).toBe(all);
        expect(bytes(mergeMemories(mergeMemories(c, b).toJSON(), a))).toBe(all);
        const merged = mergeMemories(a, b);
        merged.reset();
        a.reset();
        expect(bytes(merged)).toBe(bytes(a));
      }),
    );
  });

  it("does not merge what does not belong together", () => {
    const plain = new BayesianToolMemory();
    const other = (options: ConstructorParameters<typeof BayesianToolMemory>[0]): BayesianToolMemory =>
      new BayesianToolMemory(options);
    expect(() => mergeMemories(plain, other({ prior: { alpha: 1, beta: 2 } }))).toThrow(
      /learn both from the same initial memory.* got Beta\(1, 1\) with 0 learned episodes and Beta\(1, 2\)/,
    );
    expect(() => mergeMemories(plain, other({ initial: learnMemory([met(true)]) }))).toThrow(
      /initial beliefs/,
    );
    expect(() => mergeMemories(plain, other({ constraints: ["Be kind."] }))).toThrow(/constraints/);
    const ab = other({ fallbacks: { a: [{ tool: "b" }] } });
    const ac = other({ fallbacks: { a: [{ tool: "c" }] } });
    expect(() => mergeMemories(ab, ac)).toThrow(/alternatives of a tool.* got a$/);
    const cd = other({ fallbacks: { c: [{ tool: "d", note: "n" }] }, update: "fixed" });
    const merged = mergeMemories(cd, ab);
    expect([merged.fallbacks, merged.update]).toEqual([
      { a: [{ tool: "b" }], c: [{ tool: "d", note: "n" }] },
      "online",
    ]);
    expect(bytes(merged)).toBe(bytes(mergeMemories(ab, cd)));
  });

  it("counts a million episodes of few pairs", () => {
    const memory = new BayesianToolMemory();
    const episodes = [met(true), met(true), met(false), met(null)];
    for (let i = 0; i < 1_000_000; i++) memory.observe(episodes[i % 4] as EpisodeOutcome);
    expect(memory.recovery("get_order", "timeout")).toMatchObject({ alpha: 500_001, beta: 250_001 });
    expect(memory.episodes.observed.skipped).toBe(250_000);
  });
});

describe("readMemory", () => {
  const data = learnMemory([met(true), met(false), met(true, "x")]).toJSON();
  const [first, second] = data.recovery;
  const with_ = (changes: object): unknown => ({ ...data, ...changes });
  const pair = (changes: object): unknown => with_({ recovery: [{ ...first, ...changes }, second] });
  const bad: readonly (readonly [unknown, RegExp])[] = [
    [null, /^memory must be an object with version, .*got null$/],
    ["{}", /got \{\}$/],
    [[], /got a list$/],
    [{}, /got no version$/],
    [with_({ version: 2 }), /version must be 1 .* got 2$/],
    [with_({ extra: 1 }), /got also extra$/],
    [with_({ update: "always" }), /update must be online or fixed, got always$/],
    [with_({ prior: { alpha: 1, beta: -1 } }), /prior.beta must be a positive finite number, got -1$/],
    [with_({ recovery: {} }), /recovery must be a list, got an object$/],
    [with_({ recovery: [first, second, first] }), /recovery\[2\] must be .* once, got get_order, timeout$/],
    [pair({ fault: "slow" }), /recovery\[0\].fault must be one of timeout, .*got slow$/],
    [pair({ tool: 5 }), /recovery\[0\].tool must be text, got 5$/],
    [pair({ observed: { recovered: -1, failed: 0 } }), /observed.recovered must be a whole number .*got -1$/],
    [pair({ observed: { recovered: 0, failed: Number.NaN } }), /observed.failed must be .* got NaN$/],
    [pair({ observed: { recovered: 0.5, failed: 0 } }), /whole number/],
    [pair({ observed: { recovered: 3, failed: 0 } }), /at most 2, the episodes .* got 3$/],
    [pair({ initial: { recovered: 1, failed: 0 } }), /initial.recovered must be at most 0/],
    [with_({ switching: [{ source: "a", target: 1 }] }), /switching\[0\] must be .* got no initial$/],
    [with_({ episodes: { initial: data.episodes.initial } }), /episodes must be .* got no observed$/],
    [with_({ fallbacks: { a: [{ tool: "a" }] } }), /fallbacks\["a"\] must be other tools, .*, got a$/],
    [with_({ fallbacks: { a: [{ note: "n" }] } }), /fallbacks\["a"\] must be a list of \{ tool, note \}/],
    [with_({ fallbacks: [] }), /fallbacks must be an object.* got a list$/],
    [with_({ constraints: ["ok", ""] }), /constraints must be a list of sentences/],
    [with_({ update: "a\nb" }), /got "a\\nb"$/],
  ];

  it("names the one thing that is wrong", () => {
    for (const [value, message] of bad) expect(() => readMemory(value)).toThrow(message);
    expect(() => readMemory(null, { name: "m.json" })).toThrow(/^m\.json must be/);
  });

  it("replaces what it is told to", () => {
    const memory = readMemory(data, { update: "fixed", constraints: [], fallbacks: { a: [{ tool: "b" }] } });
    expect([memory.update, memory.constraints, memory.fallbacks]).toEqual([
      "fixed",
      [],
      { a: [{ tool: "b" }] },
    ]);
    expect(memory.toJSON().recovery).toEqual(data.recovery);
  });
});
