import type { ColumnRenames } from "../../data/check-columns.ts";
import { expandInputs } from "../../data/expand-inputs.ts";
import { CalibrantError } from "../../errors.ts";
import type { RecoveryOutcome } from "../../recovery/episodes/episode.ts";
import {
  createMemoryLearner,
  type LearnedMemory,
  type LearnMemoryOptions,
  type MemoryLearner,
} from "../../recovery/memory/create-memory-learner.ts";
import type { BetaPrior } from "../../recovery/memory/memory-data.ts";
import { fallbackMap } from "../../recovery/scenario/fallback-map.ts";
import { createProgress, type Progress } from "../input/progress.ts";
import { openBatches } from "../input/read-batches.ts";
import { namedRegistry } from "../named-registry.ts";
import { checkOutputsApart } from "../report/report-targets.ts";
import { writeWhole } from "../write-whole.ts";
import { type LearnSummary, learnSummary, summaryText } from "./learn-summary.ts";
import { memoryText } from "./memory-text.ts";
import { readMemoryFile } from "./read-memory-file.ts";

/** Everything `calibrant memory learn` was asked to do. */
export interface LearnCommandOptions {
  readonly files: readonly string[];
  /** The adapter to read them through, or null. */
  readonly from: string | null;
  readonly columns: ColumnRenames;
  /** `-` is standard output. */
  readonly output: string;
  /** The file of the initial memory, or null. */
  readonly initial: string | null;
  /** The name or the file of a registry; null = the fallbacks of the initial memory, else none. */
  readonly fallbacks: string | null;
  readonly withAlternatives: boolean;
  readonly outcome: RecoveryOutcome;
  readonly escalationTools: readonly string[] | null;
  readonly prior: BetaPrior | null;
  readonly json: boolean;
  readonly quiet: boolean;
}

/**
 * Runs `calibrant memory learn`: counts the episodes of all rows, in their order. A memory that was there stays until the new
 * one is whole.
 *
 * @throws CalibrantError for options, inputs, columns, the initial memory, an output that is one of the rollouts, and rows without any
 * episode.
 */
export async function learnCommand(options: LearnCommandOptions): Promise<void> {
  const { files, output, json, quiet } = options;
  if (files.includes("-") && files.length > 1)
    throw new CalibrantError("usage", "standard input (-) is read alone, not together with files");
  if (json && output === "-")
    throw new CalibrantError("usage", "--json and -o - both write to standard output: name a file with -o");
  if (options.withAlternatives && options.fallbacks === null)
    throw new CalibrantError(
      "usage",
      "--with-alternatives needs --fallbacks: they are tools of its registry",
    );
  checkOutputsApart([output], await expandInputs(files));
  const learner = createMemoryLearner(await learnOptions(options));
  const progress = createProgress(quiet, "reading", () => performance.now());
  const learned = await learn(learner, options, progress).finally(progress.end);
  if (learned.rows > 0 && learned.unreadable === learned.rows) {
    const message = `${files.join(", ")}: no row holds a conversation to learn from; rows read: ${learned.rows}`;
    throw new CalibrantError("data", message);
  }
  const text = memoryText(learned.memory);
  if (output === "-") process.stdout.write(text);
  else await writeWhole(output, [text]);
  printSummary(learnSummary(learned), options);
}

async function learnOptions(options: LearnCommandOptions): Promise<LearnMemoryOptions> {
  const { initial, fallbacks, withAlternatives, outcome, escalationTools, prior } = options;
  return {
    outcome,
    ...(initial !== null && { initial: readMemoryFile(initial) }),
    ...(fallbacks !== null && { fallbacks: fallbackMap(namedRegistry(fallbacks), { withAlternatives }) }),
    ...(escalationTools !== null && { escalationTools }),
    ...(prior !== null && { prior }),
  };
}

async function learn(
  learner: MemoryLearner,
  { files, columns, from }: LearnCommandOptions,
  progress: Progress,
): Promise<LearnedMemory> {
  const opened = await openBatches(files, columns, progress, from);
  for await (const { batch } of opened.read(learner.needs)) learner.add(batch);
  return learner.finish();
}

function printSummary(summary: LearnSummary, { json, quiet, outcome }: LearnCommandOptions): void {
  if (json) process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`);
  else if (!quiet) process.stderr.write(summaryText(summary, outcome));
}
