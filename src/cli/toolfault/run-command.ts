import { type AppendLog, openAppendLog, readAppendLog } from "../../data/append-log.ts";
import { CalibrantError } from "../../errors.ts";
import { askAll } from "../../inference/ask-all.ts";
import type { ChatClient } from "../../inference/chat-client.ts";
import {
  TOOLFAULT_PROMPT_VERSION,
  toolFaultPrompt,
  toolFaultPromptHash,
} from "../../metrics/toolfault/prompt.ts";
import type { ToolFaultItem } from "../../metrics/toolfault/tool-fault-item.ts";
import { failedWords, failureLines } from "../asking/failure-lines.ts";
import { checkAsking, openClient } from "../asking/open-client.ts";
import { createRunProgress } from "../asking/run-progress.ts";
import { createRunTally, type RunTally } from "../asking/run-tally.ts";
import { createSoftStop } from "../asking/soft-stop.ts";
import { writeErrorLine } from "../error-line.ts";
import { dryRun, renderDryRun } from "./dry-run.ts";
import { readItems } from "./read-items.ts";
import { createFileTally, type FileTally } from "./run-file-tally.ts";
import { createKnownAnswers, type KnownAnswers } from "./run-known-answers.ts";
import type { RunOptions } from "./run-options.ts";
import { type RunSettings, runResult } from "./run-result.ts";
import { type RunSummary, renderRunSummary, truncatedAdvice } from "./run-summary.ts";
import { selectItems } from "./select-items.ts";

/**
 * Runs `calibrant toolfault run`: asks a model about every item that the results file has no answer to, and writes each answer
 * there as it comes. The first Ctrl-C or SIGTERM waits for the answers on the way; whatever stops it, SIGKILL too, leaves all
 * answers that arrived in the file.
 *
 * @throws CalibrantError for wrong options and unreadable files before anything is asked; `io` when items are left without
 *   answer; `data` when the results file holds other things, or answers that were asked with other settings.
 */
export async function runCommand(options: RunOptions): Promise<void> {
  checkAsking(options);
  const all = await readItems(options.files, options.columns);
  const items = selectItems(all, options.ids, options.limit);
  const settings = await runSettings(options);
  const known = createKnownAnswers(options.output, settings);
  if (options.dryRun) return await showDryRun(items, known, options);
  const client = await openClient(options);
  const inFile = createFileTally(options.logprobs);
  const log = await openAppendLog(options.output, {
    onRecord(record, line) {
      known.take(record, line);
      inFile.take(record);
    },
    onCut: (bytes) => {
      writeErrorLine(`${options.output}: cut off ${bytes} bytes of a last line that was not written whole`);
    },
  });
  await runWithLog({ options, settings, items, client, log, known, inFile });
}

async function runSettings(options: RunOptions): Promise<RunSettings> {
  const { model, temperature, maxTokens, seed, jsonObject, extraBody, logprobs } = options;
  return {
    requestedModel: model,
    promptVersion: TOOLFAULT_PROMPT_VERSION,
    promptHash: await toolFaultPromptHash(),
    temperature,
    maxTokens,
    seed,
    jsonObject,
    extraBody,
    logprobs,
  };
}

async function showDryRun(
  items: readonly ToolFaultItem[],
  known: KnownAnswers,
  options: RunOptions,
): Promise<void> {
  await readAppendLog(options.output, known.take);
  const pending = items.filter(({ id }) => !known.ids.has(id));
  const run = dryRun(pending, items.length - pending.length, options);
  process.stdout.write(options.json ? `${JSON.stringify(run, null, 2)}\n` : renderDryRun(run));
}

/** Everything a run needs once it can start. */
interface Run {
  readonly options: RunOptions;
  readonly settings: RunSettings;
  readonly items: readonly ToolFaultItem[];
  readonly client: ChatClient;
  readonly log: AppendLog;
  readonly known: KnownAnswers;
  /** What the results file holds. */
  readonly inFile: FileTally;
}

async function runWithLog(run: Run): Promise<void> {
  const { options, settings, items, client, log, known, inFile } = run;
  const started = performance.now();
  const pending = items.filter(({ id }) => !known.ids.has(id));
  const before = items.length - pending.length;
  const tally = createRunTally(options);
  const progress = createRunProgress(options.quiet, before, items.length, () => performance.now());
  const softStop = createSoftStop({
    onTheWay: client.onTheWay,
    endProgress: progress.end,
    clean() {
      progress.end();
      log.close();
      const done = before + tally.counts().answeredNow;
      writeErrorLine(`stopped with ${done} of ${items.length} items answered: run the same command to go on`);
    },
  });
  let stopped: unknown = null;
  try {
    await askPending(run, pending, tally, softStop.signal, () => progress.update(tally.counts));
  } catch (error) {
    stopped = error;
  } finally {
    progress.end();
    softStop.settled();
    log.close();
  }
  const counts = tally.counts();
  const { logprobs: _, ...stated } = settings;
  const unanswered = pending.length - counts.answeredNow;
  const seconds = (performance.now() - started) / 1000;
  const summary: RunSummary = {
    ...stated,
    items: items.length,
    answeredBefore: before,
    ...inFile.counts(),
    ...counts,
    unanswered,
    seconds,
  };
  report(options, tally, summary, stopped);
  if (stopped !== null) throw stopped;
  if (unanswered > 0) throw unansweredError(unanswered, items.length, counts.failed);
}

function askPending(
  { options, settings, client, log, inFile }: Run,
  pending: readonly ToolFaultItem[],
  tally: RunTally,
  softStop: AbortSignal,
  onChange: () => void,
): Promise<void> {
  const { concurrency, maxTokens, temperature, seed, logprobs, jsonObject, extraBody } = options;
  const responseFormat = jsonObject ? ("json_object" as const) : null;
  const asked = { maxTokens, temperature, seed, logprobs, responseFormat, extraBody };
  return askAll(pending, {
    concurrency,
    softStop,
    ask: (item, signal) => client.complete({ messages: toolFaultPrompt(item), ...asked }, signal, softStop),
    onAnswer(item, answer) {
      const result = { ...runResult(item.id, answer, settings) };
      log.append(result);
      inFile.take(result);
      tally.spent(answer);
      tally.answered();
      onChange();
    },
    onFailure(item, error) {
      tally.failed(item.id, error);
      onChange();
    },
  });
}

/** @param stopped - what ended the run early and is told as its error, so its words are left out here; else null. */
function report(options: RunOptions, tally: RunTally, summary: RunSummary, stopped: unknown): void {
  if (options.json) process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`);
  if (options.quiet) return;
  if (!options.json) process.stderr.write(renderRunSummary(summary));
  for (const line of failureLines("no answer", tally.failures(), stopped)) writeErrorLine(line);
  const advice = truncatedAdvice(summary.truncated, options.output);
  if (advice !== null) writeErrorLine(advice);
}

function unansweredError(
  unanswered: number,
  items: number,
  failed: Readonly<Record<string, number>>,
): CalibrantError {
  const message = `${unanswered} of ${items} items have no answer (${failedWords(failed)}): run the same command again to ask only those`;
  return new CalibrantError("io", message, { unanswered, items, failed });
}
