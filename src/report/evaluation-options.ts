/** The slice that others are compared with: `column` defaults to the first slicing column. */
export interface BaselineOption {
  readonly column?: string;
  readonly value: string;
}

/** What a report is made of and how; all have defaults. */
export interface EvaluationOptions {
  /** Slicing columns; `file` names the input where no column has that name. Default none. */
  readonly by?: readonly string[];
  /** Compare every slice with the one whose key has this value. Default: no comparison. */
  readonly baseline?: BaselineOption;
  /** Column of the uncertainty, higher = less sure. Default `ppl`, else `nll`. */
  readonly uncertainty?: string;
  /** Axis of the IoU. Default `log` for `ppl`, `identity` for every other column (`nll` is already on the log axis). */
  readonly scale?: "log" | "identity";
  /** Column of correctness. Default `correct`, else `action` = `gt_action`, else `r_cls` = 3 as `calibrant score` writes it (2 beside `r_align`, as `trust-released`). */
  readonly correct?: string;
  /**
   * The confidence of ECE, Brier and NLL: a column with values in [0, 1]; `exp-nll` = 1 / PPL; or `platt`,
   * `isotonic`, `temperature`: fitted to the uncertainty, every half of the prompts with the fit of the other half.
   * Default `exp-nll` with the uncertainty `ppl` or `nll`, else `platt`.
   */
  readonly confidence?: string;
  /** Rows that share this column's value are resampled together; null = rows alone. Default `group_id` where it exists. */
  readonly cluster?: string | null;
  /** Column of non-negative row weights. Default none: every row counts 1. */
  readonly weight?: string;
  /** Number of shared uniform bins of the IoU. Default: Rice's rule. */
  readonly bins?: number;
  /** Shared bin edges of the IoU in units of the uncertainty column (perplexity for `ppl`), ascending. */
  readonly edges?: readonly number[];
  /** Default `histogram`. */
  readonly method?: "histogram" | "ks" | "kde";
  /** Default `density`. */
  readonly normalize?: "density" | "count";
  /** Bins of ECE and of the reliability diagram. Default 15. */
  readonly eceBins?: number;
  /** Bootstrap resamples. Default 1000; 0 = no intervals. */
  readonly resamples?: number;
  /** Label permutations behind the null of the IoU. Default 200; 0 = none. */
  readonly permutations?: number;
  /** Level of all intervals, in (0, 1). Default 0.95. */
  readonly level?: number;
  /** Default 0. */
  readonly seed?: number;
  readonly title?: string;
  /** The command to print in the report. */
  readonly command?: string;
  /** Version of the program to print in the report. Default `unknown`. */
  readonly version?: string;
}
