import { CalibrantError } from "../../errors.ts";
import { addEpisodes, addOutcomes } from "./add-counts.ts";
import type { BayesianToolMemory } from "./bayesian-tool-memory.ts";
import { dataOf } from "./check-memory-data.ts";
import type { FallbackMap, MemoryData, MemorySource, OutcomeCounts } from "./memory-data.ts";
import { compareText, PairTable } from "./pair-table.ts";
import { readMemory } from "./read-memory.ts";

/**
 * One memory of what two observed apart: their initial beliefs, which must be the same, count once, and their observed counts
 * add. Commutative and associative, to the byte of `toJSON`. It is `online` where one of them is. That both have seen the
 * same episodes cannot be noticed; these count twice.
 *
 * @throws CalibrantError `data` for different initial beliefs, other alternatives of a tool, or other constraints.
 *
 * @example
 * ```ts
 * import { learnMemory, mergeMemories } from "calibrant/recovery";
 * const faults = [{ tool: "get_order", fault: "timeout" }] as const;
 * const one = learnMemory([{ faults, switches: [], recovered: true }]);
 * const other = learnMemory([{ faults, switches: [], recovered: false }]);
 * const { alpha, beta } = mergeMemories(one, other).recovery("get_order", "timeout");
 * console.log(alpha, beta); // 2 2
 * ```
 */
export function mergeMemories(a: MemorySource, b: MemorySource): BayesianToolMemory {
  // Read and written once, so that equal beliefs are equal text whatever the order that they came in.
  const left = readMemory(dataOf(a, "a")).toJSON();
  const right = readMemory(dataOf(b, "b")).toJSON();
  checkInitial(left, right);
  checkConstraints(left, right);
  const update = left.update === "online" || right.update === "online" ? "online" : "fixed";
  return readMemory({
    ...left,
    update,
    episodes: {
      initial: left.episodes.initial,
      observed: addEpisodes(left.episodes.observed, right.episodes.observed),
    },
    recovery: mergePairs(
      [...left.recovery, ...right.recovery],
      ({ tool, fault }) => [tool, fault],
      (tool, fault) => ({ tool, fault }),
    ),
    switching: mergePairs(
      [...left.switching, ...right.switching],
      ({ source, target }) => [source, target],
      (source, target) => ({ source, target }),
    ),
    fallbacks: mergeFallbacks(left.fallbacks, right.fallbacks),
  });
}

type Pair = MemoryData["recovery"][number] | MemoryData["switching"][number];

/** Pairs of both sides: initial counts, which are the same where both have them, are taken; observed ones added. */
function mergePairs<P extends Pair>(
  pairs: readonly P[],
  namesOf: (pair: P) => readonly [string, string],
  named: (first: string, second: string) => object,
): object[] {
  const table = new PairTable<string>(compareText);
  const sums = new Map<string, Map<string, OutcomeCounts>>();
  for (const pair of pairs) {
    const [first, second] = namesOf(pair);
    const row = sums.get(first) ?? new Map<string, OutcomeCounts>();
    const before = row.get(second) ?? { recovered: 0, failed: 0 };
    const observed = addOutcomes(before, pair.observed);
    sums.set(first, row.set(second, observed));
    table.set({ first, second, initial: pair.initial, observed });
  }
  return table.list().map(({ first, second, initial, observed }) => ({
    ...named(first, second),
    initial,
    observed,
  }));
}

function checkInitial(a: MemoryData, b: MemoryData): void {
  if (initialText(a) === initialText(b)) return;
  const priors = [a, b].map(({ prior }) => `Beta(${prior.alpha}, ${prior.beta})`);
  const [left, right] = [a, b].map(({ episodes: { initial } }) => initial.recovered + initial.failed);
  throw new CalibrantError(
    "data",
    "memories with different initial beliefs cannot be merged: learn both from the same initial memory, or without one; " +
      `got ${priors[0]} with ${left} learned episodes and ${priors[1]} with ${right}`,
  );
}

function initialText({ prior, episodes, recovery, switching }: MemoryData): string {
  const learned = (pairs: readonly Pair[]): unknown[] =>
    pairs
      .filter(({ initial }) => initial.recovered + initial.failed > 0)
      .map((pair) => ({ ...pair, observed: null }));
  return JSON.stringify([prior, episodes.initial, learned(recovery), learned(switching)]);
}

function checkConstraints(a: MemoryData, b: MemoryData): void {
  const same = a.constraints.length === b.constraints.length;
  if (same && a.constraints.every((text, i) => text === b.constraints[i])) return;
  throw new CalibrantError(
    "data",
    "memories with different constraints cannot be merged: read one of them with the constraints of the other",
  );
}

/** The alternatives of each tool; where both sides have some, they must be the same. */
function mergeFallbacks(a: FallbackMap, b: FallbackMap): FallbackMap {
  const merged = new Map(Object.entries(a));
  for (const [tool, list] of Object.entries(b)) {
    const other = merged.get(tool);
    if (other !== undefined && JSON.stringify(other) !== JSON.stringify(list))
      throw new CalibrantError(
        "data",
        `memories with different alternatives of a tool cannot be merged: read one of them with the fallbacks of the other; got ${tool}`,
      );
    merged.set(tool, list);
  }
  return Object.fromEntries(merged);
}
