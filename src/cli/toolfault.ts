import { Argument, type Command } from "commander";
import { TOOLFAULT_BASELINES, type ToolFaultBaseline } from "../metrics/toolfault/baselines.ts";
import type { SliceColumns } from "../metrics/toolfault/compile-gold.ts";
import type { ToolFaultOptions } from "../metrics/toolfault/tool-fault-options.ts";
import { choice, type DefineOption, flag, parsed, present, text } from "./define-option.ts";
import { anyNumber, gather, gatherNames, integerBetween, parsePairs } from "./option-values.ts";
import { shellWords } from "./shell-words.ts";
import { TABLE_OUTPUT_OPTIONS, type TableOutputFlags } from "./tables/table-output-options.ts";
import type { ScoreOptions } from "./toolfault/score-options.ts";
import { defineToolFaultRun } from "./toolfault-run.ts";

const EXAMPLES = `
Examples:
  calibrant toolfault baseline heuristic test.parquet -o heuristic.jsonl
  calibrant toolfault score heuristic.jsonl --items test.parquet --by domain --by difficulty
  calibrant toolfault run test.parquet --base-url http://localhost:8000/v1 --model qwen3-4b -o qwen3-4b.jsonl --logprobs
  calibrant toolfault score qwen3-4b.jsonl --items test.parquet -o qwen3-4b.json --calibration calibration.html
  calibrant toolfault table heuristic.jsonl qwen3-4b.jsonl --items test.parquet --baseline heuristic.jsonl -o table.md

Exit status: 0 done, 1 data or I/O error, 2 wrong usage.`;

/**
 * Adds the command `toolfault` with its own commands.
 *
 * @param argv - the command line, which the tables state.
 */
export function defineToolFault(program: Command, argv: readonly string[]): void {
  const typed = shellWords(["calibrant", ...argv.slice(2)]);
  const group = program
    .command("toolfault")
    .summary("ToolFault-Bench: metrics, prompts, baselines, and a runner")
    .description(
      "ToolFault-Bench: can a model tell that a tool result has gone wrong, and recover without harm?",
    )
    .addHelpText("after", EXAMPLES);
  defineScore(group, typed);
  defineTable(group, typed);
  defineToolFaultRun(group);
  defineBaseline(group);
  definePrompt(group);
  defineLabels(group);
}

/** The options of `score` and `table` as the parser gives them. */
interface ScoreFlags extends TableOutputFlags {
  readonly items?: readonly string[];
  readonly columns?: ReadonlyMap<string, string>;
  readonly itemColumns?: ReadonlyMap<string, string>;
  readonly by?: readonly SliceColumns[];
  readonly run?: readonly string[];
  readonly repeat?: readonly string[];
  readonly baseline?: string;
  readonly interval?: "wilson" | "bootstrap";
  readonly level?: number;
  readonly resamples?: number;
  readonly seed?: number;
  readonly calibration?: string;
  readonly decisions?: string;
}

function defineScore(group: Command, typed: string): void {
  const command = group
    .command("score")
    .summary("scores predictions: the card's metrics, slices, differences, calibration")
    .description(
      "Scores predictions (JSONL, Arrow IPC or Parquet): id, and fault_type and next_action or the model's text in output.",
    )
    .argument("<predictions...>", "files, glob patterns, or - for standard input (JSONL or Arrow IPC)");
  const options = [...DATASET_OPTIONS, ...SLICE_OPTIONS, ...RUN_OPTIONS, ...LOGPROB_OPTIONS];
  for (const option of [...options, ...TABLE_OUTPUT_OPTIONS]) command.addOption(option());
  command.addHelpText("after", EXAMPLES).action(async (files: string[], flags: ScoreFlags) => {
    const { scoreCommand } = await import("./toolfault/score-command.ts");
    await scoreCommand(scoreOptions(files, flags, typed));
  });
}

function defineTable(group: Command, typed: string): void {
  const command = group
    .command("table")
    .summary("many results side by side, in the card's columns and order")
    .description(
      "Puts runs side by side: predictions (with --items) and results that score wrote as .json, in any mixture.",
    )
    .argument("<results...>", "files or glob patterns");
  for (const option of [...DATASET_OPTIONS, ...RUN_OPTIONS, ...TABLE_OUTPUT_OPTIONS])
    command.addOption(option());
  command.addHelpText("after", EXAMPLES).action(async (files: string[], flags: ScoreFlags) => {
    const { tableCommand } = await import("./toolfault/table-command.ts");
    await tableCommand(scoreOptions(files, flags, typed));
  });
}

function scoreOptions(predictions: readonly string[], flags: ScoreFlags, command: string): ScoreOptions {
  const metrics: ToolFaultOptions = present({
    by: flags.by,
    run: flags.run,
    repeat: flags.repeat,
    baseline: flags.baseline,
    interval: flags.interval,
    level: flags.level,
    resamples: flags.resamples,
    seed: flags.seed,
  });
  return {
    predictions,
    items: flags.items ?? [],
    columns: flags.columns ?? new Map(),
    itemColumns: flags.itemColumns ?? new Map(),
    metrics,
    calibration: flags.calibration ?? null,
    decisions: flags.decisions ?? null,
    output: flags,
    command,
  };
}

const DATASET_OPTIONS: readonly DefineOption[] = [
  parsed("--items <file>", "the dataset: JSONL, Arrow IPC or Parquet; repeatable", gather),
  parsed(
    "--columns <needed=present,…>",
    "read a column of the predictions under another name; needed= ignores the column",
    parsePairs,
  ),
  parsed("--item-columns <needed=present,…>", "the same for the columns of the dataset", parsePairs),
];

const SLICE_OPTIONS: readonly DefineOption[] = [
  parsed(
    "--by <columns>",
    "slice by a column of the dataset; a,b: by the combinations of two; repeatable, each adds slices",
    (columns: string, before: readonly SliceColumns[] | undefined): readonly SliceColumns[] => [
      ...(before ?? []),
      gatherNames(columns, undefined),
    ],
  ),
];

const RUN_OPTIONS: readonly DefineOption[] = [
  parsed(
    "--run <columns>",
    "columns of the predictions whose values name runs, each scored alone; file is the input's name (default: file)",
    gatherNames,
  ),
  parsed(
    "--repeat <columns>",
    "columns of the predictions whose values name repeats of a run, scored together, as seed",
    gatherNames,
  ),
  text("--baseline <run>", "compare the other runs with this one, on the same items"),
  choice(
    "--interval <method>",
    "intervals of shares (default: wilson; bootstrap over items where they are repeated)",
    ["wilson", "bootstrap"],
  ),
  parsed("--level <number>", "level of all intervals, between 0 and 1 (default: 0.95)", anyNumber),
  parsed("--resamples <n>", "bootstrap resamples; 0: none (default: 1000)", integerBetween(0, 1_000_000)),
  parsed("--seed <integer>", "seed of the bootstrap (default: 0)", integerBetween(0, 2 ** 32 - 1)),
];

const LOGPROB_OPTIONS: readonly DefineOption[] = [
  text(
    "--calibration <file>",
    "calibration report (IoU, ECE, …) of the decisions on fault and action, as .html, .md or .json; needs log-probs",
  ),
  text(
    "--decisions <file>",
    "the decisions with correctness and log-probs as JSON Lines, for calibrant report",
  ),
];

/** The options of `baseline` and `prompt` as the parser gives them. */
interface ItemFlags {
  readonly columns?: ReadonlyMap<string, string>;
  readonly output?: string;
  readonly ids?: readonly string[];
  readonly json: boolean;
  readonly quiet: boolean;
}

const ITEM_COLUMNS: DefineOption = parsed(
  "--columns <needed=present,…>",
  "read a column of the dataset under another name; needed= ignores the column",
  parsePairs,
);

function defineBaseline(group: Command): void {
  group
    .command("baseline")
    .summary("predictions of a baseline that needs no model")
    .description(
      "Writes the predictions of a baseline: always (none, proceed), oracle (the gold fault and its most common action), heuristic (status codes and keywords).",
    )
    .addArgument(new Argument("<name>", "the baseline").choices(TOOLFAULT_BASELINES))
    .argument("<items...>", "the dataset: files or glob patterns")
    .addOption(ITEM_COLUMNS())
    .addOption(text("-o, --output <file>", "the predictions as JSON Lines (default: standard output)")())
    .addOption(flag("--quiet", "no line on standard error")())
    .action(async (name: ToolFaultBaseline, files: string[], flags: ItemFlags) => {
      const { baselineCommand } = await import("./toolfault/baseline-command.ts");
      const columns = flags.columns ?? new Map();
      await baselineCommand({ name, files, columns, output: flags.output ?? null, quiet: flags.quiet });
    });
}

function definePrompt(group: Command): void {
  group
    .command("prompt")
    .summary("the evaluation prompts, with their version and hash")
    .description("Prints the prompts that run asks.")
    .argument("<items...>", "the dataset: files or glob patterns")
    .addOption(ITEM_COLUMNS())
    .addOption(parsed("--ids <id,…>", "only these items", gatherNames)())
    .addOption(flag("--json", "a JSON line an item")())
    .addOption(flag("--quiet", "without version and hash")())
    .action(async (files: string[], flags: ItemFlags) => {
      const { promptCommand } = await import("./toolfault/prompt-command.ts");
      const { columns = new Map(), ids = null, json, quiet } = flags;
      await promptCommand({ files, columns, ids, json, quiet });
    });
}

function defineLabels(group: Command): void {
  group
    .command("labels")
    .summary("the fault types and actions, with their definitions")
    .description("Prints the 13 fault types and 11 actions, each with its definition.")
    .addOption(flag("--json", "one JSON document")())
    .action(async (flags: { readonly json: boolean }) => {
      const { labelsCommand } = await import("./toolfault/labels-command.ts");
      await labelsCommand(flags);
    });
}
