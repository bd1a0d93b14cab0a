import { largestRepetition, type RepetitionCounting } from "../data/calls/largest-repetition.ts";
import { CalibrantError } from "../errors.ts";
import type { ToolCall } from "../types.ts";
import { bench2robustNeeds, episodeReader, type TurnCounting } from "./bench2robust-rows.ts";
import type { FinishedRows, RewardJob, RowParts } from "./reward-job.ts";

/** Options of the Bench2Robust reward; the defaults are the paper's constants (arXiv 2608.11977, 3.2, Table 10). */
export interface Bench2RobustOptions {
  /** What a turn is where no `num_turns` is given. Default `assistant`: assistant messages. */
  readonly turns?: TurnCounting;
  /** Default `total`. */
  readonly repetition?: RepetitionCounting;
  /** Turns without an efficiency discount. Default 12. */
  readonly freeTurns?: number;
  /** Efficiency lost with each further turn. Default 0.02. */
  readonly turnPenalty?: number;
  /** Least efficiency, in [0, 1]. Default 0.3. */
  readonly minEfficiency?: number;
  /** Weight of a completed task. Default 1. */
  readonly completedWeight?: number;
  /** Weight of the matched share of the required actions when the task is not completed. Default 0.3. */
  readonly partialWeight?: number;
  /**
   * The repetition factor, in [0, 1], by the largest number of identical calls: entry 0 for one call, the last entry
   * for its number and all above. Default [1, 1, 0.5, 0].
   */
  readonly repetitionFactors?: readonly number[];
}

const REPETITION_FACTORS: readonly number[] = [1, 1, 0.5, 0];

const TURNS: readonly TurnCounting[] = ["assistant", "messages", "calls"];
const REPETITIONS: readonly RepetitionCounting[] = ["total", "consecutive"];

/** The parts of the reward of one episode; NaN = unknown. */
export interface Bench2RobustTerms {
  readonly completed: boolean;
  /** See {@link efficiency}; does not matter when the task is not completed. */
  readonly efficiency: number;
  /** See {@link repetition}. */
  readonly repetition: number;
  /** See {@link partialCredit}; does not matter when the task is completed. */
  readonly partialCredit: number;
}

/**
 * The efficiency discount of a completed episode: max(0.3, 1 − 0.02 · max(0, turns − 12)); NaN turns give NaN.
 *
 * @throws CalibrantError `option` for a constant out of range.
 *
 * @example
 * ```ts
 * import { efficiency } from "calibrant/rewards";
 * console.log(efficiency(12), efficiency(17), efficiency(100)); // 1 0.9 0.3
 * ```
 */
export function efficiency(turns: number, options: Bench2RobustOptions = {}): number {
  return discount(turns, resolveOptions(options));
}

/**
 * The repetition factor: by the largest number of times one identical call occurs, 1 up to 2, 0.5 for 3, 0 from 4 on.
 * Calls are identical when name and arguments are (`callKey`: key order, whitespace and 1 against 1.0 do not matter;
 * broken JSON is compared as text).
 *
 * @param mode - `total` counts occurrences anywhere, `consecutive` the longest run of one call.
 * @param factors - factor by number, see `repetitionFactors` of {@link Bench2RobustOptions}.
 * @throws CalibrantError `option` for an unknown mode, no factor or one outside [0, 1].
 *
 * @example
 * ```ts
 * import { repetition } from "calibrant/rewards";
 * const look = { name: "look", arguments: { id: 1 } };
 * const move = { name: "move", arguments: {} };
 * const calls = [look, move, look, look];
 * console.log(repetition(calls), repetition(calls, "consecutive")); // 0.5 1
 * ```
 */
export function repetition(
  calls: readonly ToolCall[],
  mode: RepetitionCounting = "total",
  factors: readonly number[] = REPETITION_FACTORS,
): number {
  const settings = resolveOptions({ repetition: mode, repetitionFactors: factors });
  return repetitionFactor(calls, settings);
}

/** The matched share of the required actions: matched / required; 0 when nothing is required, NaN when either is NaN. */
export function partialCredit(matched: number, required: number): number {
  return required === 0 ? 0 : matched / required;
}

/**
 * The Bench2Robust reward: 1.0 · efficiency · repetition of a completed episode, 0.3 · partial credit · repetition of
 * any other. NaN when a part that it uses is NaN.
 *
 * @throws CalibrantError `option` for a constant out of range.
 *
 * @example
 * ```ts
 * import { bench2robustReward, efficiency, partialCredit } from "calibrant/rewards";
 * const terms = { efficiency: efficiency(17), repetition: 1, partialCredit: partialCredit(4, 5) };
 * console.log(bench2robustReward({ completed: true, ...terms })); // 0.9
 * console.log(bench2robustReward({ completed: false, ...terms })); // 0.24
 * ```
 */
export function bench2robustReward(terms: Bench2RobustTerms, options: Bench2RobustOptions = {}): number {
  return combine(terms.completed ? 1 : 0, terms, resolveOptions(options));
}

/** Status bits, in the order of the job's `statusNames`. */
const NO_COMPLETED = 1;
const NO_TURNS = 2;
const NO_MESSAGES = 4;
const NO_GOLD = 8;

/**
 * The Bench2Robust reward as a job over rollout batches.
 *
 * Result columns: `efficiency` (of the turns, whether completed or not), `repetition`, `partial_credit` (matched /
 * required actions, before its weight; 0 when nothing is required), `reward`; NaN = unknown. Statuses, each counted
 * whether or not the reward needs the part: `no_completed` (reward NaN), `no_turns` (no `num_turns` and nothing to count
 * them in: efficiency NaN), `no_messages` (neither `tool_calls` nor readable `messages`: repetition NaN), `no_gold`
 * (neither both counts nor `gold_actions`, or no calls to match them with: partial credit NaN).
 *
 * @throws CalibrantError `option` for a constant out of range or an unknown word; `data`, while scoring, for a value
 * that cannot be (see `episodeReader`).
 */
export function bench2robustJob(options: Bench2RobustOptions = {}): RewardJob {
  const settings = resolveOptions(options);
  return {
    name: "bench2robust",
    needs: bench2robustNeeds(settings.turns),
    kept: ["efficiency", "repetition", "partial_credit", "completed"],
    results: ["efficiency", "repetition", "partial_credit", "reward"],
    statusNames: ["no_completed", "no_turns", "no_messages", "no_gold"],
    choices: settings,
    scoreRows(batch): RowParts {
      const read = episodeReader(batch, settings.turns);
      const efficiencies = new Float64Array(batch.rows);
      const repetitions = new Float64Array(batch.rows);
      const credits = new Float64Array(batch.rows);
      const completed = new Float64Array(batch.rows);
      for (let row = 0; row < batch.rows; row += 1) {
        const episode = read(row);
        const { calls } = episode;
        efficiencies[row] = discount(episode.turns, settings);
        repetitions[row] = calls === null ? Number.NaN : repetitionFactor(calls, settings);
        credits[row] = partialCredit(episode.matched, episode.required);
        completed[row] = episode.completed;
      }
      return { kept: [efficiencies, repetitions, credits, completed], passing: [] };
    },
    createGroups: () => ({ add: () => undefined, finish: (kept) => finishRows(kept, settings) }),
  };
}

function finishRows(kept: readonly Float64Array[], settings: Required<Bench2RobustOptions>): FinishedRows {
  const [efficiencies, repetitions, credits, completed] = kept as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const rows = completed.length;
  const reward = new Float64Array(rows);
  const status = new Uint32Array(rows);
  for (let row = 0; row < rows; row += 1) {
    const terms = {
      efficiency: efficiencies[row] as number,
      repetition: repetitions[row] as number,
      partialCredit: credits[row] as number,
    };
    reward[row] = combine(completed[row] as number, terms, settings);
    status[row] =
      (Number.isNaN(completed[row]) ? NO_COMPLETED : 0) |
      (Number.isNaN(terms.efficiency) ? NO_TURNS : 0) |
      (Number.isNaN(terms.repetition) ? NO_MESSAGES : 0) |
      (Number.isNaN(terms.partialCredit) ? NO_GOLD : 0);
  }
  return {
    columns: [
      { name: "efficiency", values: efficiencies },
      { name: "repetition", values: repetitions },
      { name: "partial_credit", values: credits },
      { name: "reward", values: reward },
    ],
    status,
  };
}

function discount(turns: number, settings: Required<Bench2RobustOptions>): number {
  return Math.max(settings.minEfficiency, 1 - settings.turnPenalty * Math.max(0, turns - settings.freeTurns));
}

function repetitionFactor(calls: readonly ToolCall[], settings: Required<Bench2RobustOptions>): number {
  const factors = settings.repetitionFactors;
  const most = largestRepetition(calls, settings.repetition);
  return most === 0 ? 1 : (factors[Math.min(most, factors.length) - 1] as number);
}

function combine(
  completed: number,
  terms: Omit<Bench2RobustTerms, "completed">,
  settings: Required<Bench2RobustOptions>,
): number {
  if (Number.isNaN(completed)) return Number.NaN;
  return completed === 1
    ? settings.completedWeight * terms.efficiency * terms.repetition
    : settings.partialWeight * terms.partialCredit * terms.repetition;
}

function resolveOptions(options: Bench2RobustOptions): Required<Bench2RobustOptions> {
  const {
    turns = "assistant",
    repetition = "total",
    freeTurns = 12,
    turnPenalty = 0.02,
    minEfficiency = 0.3,
    completedWeight = 1,
    partialWeight = 0.3,
    repetitionFactors = REPETITION_FACTORS,
  } = options;
  const amounts = { freeTurns, turnPenalty, completedWeight, partialWeight };
  checkWord("turns", turns, TURNS);
  checkWord("repetition", repetition, REPETITIONS);
  for (const [name, value] of Object.entries(amounts)) checkNumber(name, value, Number.MAX_VALUE);
  checkNumber("minEfficiency", minEfficiency, 1);
  if (!Array.isArray(repetitionFactors) || repetitionFactors.length === 0) {
    throw new CalibrantError(
      "option",
      `repetitionFactors must be a list of one or more factors, got ${String(repetitionFactors)}`,
    );
  }
  for (const factor of repetitionFactors) checkNumber("repetitionFactors", factor, 1);
  return { ...amounts, turns, repetition, minEfficiency, repetitionFactors };
}

function checkWord(name: string, value: string, words: readonly string[]): void {
  if (words.includes(value)) return;
  throw new CalibrantError("option", `${name} must be ${words.join(", ")}, got ${String(value)}`, {
    [name]: value,
  });
}

function checkNumber(name: string, value: number, largest: number): void {
  if (typeof value === "number" && value >= 0 && value <= largest) return;
  const range = largest === 1 ? "in [0, 1]" : "a finite number from 0 on";
  throw new CalibrantError("option", `${name} must be ${range}, got ${String(value)}`, { [name]: value });
}
