import { type LogRecord, readAppendLog } from "../../data/append-log.ts";
import { type Annotator, createAnnotator } from "../../judge/annotate-trajectory.ts";
import type { KeyTurnAnnotation } from "../../judge/annotation.ts";
import { labelBalance } from "../../judge/label-balance.ts";
import { ANNOTATOR_PROMPT_VERSION, annotatorPromptHash } from "../../judge/prompt-version.ts";
import { ACTIONS, type Action } from "../../types.ts";
import { checkAsking, openClient } from "../asking/open-client.ts";
import { optionalRow, renderRows } from "../asking/summary-rows.ts";
import { writeErrorLine } from "../error-line.ts";
import { redirectedNote, standardOutput } from "../standard-output.ts";
import { type AskItem, answersAllowed } from "./ask-items.ts";
import { writeDryRun } from "./dry-run.ts";
import type { AnnotateOptions } from "./judging-options.ts";
import { createKnownLines, type KnownLines } from "./known-lines.ts";
import { namesText } from "./names-text.ts";
import { comparedFields, type RunSettings } from "./run-fields.ts";
import {
  type AskedSummary,
  askedRows,
  askedSummary,
  endRun,
  type OpenRun,
  openRun,
  runJudging,
} from "./run-judging.ts";
import { readTrajectories, type Trajectories, type Trajectory } from "./trajectories.ts";

/** The summary of a run, as `--json` prints it. */
export interface AnnotateSummary extends AskedSummary, RunSettings {
  /** What names a trajectory: a column, or `row`. */
  readonly key: string;
  readonly trajectories: number;
  /** Rows left out because their id was there before. */
  readonly repeatedRows: number;
  /** Trajectories without messages: there is nothing to annotate. */
  readonly withoutMessages: number;
  readonly annotatedBefore: number;
  /** In this run. */
  readonly annotated: number;
  readonly usedUpAnswers: number;
  /** That have none and may be asked again. */
  readonly unanswered: number;
  /** Accepted annotations in the whole file, by action. */
  readonly labels: Readonly<Record<Action, number>>;
}

/**
 * Runs `calibrant annotate`: asks a model for the key turns of every trajectory that the output file has none of, and writes each
 * answer there as it comes. The first Ctrl-C or SIGTERM waits for the answers on the way; whatever stops it, SIGKILL too, leaves all
 * answers that arrived in the file.
 *
 * @throws CalibrantError for wrong options and unreadable files before anything is asked; `io` when trajectories are left without
 *   annotation; `data` when the output file holds other things, or answers that were asked with other settings.
 */
export async function annotateCommand(options: AnnotateOptions): Promise<void> {
  checkAsking(options);
  const optional = ["tools", "checklists"] as const;
  const input = await readTrajectories({ ...options, secondKey: null, firstOfEach: true, optional });
  const settings = await annotateSettings(options);
  const rows = input.rows.filter(({ messages }) => messages.length > 0);
  const run: AnnotateRun = { options, input, rows, settings, annotator: await createAnnotator(options) };
  if (options.dryRun) return await showDryRun(run);
  const open = await openRun(
    options.output,
    () => createState(run),
    async (planned) => (pendingItems(run, planned).length > 0 ? openClient(options) : null),
  );
  await annotateRows(run, open);
}

/** Everything a run has before its output file is open. */
interface AnnotateRun {
  readonly options: AnnotateOptions;
  readonly input: Trajectories;
  /** Those with messages. */
  readonly rows: readonly Trajectory[];
  readonly settings: RunSettings;
  readonly annotator: Annotator;
}

async function showDryRun(run: AnnotateRun): Promise<void> {
  const { rows, options } = run;
  const state = createState(run);
  await readAppendLog(options.output, state.known.take);
  const items = pendingItems(run, state);
  const done = rows.filter(({ id }) => state.known.of(String(id)).isDone).length;
  const usedUp = rows.length - done - items.length;
  const counts = { what: "trajectories", total: rows.length, done, withoutModel: null, usedUp };
  await writeDryRun(items, counts, options, standardOutput(), redirectedNote);
}

async function annotateRows(run: AnnotateRun, open: OpenRun<AnnotateState>): Promise<void> {
  const { options, input, rows, settings } = run;
  const { known, counts } = open.state;
  const isDone = ({ id }: Trajectory): boolean => known.of(String(id)).isDone;
  const total = rows.length;
  const before = rows.filter(isDone).length;
  const items = pendingItems(run, open.state);
  const outcome = await runJudging({ options, open, settings, items, before, total, doneWords: DONE_WORDS });
  const done = rows.filter(isDone).length;
  const usedUp = rows.filter((row) => !isDone(row) && hasUsedUp(known, row, options)).length;
  const unanswered = total - done - usedUp;
  const summary: AnnotateSummary = {
    ...settings,
    key: input.key,
    trajectories: input.rows.length,
    repeatedRows: input.repeated,
    withoutMessages: input.rows.length - total,
    annotatedBefore: before,
    annotated: done - before,
    usedUpAnswers: usedUp,
    unanswered,
    labels: counts,
    ...askedSummary(outcome),
  };
  report(summary, input, options);
  endRun(outcome, { what: "trajectories", missing: "annotation", total, usedUp, unanswered }, options);
}

const DONE_WORDS = "trajectories annotated";

async function annotateSettings(options: AnnotateOptions): Promise<RunSettings> {
  const { model, temperature, maxTokens, seed, extraBody, textLimit, totalLimit } = options;
  return {
    requestedModel: model,
    promptVersion: ANNOTATOR_PROMPT_VERSION,
    promptHash: await annotatorPromptHash(),
    temperature,
    maxTokens,
    seed,
    extraBody,
    textLimit,
    totalLimit,
  };
}

interface AnnotateState {
  readonly known: KnownLines;
  /** Of all accepted annotations in the file, as they stand. */
  readonly counts: Readonly<Record<Action, number>>;
}

function createState({ options: { output }, settings, input: { key } }: AnnotateRun): AnnotateState {
  const counts = Object.fromEntries(ACTIONS.map((action) => [action, 0])) as Record<Action, number>;
  const known = createKnownLines({
    path: output,
    command: "calibrant annotate",
    fields: ["key", "id", "status", "annotations", "prompt_hash"],
    key,
    settings: comparedFields(settings),
    question: ({ id }) => String(id),
    onDone({ annotations }) {
      for (const entry of Array.isArray(annotations) ? annotations : []) {
        const action = ACTIONS.find((name) => name === (entry as LogRecord | null)?.gt_action);
        if (action !== undefined) counts[action]++;
      }
    },
  });
  return { known, counts };
}

type AnnotateItem = AskItem<readonly KeyTurnAnnotation[]>;

function pendingItems(
  { rows, annotator, options, input }: AnnotateRun,
  state: AnnotateState,
): AnnotateItem[] {
  const { key } = input;
  return rows.flatMap((row): AnnotateItem[] => {
    const { isDone, earlier } = state.known.of(String(row.id));
    if (isDone || answersAllowed(earlier.length, options) <= earlier.length) return [];
    const { id, messages, tools, checklists } = row;
    return [
      {
        name: `${key} ${id}`,
        ids: { key, id },
        earlier,
        question: () => annotator.question({ messages, tools, checklists }, labelBalance(state.counts)),
        fields: (value) => ({ status: value === null ? "rejected" : "ok", annotations: value }),
      },
    ];
  });
}

function hasUsedUp(known: KnownLines, { id }: Trajectory, { maxAttempts }: AnnotateOptions): boolean {
  return known.of(String(id)).earlier.length >= maxAttempts;
}

function report(summary: AnnotateSummary, { key, rows }: Trajectories, options: AnnotateOptions): void {
  if (options.json) process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`);
  if (options.quiet) return;
  if (!options.json) process.stderr.write(renderSummary(summary));
  const empty = rows.filter(({ messages }) => messages.length === 0).map(({ id }) => id);
  if (empty.length > 0) writeErrorLine(`no messages, so nothing to annotate: ${key} ${namesText(empty)}`);
}

function renderSummary(summary: AnnotateSummary): string {
  return renderRows([
    ["model", summary.requestedModel],
    ["trajectories", count(summary.trajectories)],
    ...optionalRow("  without messages", summary.withoutMessages),
    ["  annotated before", count(summary.annotatedBefore)],
    ["  annotated now", count(summary.annotated)],
    ["  used up their answers", count(summary.usedUpAnswers)],
    ["  unanswered", count(summary.unanswered)],
    ...optionalRow("rows left out, their id again", summary.repeatedRows),
    ["labels in the file", ""],
    ...ACTIONS.map((action): [string, string] => [`  ${action}`, count(summary.labels[action])]),
    ...askedRows(summary),
  ]);
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
