import { checkOptionNames } from "../data/check-option-names.ts";
import { CalibrantError } from "../errors.ts";
import { deriveSeed } from "../math/derive-seed.ts";
import { seededRandom } from "../math/seeded-random.ts";
import { FAULT_KINDS, type FaultKind, type MetFault } from "../types.ts";
import { corruptByRules } from "./corrupt/corrupt-result.ts";
import { type CorruptionRules, checkCorruptionRules } from "./corrupt/corruption-rules.ts";
import { isSilentFault } from "./fault-kinds.ts";
import { faultResponse } from "./fault-messages.ts";
import type { FaultResponse, InjectionRecord, ResultChange } from "./injection-record.ts";
import { checkNoiseProfile, DEFAULT_NOISE, drawFault, type NoiseProfile } from "./noise-profile.ts";
import { plainChange } from "./plain-change.ts";

/** Options of a {@link FaultInjector}; the defaults are the paper's (arXiv 2608.11977, Table 7). */
export interface FaultInjectorOptions {
  /** An integer in [0, 2^32). With the episode's id it fixes all faults. */
  readonly seed: number;
  /** The id of the episode, for the log. Default `0`. */
  readonly episode?: string;
  /** Probabilities of the faults at every call. Default {@link DEFAULT_NOISE}. */
  readonly noise?: NoiseProfile;
  /** Other probabilities for single tools, by name. */
  readonly toolNoise?: Readonly<Record<string, NoiseProfile>>;
  /** Most faults in an episode, blocks not counted. Default 5; Infinity = no limit. */
  readonly budget?: number;
  /** Most faults one after the other on one tool, calls of other tools between them or not (K_max). Default 2; Infinity = no limit. */
  readonly maxConsecutive?: number;
  /** Tools that never answer in this episode. Outside the budget and before anything random. Default none. */
  readonly blocked?: readonly string[];
  /** What silent faults may change. Default by heuristics. */
  readonly corruption?: CorruptionRules;
}

/** What happens to one call. */
export interface CallInjection {
  /** What the call meets; null = nothing. */
  readonly fault: MetFault | null;
  /** Whether the tool is to be called, exactly once. */
  readonly executes: boolean;
  /** The answer when it is not to be called; else null. */
  readonly response: FaultResponse | null;
  /** The entry of the log; null for a clean call. */
  readonly record: InjectionRecord | null;
  /**
   * The result as the agent is to see it: changed under a silent fault, else as it is. Never changes its argument. What was
   * changed goes into the log.
   *
   * @param accepts - refuses what would give the fault away, such as a value that a declared schema forbids: other changes are
   *   drawn then, and after 32 refusals the result stays as it is. Default: accepts anything.
   */
  corrupt(result: unknown, accepts?: (changed: unknown) => boolean): unknown;
}

/** What an injector did in its episode so far. */
export interface InjectionCounts {
  readonly calls: number;
  readonly clean: number;
  readonly blocked: number;
  /** Faults by kind. Their sum is what the budget limits. */
  readonly injected: Readonly<Record<FaultKind, number>>;
  /** Drawn faults that did not come because the budget was spent, or because of the limit on one tool. */
  readonly suppressed: { readonly budget: number; readonly consecutive: number };
}

/** How often a change that is refused is drawn anew. */
const MOST_DRAWS = 32;

/** A log entry while its call runs. */
interface OpenRecord extends InjectionRecord {
  changes: readonly ResultChange[];
}

interface MutableCounts {
  calls: number;
  clean: number;
  blocked: number;
  readonly injected: Record<FaultKind, number>;
  readonly suppressed: { budget: number; consecutive: number };
}

interface Settings {
  readonly seed: number;
  readonly noise: NoiseProfile;
  readonly toolNoise: ReadonlyMap<string, NoiseProfile>;
  readonly budget: number;
  readonly maxConsecutive: number;
  readonly corruption: CorruptionRules;
}

const OPTIONS: readonly string[] = [
  "seed",
  "episode",
  "noise",
  "toolNoise",
  "budget",
  "maxConsecutive",
  "blocked",
  "corruption",
];

const CLEAN: CallInjection = {
  fault: null,
  executes: true,
  response: null,
  record: null,
  corrupt: (result) => result,
};

/**
 * Decides what every tool call of an episode meets, and keeps the injection log (Bench2Robust 2, A.1–A.3).
 *
 * Each call takes two numbers from the episode's generator, whatever comes of it: so the faults depend on the seed, the
 * episode's id and the number of the call alone, not on timing, other limits or what is blocked. Calls count in the order of
 * `begin`. A blocked tool always answers that it is blocked. A fault beyond the budget or the limit on one tool does not come, and the
 * call is clean. A silent fault counts even where the result holds nothing that it may change: its entry then has no changes.
 *
 * @example
 * ```ts
 * import { FaultInjector } from "calibrant/recovery";
 * const injector = new FaultInjector({ seed: 7, blocked: ["get_order"] });
 * const callTool = injector.wrap(async (name) => `${name} answers`);
 * console.log((await callTool("get_user", {})) === "get_user answers"); // true
 * await callTool("get_order", {});
 * console.log(injector.counts.calls, injector.log.at(-1)?.fault); // 2 blocked
 * ```
 */
export class FaultInjector {
  readonly #settings: Settings;
  #episode: string;
  #blocked: ReadonlySet<string>;
  #random: () => number;
  #log: OpenRecord[] = [];
  #counts: MutableCounts = emptyCounts();
  /** Faults one after the other, by tool. */
  #streaks: Map<string, number> = new Map();
  /** How much of the budget is spent. */
  #spent = 0;

  /** @throws CalibrantError `option` for a seed, limit, profile or rule that cannot be. */
  constructor(options: FaultInjectorOptions) {
    this.#settings = resolveOptions(options);
    this.#episode = options.episode ?? "0";
    this.#blocked = blockedSet(options.blocked ?? []);
    this.#random = seededRandom(deriveSeed(this.#settings.seed, this.#episode));
  }

  /** The entries of this episode in the order of their calls. Those of silent faults get their changes when the call is back. */
  get log(): readonly InjectionRecord[] {
    return this.#log;
  }

  /** What was done in this episode so far. */
  get counts(): InjectionCounts {
    return copyCounts(this.#counts);
  }

  /**
   * Starts another episode: log, counts and limits begin anew, and the faults are those of the seed and this id. Calls that are
   * still on the way belong to the episode in which they began.
   *
   * @param blocked - the tools that are blocked in it.
   */
  startEpisode(episode: string, blocked: readonly string[] = []): void {
    this.#episode = episode;
    this.#blocked = blockedSet(blocked);
    this.#random = seededRandom(deriveSeed(this.#settings.seed, episode));
    this.#log = [];
    this.#counts = emptyCounts();
    this.#streaks = new Map();
    this.#spent = 0;
  }

  /** Decides about the next call, to `tool`. Synchronous: the order of these calls is the order of the faults. */
  begin(tool: string): CallInjection {
    const drawn = drawFault(this.#settings.toolNoise.get(tool) ?? this.#settings.noise, this.#random());
    const detail = seededRandom(Math.floor(this.#random() * 2 ** 32));
    const call = this.#counts.calls++;
    const fault = this.#blocked.has(tool) ? "blocked" : this.#admit(tool, drawn);
    if (fault === null) {
      this.#counts.clean += 1;
      return CLEAN;
    }
    if (fault === "blocked") this.#counts.blocked += 1;
    else this.#counts.injected[fault] += 1;
    const response = isSilentFault(fault) ? null : faultResponse(fault, tool, detail);
    const record: OpenRecord = {
      episode: this.#episode,
      seed: this.#settings.seed,
      call,
      tool,
      fault,
      executed: response === null,
      response: response?.text ?? null,
      status: response?.status ?? null,
      changes: [],
    };
    this.#log.push(record);
    const { corruption } = this.#settings;
    return {
      fault,
      executes: response === null,
      response,
      record,
      corrupt(result, accepts = () => true) {
        if (!isSilentFault(fault)) return result;
        for (let draw = 0; draw < MOST_DRAWS; draw++) {
          const { value, changes } = corruptByRules(result, fault, detail, corruption);
          if (changes.length === 0) return result;
          if (!accepts(value)) continue;
          record.changes = [...record.changes, ...changes.map(plainChange)];
          return value;
        }
        return result;
      },
    };
  }

  /**
   * Puts the faults around a function that calls tools. What the agent is told instead of a result is returned as text; errors of
   * the tool itself pass. Further arguments are handed on.
   */
  wrap<Rest extends readonly unknown[], Result>(
    callTool: (name: string, args: unknown, ...rest: Rest) => Promise<Result> | Result,
  ): (name: string, args: unknown, ...rest: Rest) => Promise<Result | string> {
    return async (name, args, ...rest) => {
      const injection = this.begin(name);
      if (injection.response !== null) return injection.response.text;
      return injection.corrupt(await callTool(name, args, ...rest)) as Result;
    };
  }

  /** The fault that comes, given what was drawn; null = none. */
  #admit(tool: string, drawn: FaultKind | "clean"): FaultKind | null {
    const streak = this.#streaks.get(tool) ?? 0;
    const { budget, maxConsecutive } = this.#settings;
    let fault = drawn === "clean" ? null : drawn;
    if (fault !== null && this.#spent >= budget) {
      this.#counts.suppressed.budget += 1;
      fault = null;
    } else if (fault !== null && streak >= maxConsecutive) {
      this.#counts.suppressed.consecutive += 1;
      fault = null;
    }
    this.#streaks.set(tool, fault === null ? 0 : streak + 1);
    if (fault !== null) this.#spent += 1;
    return fault;
  }
}

function emptyCounts(): MutableCounts {
  const injected = Object.fromEntries(FAULT_KINDS.map((kind) => [kind, 0])) as Record<FaultKind, number>;
  return { calls: 0, clean: 0, blocked: 0, injected, suppressed: { budget: 0, consecutive: 0 } };
}

function copyCounts({ calls, clean, blocked, injected, suppressed }: MutableCounts): InjectionCounts {
  return { calls, clean, blocked, injected: { ...injected }, suppressed: { ...suppressed } };
}

function resolveOptions(options: FaultInjectorOptions): Settings {
  checkOptionNames(options, OPTIONS, "FaultInjector");
  const { seed, noise = DEFAULT_NOISE, toolNoise = {}, budget = 5, maxConsecutive = 2 } = options;
  const { corruption = {}, episode = "" } = options;
  if (!(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32))
    throw bad("seed", "an integer from 0 to 4294967295", seed);
  if (typeof episode !== "string") throw bad("episode", "text", episode);
  checkLimit("budget", budget);
  checkLimit("maxConsecutive", maxConsecutive);
  checkNoiseProfile(noise, "noise");
  for (const [tool, profile] of Object.entries(toolNoise)) checkNoiseProfile(profile, `toolNoise of ${tool}`);
  checkCorruptionRules(corruption);
  return { seed, noise, toolNoise: new Map(Object.entries(toolNoise)), budget, maxConsecutive, corruption };
}

function checkLimit(name: string, value: number): void {
  const whole = Number.isInteger(value) || value === Number.POSITIVE_INFINITY;
  if (!(whole && value >= 0)) throw bad(name, "a whole number from 0 on, or Infinity", value);
}

function blockedSet(blocked: readonly string[]): ReadonlySet<string> {
  const isList = Array.isArray(blocked) && blocked.every((name) => typeof name === "string");
  if (!isList) throw bad("blocked", "a list of tool names", blocked);
  return new Set(blocked);
}

function bad(name: string, expected: string, value: unknown): CalibrantError {
  return new CalibrantError("option", `${name} must be ${expected}, got ${String(value)}`, { [name]: value });
}
