import { type AppendLog, openAppendLog, readAppendLog } from "../../data/append-log.ts";
import { CalibrantError } from "../../errors.ts";
import type { ChatClient } from "../../inference/chat-client.ts";
import { failedWords, failureLines } from "../asking/failure-lines.ts";
import { createRunProgress } from "../asking/run-progress.ts";
import { createRunTally, type RunCounts, type RunTally } from "../asking/run-tally.ts";
import { type SummaryRow, spendingRows } from "../asking/summary-rows.ts";
import { writeErrorLine } from "../error-line.ts";
import { onSignals } from "../on-signals.ts";
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

/** Asks about all items and closes the log, whatever happens. */
export async function runJudging<T>(run: JudgingRun<T>): Promise<JudgingOutcome> {
  const { options, before, total, doneWords } = run;
  const { log, state } = run.open;
  const started = performance.now();
  const tally = createRunTally(options);
  const progress = createRunProgress(options.quiet, before, total, () => performance.now());
  const forgetSignals = onSignals(() => {
    progress.end();
    log.close();
    const done = before + tally.counts().answeredNow;
    writeErrorLine(`stopped with ${done} of ${total} ${doneWords}: run the same command to go on`);
  });
  let answers = 0;
  let refusedAnswers = 0;
  let stopped: unknown = null;
  try {
    await askAllOf(
      run,
      tally,
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
    forgetSignals();
    log.close();
  }
  return { tally, answers, refusedAnswers, seconds: (performance.now() - started) / 1000, stopped };
}

async function askAllOf<T>(
  { options, open, settings, items }: JudgingRun<T>,
  tally: RunTally,
  onChange: () => void,
  onLine: (line: Readonly<Record<string, unknown>>) => void,
): Promise<void> {
  const { client, log } = open;
  if (items.length === 0 || client === null || settings === null) return;
  await askItems(items, { options, settings, client, log, tally, onChange, onLine });
}

/** What both summaries say of asking, as `--json` prints it. */
export interface AskedSummary extends Omit<RunCounts, "asked" | "answeredNow" | "failed"> {
  /** Of this run, refused ones included. */
  readonly answers: number;
  readonly refusedAnswers: number;
  /** Questions of this run that ended without a valid answer, by reason. */
  readonly failures: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** {@link AskedSummary} of a run. */
export function askedSummary({ tally, answers, refusedAnswers, seconds }: JudgingOutcome): AskedSummary {
  const { promptTokens, completionTokens, withoutUsage, cost, failed } = tally.counts();
  return {
    answers,
    refusedAnswers,
    failures: failed,
    promptTokens,
    completionTokens,
    withoutUsage,
    cost,
    seconds,
  };
}

/** The same for people. */
export function askedRows(summary: AskedSummary): SummaryRow[] {
  return [
    ["this run", ""],
    ["  answers", summary.answers.toLocaleString("en-US")],
    ["  refused answers", summary.refusedAnswers.toLocaleString("en-US")],
    ["  failed", failedWords(summary.failures)],
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
  readonly failed: number;
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
  const { what, missing, total, failed, unanswered } = left;
  if (failed + unanswered === 0) return;
  const { [REFUSED]: _, ...reasons } = tally.counts().failed;
  const parts = [
    ...(failed > 0 ? [`${failed} used up their answers (--retry-failed asks those again)`] : []),
    ...(unanswered > 0
      ? [`${unanswered} got no answer (${failedWords(reasons)}; the same command asks those again)`]
      : []),
  ];
  const message = `${failed + unanswered} of ${total} ${what} have no ${missing}: ${parts.join(", ")}`;
  throw new CalibrantError("io", message, { total, failed, unanswered });
}
