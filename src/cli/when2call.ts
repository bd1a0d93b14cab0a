import { type Command, Option } from "commander";
import type { When2CallOptions } from "../metrics/when2call/when2call-options.ts";
import { choice, type DefineOption, flag, parsed, present } from "./define-option.ts";
import { anyNumber, gatherNames, integerBetween, numberBetween, parsePairs } from "./option-values.ts";
import { shellWords } from "./shell-words.ts";
import { TABLE_OUTPUT_OPTIONS, type TableOutputFlags } from "./tables/table-output-options.ts";

/** The options of `calibrant when2call score` as the parser gives them. */
interface When2CallFlags extends TableOutputFlags {
  readonly items: string;
  readonly classes?: "3" | "4";
  readonly decision?: "acc_norm" | "acc";
  readonly fdar?: "all" | "gold_tool_call";
  readonly compat: boolean;
  readonly letters: boolean;
  readonly maxCharacters?: number;
  readonly by?: readonly string[];
  readonly columns?: ReadonlyMap<string, string>;
  readonly level?: number;
  readonly resamples?: number;
  readonly seed?: number;
}

const EXAMPLES = `
Predictions have the item's id (or uuid) and one of:
  label, prediction, action         direct, tool_call, request_for_info, cannot_answer, or an alias
  judge_label, judge_output         a judge's text: its JSON verdict, else the last category that it names
  logprobs                          {"direct": …, "tool_call": …, …}: summed log-probs of each choice, or lists of its tokens';
                                    also four columns logprob_direct, …; num_tokens says how many tokens a sum covers

Examples:
  calibrant when2call score predictions.jsonl --items when2call_test_mcq.jsonl
  calibrant when2call score logprobs.parquet --items when2call_test_mcq.jsonl --classes 4 --by source,has_tools -o when2call.html
  calibrant when2call score judged.jsonl --items when2call_test_llm_judge.jsonl --columns judge_output=verdict --json

Exit status: 0 done, 1 data or I/O error, 2 wrong usage.`;

/**
 * Adds the command `when2call`.
 *
 * @param argv - the command line, which the tables state.
 */
export function defineWhen2Call(program: Command, argv: readonly string[]): void {
  const group = program
    .command("when2call")
    .summary("metrics of the When2Call benchmark")
    .description("When2Call: whether to answer, call a tool, ask, or say that one cannot.");
  const score = group
    .command("score")
    .summary("scores predictions: acc, acc_norm, macro-F1, hallucinations, FDAR")
    .description("Scores predictions (JSONL, Arrow IPC or Parquet) against the items of When2Call.")
    .argument("<predictions...>", "files, glob patterns, or - for standard input (JSONL or Arrow IPC)");
  for (const option of [...METRIC_OPTIONS, ...TABLE_OUTPUT_OPTIONS]) score.addOption(option());
  score.addHelpText("after", EXAMPLES).action(async (files: string[], flags: When2CallFlags) => {
    const { scoreWhen2Call } = await import("./when2call/score-when2call.ts");
    await scoreWhen2Call({
      predictions: files,
      items: flags.items,
      columns: flags.columns ?? new Map(),
      metrics: metricOptions(flags),
      output: flags,
      command: shellWords(["calibrant", ...argv.slice(2)]),
    });
  });
}

const METRIC_OPTIONS: readonly DefineOption[] = [
  () => new Option("--items <file>", "the dataset: JSONL, Arrow IPC or Parquet").makeOptionMandatory(),
  choice("--classes <n>", "macro-F1 over 3: the gold classes that occur; 4: all (default: 3)", ["3", "4"]),
  choice(
    "--decision <argmax>",
    "which argmax of log-probs decides F1 and hallucinations (default: acc_norm)",
    ["acc_norm", "acc"],
  ),
  choice("--fdar <rows>", "what the false direct answer rate is a share of (default: all)", [
    "all",
    "gold_tool_call",
  ]),
  flag("--compat", "report a tool hallucination of 0 where no item could show one"),
  flag("--letters", "read the labels A to D as the choices in the published order"),
  parsed(
    "--max-characters <n>",
    "characters that a token spells at most; fewer tokens in a choice give no score (default: 12)",
    numberBetween(1e-9, 1e9),
  ),
  parsed("--by <columns>", "slice by these columns of the items, or by has_tools and num_tools", gatherNames),
  parsed(
    "--columns <needed=present,…>",
    "read a column of the predictions under another name; needed= ignores the column",
    parsePairs,
  ),
  parsed("--level <number>", "level of all intervals, between 0 and 1 (default: 0.95)", anyNumber),
  parsed(
    "--resamples <n>",
    "bootstrap resamples behind the interval of the macro-F1; 0: none (default: 1000)",
    integerBetween(0, 1_000_000),
  ),
  parsed("--seed <integer>", "seed of the bootstrap (default: 0)", integerBetween(0, 2 ** 32 - 1)),
];

function metricOptions(flags: When2CallFlags): When2CallOptions {
  return present({
    classes: flags.classes === undefined ? undefined : (Number(flags.classes) as 3 | 4),
    decision: flags.decision,
    fdarDenominator: flags.fdar,
    compat: flags.compat,
    letters: flags.letters,
    maxCharactersPerToken: flags.maxCharacters,
    by: flags.by,
    level: flags.level,
    resamples: flags.resamples,
    seed: flags.seed,
  });
}
