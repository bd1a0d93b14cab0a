import { type AppendLog, openAppendLog, readAppendLog } from "../../data/append-log.ts";
import { CalibrantError } from "../../errors.ts";
import type { ChatClient } from "../../inference/chat-client.ts";
import { failedWords, failureLines } from "../asking/failure-lines.ts";
import { createRunProgress } from "../asking/run-progress.ts";
import { createRunTally, type RunCounts, type RunTally } from "../asking/run-tally.ts";
import { createSoftStop } from "../asking/soft-stop.ts";
import { type SummaryRow, spendingRows } from "../asking/summary-rows.ts";
import { writeErrorLine } from "../error-line.ts";
import { type AskItem, askItems, REFUSED } from "./ask-items.ts";
import type { JudgingOptions } from "./judging-options.ts";
import type { KnownLines } from "./known-lines.ts";
import type { RunSettings } from "./run-fields.ts";

/** What a command knows of its output file. */
export interface FileState {
  readonly known: KnownLines;
}

/** The output file of a run, open. */
export interface OpenRun<S extends FileState> {
  readonly state: S;
  readonly log: AppendLog;
  /** Null where no model has to be asked. */
  readonly client: ChatClient | null;
}

/**
 * Opens the output file of a run. Before it is touched, it is read once, so that a run that cannot ask leaves it as it was.
 *
 * @param newState - makes an empty state.
 * @param openClient - makes the client when something is left to ask, else null.
 * @throws CalibrantError `data` for a file of other things; whatever `openClient` throws; as `openAppendLog`.
 */
export async function openRun<S extends FileState>(
  output: string,
  newState: () => S,
  openClient: (planned: S) => Promise<ChatClient | null>,
): Promise<OpenRun<S>> {
  const planned = newState();
  await readAppendLog(output, planned.known.take);
  const client = await openClient(planned);
  const state = newState();
  const log = await openAppendLog(output, {
    onRecord: state.known.take,
    onCut: (bytes) => {
      writeErrorLine(`${output}: cut off ${bytes} bytes of a last line that was not written whole`);
    },
  });
  return { state, log, client };
}

/** What is asked in a run. */
export interface JudgingRun<T> {
  readonly options: JudgingOptions;
  readonly open: OpenRun<FileState>;
  /** Null where no model is asked. */
  readonly settings: RunSettings | null;
  readonly items: readonly AskItem<T>[];
  /** Trajectories or turns that have what they need before the run, and all of them. */
  readonly before: number;
  readonly total: number;
  /** `trajectories annotated`. */
  readonly doneWords: string;
}

/** What a run did. */
export interface JudgingOutcome {
  readonly tally: RunTally;
  /** Answers of the model in this run, and how many of them were refused. */
  readonly answers: number;
  readonly refusedAnswers: number;
  readonly seconds: number;
  /** What ended the run early, or null. */
  readonly stopped: unknown;
}

/**
 * Asks about all items and closes the log, whatever happens. The first Ctrl-C or SIGTERM waits for the answers that are on the way and
 * then ends the process.
 */
export async function runJudging<T>(run: JudgingRun<T>): Promise<JudgingOutcome> {
  const { options, before, total, doneWords } = run;
  const { log, state, client } = run.open;
  const started = performance.now();
  const tally = createRunTally(options);
  const progress = createRunProgress(options.quiet, before, total, () => performance.now());
  const softStop = createSoftStop({
    onTheWay: () => client?.onTheWay() ?? 0,
    endProgress: progress.end,
    clean() {
      progress.end();
      log.close();
      const done = before + tally.counts().answeredNow;
      writeErrorLine(`stopped with ${done} of ${total} ${doneWords}: run the same command to go on`);
    },
  });
  let answers = 0;
  let refusedAnswers = 0;
  let stopped: unknown = null;
  try {
    await askAllOf(
      run,
      tally,
      softStop.signal,
      () => progress.update(tally.counts),
      (line) => {
        answers++;
        if (line.status === "rejected") refusedAnswers++;
        state.known.take(line, 0);
      },
    );
  } catch (error) {
    stopped = error;
  } finally {
    progress.end();
    softStop.settled();
    log.close();
  }
  return { tally, answers, refusedAnswers, seconds: (performance.now() - started) / 1000, stopped };
}

async function askAllOf<T>(
  { options, open, settings, items }: JudgingRun<T>,
  tally: RunTally,
  softStop: AbortSignal,
  onChange: () => void,
  onLine: (line: Readonly<Record<string, unknown>>) => void,
): Promise<void> {
  const { client, log } = open;
  if (items.length === 0 || client === null || settings === null) return;
  await askItems(items, { options, settings, client, log, tally, softStop, onChange, onLine });
}

/** What both summaries say of asking, as `--json` prints it. */
export interface AskedSummary extends Omit<RunCounts, "asked" | "answeredNow" | "failed"> {
  /** Of this run, refused ones included. */
  readonly answers: number;
  readonly refusedAnswers: number;
  /** Questions of this run that the endpoint did not answer, by reason; refused answers are answers. */
  readonly failedRequests: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** {@link AskedSummary} of a run. */
export function askedSummary({ tally, answers, refusedAnswers, seconds }: JudgingOutcome): AskedSummary {
  const { promptTokens, completionTokens, withoutUsage, cost } = tally.counts();
  return {
    answers,
    refusedAnswers,
    failedRequests: failedRequests(tally),
    promptTokens,
    completionTokens,
    withoutUsage,
    cost,
    seconds,
  };
}

function failedRequests(tally: RunTally): Readonly<Record<string, number>> {
  const { [REFUSED]: _, ...reasons } = tally.counts().failed;
  return reasons;
}

/** The same for people. */
export function askedRows(summary: AskedSummary): SummaryRow[] {
  return [
    ["this run", ""],
    ["  answers", summary.answers.toLocaleString("en-US")],
    ["  refused answers", summary.refusedAnswers.toLocaleString("en-US")],
    ["  failed requests", failedWords(summary.failedRequests)],
    ...spendingRows(summary),
    ["  seconds", summary.seconds.toFixed(1)],
  ];
}

/** What is left after a run. */
export interface LeftOver {
  /** `trajectories`. */
  readonly what: string;
  /** `annotation`. */
  readonly missing: string;
  readonly total: number;
  /** That used up their answers. */
  readonly usedUp: number;
  /** That have answers left. */
  readonly unanswered: number;
}

/**
 * Ends a command: says what failed, and fails itself when something is left without a valid answer.
 *
 * @throws CalibrantError what stopped the run; `io` when something is left.
 */
export function endRun({ tally, stopped }: JudgingOutcome, left: LeftOver, options: JudgingOptions): void {
  if (!options.quiet) {
    for (const line of failureLines(`no ${left.missing}`, tally.failures(), stopped)) writeErrorLine(line);
  }
  if (stopped !== null) throw stopped;
  const { what, missing, total, usedUp, unanswered } = left;
  if (usedUp + unanswered === 0) return;
  const parts = [
    ...(usedUp > 0 ? [`${usedUp} used up their answers (--retry-failed asks those again)`] : []),
    ...(unanswered > 0
      ? [
          `${unanswered} got no answer (${failedWords(failedRequests(tally))}; the same command asks those again)`,
        ]
      : []),
  ];
  const message = `${usedUp + unanswered} of ${total} ${what} have no ${missing}: ${parts.join(", ")}`;
  throw new CalibrantError("io", message, { total, usedUpAnswers: usedUp, unanswered });
}
