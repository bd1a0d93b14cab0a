import { type CalibrantError, errorMessage } from "../../../errors.ts";
import { askAll } from "../../../inference/ask-all.ts";
import { chatError, chatErrorDetails } from "../../../inference/chat-error.ts";
import type { PromptScorer, ScoredText } from "../../../uq/logprobs/server/create-prompt-scorer.ts";
import { rowReasonOf } from "../../../uq/logprobs/server/row-failure.ts";
import type { RunTally } from "../../asking/run-tally.ts";
import type { FinishedRow, RowSpool } from "../row-spool.ts";
import type { rowFinisher, TextOutcome } from "./finished-rows.ts";
import type { RowTexts } from "./row-texts.ts";

/** A row that is asked about. */
export interface RowTask {
  /** Of all inputs, from 0. */
  readonly row: number;
  /** Where it stands, for messages. */
  readonly place: string;
  readonly texts: RowTexts;
}

/** What rows are asked with. */
export interface AskRowsOptions {
  readonly scorer: PromptScorer;
  readonly concurrency: number;
  readonly spool: RowSpool;
  readonly finish: ReturnType<typeof rowFinisher>;
  readonly tally: RunTally;
  /** Gets the rows without log-probs, as they stand in an output that is written without them. */
  readonly missing: Map<number, FinishedRow>;
  readonly softStop: AbortSignal;
  /** Whether to go on although the first rows all fail for one reason: the server is known to work, or rows may go without. */
  readonly isPatient: boolean;
  /** Told after every answer and every failure. */
  readonly onChange: () => void;
}

/** A text without log-probs although the server works. */
interface RefusedText {
  readonly error: CalibrantError;
}

type Outcome = TextOutcome | RefusedText;

/** So many rows in a row without a connection, each asked again as often as it is to be, and the server is gone. */
const GONE_AFTER = 8;

/**
 * Asks for the log-probs of rows and adds every row that has all of its own to the spool as it comes.
 *
 * @throws CalibrantError as `askAll`; `io` when the server is gone.
 */
export async function askRows(tasks: readonly RowTask[], options: AskRowsOptions): Promise<void> {
  const { scorer, concurrency, spool, finish, tally, missing, softStop, isPatient, onChange } = options;
  let unreachable = 0;
  await askAll(tasks, {
    concurrency,
    ...(isPatient && { giveUpAfter: Number.POSITIVE_INFINITY }),
    softStop,
    async ask({ texts }, signal) {
      const outcomes: Outcome[] = [];
      for (const text of texts) {
        outcomes.push(
          typeof text === "string" ? text : await scoreOrRefusal(scorer.score(text, signal, softStop)),
        );
      }
      return outcomes;
    },
    onAnswer({ row, place }, outcomes) {
      unreachable = 0;
      for (const outcome of outcomes) if (isScored(outcome)) tally.spent(tokensOf(outcome));
      const finished = finish(outcomes.map(written), scorer.server);
      const refused = outcomes.find((outcome): outcome is RefusedText => isRefused(outcome));
      if (refused === undefined) {
        spool.append(row, finished);
        tally.answered();
      } else {
        missing.set(row, finished);
        tally.failed(place, refused.error);
      }
      onChange();
    },
    onFailure({ row, place, texts }, error) {
      const reason = chatErrorDetails(error)?.reason ?? "error";
      missing.set(
        row,
        finish(
          texts.map((text) => (typeof text === "string" ? text : reason)),
          null,
        ),
      );
      tally.failed(place, error);
      onChange();
      unreachable = reason === "connection" ? unreachable + 1 : 0;
      if (unreachable === GONE_AFTER) throw gone(error);
    },
  });
}

function gone({ message }: CalibrantError): CalibrantError {
  const text = `the server is gone, the last ${GONE_AFTER} rows found none: ${message}`;
  return chatError(text, { reason: "connection", fatal: true, attempts: GONE_AFTER });
}

async function scoreOrRefusal(scoring: Promise<ScoredText>): Promise<Outcome> {
  try {
    return await scoring;
  } catch (error) {
    const reason = rowReasonOf(error);
    if (reason === null) throw error;
    return { error: chatError(errorMessage(error), { reason, fatal: false, attempts: 1 }) };
  }
}

function isRefused(outcome: Outcome): outcome is RefusedText {
  return typeof outcome === "object" && "error" in outcome;
}

function isScored(outcome: Outcome): outcome is ScoredText {
  return typeof outcome === "object" && "logprobs" in outcome;
}

function written(outcome: Outcome): TextOutcome {
  return isRefused(outcome) ? (chatErrorDetails(outcome.error)?.reason ?? "error") : outcome;
}

function tokensOf({ promptTokens, tokenIds }: ScoredText): {
  promptTokens: number;
  completionTokens: number;
} {
  return { promptTokens, completionTokens: tokenIds.length };
}
