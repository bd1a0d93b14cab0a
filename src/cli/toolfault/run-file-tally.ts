import type { LogRecord } from "../../data/append-log.ts";

/** What a results file holds, the answers of earlier runs included. */
export interface FileCounts {
  /** All answers in the file, those to items that this run did not choose too. */
  readonly answersInFile: number;
  /** Of those, answers without labels that can be read. */
  readonly unparsed: number;
  /** Of those, answers cut off at the longest length. */
  readonly truncated: number;
  /** Of those, answers that came without any log-prob; null when none were asked for. */
  readonly withoutLogprobs: number | null;
  /** Of those, answers with labels and log-probs whose tokens do not spell the text; null when none were asked for. */
  readonly withoutLabelLogprobs: number | null;
}

/** Counts the lines of a results file. */
export interface FileTally {
  /** Takes a line, read or written. */
  take(result: LogRecord): void;
  counts(): FileCounts;
}

/** Creates an empty {@link FileTally}. */
export function createFileTally(logprobs: boolean): FileTally {
  let answers = 0;
  let unparsed = 0;
  let truncated = 0;
  let bare = 0;
  let unsure = 0;
  return {
    take(result) {
      answers++;
      if (result.status === "unparsed") unparsed++;
      if (result.finish_reason === "length") truncated++;
      if (!hasValues(result.logprobs)) bare++;
      else if (result.status !== "unparsed" && typeof result.fault_logprob !== "number") unsure++;
    },
    counts: () => ({
      answersInFile: answers,
      unparsed,
      truncated,
      withoutLogprobs: logprobs ? bare : null,
      withoutLabelLogprobs: logprobs ? unsure : null,
    }),
  };
}

function hasValues(logprobs: unknown): boolean {
  return Array.isArray(logprobs) && logprobs.length > 0;
}
