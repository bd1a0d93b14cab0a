import type { RetryDelays } from "../../inference/retry-delay.ts";

/** What every command that asks a model can be told about asking. */
export interface AskingOptions {
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
  /** `--extra-body <json>`: further fields of the request, null takes a field out; null = none. */
  readonly extraBody: Readonly<Record<string, unknown>> | null;
  /** `--api-key-env <name>`: the environment variable with the API key. */
  readonly apiKeyEnv: string;
  /** `--price-in <number>` and `--price-out <number>`: of a million tokens; null = unknown. */
  readonly priceIn: number | null;
  readonly priceOut: number | null;
  /** `--dry-run`: show what would be asked and an estimate; ask nothing. */
  readonly dryRun: boolean;
  /** `--quiet`: no progress and no summary. */
  readonly quiet: boolean;
  /** `--json`: the summary as JSON on standard output. */
  readonly json: boolean;
  /** Waits between attempts; no option of the command line. */
  readonly retryDelays?: RetryDelays;
}

/** Who is asked. */
export interface Endpoint {
  /** `--base-url <url>`: the address before `/chat/completions`. */
  readonly baseUrl: string;
  /** `--model <name>`: as the server knows it. */
  readonly model: string;
}
