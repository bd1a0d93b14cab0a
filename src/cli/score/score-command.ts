import { CalibrantError } from "../../errors.ts";
import { createProgress } from "../input/progress.ts";
import { packageVersion } from "../package-version.ts";
import { printSummary } from "./print-summary.ts";
import type { TimedSummary } from "./render-summary.ts";
import { type ScoreOutput, scoreFiles } from "./score-files.ts";
import type { ScoreOptions } from "./score-options.ts";
import { outputFormat, withOutput } from "./score-output.ts";
import { scorePipe } from "./score-pipe.ts";
import { openScoreRun, type ScoreRun, summaryOf } from "./score-run.ts";

/** Runs `calibrant score` and prints its summary. */
export async function scoreCommand(options: ScoreOptions): Promise<void> {
  const started = performance.now();
  const piped = options.files.includes("-");
  if (piped && options.files.length > 1) {
    throw new CalibrantError("usage", "standard input (-) is scored alone, not together with files");
  }
  if (options.trajectory !== null) {
    const { scoreTrajectoryFiles } = await import("./trajectory-run.ts");
    await scoreTrajectoryFiles(options, options.trajectory, started);
    return;
  }
  const progress = createProgress(options.quiet, "scoring", () => performance.now());
  const run = await withOutput(options.output, progress, async (sink) => {
    const opened = await openScoreRun(options, progress);
    const output: ScoreOutput | null =
      sink === null
        ? null
        : {
            sink,
            format: outputFormat(options, opened.inputs),
            target: { outputs: opened.outputs, note: outputNote(opened) },
          };
    await (piped ? scorePipe(opened, output) : scoreFiles(opened, output));
    return opened;
  });
  const seconds = (performance.now() - started) / 1000;
  printSummary({ ...choices(run), ...summaryOf(run), seed: options.seed, seconds }, options);
}

/** What produced the columns: kept in the metadata of Arrow and Parquet outputs under the key `calibrant`. */
function outputNote(run: ScoreRun): string {
  return JSON.stringify({ version: packageVersion(), ...choices(run) });
}

/** The choices that change numbers; every summary states them. */
function choices(run: ScoreRun): Pick<TimedSummary, "rewards" | "choices"> {
  return { rewards: run.options.rewards, choices: run.plan.choices };
}
