import { readFile } from "node:fs/promises";
import type { ColumnRenames } from "../../data/check-columns.ts";
import { expandInputs } from "../../data/expand-inputs.ts";
import { CalibrantError, errorMessage } from "../../errors.ts";
import { curriculumConditions } from "../../recovery/curriculum/curriculum-conditions.ts";
import {
  type CurriculumDiagnostics,
  createCurriculumDiagnostics,
} from "../../recovery/curriculum/curriculum-diagnostics.ts";
import {
  type CurriculumThresholds,
  checkCurriculumOptions,
} from "../../recovery/curriculum/curriculum-options.ts";
import { phaseRow } from "../../recovery/curriculum/curriculum-phases.ts";
import {
  type CurriculumState,
  checkCurriculumState,
  initialCurriculum,
} from "../../recovery/curriculum/curriculum-state.ts";
import { nextPhase } from "../../recovery/curriculum/next-phase.ts";
import { EPISODE_NEEDS, episodeReader } from "../../recovery/episodes/read-episode.ts";
import { writeErrorLine } from "../error-line.ts";
import { createProgress, type Progress } from "../input/progress.ts";
import { openBatches } from "../input/read-batches.ts";
import { checkOutputsApart } from "../report/report-targets.ts";
import { writeWhole } from "../write-whole.ts";
import { batchDigest } from "./batch-digest.ts";
import type { CurriculumResult } from "./curriculum-result.ts";
import { curriculumText, curriculumWarnings } from "./curriculum-text.ts";

/** Everything `calibrant curriculum` was asked to do. */
export interface CurriculumCommandOptions {
  readonly files: readonly string[];
  readonly columns: ColumnRenames;
  /** The file of the state before; null = the first iteration. */
  readonly state: string | null;
  /** Where the new state goes; null = nowhere, `-` = standard output. */
  readonly output: string | null;
  readonly thresholds: Partial<CurriculumThresholds>;
  /** null = the usual names. */
  readonly escalationTools: readonly string[] | null;
  readonly json: boolean;
  readonly quiet: boolean;
}

/**
 * Runs `calibrant curriculum`: measures the episodes of an iteration and moves the state on by one, unless the same episodes
 * were counted last, so that a step that is run again changes nothing.
 *
 * @throws CalibrantError for options, the state, inputs, columns, an output that holds another curriculum, and rows without any episode.
 */
export async function curriculumCommand(options: CurriculumCommandOptions): Promise<void> {
  const { files, output, thresholds, quiet } = options;
  if (files.includes("-") && files.length > 1)
    throw new CalibrantError("usage", "standard input (-) is read alone, not together with files");
  if (options.json && output === "-")
    throw new CalibrantError("usage", "--json and -o - both write to standard output: name a file with -o");
  if (output !== null) checkOutputsApart([output], await expandInputs(files));
  checkCurriculumOptions(thresholds);
  const before = options.state === null ? initialCurriculum() : await readState(options.state);
  const progress = createProgress(quiet, "reading", () => performance.now());
  const { diagnostics, digest } = await measure(options, progress).finally(progress.end);
  if (diagnostics.episodes === 0) {
    throw new CalibrantError(
      "data",
      `${files.join(", ")}: no row holds an episode, so there is nothing to measure; rows without a conversation: ${diagnostics.unreadable}`,
    );
  }
  const state = nextPhase(before, diagnostics, { ...thresholds, batch: digest });
  const applied = state !== before;
  const result: CurriculumResult = {
    iteration: state.iteration,
    phase: before.phase,
    applied,
    advanced: state.phase > before.phase,
    stopped: state.stopped,
    reason: state.reason,
    diagnostics,
    conditions: applied ? curriculumConditions(before, diagnostics, thresholds) : [],
    next: state.stopped ? null : phaseRow(state.phase),
    state,
  };
  await writeState(result.state, options);
  if (output === "-") process.stdout.write(stateText(state));
  else if (options.json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  else if (!quiet) process.stdout.write(curriculumText(result));
  if (!quiet) curriculumWarnings(result).forEach(writeErrorLine);
}

async function measure(
  { files, columns, escalationTools }: CurriculumCommandOptions,
  progress: Progress,
): Promise<{ readonly diagnostics: CurriculumDiagnostics; readonly digest: string }> {
  const opened = await openBatches(files, columns, progress);
  const accumulator = createCurriculumDiagnostics();
  const digest = batchDigest();
  for await (const { batch } of opened.read(EPISODE_NEEDS)) {
    const episode = episodeReader(batch, escalationTools === null ? {} : { escalationTools });
    for (let row = 0; row < batch.rows; row += 1) accumulator.add(episode(row));
    digest.add(batch);
  }
  return { diagnostics: accumulator.finish(), digest: digest.finish() };
}

async function readState(path: string): Promise<CurriculumState> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const message = `cannot read the state ${path}; leave --state out to begin a curriculum: ${errorMessage(error)}`;
    throw new CalibrantError("io", message, { path }, { cause: error });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CalibrantError(
      "data",
      `${path} is not JSON: ${errorMessage(error)}`,
      { path },
      { cause: error },
    );
  }
  return checkCurriculumState(value, path);
}

async function writeState(state: CurriculumState, options: CurriculumCommandOptions): Promise<void> {
  const { output } = options;
  if (output === null || output === "-") return;
  if (options.state === null) await refuseOtherState(output, state);
  await writeWhole(output, [stateText(state)]);
}

/** A trainer that starts anew without `--state` must not lose where it stood. */
async function refuseOtherState(path: string, state: CurriculumState): Promise<void> {
  const there = await readFile(path, "utf8").catch(() => null);
  if (there === null || there === stateText(state)) return;
  throw new CalibrantError(
    "usage",
    `the output is there already: give it as --state too to go on, or remove it to begin anew; got ${path}`,
    { path },
  );
}

function stateText(state: CurriculumState): string {
  return `${JSON.stringify(state, null, 2)}\n`;
}
