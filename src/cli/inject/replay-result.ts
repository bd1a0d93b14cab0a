import { deriveSeed } from "../../math/derive-seed.ts";
import { seededRandom } from "../../math/seeded-random.ts";
import { passRate } from "../../metrics/robustness/pass-rate.ts";
import { pairedDelta } from "../../metrics/robustness/pass-rate-delta.ts";
import type { PassRate, PassRateDelta } from "../../metrics/robustness/robustness-result.ts";
import type { IntervalSettings } from "../../metrics/robustness/task-bootstrap.ts";
import { createTaskCounter, type TaskCounts } from "../../metrics/robustness/task-counts.ts";
import { drawScenario, type ScenarioMix } from "../../recovery/scenario/draw-scenario.ts";
import type { ReplayPolicyName } from "../../recovery/world/replay-policies.ts";
import type { ReplayOutcome, ReplayResult } from "../../recovery/world/replay-retail.ts";
import { FAULT_KINDS, type FaultKind } from "../../types.ts";

/** The conditions of the tables. `mixed` draws a scenario for each task and seed; the last two are parts of S2. */
export const REPLAY_CONDITIONS = ["clean", "S1", "S2", "S3", "mixed", "S2 own", "S2 other"] as const;

/** A condition of the tables. */
export type ReplayCondition = (typeof REPLAY_CONDITIONS)[number];

/** Shares of the last phase of the curriculum (Table 9). */
const MIX: ScenarioMix = { S1: 0.3, S2: 0.45, S3: 0.25 };

/** Intervals of 95 %: tasks are drawn, each with all its seeds. */
const SETTINGS: IntervalSettings = { level: 0.95, resamples: 1000, seed: 0 };

/** The pairs of policies that are compared, the baseline first. */
const COMPARED: readonly (readonly [ReplayPolicyName, ReplayPolicyName])[] = [
  ["naive", "retry"],
  ["retry", "switch"],
  ["simple", "simple+static"],
  ["simple", "simple+learned"],
  ["simple", "simple+memory"],
];

/** A pass rate. */
export interface ReplayRate {
  readonly policy: ReplayPolicyName;
  readonly condition: ReplayCondition;
  readonly rate: PassRate;
}

/** A difference of pass rates, paired by task. */
export interface ReplayDifference {
  readonly policy: ReplayPolicyName;
  /** Another policy under the same condition; null = the same policy without injection. */
  readonly baseline: ReplayPolicyName | null;
  readonly condition: ReplayCondition;
  readonly delta: PassRateDelta;
}

/** How the episodes of S1 ended. */
export interface ReplayEnds {
  readonly policy: ReplayPolicyName;
  readonly episodes: number;
  readonly passed: number;
  /** Handed over to a person. */
  readonly escalated: number;
  /** Ended as if done, with a wrong change or a wrong answer. */
  readonly wrong: number;
}

/** Episodes of S1 that met a kind of fault and no fault of another kind. */
export interface ReplayFaultRow extends ReplayEnds {
  readonly fault: FaultKind;
}

/** The numbers of a replay. */
export interface ReplayNumbers {
  readonly rates: readonly ReplayRate[];
  readonly differences: readonly ReplayDifference[];
  readonly ends: readonly ReplayEnds[];
  readonly byFault: readonly ReplayFaultRow[];
}

/** What the tables of a replay show. */
export function replayNumbers(result: ReplayResult): ReplayNumbers {
  const { outcomes } = result;
  const policies = [...new Set(outcomes.map(({ policy }) => policy))];
  const cells = replayCells(result, policies);
  const ended = (policy: ReplayPolicyName, chosen: (outcome: ReplayOutcome) => boolean): ReplayEnds =>
    endsOf(
      policy,
      outcomes.filter((one) => one.policy === policy && one.scenario === "S1" && chosen(one)),
    );
  return {
    rates: policies.flatMap((policy) =>
      REPLAY_CONDITIONS.map((condition) => ({ policy, condition, rate: cells.at(policy, condition).rate })),
    ),
    differences: replayDifferences(cells, policies),
    ends: policies.map((policy) => ended(policy, () => true)),
    byFault: FAULT_KINDS.flatMap((fault) =>
      policies.map((policy) => ({
        fault,
        ...ended(policy, ({ faults }) => faults.length === 1 && faults[0] === fault),
      })),
    ),
  };
}

/** Counts and rates by policy and condition. */
interface Cells {
  readonly at: (policy: ReplayPolicyName, condition: ReplayCondition) => Cell;
  readonly compare: (baseline: Cell, candidate: Cell) => PassRateDelta;
}

function replayCells({ outcomes, world }: ReplayResult, policies: readonly ReplayPolicyName[]): Cells {
  const tasks = [...new Set(outcomes.map(({ task }) => task))];
  const inMix = mixedEpisodes(outcomes, world.seed);
  const cells = new Map<string, Cell>();
  for (const policy of policies) {
    const own = outcomes.filter((outcome) => outcome.policy === policy);
    for (const condition of REPLAY_CONDITIONS) {
      const chosen = own.filter((outcome) => isIn(outcome, condition, inMix));
      const counts = countsOf(chosen, tasks);
      cells.set(`${policy} ${condition}`, { counts, rate: passRate([counts], SETTINGS) });
    }
  }
  const nameOf = (_: number, task: number): string => tasks[task] as string;
  return {
    at: (policy, condition) => cells.get(`${policy} ${condition}`) as Cell,
    compare: ({ rate, counts }, candidate) =>
      pairedDelta(
        { baseline: rate, candidate: candidate.rate, pairs: [[counts, candidate.counts]], nameOf },
        SETTINGS,
      ),
  };
}

/** Each policy against itself without injection, then the pairs of policies under the same condition. */
function replayDifferences(
  { at, compare }: Cells,
  policies: readonly ReplayPolicyName[],
): readonly ReplayDifference[] {
  const injected = REPLAY_CONDITIONS.filter((condition) => condition !== "clean");
  const compared = COMPARED.filter((pair) => pair.every((name) => policies.includes(name)));
  return [
    ...policies.flatMap((policy) =>
      injected.map((condition) => {
        const delta = compare(at(policy, "clean"), at(policy, condition));
        return { policy, baseline: null, condition, delta };
      }),
    ),
    ...compared.flatMap(([baseline, policy]) =>
      injected.map((condition) => {
        const delta = compare(at(baseline, condition), at(policy, condition));
        return { policy, baseline, condition, delta };
      }),
    ),
  ];
}

interface Cell {
  readonly counts: TaskCounts;
  readonly rate: PassRate;
}

/** The episodes of the mixed condition: those of S1, S2 and S3 whose scenario was drawn for their task and seed. */
function mixedEpisodes(outcomes: readonly ReplayOutcome[], worldSeed: number): ReadonlyMap<string, string> {
  const drawn = new Map<string, string>();
  for (const { task, seed } of outcomes) {
    const key = `${task} ${seed}`;
    if (!drawn.has(key))
      drawn.set(key, drawScenario(MIX, seededRandom(deriveSeed(worldSeed, task, seed, "mixed"))));
  }
  return drawn;
}

function isIn(
  { task, seed, scenario, ownPathBlocked }: ReplayOutcome,
  condition: ReplayCondition,
  inMix: ReadonlyMap<string, string>,
): boolean {
  if (condition === "clean") return scenario === null;
  if (condition === "mixed") return scenario !== null && inMix.get(`${task} ${seed}`) === scenario;
  if (condition === "S2 own") return scenario === "S2" && ownPathBlocked;
  if (condition === "S2 other") return scenario === "S2" && !ownPathBlocked;
  return scenario === condition;
}

function countsOf(outcomes: readonly ReplayOutcome[], tasks: readonly string[]): TaskCounts {
  const counter = createTaskCounter();
  const numbers = new Map(tasks.map((task, number) => [task, number]));
  const rows = outcomes.map(({ task, completed }) => ({ number: numbers.get(task) as number, completed }));
  rows.sort((a, b) => a.number - b.number);
  for (const { number, completed } of rows) counter.add(number, 1, completed ? 1 : 0);
  return counter.counts();
}

function endsOf(policy: ReplayPolicyName, outcomes: readonly ReplayOutcome[]): ReplayEnds {
  const passed = outcomes.filter(({ completed }) => completed).length;
  const escalated = outcomes.filter((one) => !one.completed && one.escalated).length;
  const episodes = outcomes.length;
  return { policy, episodes, passed, escalated, wrong: episodes - passed - escalated };
}
