import type { LogRecord } from "../../data/append-log.ts";
import { CalibrantError } from "../../errors.ts";
import type { ChatAnswer } from "../../inference/chat-answer.ts";
import { labelLogprobs } from "../../metrics/toolfault/label-logprobs.ts";
import type { FaultType, NextAction } from "../../metrics/toolfault/labels.ts";
import { parseToolFaultAnswer } from "../../metrics/toolfault/parse-answer.ts";

/** What all results of a run share. */
export interface RunSettings {
  readonly requestedModel: string;
  readonly promptVersion: string;
  readonly promptHash: string;
  readonly temperature: number;
  /** Whether results hold log-probs. */
  readonly logprobs: boolean;
}

/** One line of a results file. */
export interface RunResult {
  readonly id: string;
  /** Null where the answer cannot be read. */
  readonly fault_type: FaultType | null;
  readonly next_action: NextAction | null;
  readonly status: "ok" | "unparsed";
  /** The model's text. */
  readonly output: string;
  readonly finish_reason: string | null;
  /** As the server names it. */
  readonly model: string | null;
  readonly requested_model: string;
  readonly prompt_version: string;
  readonly prompt_hash: string;
  readonly temperature: number;
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  /** One a token, in nats; null where the server gave none. */
  readonly logprobs?: readonly number[] | null;
  /** Sums over the tokens of a label; null where they cannot be found. */
  readonly fault_logprob?: number | null;
  readonly action_logprob?: number | null;
}

/** The result of an item. Its id is the item's: what the model or the server call the answer does not count. */
export function runResult(id: string, answer: ChatAnswer, settings: RunSettings): RunResult {
  const labels = parseToolFaultAnswer(answer.text);
  return {
    id,
    fault_type: labels?.fault_type ?? null,
    next_action: labels?.next_action ?? null,
    status: labels === null ? "unparsed" : "ok",
    output: answer.text,
    finish_reason: answer.finishReason,
    model: answer.model,
    requested_model: settings.requestedModel,
    prompt_version: settings.promptVersion,
    prompt_hash: settings.promptHash,
    temperature: settings.temperature,
    prompt_tokens: answer.promptTokens,
    completion_tokens: answer.completionTokens,
    ...(settings.logprobs && logprobFields(answer)),
  };
}

function logprobFields({
  text,
  tokens,
}: ChatAnswer): Pick<RunResult, "logprobs" | "fault_logprob" | "action_logprob"> {
  const labels = tokens === null ? null : labelLogprobs(text, tokens);
  return {
    logprobs: tokens?.map(({ logprob }) => logprob) ?? null,
    fault_logprob: labels?.fault ?? null,
    action_logprob: labels?.action ?? null,
  };
}

/** The answers that a results file holds. */
export interface KnownAnswers {
  readonly ids: ReadonlySet<string>;
  /**
   * Takes a record of the file.
   *
   * @throws CalibrantError `data` when it is no result, is one of another prompt, model or temperature, or has an id that was
   *   there before.
   */
  take(record: LogRecord, line: number): void;
}

/** Creates an empty {@link KnownAnswers} for a run that goes on in the file `path`. */
export function createKnownAnswers(path: string, settings: RunSettings): KnownAnswers {
  const expected: Readonly<Record<string, string | number>> = {
    prompt_hash: settings.promptHash,
    requested_model: settings.requestedModel,
    temperature: settings.temperature,
  };
  const ids = new Set<string>();
  const refuse = (line: number, problem: string): never => {
    throw new CalibrantError("data", `${path} line ${line}: ${problem}`, { path, line });
  };
  return {
    ids,
    take(record, line) {
      const { id } = record;
      const missing = Object.keys(expected).find((name) => record[name] === undefined);
      if (typeof id !== "string" || missing !== undefined) {
        const field = typeof id === "string" ? missing : "id";
        return refuse(line, `no result of calibrant toolfault run (${field}): name another file with -o`);
      }
      const differs = Object.entries(expected).filter(([name, value]) => record[name] !== value);
      if (differs.length > 0) {
        const words = differs.map(([name, value]) => `${name} is ${record[name]}, of this run ${value}`);
        return refuse(line, `${words.join("; ")}: name another file with -o`);
      }
      if (ids.has(id)) refuse(line, `the id occurs a second time: ${id}`);
      ids.add(id);
    },
  };
}
