import { type Command, Option } from "commander";
import { CalibrantError } from "../errors.ts";
import { type DefineOption, flag, parsed } from "./define-option.ts";
import { gatherNames, integerBetween, numberBetween, parsePairs } from "./option-values.ts";
import type { RunOptions } from "./toolfault/run-options.ts";

/** The options of `calibrant toolfault run` as the parser gives them. */
interface RunFlags
  extends Pick<
    RunOptions,
    | "baseUrl"
    | "model"
    | "output"
    | "concurrency"
    | "timeout"
    | "maxRetries"
    | "maxTokens"
    | "temperature"
    | "logprobs"
    | "jsonObject"
    | "apiKeyEnv"
    | "dryRun"
    | "quiet"
    | "json"
  > {
  readonly columns?: ReadonlyMap<string, string>;
  readonly seed?: number;
  readonly extraBody?: Readonly<Record<string, unknown>>;
  readonly limit?: number;
  readonly ids?: readonly string[];
  readonly priceIn?: number;
  readonly priceOut?: number;
}

const EXAMPLES = `
Examples:
  calibrant toolfault run test.parquet --base-url http://localhost:11434/v1 --model qwen3:4b -o qwen3-4b.jsonl
  calibrant toolfault run test.parquet --base-url https://api.openai.com/v1 --model gpt-4o-mini -o gpt.jsonl --price-in 0.15 --price-out 0.6
  calibrant toolfault run test.parquet --base-url http://localhost:8000/v1 --model m -o m.jsonl --dry-run

The API key is read from the environment (OPENAI_API_KEY, or --api-key-env) and is never written anywhere. Run the same command
again after an interruption: answered items are not asked for again.
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
  return {
    ...flags,
    files,
    columns: flags.columns ?? new Map(),
    seed: flags.seed ?? null,
    extraBody: flags.extraBody ?? null,
    limit: flags.limit ?? null,
    ids: flags.ids ?? null,
    priceIn: flags.priceIn ?? null,
    priceOut: flags.priceOut ?? null,
  };
}

const OPTIONS: readonly DefineOption[] = [
  () => new Option("--base-url <url>", "address of the endpoint, up to /v1").makeOptionMandatory(),
  () => new Option("--model <name>", "the model, as the endpoint calls it").makeOptionMandatory(),
  () =>
    new Option(
      "-o, --output <file>",
      "the results, JSON Lines that are only appended to",
    ).makeOptionMandatory(),
  parsed(
    "--columns <needed=present,…>",
    "read a column of the dataset under another name; needed= ignores the column",
    parsePairs,
  ),
  withDefault("--concurrency <n>", "questions on the way at a time", integerBetween(1, 1024), 8),
  withDefault("--timeout <seconds>", "of one attempt", numberBetween(0.001, 300), 120),
  withDefault("--max-retries <n>", "attempts after the first", integerBetween(0, 100), 6),
  withDefault("--max-tokens <n>", "longest answer", integerBetween(1, 1_000_000), 1024),
  withDefault("--temperature <number>", "of the sampling", numberBetween(0, 2), 0),
  parsed(
    "--seed <integer>",
    "sent with every question (default: none)",
    integerBetween(-(2 ** 31), 2 ** 31 - 1),
  ),
  flag("--logprobs", "ask for log-probs and keep those of the answer, of its fault type and of its action"),
  flag("--json-object", "ask the endpoint for a JSON object (response_format)"),
  parsed("--extra-body <json>", "more fields of the request, as JSON; null takes one out", parseObject),
  parsed("--limit <n>", "only the first items", integerBetween(1, Number.MAX_SAFE_INTEGER)),
  parsed("--ids <id,…>", "only these items", gatherNames),
  () => new Option("--api-key-env <name>", "environment variable with the API key").default("OPENAI_API_KEY"),
  parsed("--price-in <number>", "price of a million prompt tokens: the cost is shown", numberBetween(0, 1e9)),
  parsed("--price-out <number>", "price of a million answer tokens", numberBetween(0, 1e9)),
  flag("--dry-run", "show the first prompt and an estimate, ask nothing"),
  flag("--json", "the summary as JSON on standard output"),
  flag("--quiet", "no progress and no summary"),
];

function withDefault(
  flags: string,
  description: string,
  parse: (text: string) => number,
  value: number,
): DefineOption {
  return () => new Option(flags, description).argParser(parse).default(value);
}

function parseObject(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    if (value !== null && typeof value === "object" && !Array.isArray(value))
      return value as Readonly<Record<string, unknown>>;
  } catch {
    // Told below, as any other text that is no object.
  }
  throw new CalibrantError("usage", `--extra-body must be a JSON object, got ${json}`, { json });
}
