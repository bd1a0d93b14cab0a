import type { AppendLog, LogRecord } from "../../data/append-log.ts";
import { askAll } from "../../inference/ask-all.ts";
import type { ChatClient, ChatMessage } from "../../inference/chat-client.ts";
import { chatError } from "../../inference/chat-error.ts";
import { createStructuredAsker, type StructuredForm } from "../../inference/structured-asker.ts";
import { askUntilValid, type EarlierAttempt, type JudgeQuestion } from "../../judge/ask-until-valid.ts";
import type { RunTally } from "../asking/run-tally.ts";
import { writeErrorLine } from "../error-line.ts";
import type { JudgingOptions } from "./judging-options.ts";
import { type RunSettings, runFields } from "./run-fields.ts";

/** Something that a model is asked about. */
export interface AskItem<T> {
  /** For messages. */
  readonly name: string;
  /** The fields of a line that name the item. */
  readonly ids: LogRecord;
  /** The refused answers in the file. */
  readonly earlier: readonly EarlierAttempt[];
  /** The question as it stands when it is asked. */
  question(): JudgeQuestion<T>;
  /** The status of an answer and what was read of it, as fields of a line. */
  fields(value: T | null): LogRecord;
}

/** What items are asked with. */
export interface AskItemsOptions {
  readonly options: JudgingOptions;
  readonly settings: RunSettings;
  readonly client: ChatClient;
  readonly log: AppendLog;
  readonly tally: RunTally;
  /** When it aborts, nothing more is asked, and what is on the way is waited for. */
  readonly softStop: AbortSignal;
  /** Told after every answer and every failure. */
  readonly onChange: () => void;
  /** Told of every line that was written. */
  readonly onLine: (line: LogRecord) => void;
}

/** The reason under which items are counted whose answers were all refused. */
export const REFUSED = "refused answers";

/**
 * Asks about items, each until an answer can be read, and writes every answer to the log as it comes.
 *
 * @throws CalibrantError as `askAll`.
 */
export async function askItems<T>(items: readonly AskItem<T>[], run: AskItemsOptions): Promise<void> {
  const { options, settings, client, log, tally, softStop, onChange, onLine } = run;
  const asker = createStructuredAsker(client, {
    mode: options.structured,
    onRefused(form, next, why) {
      if (!options.quiet) writeErrorLine(`the server refuses ${form}, asking with ${next}: ${why}`);
    },
  });
  const { maxTokens, temperature, seed, extraBody } = options;
  await askAll(items, {
    concurrency: options.concurrency,
    softStop,
    async ask(item, signal) {
      let form: StructuredForm = "none";
      let problem = "";
      const value = await askUntilValid(item.question(), {
        async ask(messages, schema) {
          const request = { messages, maxTokens, temperature, seed, extraBody };
          const asked = await asker.ask(request, schema, signal, softStop);
          form = asked.form;
          return asked.answer;
        },
        maxAttempts: answersAllowed(item.earlier.length, options),
        earlier: item.earlier,
        onAttempt(attempt) {
          const line = { ...item.ids, ...item.fields(attempt.value), ...runFields(attempt, form, settings) };
          log.append(line);
          problem = attempt.error ?? "";
          tally.spent(attempt.answer);
          onLine(line);
          onChange();
        },
        signal,
      });
      return { value, problem };
    },
    onAnswer({ name }, { value, problem }) {
      if (value !== null) tally.answered();
      else
        tally.failed(
          name,
          chatError(problem, { reason: REFUSED, fatal: false, attempts: options.maxAttempts }),
        );
      onChange();
    },
    onFailure({ name }, error) {
      tally.failed(name, error);
      onChange();
    },
  });
}

/** How many answers a question may have in all. */
export function answersAllowed(
  earlier: number,
  { maxAttempts, retryFailed }: Pick<JudgingOptions, "maxAttempts" | "retryFailed">,
): number {
  return retryFailed && earlier >= maxAttempts ? earlier + maxAttempts : maxAttempts;
}

/** What would be sent for an item, refused answers included. */
export async function messagesToAsk<T>({ question, earlier }: AskItem<T>): Promise<readonly ChatMessage[]> {
  let messages: readonly ChatMessage[] = [];
  const notAsked = new Error("not asked");
  const asked = askUntilValid(question(), {
    async ask(all) {
      messages = all;
      throw notAsked;
    },
    maxAttempts: earlier.length + 1,
    earlier,
    onAttempt: () => undefined,
    signal: new AbortController().signal,
  });
  await asked.catch((error: unknown) => {
    if (error !== notAsked) throw error;
  });
  return messages;
}
