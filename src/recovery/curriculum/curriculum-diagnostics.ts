import type { Episode } from "../episodes/episode.ts";
import { isSilentFault } from "../fault-kinds.ts";

/**
 * What the curriculum looks at, over the episodes of an iteration. Plain data, named as on the wire. Every number is null
 * where no episode can tell it, and `…_n` beside it counts the episodes that could. The paper names the diagnostics and
 * defines none: the definitions are ours.
 */
export interface CurriculumDiagnostics {
  /** Episodes that were read. */
  readonly episodes: number;
  /** Rows that held no conversation: in no other number. */
  readonly unreadable: number;
  /** Episodes without an outcome, without a reward, and without a scenario though not clean. */
  readonly missing: { readonly completed: number; readonly reward: number; readonly scenario: number };
  /** Share that completed the task, of the episodes with an outcome. */
  readonly pass_rate: number | null;
  readonly pass_rate_n: number;
  /** Mean of the rewards that are there. */
  readonly mean_reward: number | null;
  readonly mean_reward_n: number;
  /** Share in which the agent went over from a tool that failed to another one, of those that met a visible failure or a block. */
  readonly switch_rate: number | null;
  readonly switch_rate_n: number;
  /** Share that called a tool that hands the task over to a person. */
  readonly escalation_rate: number | null;
  readonly escalation_rate_n: number;
  /** The same of the S3 episodes, where it is right. */
  readonly s3_escalation_rate: number | null;
  readonly s3_escalation_rate_n: number;
  /** The same of the S1 and S2 episodes, which can be solved. */
  readonly solvable_escalation_rate: number | null;
  readonly solvable_escalation_rate_n: number;
  /** Share in which one identical call occurs three times or more: where the reward's repetition factor is below 1. */
  readonly repetition_rate: number | null;
  readonly repetition_rate_n: number;
  /** Mean number of turns. */
  readonly mean_turns: number | null;
  readonly mean_turns_n: number;
  /** `pass_rate` of the S1 episodes. */
  readonly pass_rate_s1: number | null;
  readonly pass_rate_s1_n: number;
  readonly pass_rate_s2: number | null;
  readonly pass_rate_s2_n: number;
  readonly pass_rate_s3: number | null;
  readonly pass_rate_s3_n: number;
}

/** Gathers diagnostics episode by episode; keeps nothing of an episode. */
export interface DiagnosticsAccumulator {
  /** Adds an episode; null is a row that held none. */
  add(episode: Episode | null): void;
  /** The diagnostics of the episodes so far. */
  finish(): CurriculumDiagnostics;
}

/**
 * The diagnostics of a list of episodes. An episode of the condition `clean` has no scenario, whatever its row says: nothing
 * was blocked in it. It counts in the numbers over all episodes, not in those by scenario.
 *
 * @example
 * ```ts
 * import { curriculumDiagnostics, readEpisode } from "calibrant/recovery";
 * const messages = [{ role: "assistant", content: "Your order is on its way." }];
 * const episodes = [1, 0].map((completed) => readEpisode({ messages, completed, scenario: "S1" }));
 * const { pass_rate, pass_rate_s1_n, s3_escalation_rate } = curriculumDiagnostics(episodes);
 * console.log(pass_rate, pass_rate_s1_n, s3_escalation_rate); // 0.5 2 null
 * ```
 */
export function curriculumDiagnostics(episodes: Iterable<Episode | null>): CurriculumDiagnostics {
  const accumulator = createCurriculumDiagnostics();
  for (const episode of episodes) accumulator.add(episode);
  return accumulator.finish();
}

/** A mean in the making. Sums of rates and turns are exact; `error` carries the rounding of rewards. */
interface Mean {
  count: number;
  sum: number;
  error: number;
}

/**
 * Creates an empty {@link DiagnosticsAccumulator}, for files larger than memory. See {@link curriculumDiagnostics}.
 *
 * @example
 * ```ts
 * import { createCurriculumDiagnostics, readEpisode } from "calibrant/recovery";
 * const accumulator = createCurriculumDiagnostics();
 * accumulator.add(readEpisode({ messages: [{ role: "assistant", content: "Done." }], reward: 0.4 }));
 * accumulator.add(null);
 * console.log(accumulator.finish().mean_reward, accumulator.finish().unreadable); // 0.4 1
 * ```
 */
export function createCurriculumDiagnostics(): DiagnosticsAccumulator {
  const means = Object.fromEntries(
    MEAN_NAMES.map((name) => [name, { count: 0, sum: 0, error: 0 }]),
  ) as Record<MeanName, Mean>;
  const missing = { completed: 0, reward: 0, scenario: 0 };
  let unreadable = 0;
  return {
    add(episode) {
      if (episode === null) unreadable += 1;
      else {
        addEpisode(means, episode);
        countMissing(missing, episode);
      }
    },
    finish() {
      const numbers = MEAN_NAMES.flatMap((name) => {
        const { count, sum, error } = means[name];
        return [
          [name, count === 0 ? null : (sum + error) / count],
          [`${name}_n`, count],
        ];
      });
      const episodes = means.escalation_rate.count;
      return { episodes, unreadable, missing: { ...missing }, ...Object.fromEntries(numbers) };
    },
  };
}

const MEAN_NAMES = [
  "pass_rate",
  "mean_reward",
  "switch_rate",
  "escalation_rate",
  "s3_escalation_rate",
  "solvable_escalation_rate",
  "repetition_rate",
  "mean_turns",
  "pass_rate_s1",
  "pass_rate_s2",
  "pass_rate_s3",
] as const;

type MeanName = (typeof MEAN_NAMES)[number];

/** The largest number of identical calls that costs nothing, by the reward. */
const FREE_REPETITIONS = 2;

function addEpisode(means: Readonly<Record<MeanName, Mean>>, episode: Episode): void {
  const { completed, escalated, reward, turns } = episode;
  const scenario = scenarioOf(episode);
  addTo(means.pass_rate, completed);
  addTo(means.mean_reward, reward);
  if (episode.faults.some(({ fault }) => !isSilentFault(fault)))
    addTo(means.switch_rate, episode.switches.length > 0);
  addTo(means.escalation_rate, escalated);
  addTo(means.repetition_rate, episode.repetition > FREE_REPETITIONS);
  addTo(means.mean_turns, turns);
  if (scenario === null) return;
  addTo(scenario === "S3" ? means.s3_escalation_rate : means.solvable_escalation_rate, escalated);
  addTo(means[`pass_rate_${scenario.toLowerCase() as "s1" | "s2" | "s3"}`], completed);
}

function countMissing(
  missing: Record<keyof CurriculumDiagnostics["missing"], number>,
  episode: Episode,
): void {
  if (episode.completed === null) missing.completed += 1;
  if (isMissing(episode.reward)) missing.reward += 1;
  if (episode.scenario === null && episode.condition !== "clean") missing.scenario += 1;
}

function scenarioOf({ scenario, condition }: Episode): Episode["scenario"] {
  return condition === "clean" ? null : scenario;
}

/** Neumaier's step: what an addition rounds away is kept. A missing value adds nothing. */
function addTo(mean: Mean, value: number | boolean | null): void {
  if (isMissing(value)) return;
  const x = Number(value);
  const total = mean.sum + x;
  mean.error += Math.abs(mean.sum) >= Math.abs(x) ? mean.sum - total + x : x - total + mean.sum;
  mean.sum = total;
  mean.count += 1;
}

function isMissing(value: number | boolean | null): value is null {
  return value === null || !Number.isFinite(Number(value));
}
