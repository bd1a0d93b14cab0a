import type { ColumnRenames } from "../../data/check-columns.ts";
import type { RetryDelays } from "../../inference/retry-delay.ts";

/** The options of `calibrant toolfault run`. */
export interface RunOptions {
  /** The dataset: files or glob patterns. */
  readonly files: readonly string[];
  /** `--columns needed=present,…` */
  readonly columns: ColumnRenames;
  /** `--base-url <url>`: the address before `/chat/completions`. */
  readonly baseUrl: string;
  /** `--model <name>`: as the server knows it. */
  readonly model: string;
  /** `-o, --output <file>`: results as JSON lines; answers that it holds are not asked for again. */
  readonly output: string;
  /** `--concurrency <n>`: questions on the way at the same time; at least 1. */
  readonly concurrency: number;
  /** `--timeout <seconds>` of one attempt; above 0, at most 300. */
  readonly timeout: number;
  /** `--max-retries <n>`: how often a question is asked again. */
  readonly maxRetries: number;
  /** `--max-tokens <n>`: the longest answer. */
  readonly maxTokens: number;
  /** `--temperature <number>`. */
  readonly temperature: number;
  /** `--seed <integer>`, sent to the server; null sends none. */
  readonly seed: number | null;
  /** `--logprobs`: keep the log-probs of the answers. */
  readonly logprobs: boolean;
  /** `--json-object`: ask the server for a JSON object. */
  readonly jsonObject: boolean;
  /** `--extra-body <json>`: further fields of the request, null takes a field out; null = none. */
  readonly extraBody: Readonly<Record<string, unknown>> | null;
  /** `--limit <n>`: only the first n items; null = all. */
  readonly limit: number | null;
  /** `--ids <id,…>`: only these items; null = all. */
  readonly ids: readonly string[] | null;
  /** `--api-key-env <name>`: the environment variable with the API key. */
  readonly apiKeyEnv: string;
  /** `--price-in <number>` and `--price-out <number>`: of a million tokens; null = unknown. */
  readonly priceIn: number | null;
  readonly priceOut: number | null;
  /** `--dry-run`: show the first prompt and an estimate; ask nothing. */
  readonly dryRun: boolean;
  /** `--quiet`: no progress and no summary. */
  readonly quiet: boolean;
  /** `--json`: the summary as JSON on standard output. */
  readonly json: boolean;
  /** Waits between attempts; no option of the command line. */
  readonly retryDelays?: RetryDelays;
}
