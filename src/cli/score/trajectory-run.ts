import { existsSync, realpathSync } from "node:fs";
import type { ColumnNeeds, FoundColumn, ResultColumn } from "../../data/columns.ts";
import { CalibrantError } from "../../errors.ts";
import { seededRandom } from "../../math/seeded-random.ts";
import { type PlanOutput, pickColumns } from "../../rewards/plan-outputs.ts";
import { TRAJECTORY_OUTPUTS, trajectoryColumns } from "../../rewards/trajectory/trajectory-columns.ts";
import { checkTurnEnds, trajectoryNeeds } from "../../rewards/trajectory/trajectory-needs.ts";
import {
  createTrajectoryScorer,
  type FinishedTrajectories,
} from "../../rewards/trajectory/trajectory-scorer.ts";
import { type TrajectorySettings, trajectorySettings } from "../../rewards/trajectory/trajectory-settings.ts";
import { writeErrorLine } from "../error-line.ts";
import type { TaskSource } from "../input/input-task.ts";
import { inputTasks } from "../input/input-tasks.ts";
import { inspectInput } from "../input/inspect-input.ts";
import { createProgress, type Progress } from "../input/progress.ts";
import { readTask } from "../input/read-task.ts";
import { renamedColumns } from "../input/renamed-columns.ts";
import { openRunInputs, type RunInput } from "../input/run-input.ts";
import { packageVersion } from "../package-version.ts";
import { openHeldItems } from "./held-items.ts";
import { passInput } from "./pass-items.ts";
import { printSummary } from "./print-summary.ts";
import type { TimedSummary } from "./render-summary.ts";
import type { OutputFormat, ScoreOptions, TrajectoryScoreOptions } from "./score-options.ts";
import { outputFormat, withOutput } from "./score-output.ts";
import { scoreSources } from "./score-sources.ts";
import { createSummary, type SummaryCollector } from "./score-summary.ts";
import { openScoredTarget, type PassItem } from "./scored-target.ts";
import { openRunNotes, type RunNotes } from "./trajectory-notes.ts";

/** Everything a run over trajectories shares. */
interface TrajectoryRun {
  readonly options: ScoreOptions;
  readonly settings: TrajectorySettings;
  readonly inputs: readonly RunInput[];
  readonly sources: readonly TaskSource[];
  readonly outputs: readonly PlanOutput[];
  readonly notes: RunNotes;
  readonly prefix: string;
  readonly nonFinite: Record<string, number>;
  readonly progress: Progress;
}

/** Runs `calibrant score --trajectory`: everything is read, then written out beside the new columns. */
export async function scoreTrajectoryFiles(
  options: ScoreOptions,
  trajectory: TrajectoryScoreOptions,
  started: number,
): Promise<void> {
  const progress = createProgress(options.quiet, "scoring", () => performance.now());
  const summary = createSummary(seededRandom(options.seed));
  const finished = await withOutput(options.output, progress, async (sink) => {
    const run = await openTrajectoryRun(options, trajectory, progress);
    const format = sink === null ? null : outputFormat(options, run.inputs);
    const items = await readAll(run, format);
    progress.stage("writing");
    await writeAll(run, items, summary, sink === null ? null : { sink, format: format as OutputFormat });
    return { run, groups: items.rewards.groups, isJudged: items.rewards.isJudged };
  });
  const { run, groups, isJudged } = finished;
  const seconds = (performance.now() - started) / 1000;
  const counts = summary.finish(groups, run.nonFinite);
  const unparsed = counts.status[`${run.prefix}status`]?.unparsed ?? 0;
  if (unparsed > 0 && !isJudged && !options.quiet) writeErrorLine(unjudgedWords(unparsed));
  printSummary({ ...choicesOf(run), ...counts, seed: options.seed, seconds }, options);
}

const NO_PERPLEXITY =
  "there is neither turn_ppl nor logprobs: no turn has a perplexity, and every certainty is 0.5 (or what ref_ppl and neg_ppl make it)";

/** Answers of a model that were paid for must not be written over. */
function checkOutputApart(output: string | null, notes: readonly (string | null)[]): void {
  const same = notes.find((path) => path !== null && output !== null && realPath(path) === realPath(output));
  if (same === undefined) return;
  throw new CalibrantError("usage", `-o must not name the file of annotations or judgements, got ${output}`);
}

function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

function unjudgedWords(trajectories: number): string {
  const whose = trajectories === 1 ? "1 trajectory has" : `${trajectories} trajectories have`;
  return `${whose} key turns in free text, which nothing was judged of: they count as unparsed (calibrant judge says what they are)`;
}

async function openTrajectoryRun(
  options: ScoreOptions,
  trajectory: TrajectoryScoreOptions,
  progress: Progress,
): Promise<TrajectoryRun> {
  const settings = trajectorySettings(trajectoryOptions(options, trajectory));
  checkOutputApart(options.output, [trajectory.annotations, trajectory.judgements]);
  const notes = await openRunNotes(trajectory);
  const inputs = await openRunInputs(options.files, options.from);
  const found: FoundColumn[][] = [];
  for (const input of inputs) found.push(await inspectInput(input));
  const columns = found.map((of) => new Set(renamedColumns(of, options.columns).map(({ name }) => name)));
  for (const [index, names] of columns.entries()) checkTurnEnds(names, (inputs[index] as RunInput).name);
  if (!options.quiet && !columns.some((names) => names.has("turn_ppl") || names.has("logprobs")))
    writeErrorLine(NO_PERPLEXITY);
  const prefix = options.plan.prefix ?? "";
  const needs = runNeeds(settings, notes);
  const added = TRAJECTORY_OUTPUTS.map((output) => ({ ...output, name: `${prefix}${output.name}` }));
  const { sources, outputs } = scoreSources(inputs, found, { needs, outputs: added }, options);
  const nonFinite = Object.create(null) as Record<string, number>;
  return {
    options,
    settings,
    inputs,
    sources,
    outputs,
    notes,
    prefix,
    nonFinite,
    progress,
  };
}

function trajectoryOptions(
  { rewards, plan }: ScoreOptions,
  { weights, base }: TrajectoryScoreOptions,
): Parameters<typeof trajectorySettings>[0] {
  const [reward, ...more] = rewards;
  if (more.length > 0 || (reward !== "trust" && reward !== "trust-released")) {
    throw new CalibrantError(
      "usage",
      `--trajectory takes one reward, trust or trust-released, got ${rewards.join(", ")}`,
    );
  }
  return {
    reward,
    weights,
    base,
    ...(plan.trust && { trust: plan.trust }),
    ...(plan.trustReleased && { trustReleased: plan.trustReleased }),
  };
}

/** The columns to read, those that name trajectories in files of annotations and judgements included. */
function runNeeds({ hasBase }: TrajectorySettings, { annotations, judgements }: RunNotes): ColumnNeeds {
  const { required, optional } = trajectoryNeeds({ hasBase, hasAnnotations: annotations === null });
  const keys = new Set([annotations?.key, judgements?.key]);
  const known = new Set(["row", "group_id", undefined]);
  const ids = [...keys].filter((key): key is string => !known.has(key));
  return { required: [...required, ...ids.map((name) => [{ name, kind: "key" } as const])], optional };
}

/** All trajectories, scored; of a pipe the rows themselves too, which cannot be read again. */
interface ScoredItems {
  readonly rewards: FinishedTrajectories;
  readonly held: (() => AsyncGenerator<PassItem>) | null;
  readonly schema: Awaited<ReturnType<typeof passInput>>["schema"];
}

async function readAll(run: TrajectoryRun, format: OutputFormat | null): Promise<ScoredItems> {
  const scorer = createTrajectoryScorer(run.settings, run.options.plan.advantage);
  const piped = run.options.files.includes("-");
  const held = piped ? await openHeldItems(run, format) : null;
  const items: PassItem[] = [];
  let rows = 0;
  for await (const task of held?.tasks ?? inputTasks(run.inputs, run.sources)) {
    for await (const { batch, nonFinite } of readTask(task)) {
      scorer.add(batch, run.notes.reader(batch, rows));
      rows += batch.rows;
      run.progress.add(batch.rows);
      for (const [column, count] of Object.entries(nonFinite))
        run.nonFinite[column] = (run.nonFinite[column] ?? 0) + count;
    }
    const item = (await held?.next()) ?? null;
    if (item !== null) items.push(item);
  }
  run.notes.checkFound();
  const rewards = scorer.finish(run.notes.judgements !== null);
  if (held !== null) return { rewards, schema: held.schema, held: () => yieldAll(items) };
  return { rewards, schema: null, held: null };
}

async function* yieldAll(items: readonly PassItem[]): AsyncGenerator<PassItem> {
  yield* items;
}

async function writeAll(
  run: TrajectoryRun,
  { rewards, held, schema }: ScoredItems,
  summary: SummaryCollector,
  output: { readonly sink: Parameters<typeof openScoredTarget>[1]; readonly format: OutputFormat } | null,
): Promise<void> {
  const columnsOf = (start: number, end: number): ResultColumn[] => {
    const columns = trajectoryColumns(rewards, start, end, run.prefix);
    summary.add(columns, end - start);
    return pickColumns(columns, run.outputs);
  };
  if (output === null) {
    columnsOf(0, rewards.reward.length);
    return;
  }
  const { sink, format } = output;
  const pass = held === null ? await passInput(run.inputs, format !== "jsonl") : { schema, items: held };
  const note = JSON.stringify({ version: packageVersion(), ...choicesOf(run) });
  const target = await openScoredTarget(format, sink, { outputs: run.outputs, note }, pass.schema);
  let row = 0;
  for await (const item of pass.items()) {
    const rows = await target.rowsOf(item);
    await target.write(item, columnsOf(row, row + rows));
    row += rows;
  }
  await target.close();
}

/** The choices that change numbers; every summary states them. */
function choicesOf({ options, settings, notes }: TrajectoryRun): Pick<TimedSummary, "rewards" | "choices"> {
  const { std = "sample", eps = 1e-6, minStd = 0 } = options.plan.advantage ?? {};
  const by = (file: { readonly key: string } | null): string =>
    file === null ? "column" : `file by ${file.key}`;
  return {
    rewards: options.rewards,
    choices: {
      [settings.job.name]: settings.job.choices,
      trajectory: {
        weights: settings.weights,
        base: settings.hasBase ? "column" : "none",
        annotations: by(notes.annotations),
        judgements: by(notes.judgements),
      },
      advantage: { std, eps, minStd },
    },
  };
}
