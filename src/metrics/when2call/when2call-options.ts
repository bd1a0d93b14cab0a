import { CalibrantError } from "../../errors.ts";
import { checkCount } from "../../math/check-count.ts";
import { checkLevel } from "../../math/percentile-interval.ts";

/** Options of {@link when2callMetrics} and its siblings. */
export interface When2CallOptions {
  /**
   * Classes of the macro-F1. `3`: those that occur as gold answers (three in the published data), so that a prediction
   * outside them is only a miss. `4`: all four, one without support or prediction counts 0, so that 0.75 is the most the
   * published data allow; TRUST reports more, so it averages over three. Default 3.
   */
  readonly classes?: 3 | 4;
  /** Which argmax of log-probs decides F1, hallucinations and confusion. Default `acc_norm`. */
  readonly decision?: "acc_norm" | "acc";
  /** Rows that the false direct answer rate is a share of. Default `all`. */
  readonly fdarDenominator?: "all" | "gold_tool_call";
  /** Report a tool hallucination of 0 where no item could show one, to compare with numbers made so. Default false. */
  readonly compat?: boolean;
  /** Columns of the items to slice by; also `has_tools` and `num_tools`. Default none. */
  readonly by?: readonly string[];
  /** Read the labels A to D as the four choices in the published order; else they are unparsed. Default false. */
  readonly letters?: boolean;
  /** Code points that a token spells at most, on average over a choice: fewer tokens flag an item. Default 12. */
  readonly maxCharactersPerToken?: number;
  /** Level of all intervals, in (0, 1). Default 0.95. */
  readonly level?: number;
  /** Bootstrap resamples behind the interval of the macro-F1; 0 = none. Default 1000. */
  readonly resamples?: number;
  /** Seed of the bootstrap, an integer from 0 to 2^32 − 1. Default 0. */
  readonly seed?: number;
}

/** The options with their defaults filled in. */
export type When2CallSettings = Required<When2CallOptions>;

/**
 * Fills in the defaults.
 *
 * @throws CalibrantError `option` naming the option and its value, CalibrantRangeError for a level.
 */
export function when2callSettings(options: When2CallOptions): When2CallSettings {
  const settings: When2CallSettings = {
    classes: options.classes ?? 3,
    decision: options.decision ?? "acc_norm",
    fdarDenominator: options.fdarDenominator ?? "all",
    compat: options.compat ?? false,
    by: options.by ?? [],
    letters: options.letters ?? false,
    maxCharactersPerToken: options.maxCharactersPerToken ?? 12,
    level: options.level ?? 0.95,
    resamples: options.resamples ?? 1000,
    seed: options.seed ?? 0,
  };
  oneOf("classes", settings.classes, [3, 4]);
  oneOf("decision", settings.decision, ["acc_norm", "acc"]);
  oneOf("fdarDenominator", settings.fdarDenominator, ["all", "gold_tool_call"]);
  checkLevel(settings.level);
  checkCount("resamples", settings.resamples);
  checkCount("seed", settings.seed);
  if (!(settings.maxCharactersPerToken > 0))
    throw bad("maxCharactersPerToken", "a positive number", settings.maxCharactersPerToken);
  if (new Set(settings.by).size < settings.by.length) throw bad("by", "each column once", settings.by.join());
  return settings;
}

function oneOf(name: string, value: unknown, allowed: readonly unknown[]): void {
  if (!allowed.includes(value)) throw bad(name, allowed.join(" or "), value);
}

function bad(name: string, expected: string, value: unknown): CalibrantError {
  return new CalibrantError("option", `${name} must be ${expected}, got ${String(value)}`, { [name]: value });
}
