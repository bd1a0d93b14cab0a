import { CalibrantError } from "../../errors.ts";
import { checkCount } from "../../math/check-count.ts";
import { checkLevel } from "../../math/percentile-interval.ts";
import type { InjectionSetting, RobustnessSystem } from "./robustness-result.ts";

/** The columns that the tables read, by their names in rows and files. */
export type RobustnessColumn =
  | "model"
  | "subset"
  | "condition"
  | "alt"
  | "task_id"
  | "seed"
  | "completed"
  | "fault_type"
  | "fault_types"
  | "turns"
  | "num_turns"
  | "tokens"
  | "p_clean"
  | "budget"
  | "k_max";

/** Options of the robustness tables. */
export interface RobustnessOptions {
  /** Level of all intervals, in (0, 1). Default 0.95. */
  readonly level?: number;
  /** Bootstrap resamples behind the intervals over tasks; 0: none. Default 1000. */
  readonly resamples?: number;
  /** Default 0. */
  readonly seed?: number;
  /**
   * Which models are the base model, the base with Bayesian Tool Memory, and the trained one with it: columns of the tables by
   * fault type and severity, and their differences. Without any, all models are columns.
   */
  readonly systems?: { readonly base?: string; readonly btm?: string; readonly rl?: string };
  /**
   * The severity behind the tables that do not vary it. Default: P(clean) 0.60, B 5, K_max 2 where injected rows have it, else
   * the severity with most rows.
   */
  readonly setting?: Partial<InjectionSetting>;
  /** Columns under other names: `{ task_id: "id" }` reads `task_id` from `id`. */
  readonly columns?: Partial<Readonly<Record<RobustnessColumn, string>>>;
}

/** The options with their defaults. */
export interface CheckedRobustnessOptions {
  readonly level: number;
  readonly resamples: number;
  readonly seed: number;
  readonly named: readonly RobustnessSystem[];
  readonly setting: Partial<InjectionSetting>;
}

/**
 * Checks the options.
 *
 * @throws CalibrantError `option` for a bad number or a model with two roles.
 */
export function checkRobustnessOptions(options: RobustnessOptions): CheckedRobustnessOptions {
  const { level = 0.95, resamples = 1000, seed = 0, systems = {}, setting = {} } = options;
  checkLevel(level);
  checkCount("resamples", resamples);
  if (!Number.isSafeInteger(seed)) throw new CalibrantError("option", `seed must be an integer, got ${seed}`);
  const named = (["base", "btm", "rl"] as const).flatMap((role) => {
    const model = systems[role];
    return model === undefined ? [] : [{ role, model }];
  });
  const twice = named.find(({ model }, i) => named.findIndex((other) => other.model === model) !== i);
  if (twice !== undefined) {
    const message = `systems must be different models, got ${JSON.stringify(twice.model)} twice`;
    throw new CalibrantError("option", message, { systems });
  }
  return { level, resamples, seed, named, setting };
}

/**
 * The systems of the tables: those that were named, else every model.
 *
 * @throws CalibrantError `option` for a named model without rows.
 */
export function chooseSystems(
  named: readonly RobustnessSystem[],
  models: readonly string[],
): readonly RobustnessSystem[] {
  for (const { role, model } of named) {
    if (models.includes(model)) continue;
    throw new CalibrantError(
      "option",
      `systems.${role}: no row has this model; models present: ${models.join(", ")}; got ${model}`,
      { role, model, models },
    );
  }
  return named.length > 0 ? named : models.map((model) => ({ role: null, model }));
}
