import type { LogRecord } from "../../data/append-log.ts";
import type { AppendedColumn } from "../../data/arrow/append-arrow-columns.ts";
import { placeOf } from "../../data/batch-columns.ts";
import { jsonText } from "../../data/jsonl/json-text.ts";
import { CalibrantError } from "../../errors.ts";
import { checkedBaseUrl } from "../../inference/chat-client.ts";
import type { RetryDelays } from "../../inference/retry-delay.ts";
import { createSecret } from "../../inference/secret.ts";
import { createPromptScorer, type PromptScorer } from "../../uq/logprobs/server/create-prompt-scorer.ts";
import { apiKeyFor, keyIn } from "../asking/api-key.ts";
import { failedWords, failureLines } from "../asking/failure-lines.ts";
import { createRunProgress, type RunProgress } from "../asking/run-progress.ts";
import { createRunTally, type RunTally } from "../asking/run-tally.ts";
import { createSoftStop, type SoftStop } from "../asking/soft-stop.ts";
import { writeErrorLine } from "../error-line.ts";
import { createProgress } from "../input/progress.ts";
import { onSignals } from "../on-signals.ts";
import { checkOutput, joinOutput } from "./join-output.ts";
import { openRollouts, type Rollouts } from "./open-rollouts.ts";
import { type FinishedRow, openRowSpool, type RowSpool } from "./row-spool.ts";
import { askRows, type RowTask } from "./server/ask-rows.ts";
import { dryRun } from "./server/dry-run.ts";
import { DEFAULT_FILLS, type Fill } from "./server/fills.ts";
import { addedColumns, rowFinisher } from "./server/finished-rows.ts";
import { type RowTexts, rowTexts, textNeeds } from "./server/row-texts.ts";
import {
  countSpool,
  renderServerSummary,
  type ServerSummary,
  talliedCounts,
} from "./server/server-summary.ts";
import type { ServerFlags } from "./server-options.ts";
import type { SharedFlags } from "./shared-options.ts";

/** Everything `calibrant logprobs --server` was asked to do. */
export type ServerCommandOptions = SharedFlags &
  ServerFlags & {
    readonly files: readonly string[];
    /** Waits between attempts; no option of the command line. */
    readonly retryDelays?: RetryDelays;
  };

/** The options, found right. */
interface Plan {
  readonly options: ServerCommandOptions;
  readonly url: string;
  readonly model: string;
  readonly output: string;
  readonly fills: readonly Fill[];
  readonly prefix: string;
  readonly added: readonly AppendedColumn[];
}

/**
 * Runs `calibrant logprobs --server`: asks an inference server for the log-probs of the texts in rollouts and writes the rollouts with
 * them. Every answer goes to `<output>.partial` as it comes; whatever stops the run, SIGKILL too, the same command goes on from there. The
 * first Ctrl-C or SIGTERM waits for the answers on the way.
 *
 * @throws CalibrantError for wrong options, files and servers before anything is asked; `io` when rows are left without log-probs.
 */
export async function serverCommand(options: ServerCommandOptions): Promise<void> {
  const plan = planOf(options);
  if (!options.dryRun) await checkOutput(plan.output);
  const rollouts = await openRollouts(options.files, {
    from: options.from ?? null,
    columns: options.columns ?? new Map(),
    added: plan.added.map(({ name }) => name),
  });
  try {
    await checkTexts(rollouts, plan);
    if (options.dryRun) await dryRun(rollouts, plan.fills, options);
    else await runWithSpool(plan, rollouts);
  } finally {
    rollouts.close();
  }
}

/** Before a server is asked. @throws CalibrantError `schema` for columns that are missing or mistyped. */
async function checkTexts(rollouts: Rollouts, { fills, options }: Plan): Promise<void> {
  for await (const _ of rollouts.read(textNeeds(fills, options.rawPrompt))) return;
}

function planOf(options: ServerCommandOptions): Plan {
  const { server, model, output, json, apiKeyEnv, fill = DEFAULT_FILLS, prefix = "" } = options;
  if (server === undefined) throw new CalibrantError("usage", "the server is missing: give --server <url>");
  if (model === undefined)
    throw new CalibrantError("usage", "--server needs --model <name>, as the server knows it");
  if (options.files.length === 0)
    throw new CalibrantError("usage", "--server needs files of rollouts, whose texts it is asked about");
  if (output === undefined) throw new CalibrantError("usage", "--server needs -o <file>");
  if (output === "-" && json)
    throw new CalibrantError(
      "usage",
      "--json prints to standard output, where -o - writes rows: name a file",
    );
  checkedBaseUrl(server, createSecret(keyIn(process.env, apiKeyEnv), keyName(apiKeyEnv)).hideIn);
  return { options, url: server, model, output, fills: fill, prefix, added: addedColumns(fill, prefix) };
}

function keyName(variable: string): string {
  return `the environment variable ${variable}`;
}

async function runWithSpool(plan: Plan, rollouts: Rollouts): Promise<void> {
  const total = await rollouts.count();
  const spool = await openRowSpool({
    output: plan.output,
    settings: spoolSettings(plan, rollouts),
    columns: plan.added,
    restart: plan.options.restart,
  });
  try {
    await fillRows({ plan, rollouts, spool, total, before: spool.size });
  } finally {
    if (spool.size === 0) spool.remove();
    else spool.close();
  }
}

/** Everything that the numbers depend on. */
function spoolSettings(plan: Plan, { fingerprint }: Rollouts): LogRecord {
  return { ...askedWith(plan), columns: [...(plan.options.columns ?? [])], inputs: fingerprint };
}

function askedWith({ options, model, fills, prefix }: Plan): LogRecord {
  const { serverKind, rawPrompt, boundary, chatTemplateKwargs = null, logprobsMode, from = null } = options;
  return {
    command: "calibrant logprobs --server",
    model,
    server_kind: serverKind,
    fills: fills.map(({ name, text }) => `${name}=${text}`),
    prefix,
    raw_prompt: rawPrompt,
    special_tokens: options.specialTokens,
    boundary,
    chat_template_kwargs: chatTemplateKwargs,
    logprobs_mode: logprobsMode,
    from,
  };
}

/** A run with everything open. */
interface FillRun {
  readonly plan: Plan;
  readonly rollouts: Rollouts;
  readonly spool: RowSpool;
  /** All rows, and those that were done before. */
  readonly total: number;
  readonly before: number;
}

async function fillRows(run: FillRun): Promise<void> {
  const { plan, spool, total, before } = run;
  const { options } = plan;
  const started = performance.now();
  const forgetSignals = onSignals(() => {
    spool.close();
    run.rollouts.close();
  });
  const scorer = await (before < total ? openScorer(plan) : null);
  forgetSignals();
  const tally = createRunTally({ priceIn: null, priceOut: null });
  const missing = new Map<number, FinishedRow>();
  const stopped = scorer === null ? null : await askUntilEnd(run, scorer, tally, missing);
  const left = total - spool.size;
  const counted = await countSpool(spool, total, plan.fills, plan.prefix);
  const isWritten = stopped === null && (left === 0 || options.allowMissing);
  const { model, output } = plan;
  const answered = spool.size - before;
  if (isWritten) await writeOutput(run, missing);
  report(
    {
      server: scorer === null ? null : { ...scorer.server, url: scorer.url },
      model,
      output,
      rows: total,
      before,
      answered,
      notAsked: left - missing.size,
      ...counted,
      ...talliedCounts(tally.counts()),
      seconds: (performance.now() - started) / 1000,
      written: isWritten,
    },
    options,
  );
  endRun(tally, { total, left, notAsked: left - missing.size }, stopped, options);
}

function openScorer({ options, url, model }: Plan): Promise<PromptScorer> {
  const { serverKind, boundary, chatTemplateKwargs, logprobsMode, maxTokens, retryDelays, apiKeyEnv } =
    options;
  return createPromptScorer({
    url,
    model,
    kind: serverKind,
    apiKey: apiKeyFor(url, apiKeyEnv, process.env),
    apiKeyName: keyName(apiKeyEnv),
    timeoutSeconds: options.timeout,
    maxRetries: options.maxRetries,
    ...(retryDelays !== undefined && { retryDelays }),
    maxTokens: maxTokens ?? null,
    boundary,
    specialTokens: options.specialTokens,
    chatTemplateKwargs: chatTemplateKwargs ?? null,
    mode: logprobsMode,
    now: Date.now,
    random: Math.random,
  });
}

/** @returns what ended the run early, or null. */
async function askUntilEnd(
  run: FillRun,
  scorer: PromptScorer,
  tally: RunTally,
  missing: Map<number, FinishedRow>,
): Promise<unknown> {
  const { plan, spool, total, before } = run;
  const progress = createRunProgress(plan.options.quiet, before, total, () => performance.now());
  const softStop = createSoftStop({
    onTheWay: scorer.onTheWay,
    endProgress: progress.end,
    clean() {
      progress.end();
      const done = spool.size;
      spool.close();
      run.rollouts.close();
      writeErrorLine(`stopped with ${done} of ${total} rows done: run the same command to go on`);
    },
  });
  try {
    await askChunks(run, { scorer, tally, missing, softStop, progress });
    return null;
  } catch (error) {
    return error;
  } finally {
    progress.end();
    softStop.settled();
  }
}

interface Asking {
  readonly scorer: PromptScorer;
  readonly tally: RunTally;
  readonly missing: Map<number, FinishedRow>;
  readonly softStop: SoftStop;
  readonly progress: RunProgress;
}

/** Texts of so many rows are in memory at a time. */
const CHUNK_ROWS = 1024;

async function askChunks(run: FillRun, asking: Asking): Promise<void> {
  const { plan, spool } = run;
  const { options, fills, prefix } = plan;
  const finish = rowFinisher(fills, prefix);
  const { scorer, tally, missing, softStop, progress } = asking;
  let allowed = options.limit ?? Number.POSITIVE_INFINITY;
  let tasks: RowTask[] = [];
  const askTasks = async (): Promise<void> => {
    const asked = tasks;
    tasks = [];
    await askRows(asked, {
      scorer,
      concurrency: options.concurrency,
      spool,
      finish,
      tally,
      missing,
      softStop: softStop.signal,
      isPatient: options.allowMissing || spool.size > 0,
      onChange: () => progress.update(tally.counts),
    });
  };
  for await (const task of unfinishedRows(run)) {
    if (isNothing(task.texts)) {
      spool.append(task.row, finish(task.texts, null));
      continue;
    }
    if (allowed-- <= 0) break;
    tasks.push(task);
    if (tasks.length === CHUNK_ROWS) await askTasks();
  }
  await askTasks();
}

/** Whether a row has no text to ask about. */
function isNothing(texts: RowTexts): texts is readonly Extract<RowTexts[number], string>[] {
  return texts.every((text) => typeof text === "string");
}

async function* unfinishedRows({ plan, rollouts, spool }: FillRun): AsyncGenerator<RowTask> {
  const { fills, options } = plan;
  let first = 0;
  for await (const { batch, file } of rollouts.read(textNeeds(fills, options.rawPrompt))) {
    const textsOf = rowTexts(batch, fills);
    for (let at = 0; at < batch.rows; at++) {
      const row = first + at;
      if (spool.has(row)) continue;
      const place = batch.place === undefined ? `${file}: row ${row}` : placeOf(batch, at);
      yield { row, place, texts: textsOf(at) };
    }
    first += batch.rows;
  }
}

async function writeOutput(run: FillRun, missing: ReadonlyMap<number, FinishedRow>): Promise<void> {
  const { plan, rollouts, spool, total } = run;
  const { options, output, added, fills, prefix } = plan;
  const finish = rowFinisher(fills, prefix);
  const notAsked = finish(
    fills.map(() => "not asked"),
    null,
  );
  for (let row = 0; row < total; row++) if (!spool.has(row)) spool.append(row, missing.get(row) ?? notAsked);
  await joinOutput({
    rollouts: rollouts.inputs,
    rows: total,
    spool,
    columns: added,
    output,
    format: options.format ?? null,
    note: jsonText(askedWith(plan)),
    progress: createProgress(options.quiet, "writing", () => performance.now()),
  });
}

function report(summary: ServerSummary, { json, quiet }: ServerCommandOptions): void {
  if (json) process.stdout.write(`${jsonText(summary)}\n`);
  else if (!quiet) process.stderr.write(renderServerSummary(summary));
}

interface LeftOver {
  readonly total: number;
  /** Rows without log-probs, and those among them that were not asked about. */
  readonly left: number;
  readonly notAsked: number;
}

/** @throws what stopped the run; CalibrantError `io` when rows are left and may not be. */
function endRun(
  tally: RunTally,
  { total, left, notAsked }: LeftOver,
  stopped: unknown,
  { quiet, allowMissing }: ServerCommandOptions,
): void {
  if (!quiet) {
    for (const line of failureLines("no log-probs", tally.failures(), stopped)) writeErrorLine(line);
  }
  if (stopped !== null) throw stopped;
  if (left === 0 || allowMissing) return;
  const reasons = { ...tally.counts().failed, ...(notAsked > 0 && { "not asked": notAsked }) };
  const message = `${left} of ${total} rows have no log-probs (${failedWords(reasons)}): the same command asks about those again, --allow-missing writes the output without them`;
  throw new CalibrantError("io", message, { total, left });
}
