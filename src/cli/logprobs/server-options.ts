import { Option } from "commander";
import { CalibrantError } from "../../errors.ts";
import {
  LOGPROBS_MODES,
  type LogprobsMode,
  SERVER_KINDS,
  type ServerKind,
} from "../../uq/logprobs/server/server-kinds.ts";
import { withDefault } from "../asking/asking-flags.ts";
import { type DefineOption, flag, parsed, text } from "../define-option.ts";
import { integerBetween, numberBetween } from "../option-values.ts";
import { type Fill, gatherFills } from "./server/fills.ts";

/** The options of `calibrant logprobs --server` as the parser gives them. */
export interface ServerFlags {
  readonly server?: string;
  readonly model?: string;
  readonly serverKind: ServerKind | "auto";
  readonly fill?: readonly Fill[];
  readonly rawPrompt: boolean;
  readonly specialTokens: boolean;
  readonly boundary: "joint" | "separate";
  readonly chatTemplateKwargs?: Readonly<Record<string, unknown>>;
  readonly logprobsMode: LogprobsMode;
  readonly maxTokens?: number;
  readonly limit?: number;
  readonly concurrency: number;
  readonly timeout: number;
  readonly maxRetries: number;
  readonly apiKeyEnv: string;
  readonly allowMissing: boolean;
  readonly dryRun: boolean;
}

/** How a server is asked for the log-probs of texts. */
export const SERVER_OPTIONS: readonly DefineOption[] = [
  text("--server <url>", "ask a vLLM or SGLang server for the log-probs of the texts in the rollouts"),
  text("--model <name>", "with --server: the model, as the server knows it"),
  oneOf("--server-kind <kind>", "what the server is", ["auto", ...SERVER_KINDS], "auto"),
  parsed(
    "--fill <what,…>",
    "logprobs (of response), ref (of gt_answer), neg (of neg_answer), or name=column (default: logprobs)",
    gatherFills,
  ),
  flag("--raw-prompt", "the column prompt is the whole prompt, also where messages are there"),
  () => new Option("--no-special-tokens", "prompt texts hold what the tokeniser would put before them (BOS)"),
  oneOf(
    "--boundary <how>",
    "tokens of a response to a prompt text: those behind the prompt's in the whole text, or those of the response alone",
    ["joint", "separate"],
    "joint",
  ),
  parsed("--chat-template-kwargs <json>", "arguments of the server's chat template, as JSON", parseObject),
  oneOf(
    "--logprobs-mode <mode>",
    "how the server was started; it is only recorded",
    LOGPROBS_MODES,
    "unknown",
  ),
  parsed(
    "--max-tokens <n>",
    "do not send prompts with responses of more tokens",
    integerBetween(2, 100_000_000),
  ),
  parsed("--limit <n>", "ask about n rows at most in this run", integerBetween(1, Number.MAX_SAFE_INTEGER)),
  withDefault("--concurrency <n>", "rows on the way at a time", integerBetween(1, 1024), 8),
  withDefault("--timeout <seconds>", "of one attempt", numberBetween(0.001, 300), 120),
  withDefault("--max-retries <n>", "attempts after the first", integerBetween(0, 100), 6),
  () => new Option("--api-key-env <name>", "environment variable with the API key").default("OPENAI_API_KEY"),
  flag("--allow-missing", "write the output although rows have no log-probs"),
  flag("--dry-run", "show what would be asked, ask nothing"),
];

function oneOf(flags: string, description: string, words: readonly string[], value: string): DefineOption {
  return () => new Option(flags, description).choices(words).default(value);
}

function parseObject(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    if (value !== null && typeof value === "object" && !Array.isArray(value))
      return value as Readonly<Record<string, unknown>>;
  } catch {
    // Told below, as any other text that is no object.
  }
  throw new CalibrantError("usage", `--chat-template-kwargs must be a JSON object, got ${json}`, { json });
}
