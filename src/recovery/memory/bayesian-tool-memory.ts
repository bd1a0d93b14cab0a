import { checkOptionNames } from "../../data/check-option-names.ts";
import { CalibrantError } from "../../errors.ts";
import { checkLevel } from "../../math/percentile-interval.ts";
import type { MetFault } from "../../types.ts";
import { MET_FAULTS } from "../fault-kinds.ts";
import { addOutcomes, foldObserved } from "./add-counts.ts";
import {
  type Belief,
  type BeliefOptions,
  beliefOf,
  type RecoveryBelief,
  type SwitchBelief,
} from "./belief.ts";
import { checkFault, checkMemoryData, checkPrior, checkUpdate, dataOf } from "./check-memory-data.ts";
import { checkName, checkOutcome } from "./check-outcome.ts";
import { checkConstraints, checkFallbacks } from "./check-statics.ts";
import type { EpisodeOutcome } from "./episode-outcome.ts";
import type {
  BetaPrior,
  CountsApart,
  EpisodeCounts,
  FallbackMap,
  MemoryData,
  MemoryUpdate,
  OutcomeCounts,
} from "./memory-data.ts";
import {
  DEFAULT_CONSTRAINTS,
  MEMORY_OPTIONS,
  type MemoryOptions,
  READ_MEMORY_OPTIONS,
  type ReadMemoryOptions,
} from "./memory-options.ts";
import { compareText, PairTable } from "./pair-table.ts";
import { type RenderMemoryOptions, renderMemory } from "./render-memory.ts";
import { shownValue } from "./shown-value.ts";

/**
 * What `observe` did with an episode: `counted` it, found it `clean` (no failure, no switch), `skipped` it because its
 * outcome is not known, or changed nothing because the memory is `fixed`.
 */
export type Observation = "counted" | "clean" | "skipped" | "fixed";

/** All beliefs about pairs that were met. */
export interface MemoryBeliefs {
  /** By tool (UTF-16 code units), then failure in the order of Table 7, `blocked` last. */
  readonly recovery: readonly RecoveryBelief[];
  /** By source, then target. */
  readonly switching: readonly SwitchBelief[];
}

const NO_EPISODES: EpisodeCounts = { clean: 0, recovered: 0, failed: 0, skipped: 0 };

/**
 * Bayesian Tool Memory (Bench2Robust 3.1, B.1): for each tool and kind of failure, and for each switch from one tool to
 * another, the Beta posterior of the share of episodes that ended recovered. The paper fixes neither prior nor counting
 * unit; here a pair that was never met has Beta(1, 1), and an episode counts once a pair, however often it met it: alpha grows by 1 where
 * the episode ended recovered, beta where it did not. These are rates of episodes, not chances of a single retry or switch.
 *
 * Initial beliefs (prior and learned counts) and what was observed since are kept apart: `reset` returns to the former.
 *
 * @example
 * ```ts
 * import { BayesianToolMemory } from "calibrant/recovery";
 * const memory = new BayesianToolMemory();
 * const faults = [{ tool: "get_order", fault: "timeout" }] as const;
 * memory.observe({ faults, switches: [], recovered: true });
 * memory.observe({ faults, switches: [], recovered: true });
 * const { alpha, beta, mean } = memory.recovery("get_order", "timeout");
 * console.log(alpha, beta, mean); // 3 1 0.75
 * ```
 */
export class BayesianToolMemory {
  #update: MemoryUpdate;
  #prior: BetaPrior;
  #fallbacks: FallbackMap;
  #constraints: readonly string[];
  #initialEpisodes: EpisodeCounts = NO_EPISODES;
  #observedEpisodes: { -readonly [K in keyof EpisodeCounts]: number } = { ...NO_EPISODES };
  readonly #recovery: PairTable<MetFault> = new PairTable(
    (a: MetFault, b: MetFault) => MET_FAULTS.indexOf(a) - MET_FAULTS.indexOf(b),
  );
  readonly #switching: PairTable<string> = new PairTable(compareText);
  /** The number of the last counted episode. */
  #episode = 0;

  /** @throws CalibrantError `option` for an option that cannot be, `data` for malformed data in `initial`. */
  constructor(options: MemoryOptions = {}) {
    checkOptionNames(options, MEMORY_OPTIONS, "BayesianToolMemory");
    const { prior, initial, update = "online", fallbacks, constraints } = options;
    if (prior !== undefined && initial !== undefined)
      throw new CalibrantError(
        "option",
        "prior and initial exclude each other: initial beliefs bring their prior; give one of them",
      );
    const data = initial === undefined ? null : dataOf(initial, "initial");
    this.#update = checkUpdate(update, "update", "option");
    this.#prior = data?.prior ?? priorOf(prior);
    this.#fallbacks = checkFallbacks(fallbacks ?? data?.fallbacks ?? {}, "fallbacks", "option");
    this.#constraints = checkConstraints(
      constraints ?? data?.constraints ?? DEFAULT_CONSTRAINTS,
      "constraints",
      "option",
    );
    if (data !== null) this.#setCounts(foldObserved(data));
  }

  /**
   * The memory that `toJSON` wrote, counts observed since its initial beliefs included.
   *
   * @param value - parsed JSON, nothing assumed of it
   * @throws CalibrantError `data` naming the field that is malformed; `option` for an option that cannot be.
   *
   * @example
   * ```ts
   * import { BayesianToolMemory } from "calibrant/recovery";
   * const text = JSON.stringify(new BayesianToolMemory());
   * console.log(JSON.stringify(BayesianToolMemory.from(JSON.parse(text))) === text); // true
   * ```
   */
  static from(value: unknown, options: ReadMemoryOptions = {}): BayesianToolMemory {
    checkOptionNames(options, READ_MEMORY_OPTIONS, "readMemory");
    const data = checkMemoryData(value, options.name ?? "memory");
    const memory = new BayesianToolMemory({
      prior: data.prior,
      update: options.update ?? data.update,
      fallbacks: options.fallbacks ?? data.fallbacks,
      constraints: options.constraints ?? data.constraints,
    });
    memory.#setCounts(data);
    return memory;
  }

  /** Whether `observe` counts. */
  get update(): MemoryUpdate {
    return this.#update;
  }

  /** The belief in a pair that was never met. */
  get prior(): BetaPrior {
    return { ...this.#prior };
  }

  /** What can stand in for each tool; a tool without an alternative is not there. */
  get fallbacks(): FallbackMap {
    return checkFallbacks(this.#fallbacks, "fallbacks", "data");
  }

  /** The rules for the agent. */
  get constraints(): readonly string[] {
    return [...this.#constraints];
  }

  /** The episodes behind the initial beliefs, and those observed since. */
  get episodes(): CountsApart<EpisodeCounts> {
    return { initial: { ...this.#initialEpisodes }, observed: { ...this.#observedEpisodes } };
  }

  /**
   * Takes in a finished episode: every pair that it met counts once. Call it after each episode, in their order. In a
   * `fixed` memory it changes nothing and says so.
   *
   * @returns what was done with it
   * @throws CalibrantError `data` for an outcome that is malformed; nothing has changed then.
   */
  observe(outcome: EpisodeOutcome): Observation {
    checkOutcome(outcome);
    if (this.#update === "fixed") return "fixed";
    const { faults, switches, recovered } = outcome;
    const counts = this.#observedEpisodes;
    if (faults.length === 0 && switches.length === 0) {
      counts.clean += 1;
      return "clean";
    }
    if (recovered === null) {
      counts.skipped += 1;
      return "skipped";
    }
    this.#episode += 1;
    for (const { tool, fault } of faults) this.#recovery.count(tool, fault, recovered, this.#episode);
    for (const { source, target } of switches)
      this.#switching.count(source, target, recovered, this.#episode);
    if (recovered) counts.recovered += 1;
    else counts.failed += 1;
    return "counted";
  }

  /**
   * The belief in a failure of a tool; the prior where it was never met.
   *
   * @throws CalibrantError `data` for an unknown failure, CalibrantRangeError for a level outside (0, 1).
   */
  recovery(tool: string, fault: MetFault, options: BeliefOptions = {}): Belief {
    checkName(tool, "tool");
    checkFault(fault, "fault");
    return beliefOf(this.#prior, this.#recovery.total(tool, fault), levelOf(options, "recovery"));
  }

  /**
   * The belief in a switch from one tool to another; the prior where it was never made.
   *
   * @throws CalibrantRangeError for a level outside (0, 1).
   */
  switching(source: string, target: string, options: BeliefOptions = {}): Belief {
    checkName(source, "source");
    checkName(target, "target");
    return beliefOf(this.#prior, this.#switching.total(source, target), levelOf(options, "switching"));
  }

  /**
   * The beliefs in all pairs that were met.
   *
   * @throws CalibrantRangeError for a level outside (0, 1).
   */
  beliefs(options: BeliefOptions = {}): MemoryBeliefs {
    const level = levelOf(options, "beliefs");
    const belief = (initial: OutcomeCounts, observed: OutcomeCounts): Belief =>
      beliefOf(this.#prior, addOutcomes(initial, observed), level);
    return {
      recovery: this.#recovery.list().map(({ first, second, initial, observed }) => ({
        tool: first,
        fault: second,
        ...belief(initial, observed),
      })),
      switching: this.#switching.list().map(({ first, second, initial, observed }) => ({
        source: first,
        target: second,
        ...belief(initial, observed),
      })),
    };
  }

  /** Forgets what was observed: the beliefs are the initial ones again. */
  reset(): void {
    this.#recovery.reset();
    this.#switching.reset();
    this.#observedEpisodes = { ...NO_EPISODES };
  }

  /** The memory as plain data, the same bytes for the same memory. */
  toJSON(): MemoryData {
    return {
      version: 1,
      update: this.#update,
      prior: this.prior,
      episodes: this.episodes,
      recovery: this.#recovery.list().map(({ first, second, initial, observed }) => ({
        tool: first,
        fault: second,
        initial,
        observed,
      })),
      switching: this.#switching.list().map(({ first, second, initial, observed }) => ({
        source: first,
        target: second,
        initial,
        observed,
      })),
      fallbacks: this.fallbacks,
      constraints: this.constraints,
    };
  }

  /**
   * The memory as a block for a system prompt: beliefs by tool, switches, alternatives, rules. The same text for the same
   * memory. With `maxTokens` the least observed pairs go first.
   *
   * @throws CalibrantError `option` where alternatives and rules alone are more than `maxTokens`, naming what they need.
   *
   * @example
   * ```ts
   * import { learnMemory } from "calibrant/recovery";
   * const faults = [{ tool: "get_order", fault: "timeout" }] as const;
   * const memory = learnMemory([{ faults, switches: [], recovered: true }], { constraints: [] });
   * const line = memory.render().split("\n").at(-1) ?? "";
   * console.log(line.slice(0, 38)); // - timeout: recovered in 1 of 1 episode
   * console.log(line.slice(39)); // (estimated 67%, 95% interval 16% to 99%)
   * ```
   */
  render(options: RenderMemoryOptions = {}): string {
    const { fallbacks, constraints } = this;
    const beliefs = (level: number): MemoryBeliefs => this.beliefs({ level });
    return renderMemory({ beliefs, fallbacks, constraints }, options);
  }

  #setCounts({ episodes, recovery, switching }: MemoryData): void {
    this.#initialEpisodes = episodes.initial;
    this.#observedEpisodes = { ...episodes.observed };
    for (const { tool, fault, initial, observed } of recovery)
      this.#recovery.set({ first: tool, second: fault, initial, observed });
    for (const { source, target, initial, observed } of switching)
      this.#switching.set({ first: source, second: target, initial, observed });
  }
}

function levelOf(options: BeliefOptions, owner: string): number {
  checkOptionNames(options, ["level"], owner);
  const { level = 0.95 } = options;
  checkLevel(level);
  return level;
}

function priorOf(prior: MemoryOptions["prior"]): BetaPrior {
  if (prior === undefined || prior === "uniform") return { alpha: 1, beta: 1 };
  if (typeof prior === "string")
    throw new CalibrantError("option", `prior must be uniform or { alpha, beta }, got ${shownValue(prior)}`);
  return checkPrior(prior, "prior", "option");
}
