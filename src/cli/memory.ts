import { type Command, InvalidArgumentError } from "commander";
import type { RecoveryOutcome } from "../recovery/episodes/episode.ts";
import type { BetaPrior } from "../recovery/memory/memory-data.ts";
import { COLUMNS_OPTION, ESCALATION_TOOLS_OPTION } from "./common-options.ts";
import { choice, type DefineOption, flag, parsed, present, text } from "./define-option.ts";
import { anyNumber, gatherNames, integerBetween, parseNumbers } from "./option-values.ts";
import { TABLE_OUTPUT_OPTIONS, type TableOutputFlags } from "./tables/table-output-options.ts";

const EXAMPLES = `
Examples:
  calibrant memory learn train/*.jsonl --fallbacks tau2-retail -o memory.json
  calibrant memory show memory.json
  calibrant memory render memory.json --max-tokens 800 > block.txt
  calibrant memory learn today.jsonl --initial memory.json -o memory.json
  calibrant memory merge worker-1.json worker-2.json -o memory.json

Exit status: 0 done, 1 data or I/O error, 2 wrong usage.`;

const COLUMNS = `
One row is one episode, counted in the order of the rows:
  messages      the conversation in OpenAI's chat format
  completed     1 or 0; missing = no outcome, the episode is not learned from
  injections    optional: the injection log; without it, failures are read off the tool results
`;

/** Adds the command `memory` with its own commands. */
export function defineMemory(program: Command): void {
  const group = program
    .command("memory")
    .summary("Bayesian Tool Memory: which failures episodes recovered from")
    .description(
      "Learns from finished episodes how often they recovered from each failure of each tool, and writes it as a block for the system prompt.",
    )
    .addHelpText("after", EXAMPLES);
  defineLearn(group);
  defineShow(group);
  defineRender(group);
  defineMerge(group);
}

interface LearnFlags {
  readonly output: string;
  readonly from?: string;
  readonly initial?: string;
  readonly fallbacks?: string;
  readonly withAlternatives: boolean;
  readonly outcome?: RecoveryOutcome;
  readonly escalationTools?: readonly string[];
  readonly prior?: BetaPrior;
  readonly columns?: ReadonlyMap<string, string>;
  readonly json: boolean;
  readonly quiet: boolean;
}

const LEARN_OPTIONS: readonly DefineOption[] = [
  choice("--from <source>", "read another tool's dump", ["openai", "tau-bench", "tau2"]),
  text("--initial <memory>", "a memory whose beliefs are the initial ones; -o may name the same file"),
  text(
    "--fallbacks <registry>",
    "what can stand in for each tool: tau2-retail, bfcl, bfcl-travel_booking, …, retail-world, or a registry's file",
  ),
  flag("--with-alternatives", "with --fallbacks: also the tools that the benchmark does not have by itself"),
  choice(
    "--outcome <what>",
    "an episode recovered if it completed, or if every failed call later came back (default: completed)",
    ["completed", "calls"],
  ),
  parsed(
    "--prior <alpha,beta>",
    "belief in a pair that was never met, Beta(alpha, beta) (default: 1,1)",
    parsePrior,
  ),
  ESCALATION_TOOLS_OPTION,
  COLUMNS_OPTION,
  flag("--json", "print the summary as JSON on standard output"),
  flag("--quiet", "no progress and no summary"),
];

function defineLearn(group: Command): void {
  const command = group
    .command("learn")
    .summary("learns a memory from episodes")
    .description("Counts finished episodes (JSONL, Arrow IPC or Parquet) into a memory.")
    .argument("<rollouts...>", "files, glob patterns, or - for standard input (JSONL or Arrow IPC)")
    .requiredOption("-o, --output <file>", "where the memory goes, as JSON; - for standard output");
  for (const option of LEARN_OPTIONS) command.addOption(option());
  command.addHelpText("after", `${COLUMNS}${EXAMPLES}`).action(async (files: string[], flags: LearnFlags) => {
    const { learnCommand } = await import("./memory/learn-command.ts");
    await learnCommand({
      files,
      from: flags.from ?? null,
      columns: flags.columns ?? new Map(),
      output: flags.output,
      initial: flags.initial ?? null,
      fallbacks: flags.fallbacks ?? null,
      withAlternatives: flags.withAlternatives,
      outcome: flags.outcome ?? "completed",
      escalationTools: flags.escalationTools ?? null,
      prior: flags.prior ?? null,
      json: flags.json,
      quiet: flags.quiet,
    });
  });
}

interface ShowFlags extends TableOutputFlags {
  readonly level?: number;
}

const LEVEL: DefineOption = parsed(
  "--level <number>",
  "level of the credible intervals, between 0 and 1 (default: 0.95)",
  anyNumber,
);

function defineShow(group: Command): void {
  const command = group
    .command("show")
    .summary("the beliefs of a memory as tables")
    .description("Prints what a memory believes, with credible intervals.")
    .argument("<memory>", "the file of a memory");
  for (const option of [LEVEL, ...TABLE_OUTPUT_OPTIONS]) command.addOption(option());
  command.addHelpText("after", EXAMPLES).action(async (file: string, flags: ShowFlags) => {
    const { showCommand } = await import("./memory/show-command.ts");
    await showCommand(file, flags.level ?? 0.95, flags);
  });
}

interface RenderFlags {
  readonly maxTokens?: number;
  readonly tools?: readonly string[];
  readonly minObserved?: number;
  readonly level?: number;
}

const RENDER_OPTIONS: readonly DefineOption[] = [
  parsed(
    "--max-tokens <n>",
    "most tokens, estimated as characters / 4; drops the least observed pairs first",
    integerBetween(0, Number.MAX_SAFE_INTEGER),
  ),
  parsed("--tools <names>", "the tools that the agent has, separated by commas (default: all)", gatherNames),
  parsed(
    "--min-observed <n>",
    "fewest episodes behind a belief that is shown (default: 1)",
    integerBetween(0, Number.MAX_SAFE_INTEGER),
  ),
  LEVEL,
];

function defineRender(group: Command): void {
  const command = group
    .command("render")
    .summary("a memory as a block for the system prompt")
    .description("Prints a memory as text for a system prompt: beliefs, switches, alternatives, rules.")
    .argument("<memory>", "the file of a memory");
  for (const option of RENDER_OPTIONS) command.addOption(option());
  command.addHelpText("after", EXAMPLES).action(async (file: string, flags: RenderFlags) => {
    const { renderCommand } = await import("./memory/render-command.ts");
    const { maxTokens, tools, minObserved, level } = flags;
    await renderCommand(file, present({ maxTokens, tools, minObserved, level }));
  });
}

function defineMerge(group: Command): void {
  group
    .command("merge")
    .summary("one memory of several that were learned apart")
    .description(
      "Adds the counts of memories that were learned apart from the same initial beliefs, which count once.",
    )
    .argument("<memories...>", "files of memories")
    .requiredOption("-o, --output <file>", "where the memory goes; may be an input; - for standard output")
    .addHelpText("after", EXAMPLES)
    .action(async (files: string[], flags: { readonly output: string }) => {
      const { mergeCommand } = await import("./memory/merge-command.ts");
      await mergeCommand(files, flags.output);
    });
}

/** `uniform`, or `alpha,beta`. */
function parsePrior(value: string): BetaPrior {
  const [alpha, beta, ...rest] = value === "uniform" ? [1, 1] : parseNumbers(value);
  if (alpha !== undefined && beta !== undefined && rest.length === 0) return { alpha, beta };
  throw new InvalidArgumentError(`expected uniform or alpha,beta, got ${value}.`);
}
