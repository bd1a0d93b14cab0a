import { type Command, Option } from "commander";
import { STRUCTURED_FORMS } from "../../inference/structured-asker.ts";
import { DEFAULT_TEXT_LIMIT, DEFAULT_TOTAL_LIMIT } from "../../judge/quoted-part.ts";
import {
  type AskingFlags,
  accountFlags,
  askingOptions,
  extraBodyFlag,
  limitFlag,
  logFlag,
  samplingFlags,
  withDefault,
} from "../asking/asking-flags.ts";
import { choice, type DefineOption, flag, parsed, text } from "../define-option.ts";
import { integerBetween, parsePairs } from "../option-values.ts";
import type { JudgingOptions } from "./judging-options.ts";

/** {@link JudgingOptions} as the parser gives them. */
export interface JudgingFlags
  extends AskingFlags,
    Pick<
      JudgingOptions,
      "output" | "structured" | "maxAttempts" | "retryFailed" | "textLimit" | "totalLimit"
    > {
  readonly columns?: ReadonlyMap<string, string>;
  readonly from?: string;
  readonly id?: string;
  readonly limit?: number;
}

/** The options behind {@link JudgingFlags}: what was not given is null. */
export function judgingOptions(files: readonly string[], flags: JudgingFlags): JudgingOptions {
  const { output, structured, maxAttempts, retryFailed, textLimit, totalLimit } = flags;
  return {
    ...askingOptions(flags),
    files,
    columns: flags.columns ?? new Map(),
    from: flags.from ?? null,
    id: flags.id ?? null,
    output,
    limit: flags.limit ?? null,
    structured,
    maxAttempts,
    retryFailed,
    textLimit,
    totalLimit,
  };
}

/** Adds the argument and the options that both commands share, behind those of the command itself. @param what - that is written. */
export function addJudgingOptions(command: Command, own: readonly DefineOption[], what: string): void {
  command.argument("<trajectories...>", "files or glob patterns (JSONL, JSON, Arrow IPC or Parquet)");
  for (const option of [...own, ...sharedFlags(what)]) command.addOption(option());
}

const LIMIT = integerBetween(100, Number.MAX_SAFE_INTEGER);

function sharedFlags(what: string): readonly DefineOption[] {
  return [
    logFlag(what),
    choice("--from <source>", "read another tool's dump", ["openai", "tau-bench", "tau2"]),
    parsed(
      "--columns <needed=present,…>",
      "read a column under another name; needed= ignores it",
      parsePairs,
    ),
    text("--id <column>", "what names a trajectory (default: rollout_id where it is there, else row)"),
    () =>
      new Option("--structured <form>", "how the endpoint is asked for JSON (response_format)")
        .choices(["auto", ...STRUCTURED_FORMS])
        .default("auto"),
    withDefault("--max-attempts <n>", "most answers to one question", integerBetween(1, 20), 3),
    withDefault("--text-limit <n>", "characters shown of one text", LIMIT, DEFAULT_TEXT_LIMIT),
    withDefault("--total-limit <n>", "characters shown of all texts of a prompt", LIMIT, DEFAULT_TOTAL_LIMIT),
    flag("--retry-failed", "ask again what used up its answers in earlier runs"),
    ...samplingFlags(2048),
    extraBodyFlag,
    limitFlag("trajectories"),
    ...accountFlags("show every prompt and an estimate, ask nothing"),
  ];
}
