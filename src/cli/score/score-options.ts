import type { ColumnRenames } from "../../data/check-columns.ts";
import type { RewardPlanOptions } from "../../rewards/reward-plan.ts";
import type { TrajectoryWeights } from "../../rewards/trajectory/trajectory-settings.ts";

/** The output formats of `calibrant score`. */
export const OUTPUT_FORMATS = ["jsonl", "arrow", "arrows", "parquet"] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Everything `calibrant score` was asked to do. */
export interface ScoreOptions {
  readonly files: readonly string[];
  readonly rewards: readonly string[];
  readonly plan: RewardPlanOptions;
  /** Output path, `-` for standard output, null for a summary alone. */
  readonly output: string | null;
  readonly format: OutputFormat | null;
  readonly from: string | null;
  readonly columns: ColumnRenames;
  readonly jobs: number;
  readonly seed: number;
  readonly json: boolean;
  readonly quiet: boolean;
  /** `--trajectory`: rows are whole trajectories; null = single decisions. */
  readonly trajectory: TrajectoryScoreOptions | null;
}

/** What only `calibrant score --trajectory` is told. */
export interface TrajectoryScoreOptions {
  readonly weights: TrajectoryWeights;
  readonly base: "column" | "none";
  /** `--annotations <file>`: what `calibrant annotate` wrote; null = the column `annotations`. */
  readonly annotations: string | null;
  /** `--judgements <file>`: what `calibrant judge` wrote; null = the column `judgements`, if there is one. */
  readonly judgements: string | null;
}
