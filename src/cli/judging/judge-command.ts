import { readAppendLog } from "../../data/append-log.ts";
import { CalibrantError } from "../../errors.ts";
import type { ChatClient } from "../../inference/chat-client.ts";
import type { TurnJudgement } from "../../judge/annotation.ts";
import { isVerbatim } from "../../judge/is-verbatim.ts";
import { createTurnJudge, type TurnJudge, type WithoutModel } from "../../judge/judge-turn.ts";
import { JUDGE_PROMPT_VERSION, judgePromptHash } from "../../judge/prompt-version.ts";
import { checkAsking, openClient } from "../asking/open-client.ts";
import { optionalRow, renderRows } from "../asking/summary-rows.ts";
import { writeErrorLine } from "../error-line.ts";
import { redirectedNote, standardOutput } from "../standard-output.ts";
import { type AskItem, answersAllowed } from "./ask-items.ts";
import { writeDryRun } from "./dry-run.ts";
import type { JudgeOptions } from "./judging-options.ts";
import { createKnownLines, type KnownLines } from "./known-lines.ts";
import { namesText } from "./names-text.ts";
import { readAnnotationFile } from "./read-note-file.ts";
import { comparedFields, type RunSettings } from "./run-fields.ts";
import {
  type AskedSummary,
  askedRows,
  askedSummary,
  endRun,
  type FileState,
  type OpenRun,
  openRun,
  runJudging,
} from "./run-judging.ts";
import { readTrajectories, type Trajectories } from "./trajectories.ts";
import { type JudgedTurn, type TurnsToJudge, turnsToJudge } from "./turns-to-judge.ts";

/** The summary of a run, as `--json` prints it. The settings are null where no model was named. */
export interface JudgeSummary extends AskedSummary {
  readonly requestedModel: string | null;
  readonly promptVersion: string;
  readonly promptHash: string;
  /** What names a trajectory: a column, or `row`. */
  readonly key: string;
  readonly trajectories: number;
  readonly withoutAnnotations: number;
  /** Annotations whose turn is none of the trajectory, and those that cannot be read: not judged. */
  readonly outOfRange: number;
  readonly unreadable: number;
  /** The turns to judge. */
  readonly turns: number;
  /** That the file had before this run, with a model or without. */
  readonly judgedBefore: number;
  /** Read without a model in this run. */
  readonly parsed: number;
  /** Without a decision of the assistant, seen in this run. */
  readonly noAssistant: number;
  /** By a model in this run. */
  readonly judged: number;
  readonly usedUpAnswers: number;
  /** That have none and may be asked again. */
  readonly unanswered: number;
  /** Turns judged by a model, before or in this run, in words that the assistant did not write there. */
  readonly notVerbatim: number;
}

/**
 * Runs `calibrant judge`: says of every annotated turn what the assistant decided. Turns that can be read are written without asking; a
 * model is asked about the others, and each answer is written as it comes.
 *
 * @throws CalibrantError for wrong options and unreadable files before anything is asked; `usage` when a model is needed and none
 *   was named; `io` when turns are left without judgement; `data` when the output file holds other things.
 */
export async function judgeCommand(options: JudgeOptions): Promise<void> {
  checkAsking(options);
  const file = options.annotations === null ? null : await readAnnotationFile(options.annotations);
  const input = await readTrajectories({
    ...options,
    secondKey: file?.key ?? null,
    firstOfEach: false,
    optional: file === null ? ["annotations"] : [],
  });
  checkSource(input, options);
  const plan = turnsToJudge(input, file, options.turns);
  const settings = await judgeSettings(options);
  const run: JudgeRun = { options, input, plan, settings, judge: await createTurnJudge(options) };
  if (options.dryRun) return await showDryRun(run);
  const open = await openRun(
    options.output,
    () => createState(run),
    (planned) => clientFor(run, planned),
  );
  await judgeTurns(run, open);
}

/** Everything a run has before its output file is open. */
interface JudgeRun {
  readonly options: JudgeOptions;
  readonly input: Trajectories;
  readonly plan: TurnsToJudge;
  readonly settings: RunSettings;
  readonly judge: TurnJudge;
}

function checkSource({ hasAnnotations }: Trajectories, { annotations, turns }: JudgeOptions): void {
  if (annotations !== null || hasAnnotations || turns === "all") return;
  throw new CalibrantError(
    "usage",
    "which turns? Give --annotations with a file of calibrant annotate, a column annotations, or --turns all",
  );
}

/** Where no model is named the settings are compared with nothing. */
async function judgeSettings({
  model,
  temperature,
  maxTokens,
  seed,
  extraBody,
  textLimit,
  totalLimit,
}: JudgeOptions): Promise<RunSettings> {
  return {
    requestedModel: model ?? "",
    promptVersion: JUDGE_PROMPT_VERSION,
    promptHash: await judgePromptHash(),
    temperature,
    maxTokens,
    seed,
    extraBody,
    textLimit,
    totalLimit,
  };
}

interface JudgeState extends FileState {
  /** The names of turns whose judgement is in words that the assistant did not write there. */
  readonly notVerbatim: ReadonlySet<string>;
}

function createState({ options, settings, input }: JudgeRun): JudgeState {
  const notVerbatim = new Set<string>();
  return {
    notVerbatim,
    known: createKnownLines({
      path: options.output,
      command: "calibrant judge",
      fields: ["key", "id", "turn_idx", "status", "pred_action"],
      key: input.key,
      settings: options.model === null ? null : comparedFields(settings),
      question: ({ id, turn_idx }) => questionName(id, turn_idx),
      onDone({ id, turn_idx, verbatim }) {
        if (verbatim === false) notVerbatim.add(questionName(id, turn_idx));
      },
    }),
  };
}

function questionName(id: unknown, turn: unknown): string {
  return `${id} turn ${turn}`;
}

const nameOf = ({ id, turn }: JudgedTurn): string => questionName(id, turn.turnIdx);

type JudgeItem = AskItem<TurnJudgement>;

function pendingItems({ plan, judge, options, input: { key } }: JudgeRun, known: KnownLines): JudgeItem[] {
  return plan.turns.flatMap((judged): JudgeItem[] => {
    if (judged.reading.outcome !== "unparsed") return [];
    const { isDone, earlier } = known.of(nameOf(judged));
    if (isDone || answersAllowed(earlier.length, options) <= earlier.length) return [];
    return [
      {
        name: `${key} ${nameOf(judged)}`,
        ids: { key, id: judged.id, turn_idx: judged.turn.turnIdx },
        earlier,
        question: () => judge.question(judged.turn),
        fields: (value) => ({
          status: value === null ? "rejected" : "ok",
          pred_action: value?.pred_action ?? null,
          pred_answer: value?.pred_answer ?? null,
          rationale: value?.rationale ?? null,
          verbatim: value === null ? null : isVerbatim(value, judged.turn),
        }),
      },
    ];
  });
}

/** Null where nothing has to be asked: the package openai, a key and an address are not needed then. */
async function clientFor(run: JudgeRun, { known }: FileState): Promise<ChatClient | null> {
  const toAsk = pendingItems(run, known).length;
  if (toAsk === 0) return null;
  const { options } = run;
  const { baseUrl, model } = options;
  if (baseUrl !== null && model !== null) return await openClient({ ...options, baseUrl, model });
  const missing = [...(baseUrl === null ? ["--base-url"] : []), ...(model === null ? ["--model"] : [])].join(
    " and ",
  );
  const without = run.plan.turns.length - run.plan.turns.filter(needsModel).length;
  const counts = `${toAsk} ${toAsk === 1 ? "turn needs" : "turns need"} a model, ${without} ${without === 1 ? "does" : "do"} not`;
  throw new CalibrantError("usage", `${counts}: give ${missing} for the former`, { toAsk, without });
}

async function showDryRun(run: JudgeRun): Promise<void> {
  const { options, plan } = run;
  const { known } = createState(run);
  await readAppendLog(options.output, known.take);
  const items = pendingItems(run, known);
  const left = plan.turns.filter((turn) => !known.of(nameOf(turn)).isDone);
  const toJudge = left.filter(needsModel).length;
  const counts = {
    what: "turns",
    total: plan.turns.length,
    done: plan.turns.length - left.length,
    withoutModel: left.length - toJudge,
    usedUp: toJudge - items.length,
  };
  await writeDryRun(items, counts, options, standardOutput(), redirectedNote);
}

const needsModel = ({ reading }: JudgedTurn): boolean => reading.outcome === "unparsed";

async function judgeTurns(run: JudgeRun, open: OpenRun<JudgeState>): Promise<void> {
  const { options, plan, settings } = run;
  const { known, notVerbatim } = open.state;
  const isDone = (turn: JudgedTurn): boolean => known.of(nameOf(turn)).isDone;
  const before = new Set(plan.turns.filter(isDone));
  try {
    writeReadings(run, open);
  } catch (error) {
    open.log.close();
    throw error;
  }
  const total = plan.turns.length;
  const outcome = await runJudging({
    options,
    open,
    settings,
    items: pendingItems(run, known),
    before: plan.turns.filter(isDone).length,
    total,
    doneWords: "turns judged",
  });
  const count = (holds: (turn: JudgedTurn) => boolean): number => plan.turns.filter(holds).length;
  const now = plan.turns.filter((turn) => isDone(turn) && !before.has(turn));
  const readAs = (outcome: WithoutModel["outcome"]): number =>
    now.filter(({ reading }) => reading.outcome === outcome).length;
  const attempts = (turn: JudgedTurn): number => known.of(nameOf(turn)).earlier.length;
  const usedUp = count((turn) => !isDone(turn) && attempts(turn) >= options.maxAttempts);
  const summary: JudgeSummary = {
    requestedModel: options.model,
    promptVersion: settings.promptVersion,
    promptHash: settings.promptHash,
    key: run.input.key,
    trajectories: run.input.rows.length,
    withoutAnnotations: plan.withoutAnnotations,
    outOfRange: plan.outOfRange.length,
    unreadable: plan.unreadable.length,
    turns: total,
    judgedBefore: before.size,
    parsed: readAs("judged"),
    noAssistant: readAs("no_assistant"),
    judged: readAs("unparsed"),
    usedUpAnswers: usedUp,
    unanswered: count((turn) => !isDone(turn)) - usedUp,
    notVerbatim: count((turn) => notVerbatim.has(nameOf(turn))),
    ...askedSummary(outcome),
  };
  report(summary, run);
  endRun(
    outcome,
    { what: "turns", missing: "judgement", total, usedUp, unanswered: summary.unanswered },
    options,
  );
}

/** Writes what needs no model, unless the file has it. */
function writeReadings(
  { plan, input: { key } }: JudgeRun,
  { log, state: { known } }: OpenRun<FileState>,
): void {
  for (const judged of plan.turns) {
    const { reading, id, turn } = judged;
    if (reading.outcome === "unparsed" || known.of(nameOf(judged)).isDone) continue;
    const judgement = reading.outcome === "judged" ? reading.judgement : null;
    const line = {
      key,
      id,
      turn_idx: turn.turnIdx,
      status: judgement === null ? "no_assistant" : "parsed",
      pred_action: judgement?.pred_action ?? null,
      pred_answer: judgement?.pred_answer ?? null,
      rationale: judgement?.rationale ?? null,
      error: null,
    };
    log.append(line);
    known.take(line, 0);
  }
}

function report(summary: JudgeSummary, { options, plan }: JudgeRun): void {
  if (options.json) process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`);
  if (options.quiet) return;
  if (!options.json) process.stderr.write(renderSummary(summary));
  const told = [
    ["annotations of turns that the trajectory does not have", plan.outOfRange],
    ["annotations that cannot be read", plan.unreadable],
  ] as const;
  for (const [what, ids] of told) {
    if (ids.length > 0) writeErrorLine(`${what}, not judged: ${summary.key} ${namesText(ids)}`);
  }
}

function renderSummary(summary: JudgeSummary): string {
  return renderRows([
    ["model", summary.requestedModel ?? "none"],
    ["trajectories", count(summary.trajectories)],
    ...optionalRow("  without annotations", summary.withoutAnnotations),
    ...optionalRow("annotations out of range", summary.outOfRange),
    ...optionalRow("annotations unreadable", summary.unreadable),
    ["turns", count(summary.turns)],
    ["  judged before", count(summary.judgedBefore)],
    ["  read without a model", count(summary.parsed)],
    ["  no assistant", count(summary.noAssistant)],
    ["  judged by the model", count(summary.judged)],
    ["  used up their answers", count(summary.usedUpAnswers)],
    ["  unanswered", count(summary.unanswered)],
    ["not verbatim, in the file", count(summary.notVerbatim)],
    ...askedRows(summary),
  ]);
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
