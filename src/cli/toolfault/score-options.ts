import type { ColumnRenames } from "../../data/check-columns.ts";
import type { ToolFaultOptions } from "../../metrics/toolfault/tool-fault-options.ts";
import type { TableOutputFlags } from "../tables/table-output-options.ts";

/** What `calibrant toolfault score` and `table` are asked for. */
export interface ScoreOptions {
  /** Predictions; for a table also results of `score` as JSON. */
  readonly predictions: readonly string[];
  /** The dataset; empty where all files are results already. */
  readonly items: readonly string[];
  /** `--columns` of the predictions. */
  readonly columns: ColumnRenames;
  /** `--item-columns` of the dataset. */
  readonly itemColumns: ColumnRenames;
  readonly metrics: ToolFaultOptions;
  /** Where the calibration report of the decisions goes; null = none. */
  readonly calibration: string | null;
  /** Where the decisions go, one JSON line each; null = nowhere. */
  readonly decisions: string | null;
  readonly output: TableOutputFlags;
  /** The command as it was typed, quoted for a shell. */
  readonly command: string;
}
