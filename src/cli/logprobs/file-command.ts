import type { AppendedColumn } from "../../data/arrow/append-arrow-columns.ts";
import { CalibrantError } from "../../errors.ts";
import { createLogProbEngine, type LogProbEngine } from "../../uq/logprobs/create-log-prob-engine.ts";
import type { LogProbBackend } from "../../uq/logprobs/log-prob-backend.ts";
import { perplexity } from "../../uq/perplexity.ts";
import { present } from "../define-option.ts";
import { writeErrorLine } from "../error-line.ts";
import { createProgress, type Progress } from "../input/progress.ts";
import { onSignals } from "../on-signals.ts";
import { packageVersion } from "../package-version.ts";
import type { FileFlags } from "./file-options.ts";
import { FILE_COLUMNS, type FileColumn, type FilePlan, fileColumn, filePlan } from "./file-plan.ts";
import { backendFacts, createFileTally, printFileSummary } from "./file-summary.ts";
import { checkOutput, joinOutput } from "./join-output.ts";
import { openRollouts, type Rollouts } from "./open-rollouts.ts";
import { type OpenTensors, openTensors } from "./open-tensors.ts";
import { type FinishedRow, openRowSpool, type RowSpool } from "./row-spool.ts";
import { type ScoredSequence, scoreSequences } from "./score-sequences.ts";
import { sequenceJob } from "./sequence-job.ts";
import { type CheckedShapes, checkShapes } from "./sequence-layout.ts";
import type { SharedFlags } from "./shared-options.ts";

/** What `calibrant logprobs` was asked to do with files of tensors. */
export interface FileCommandOptions extends SharedFlags, FileFlags {
  /** Rollouts that get the columns; none = a table of the columns alone. */
  readonly files: readonly string[];
}

/** Everything that is open for a run. */
interface FileRun {
  readonly options: FileCommandOptions;
  readonly plan: FilePlan;
  readonly tensors: OpenTensors;
  readonly shapes: CheckedShapes;
  readonly rollouts: Rollouts | null;
  readonly prefix: string;
  readonly progress: Progress;
}

/** Runs `calibrant logprobs` over files of logits or hidden states and prints its summary. */
export async function fileCommand(options: FileCommandOptions): Promise<void> {
  const started = performance.now();
  const plan = filePlan(options);
  checkColumns(options);
  const prefix = options.prefix ?? "";
  const tensors = await openTensors(options, plan);
  let rollouts: Rollouts | null = null;
  try {
    await checkOutput(options.output ?? null, tensors.paths);
    const { numbers, tokens, offsets } = tensors;
    const shapes = await checkShapes(`--${plan.source}`, numbers, tokens, offsets);
    const progress = createProgress(options.quiet, "scoring", () => performance.now(), "tokens");
    rollouts = await openRolloutsOf(options, plan, prefix);
    await checkCounts(rollouts, shapes);
    await runFiles({ options, plan, tensors, shapes, rollouts, prefix, progress }, started);
  } finally {
    rollouts?.close();
    await tensors.close();
  }
}

/** No column of rollouts is read. */
function checkColumns({ columns }: SharedFlags): void {
  const [name] = columns?.keys() ?? [];
  if (name !== undefined)
    throw new CalibrantError("usage", `--columns: nothing reads ${name}; with tensors no column is read`);
}

async function openRolloutsOf(
  { files, from }: FileCommandOptions,
  { wanted }: FilePlan,
  prefix: string,
): Promise<Rollouts | null> {
  if (files.length === 0) return null;
  const added = wanted.map((name) => fileColumn(name, prefix).name);
  return openRollouts(files, { from: from ?? null, columns: new Map(), added });
}

async function checkCounts(rollouts: Rollouts | null, { layout }: CheckedShapes): Promise<void> {
  if (rollouts === null) return;
  const rows = await rollouts.count();
  if (rows === layout.sequences) return;
  const hint = layout.sequences === 1 ? "; --offsets says where each of several begins" : "";
  throw new CalibrantError(
    "length-mismatch",
    `each rollout needs its sequence of tokens: ${rows} rollouts, ${layout.sequences} sequences${hint}`,
    { rows, sequences: layout.sequences },
  );
}

async function runFiles(run: FileRun, started: number): Promise<void> {
  const { options, plan, prefix, rollouts, shapes, progress } = run;
  const { backend, threads, device } = options;
  const engine = await createLogProbEngine(present({ backend, threads, device }));
  try {
    const worker = plan.source === "hidden" ? await engine.pick("hidden") : engine;
    const columns = plan.wanted.map((name) => fileColumn(name, prefix));
    const logprobs = fileColumn("logprobs", prefix);
    const spool = await openRowSpool({
      output: options.output ?? null,
      settings: settingsOf(run, worker),
      columns: plan.wanted.includes("logprobs") ? columns : [logprobs, ...columns],
      restart: options.restart,
    });
    try {
      const resumedRows = spool.size;
      const begun = performance.now();
      const tokens = await fillSpool(run, engine, worker, spool);
      const scoring = (performance.now() - begun) / 1000;
      const tally = createFileTally(logprobs.name);
      await joinOutput({
        rollouts: rollouts?.inputs ?? null,
        rows: shapes.layout.sequences,
        spool,
        columns,
        output: options.output ?? null,
        format: options.format ?? null,
        note: noteOf(run, columns, worker),
        progress,
        onRows: tally.add,
      });
      const summary = {
        ...tally.finish(),
        ...backendFacts(worker),
        temperature: options.temperature ?? 1,
        shift: options.shift ?? false,
        resumedRows,
        seconds: (performance.now() - started) / 1000,
        tokensPerSecond: tokens / Math.max(scoring, 1e-3),
      };
      printFileSummary(summary, options);
    } finally {
      spool.close();
    }
  } finally {
    await engine.dispose();
  }
}

/** Everything that numbers depend on. */
function settingsOf(
  { options, plan, tensors, rollouts, prefix }: FileRun,
  worker: LogProbBackend,
): Record<string, unknown> {
  const { numbers, tokens, offsets, head, bias } = tensors;
  return {
    from: plan.source,
    [plan.source]: numbers.fingerprint,
    tokens: tokens.fingerprint,
    offsets: offsets?.fingerprint ?? null,
    head: head?.fingerprint ?? null,
    bias: bias?.fingerprint ?? null,
    rollouts: rollouts?.fingerprint ?? null,
    scale: options.scale ?? 1,
    temperature: options.temperature ?? 1,
    shift: options.shift ?? false,
    columns: plan.wanted.map((name) => `${prefix}${name}`).join(),
    adapter: options.from ?? null,
    // Back ends differ in the last digits.
    backend: `${worker.name}, ${worker.info.detail}`,
  };
}

function noteOf(
  { options, plan }: FileRun,
  columns: readonly AppendedColumn[],
  worker: LogProbBackend,
): string {
  return JSON.stringify({
    version: packageVersion(),
    logprobs: {
      from: plan.source,
      columns: columns.map(({ name }) => name),
      temperature: options.temperature ?? 1,
      scale: options.scale ?? 1,
      shift: options.shift ?? false,
      backend: worker.name,
      detail: worker.info.detail,
    },
  });
}

/** Scores what is not there yet. @returns the tokens that were scored. */
async function fillSpool(
  run: FileRun,
  engine: LogProbEngine,
  worker: LogProbBackend,
  spool: RowSpool,
): Promise<number> {
  const { layout } = run.shapes;
  if (spool.size === layout.sequences) return 0;
  const job = await sequenceJob({ ...run, engine, worker, isDone: spool.has });
  const forgetSignals = onSignals(() => {
    run.progress.end();
    spool.close();
    run.rollouts?.close();
    if (run.options.output === undefined || run.options.output === "-") return;
    writeErrorLine(`stopped with ${spool.size} of ${layout.sequences} rows: run the same command to go on`);
  });
  let tokens = 0;
  try {
    for await (const scored of scoreSequences(job)) {
      spool.append(scored.sequence, finishedRow(scored, run));
      tokens += scored.logprob.length;
      run.progress.add(scored.logprob.length);
    }
  } finally {
    run.progress.end();
    forgetSignals();
  }
  return tokens;
}

function finishedRow(scored: ScoredSequence, { plan, prefix }: FileRun): FinishedRow {
  const { logprob, entropy, rank, argmax, skipped, notFinite } = scored;
  const { ppl } = perplexity(logprob, Int32Array.of(0, logprob.length));
  const all = { logprobs: logprob, entropy, rank, ppl: ppl[0] as number, argmax };
  const kept = FILE_COLUMNS.filter((name) => name === "logprobs" || plan.wanted.includes(name));
  const named = kept.map((name: FileColumn) => [`${prefix}${name}`, all[name]] as const);
  return { values: Object.fromEntries(named), note: { skipped, notFinite } };
}
