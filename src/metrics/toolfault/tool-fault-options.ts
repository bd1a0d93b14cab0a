import { CalibrantError } from "../../errors.ts";
import { checkLevel } from "../../math/percentile-interval.ts";
import type { SliceColumns } from "./compile-gold.ts";
import type { ShareInterval } from "./tool-fault-result.ts";

/** Options of `toolFaultMetrics`. */
export interface ToolFaultOptions {
  /** Slices: each entry is a column of the dataset, or several whose combinations are slices. Default none. */
  readonly by?: readonly SliceColumns[];
  /** Columns of the predictions whose values name runs, each scored by itself (`model`). Default none: one run. */
  readonly run?: readonly string[];
  /** Columns of the predictions whose values name repeats of a run (`seed`, `sample`), scored together. Default none. */
  readonly repeat?: readonly string[];
  /** The run to compare the others with: the values of its run columns. Default none. */
  readonly baseline?: string | readonly string[];
  /**
   * Intervals of shares: Wilson's over rows, or a bootstrap over items, which keeps the repeats of an item together.
   * Default: `wilson` for a run without repeats, else `bootstrap`.
   */
  readonly interval?: ShareInterval;
  /** Level of all intervals, in (0, 1). Default 0.95. */
  readonly level?: number;
  /** Bootstrap resamples; 0 = no bootstrap intervals. Default 1000. */
  readonly resamples?: number;
  /** Seed of the bootstrap. Default 0. */
  readonly seed?: number;
}

/** The options with their defaults. */
export interface ToolFaultSettings {
  readonly by: readonly SliceColumns[];
  readonly run: readonly string[];
  readonly repeat: readonly string[];
  readonly baseline: readonly string[] | null;
  readonly interval: ShareInterval | null;
  readonly level: number;
  readonly resamples: number;
  readonly seed: number;
}

/**
 * Fills in the defaults.
 *
 * @throws CalibrantError `option` for a value out of range.
 */
export function toolFaultSettings(options: ToolFaultOptions): ToolFaultSettings {
  const { by = [], run = [], repeat = [], baseline, interval = null } = options;
  const { level = 0.95, resamples = 1000, seed = 0 } = options;
  checkLevel(level);
  if (!Number.isInteger(resamples) || resamples < 0 || resamples > 1e6)
    throw badOption("resamples", "a whole number from 0 to 1000000", resamples);
  if (!Number.isInteger(seed)) throw badOption("seed", "an integer", seed);
  if (interval !== null && interval !== "wilson" && interval !== "bootstrap")
    throw badOption("interval", "wilson or bootstrap", interval);
  const both = run.find((name) => repeat.includes(name));
  if (both !== undefined)
    throw new CalibrantError("option", `a column is a run or a repeat, not both: ${both}`, { column: both });
  const named = baseline === undefined ? null : typeof baseline === "string" ? [baseline] : baseline;
  return { by, run, repeat, baseline: named, interval, level, resamples, seed };
}

function badOption(name: string, expected: string, value: unknown): CalibrantError {
  return new CalibrantError("option", `${name} must be ${expected}, got ${String(value)}`, { [name]: value });
}
