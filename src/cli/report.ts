import { type Command, Option } from "commander";
import type { EvaluationOptions } from "../report/evaluation-options.ts";
import { COLUMNS_OPTION } from "./common-options.ts";
import { choice, type DefineOption, flag, parsed, present, text } from "./define-option.ts";
import {
  anyNumber,
  gather,
  gatherNames,
  integerBetween,
  numberBetween,
  parseNumbers,
  parsePair,
} from "./option-values.ts";
import { packageVersion } from "./package-version.ts";
import { baselineOf, type CompareWords } from "./report/compare-option.ts";
import {
  PLOT_FORMATS,
  type PlotFormat,
  REPORT_FORMATS,
  type ReportFormat,
  type ReportOptions,
} from "./report/report-options.ts";
import { shellWords } from "./shell-words.ts";

/** The options of `calibrant report` as the parser gives them. */
interface ReportFlags {
  readonly output?: readonly string[];
  readonly format?: ReportFormat;
  readonly json: boolean;
  readonly plots?: string;
  readonly plotFormat: PlotFormat;
  readonly title?: string;
  readonly from?: string;
  readonly columns?: ReadonlyMap<string, string>;
  readonly by?: readonly string[];
  readonly compare?: CompareWords;
  readonly uncertainty?: string;
  readonly scale?: "log" | "identity";
  readonly correct?: string;
  readonly confidence?: string;
  readonly cluster?: string;
  readonly weight?: string;
  readonly bins?: number;
  readonly edges?: readonly number[];
  readonly eceBins?: number;
  readonly method?: "histogram" | "ks" | "kde";
  readonly normalize?: "density" | "count";
  readonly resamples?: number;
  readonly permutations?: number;
  readonly level?: number;
  readonly seed?: number;
  readonly failIf?: string;
  readonly watch: boolean;
  readonly watchInterval: number;
  readonly quiet: boolean;
}

const EXAMPLES = `
Examples:
  calibrant report scored.parquet -o report.html
  calibrant report base.parquet grpo.parquet trust.parquet --by file --compare baseline=base.parquet -o report.html
  calibrant report scored.jsonl --by checkpoint,subset --compare checkpoint=base -o report.html -o report.json
  calibrant score rollouts.jsonl -o - | calibrant report - -o report.html
  calibrant report scored.jsonl --by step --fail-if "iou > 0.5 or ece > 0.1" --quiet
  calibrant report 'runs/step-*.jsonl' --by step --watch -o report.html

Names of --fail-if: every metric of the report (iou, ece, auroc, …), its interval as iou_low and iou_high, iou_null,
ece_null, p_value, n, rows, excluded, and with --compare delta_iou, delta_iou_low, delta_iou_high, …
Exit status: 0 done, 1 data or I/O error, 2 wrong usage, 3 --fail-if is true for a slice.`;

/**
 * Adds the command `report`.
 *
 * @param argv - the command line, which the report states.
 */
export function defineReport(program: Command, argv: readonly string[]): void {
  const command = program
    .command("report")
    .summary("calibration report: IoU, reliability, ranking, by slice")
    .description(
      "Reports from scored rollouts (JSONL, Arrow IPC or Parquet) how far a policy knows when it is wrong.",
    )
    .argument("<files...>", "files, glob patterns, or - for standard input (JSONL or Arrow IPC)");
  for (const option of [...IN_AND_OUT, ...COLUMN_OPTIONS, ...METHOD_OPTIONS, ...RUN_OPTIONS])
    command.addOption(option());
  command.addHelpText("after", EXAMPLES).action(async (files: string[], flags: ReportFlags) => {
    const { reportCommand } = await import("./report/report-command.ts");
    await reportCommand(reportOptions(files, flags, shellWords(["calibrant", ...argv.slice(2)])));
  });
}

const IN_AND_OUT: readonly DefineOption[] = [
  parsed(
    "-o, --output <file>",
    "write the report here, as .html, .md or .json; - for standard output; repeatable (default: a summary on standard output)",
    gather,
  ),
  choice("--format <format>", "format of an output whose name does not say it", REPORT_FORMATS),
  flag("--json", "print the evaluation as JSON on standard output"),
  text("--plots <folder>", "write every picture there as an SVG file; a Markdown report links to them"),
  () =>
    new Option("--plot-format <format>", "png: as PNG files as well (needs @resvg/resvg-js)")
      .choices(PLOT_FORMATS)
      .default("svg"),
  text("--title <text>", "title of the report"),
  choice("--from <source>", "read another tool's dump", ["openai", "tau-bench", "tau2"]),
  COLUMNS_OPTION,
];

const COLUMN_OPTIONS: readonly DefineOption[] = [
  parsed("--by <columns>", "slice by these columns; file is the input's name", gatherNames),
  parsed(
    "--compare <baseline=value>",
    "compare every slice with this one of the first --by column; column=value names another",
    parsePair,
  ),
  text("--uncertainty <column>", "the uncertainty, higher = less sure (default: ppl, else nll)"),
  choice("--scale <scale>", "axis of the IoU: log for perplexities, identity for other scores", [
    "log",
    "identity",
  ]),
  text(
    "--correct <column>",
    "correctness (default: correct, else action = gt_action, else r_cls = 3, of trust-released 2)",
  ),
  text(
    "--confidence <source>",
    "exp-nll, platt, isotonic, temperature, or a column with values in [0, 1] (default: exp-nll for perplexities, else platt)",
  ),
  text(
    "--cluster <column>",
    "resample rows that share its value together; none: rows alone (default: group_id where it exists)",
  ),
  text("--weight <column>", "row weights (default: every row counts 1)"),
];

const METHOD_OPTIONS: readonly DefineOption[] = [
  parsed("--bins <n>", "uniform bins of the IoU (default: Rice's rule)", integerBetween(1, 10_000)),
  () =>
    new Option("--edges <numbers>", "bin edges of the IoU, in units of the uncertainty: 1,1.2,1.5,2,5")
      .argParser(parseNumbers)
      .conflicts("bins"),
  parsed("--ece-bins <n>", "bins of ECE and the reliability diagram (default: 15)", integerBetween(1, 1000)),
  choice("--method <method>", "how the overlap is measured (default: histogram)", ["histogram", "ks", "kde"]),
  choice("--normalize <rule>", "count: classes weigh as many rows as they have (default: density)", [
    "density",
    "count",
  ]),
  parsed(
    "--resamples <n>",
    "bootstrap resamples behind the intervals; 0: none (default: 1000)",
    integerBetween(0, 1_000_000),
  ),
  parsed(
    "--permutations <n>",
    "label permutations behind the null of the IoU; 0: none (default: 200)",
    integerBetween(0, 1_000_000),
  ),
  parsed("--level <number>", "level of all intervals, between 0 and 1 (default: 0.95)", anyNumber),
  parsed("--seed <integer>", "seed of everything random (default: 0)", integerBetween(0, 2 ** 32 - 1)),
];

const RUN_OPTIONS: readonly DefineOption[] = [
  parsed(
    "--fail-if <expression>",
    "exit with 3 when this is true for a slice, for example iou > 0.5; repeatable: when one of them is",
    (expression: string, before: string | undefined) =>
      before === undefined ? expression : `(${before}) or (${expression})`,
  ),
  flag("--watch", "make the report again when the files change, until the command is stopped"),
  () =>
    new Option("--watch-interval <seconds>", "time between two looks at the files")
      .argParser(numberBetween(0.01, 86_400))
      .default(1),
  flag("--quiet", "no progress and no summary"),
];

function reportOptions(files: readonly string[], flags: ReportFlags, command: string): ReportOptions {
  return {
    files,
    from: flags.from ?? null,
    columns: flags.columns ?? new Map(),
    evaluation: evaluationOptions(flags, command),
    outputs: flags.output ?? [],
    format: flags.format ?? null,
    json: flags.json,
    plots: flags.plots ?? null,
    plotFormat: flags.plotFormat,
    failIf: flags.failIf ?? null,
    watch: flags.watch,
    watchInterval: flags.watchInterval,
    quiet: flags.quiet,
  };
}

function evaluationOptions(flags: ReportFlags, command: string): EvaluationOptions {
  return {
    ...present({
      by: flags.by,
      baseline: flags.compare && baselineOf(flags.compare, flags.by ?? []),
      uncertainty: flags.uncertainty,
      scale: flags.scale,
      correct: flags.correct,
      confidence: flags.confidence,
      cluster: flags.cluster === "none" ? null : flags.cluster,
      weight: flags.weight,
      bins: flags.bins,
      edges: flags.edges,
      eceBins: flags.eceBins,
      method: flags.method,
      normalize: flags.normalize,
      resamples: flags.resamples,
      permutations: flags.permutations,
      level: flags.level,
      seed: flags.seed,
      title: flags.title,
    }),
    command,
    version: packageVersion(),
  };
}
