import { checkOptionNames } from "../../data/check-option-names.ts";
import { CalibrantError, CalibrantRangeError } from "../../errors.ts";
import { ASSIGN_OPTIONS, type AssignOptions, supportedScenarios } from "./assign-scenario.ts";
import { SCENARIOS, type Scenario, type ScenarioTask } from "./scenario.ts";

/** The share of each scenario, in [0, 1]; the three sum to 1. */
export type ScenarioMix = Readonly<Record<Scenario, number>>;

/** Options of {@link drawScenario} and {@link scenarioShares}. */
export interface DrawOptions extends AssignOptions {
  /** The task that the scenario is for. Default: none, every scenario is possible. */
  readonly task?: ScenarioTask;
  /**
   * When the mix holds a scenario that the task does not support (S2 on a task with one path): `error` (default), or
   * `redraw`, which draws from the other scenarios with their shares scaled to sum to 1.
   */
  readonly singlePath?: "error" | "redraw";
}

/** The names of {@link DrawOptions} but for `task`. */
export const DRAW_OPTIONS: readonly string[] = [...ASSIGN_OPTIONS, "singlePath"];

/** What a scenario is drawn from. */
export interface ScenarioShares {
  readonly shares: ScenarioMix;
  /** Whether the mix was scaled because the task does not support one of its scenarios. */
  readonly redrawn: boolean;
}

/** Sums of shares such as 0.45 + 0.3 + 0.25 miss 1 by a rounding error. */
const TOLERANCE = 1e-9;

/**
 * Checks a mix of scenarios.
 *
 * @throws CalibrantError `option` for a missing or an unknown scenario, or shares that do not sum to 1 (within 1e-9).
 * @throws CalibrantRangeError for a share outside [0, 1].
 */
export function checkScenarioMix(mix: ScenarioMix, name = "mix"): void {
  checkOptionNames(mix, SCENARIOS, name);
  let sum = 0;
  for (const scenario of SCENARIOS) {
    const share: unknown = mix[scenario];
    if (typeof share !== "number")
      throw new CalibrantError("option", `${name} needs a share of ${scenario}, got ${String(share)}`);
    if (!(share >= 0 && share <= 1))
      throw new CalibrantRangeError("option", `${name}.${scenario} must be in [0, 1], got ${share}`);
    sum += share;
  }
  if (Math.abs(sum - 1) > TOLERANCE)
    throw new CalibrantError("option", `${name} must sum to 1 (shares, not percents), got ${sum}`, { sum });
}

/**
 * The mix as it holds for a task.
 *
 * @throws CalibrantError `data` naming the task when the mix holds a scenario that it does not support and `singlePath`
 * is `error`, or when no share is left.
 */
export function scenarioShares(mix: ScenarioMix, options: DrawOptions = {}): ScenarioShares {
  const { task, singlePath = "error", ...assign } = options;
  checkOptionNames(assign, DRAW_OPTIONS, "drawScenario");
  checkScenarioMix(mix);
  if (singlePath !== "error" && singlePath !== "redraw")
    throw new CalibrantError("option", `singlePath must be error or redraw, got ${String(singlePath)}`);
  if (task === undefined) return { shares: mix, redrawn: false };
  const supported = supportedScenarios(task, assign);
  const missing = SCENARIOS.filter((scenario) => mix[scenario] > 0 && !supported.includes(scenario));
  if (missing.length === 0) return { shares: mix, redrawn: false };
  const left = supported.reduce((sum, scenario) => sum + mix[scenario], 0);
  if (singlePath === "error" || left === 0)
    throw new CalibrantError(
      "data",
      `task ${task.taskId} supports ${supported.join(" and ")} only, but the mix holds ${missing.join(" and ")}: ${left === 0 ? "leave the task out" : 'name its equivalent tools, leave it out, or set singlePath to "redraw"'}`,
      { taskId: task.taskId, missing },
    );
  const share = (scenario: Scenario): number => (supported.includes(scenario) ? mix[scenario] / left : 0);
  return { shares: { S1: share("S1"), S2: share("S2"), S3: share("S3") }, redrawn: true };
}

/**
 * Draws a scenario from a mix, with one number of `random`: S1 below its share, then S2, then S3. A scenario with share
 * 0 is never drawn.
 *
 * @param random - uniform numbers in [0, 1)
 * @throws CalibrantError as {@link checkScenarioMix} and {@link scenarioShares} say.
 *
 * @example
 * ```ts
 * import { drawScenario } from "calibrant/recovery";
 * console.log(drawScenario({ S1: 0.3, S2: 0.45, S3: 0.25 }, () => 0.7)); // S2
 * ```
 */
export function drawScenario(mix: ScenarioMix, random: () => number, options: DrawOptions = {}): Scenario {
  const { shares } = scenarioShares(mix, options);
  const possible = SCENARIOS.filter((scenario) => shares[scenario] > 0);
  const u = random();
  let below = 0;
  for (const scenario of possible) {
    below += shares[scenario];
    if (u < below) return scenario;
  }
  return possible[possible.length - 1] as Scenario;
}
