import { rmSync } from "node:fs";
import type { AtomicFile } from "../../data/atomic-file.ts";
import type { ByteSink } from "../../data/byte-sink.ts";
import { formatFromName } from "../../data/file-format.ts";
import { CalibrantError } from "../../errors.ts";
import { createProgress } from "../input/progress.ts";
import { onSignals } from "../on-signals.ts";
import { packageVersion } from "../package-version.ts";
import { standardOutput } from "../standard-output.ts";
import { renderSummary, type TimedSummary } from "./render-summary.ts";
import { type ScoreOutput, scoreFiles } from "./score-files.ts";
import type { OutputFormat, ScoreOptions } from "./score-options.ts";
import { scorePipe } from "./score-pipe.ts";
import { openScoreRun, type ScoreRun, summaryOf } from "./score-run.ts";

/** Runs `calibrant score` and prints its summary. */
export async function scoreCommand(options: ScoreOptions): Promise<void> {
  const started = performance.now();
  const piped = options.files.includes("-");
  if (piped && options.files.length > 1) {
    throw new CalibrantError("usage", "standard input (-) is scored alone, not together with files");
  }
  const progress = createProgress(options.quiet, "scoring", () => performance.now());
  const temporaries: string[] = [];
  const forgetSignals = onSignals(() => {
    progress.end();
    for (const path of temporaries) rmSync(path, { force: true });
  });
  let file: AtomicFile | null = null;
  try {
    file = await openOutputFile(options.output, temporaries);
    const run = await openScoreRun(options, progress);
    const sink = file ?? (options.output === "-" ? standardOutput() : null);
    const output = sink === null ? null : scoreOutput(run, sink);
    await (piped ? scorePipe(run, output) : scoreFiles(run, output));
    progress.end();
    await file?.commit();
    printSummary(run, (performance.now() - started) / 1000);
  } catch (error) {
    progress.end();
    await file?.discard();
    throw error;
  } finally {
    forgetSignals();
  }
}

/** Opened first, so that a path that cannot be written is known before hours of work. */
async function openOutputFile(path: string | null, temporaries: string[]): Promise<AtomicFile | null> {
  if (path === null || path === "-") return null;
  const { openAtomicFile } = await import("../../data/atomic-file.ts");
  return openAtomicFile(path, process.pid, (temporary) => temporaries.push(temporary));
}

function scoreOutput(run: ScoreRun, sink: ByteSink): ScoreOutput {
  return { sink, format: outputFormat(run), target: { outputs: run.outputs, note: outputNote(run) } };
}

function outputFormat(run: ScoreRun): OutputFormat {
  const { format, output } = run.options;
  if (format !== null) return format;
  if (output !== null && output !== "-") return formatFromName(output);
  return run.inputs[0]?.format === "jsonl" ? "jsonl" : "arrows";
}

/** What produced the columns: kept in the metadata of Arrow and Parquet outputs under the key `calibrant`. */
function outputNote(run: ScoreRun): string {
  return JSON.stringify({ version: packageVersion(), ...choices(run) });
}

/** The choices that change numbers; every summary states them. */
function choices(run: ScoreRun): Pick<TimedSummary, "rewards" | "choices"> {
  return { rewards: run.options.rewards, choices: run.plan.choices };
}

function printSummary(run: ScoreRun, seconds: number): void {
  const { options } = run;
  const summary = { ...choices(run), ...summaryOf(run), seed: options.seed, seconds };
  if (options.json) {
    const text = `${JSON.stringify(summary, exactNumber, 2)}\n`;
    (options.output === "-" ? process.stderr : process.stdout).write(text);
  } else if (!options.quiet) process.stderr.write(renderSummary(summary));
}

/** JSON has no infinities: our JSON writes them as strings. */
function exactNumber(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}
