import type { ColumnRenames } from "../../data/check-columns.ts";
import type { EvaluationOptions } from "../../report/evaluation-options.ts";

/** The formats that `calibrant report` writes. */
export const REPORT_FORMATS = ["html", "md", "json"] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** The formats of pictures. */
export const PLOT_FORMATS = ["svg", "png"] as const;
export type PlotFormat = (typeof PLOT_FORMATS)[number];

/** Everything `calibrant report` was asked to do. */
export interface ReportOptions {
  readonly files: readonly string[];
  readonly from: string | null;
  readonly columns: ColumnRenames;
  readonly evaluation: EvaluationOptions;
  /** Output paths; `-` for standard output. None: a summary on standard output. */
  readonly outputs: readonly string[];
  /** The format of outputs whose names do not say it. */
  readonly format: ReportFormat | null;
  readonly json: boolean;
  /** The folder that every picture is written to, or null. */
  readonly plots: string | null;
  readonly plotFormat: PlotFormat;
  readonly failIf: string | null;
  readonly watch: boolean;
  /** Seconds between two looks at the inputs. */
  readonly watchInterval: number;
  readonly quiet: boolean;
}
