import type { Command } from "commander";
import type { RobustnessOptions } from "../metrics/robustness/robustness-options.ts";
import { COLUMNS_OPTION } from "./common-options.ts";
import { type DefineOption, parsed, present, text } from "./define-option.ts";
import { anyNumber, integerBetween } from "./option-values.ts";
import { parseSetting } from "./robustness/parse-setting.ts";
import { shellWords } from "./shell-words.ts";
import { TABLE_OUTPUT_OPTIONS, type TableOutputFlags } from "./tables/table-output-options.ts";

/** The options of `calibrant robustness` as the parser gives them. */
interface RobustnessFlags extends TableOutputFlags {
  readonly base?: string;
  readonly btm?: string;
  readonly rl?: string;
  readonly setting?: NonNullable<RobustnessOptions["setting"]>;
  readonly columns?: ReadonlyMap<string, string>;
  readonly level?: number;
  readonly resamples?: number;
  readonly seed?: number;
}

const EXAMPLES = `
One row is one episode:
  model, condition, task_id, completed   condition: clean, injected (inject), injected_alt (injected+alt)
  subset, seed, alt                      optional; alt = true makes injected mean injected with alternative tools
  fault_type, or fault_types (list)      pass rates by fault type
  turns (or num_turns), tokens           cost
  p_clean, budget, k_max                 sensitivity to the severity of the injection

Examples:
  calibrant robustness runs/*.jsonl
  calibrant robustness runs.parquet --base qwen3-4b --btm qwen3-4b+btm --rl qwen3-4b+rl+btm -o robustness.html
  calibrant robustness runs.jsonl --columns task_id=group_id,model=checkpoint --setting p_clean=0.8 --json

Exit status: 0 done, 1 data or I/O error, 2 wrong usage.`;

/**
 * Adds the command `robustness`.
 *
 * @param argv - the command line, which the tables state.
 */
export function defineRobustness(program: Command, argv: readonly string[]): void {
  const command = program
    .command("robustness")
    .summary("pass rates with and without tool failures: gap, seeds, fault types, severity, cost")
    .description(
      "Compares the pass rates of clean and injected episodes (JSONL, Arrow IPC or Parquet) of one or more models.",
    )
    .argument("<rollouts...>", "files, glob patterns, or - for standard input (JSONL or Arrow IPC)");
  for (const option of [...OPTIONS, ...TABLE_OUTPUT_OPTIONS]) command.addOption(option());
  command.addHelpText("after", EXAMPLES).action(async (files: string[], flags: RobustnessFlags) => {
    const { robustnessCommand } = await import("./robustness/robustness-command.ts");
    await robustnessCommand({
      files,
      columns: flags.columns ?? new Map(),
      robustness: robustnessOptions(flags),
      output: flags,
      command: shellWords(["calibrant", ...argv.slice(2)]),
    });
  });
}

const OPTIONS: readonly DefineOption[] = [
  text("--base <model>", "the base model, for the tables by fault type and severity"),
  text("--btm <model>", "the base model with Bayesian Tool Memory"),
  text("--rl <model>", "the trained model with Bayesian Tool Memory"),
  parsed(
    "--setting <name=number,…>",
    "severity behind the main tables: p_clean, budget, k_max (default: 0.6, 5, 2, else the one with most rows)",
    parseSetting,
  ),
  COLUMNS_OPTION,
  parsed("--level <number>", "level of all intervals, between 0 and 1 (default: 0.95)", anyNumber),
  parsed(
    "--resamples <n>",
    "bootstrap resamples behind the intervals over tasks; 0: none (default: 1000)",
    integerBetween(0, 1_000_000),
  ),
  parsed("--seed <integer>", "seed of the bootstrap (default: 0)", integerBetween(0, 2 ** 32 - 1)),
];

function robustnessOptions(flags: RobustnessFlags): RobustnessOptions {
  const { base, btm, rl, setting, level, resamples, seed } = flags;
  return present({ systems: present({ base, btm, rl }), setting, level, resamples, seed });
}
