import type { Command } from "commander";
import {
  type AskingFlags,
  accountFlags,
  askingOptions,
  endpointFlags,
  extraBodyFlag,
  limitFlag,
  logFlag,
  samplingFlags,
} from "./asking/asking-flags.ts";
import { type DefineOption, flag, parsed } from "./define-option.ts";
import { gatherNames, parsePairs } from "./option-values.ts";
import type { RunOptions } from "./toolfault/run-options.ts";

/** The options of `calibrant toolfault run` as the parser gives them. */
interface RunFlags
  extends AskingFlags,
    Pick<RunOptions, "baseUrl" | "model" | "output" | "logprobs" | "jsonObject"> {
  readonly columns?: ReadonlyMap<string, string>;
  readonly limit?: number;
  readonly ids?: readonly string[];
}

const EXAMPLES = `
Examples:
  calibrant toolfault run test.parquet --base-url http://localhost:11434/v1 --model qwen3:4b -o qwen3-4b.jsonl
  calibrant toolfault run test.parquet --base-url https://api.openai.com/v1 --model gpt-4o-mini -o gpt.jsonl --price-in 0.15 --price-out 0.6
  calibrant toolfault run test.parquet --base-url http://localhost:8000/v1 --model m -o m.jsonl --dry-run

The API key is read from the environment (OPENAI_API_KEY, or --api-key-env) and is never written anywhere. Run the same command
again after an interruption: answered items are not asked for again. Ctrl-C and SIGTERM wait for the answers that are on the way
(each for at most --timeout), a second one does not. SIGKILL loses those on the way (at most --concurrency), never one that has
arrived; a power cut may lose those of the last seconds too.
Exit status: 0 every item has an answer, 1 some have none or an error, 2 wrong usage.`;

/** Adds the command `run`. */
export function defineToolFaultRun(group: Command): void {
  const command = group
    .command("run")
    .summary("asks a model behind any OpenAI-compatible endpoint, and resumes")
    .description("Asks a model for its answer to every item and appends the answers to a file of results.")
    .argument("<items...>", "the dataset: files or glob patterns (JSONL, Arrow IPC or Parquet)");
  for (const option of OPTIONS) command.addOption(option());
  command.addHelpText("after", EXAMPLES).action(async (files: string[], flags: RunFlags) => {
    const { runCommand } = await import("./toolfault/run-command.ts");
    await runCommand(runOptions(files, flags));
  });
}

function runOptions(files: readonly string[], flags: RunFlags): RunOptions {
  const { baseUrl, model, output, logprobs, jsonObject } = flags;
  return {
    ...askingOptions(flags),
    baseUrl,
    model,
    output,
    logprobs,
    jsonObject,
    files,
    columns: flags.columns ?? new Map(),
    limit: flags.limit ?? null,
    ids: flags.ids ?? null,
  };
}

const OPTIONS: readonly DefineOption[] = [
  ...endpointFlags(true),
  logFlag("the results"),
  parsed(
    "--columns <needed=present,…>",
    "read a column of the dataset under another name; needed= ignores the column",
    parsePairs,
  ),
  ...samplingFlags(1024),
  flag("--logprobs", "ask for log-probs and keep those of the answer, of its fault type and of its action"),
  flag("--json-object", "ask the endpoint for a JSON object (response_format)"),
  extraBodyFlag,
  limitFlag("items"),
  parsed("--ids <id,…>", "only these items", gatherNames),
  ...accountFlags("show the first prompt and an estimate, ask nothing"),
];
