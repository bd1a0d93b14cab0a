import { Option } from "commander";
import { CalibrantError } from "../../errors.ts";
import { type DefineOption, flag, parsed } from "../define-option.ts";
import { integerBetween, numberBetween } from "../option-values.ts";
import type { AskingOptions } from "./asking-options.ts";

type Optional = "seed" | "extraBody" | "priceIn" | "priceOut";

/** {@link AskingOptions} as the parser gives them. */
export interface AskingFlags extends Omit<AskingOptions, Optional> {
  readonly seed?: number;
  readonly extraBody?: Readonly<Record<string, unknown>>;
  readonly priceIn?: number;
  readonly priceOut?: number;
}

/** The options behind {@link AskingFlags}: what was not given is null. */
export function askingOptions(flags: AskingFlags): AskingOptions {
  const { concurrency, timeout, maxRetries, maxTokens, temperature, apiKeyEnv, dryRun, quiet, json } = flags;
  return {
    concurrency,
    timeout,
    maxRetries,
    maxTokens,
    temperature,
    seed: flags.seed ?? null,
    extraBody: flags.extraBody ?? null,
    apiKeyEnv,
    priceIn: flags.priceIn ?? null,
    priceOut: flags.priceOut ?? null,
    dryRun,
    quiet,
    json,
  };
}

/** `--base-url` and `--model`. */
export function endpointFlags(mandatory: boolean): readonly DefineOption[] {
  return [
    () => new Option("--base-url <url>", "address of the endpoint, up to /v1").makeOptionMandatory(mandatory),
    () => new Option("--model <name>", "the model, as the endpoint calls it").makeOptionMandatory(mandatory),
  ];
}

/** `-o`: what is left when a run is stopped. */
export function logFlag(what: string): DefineOption {
  return () =>
    new Option("-o, --output <file>", `${what}, JSON Lines that are only appended to`).makeOptionMandatory();
}

/** How the endpoint is asked. @param maxTokens - of the longest answer, when nothing else is given. */
export function samplingFlags(maxTokens: number): readonly DefineOption[] {
  return [
    withDefault("--concurrency <n>", "questions on the way at a time", integerBetween(1, 1024), 8),
    withDefault("--timeout <seconds>", "of one attempt", numberBetween(0.001, 300), 120),
    withDefault("--max-retries <n>", "attempts after the first", integerBetween(0, 100), 6),
    withDefault("--max-tokens <n>", "longest answer", integerBetween(1, 1_000_000), maxTokens),
    withDefault("--temperature <number>", "of the sampling", numberBetween(0, 2), 0),
    parsed(
      "--seed <integer>",
      "sent with every question (default: none)",
      integerBetween(-(2 ** 31), 2 ** 31 - 1),
    ),
  ];
}

/** `--extra-body`. */
export const extraBodyFlag: DefineOption = parsed(
  "--extra-body <json>",
  "more fields of the request, as JSON; null takes one out",
  parseObject,
);

/** `--limit`. @param what - what is counted: `items`. */
export function limitFlag(what: string): DefineOption {
  return parsed("--limit <n>", `only the first ${what}`, integerBetween(1, Number.MAX_SAFE_INTEGER));
}

/** The key, the prices and what is shown. @param dryRun - what `--dry-run` shows. */
export function accountFlags(dryRun: string): readonly DefineOption[] {
  return [
    () =>
      new Option("--api-key-env <name>", "environment variable with the API key").default("OPENAI_API_KEY"),
    parsed(
      "--price-in <number>",
      "price of a million prompt tokens: the cost is shown",
      numberBetween(0, 1e9),
    ),
    parsed("--price-out <number>", "price of a million answer tokens", numberBetween(0, 1e9)),
    flag("--dry-run", dryRun),
    flag("--json", "the summary as JSON on standard output"),
    flag("--quiet", "no progress and no summary"),
  ];
}

/** An option that has a number when it is not given. */
export function withDefault(
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
