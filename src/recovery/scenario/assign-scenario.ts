import { compareCodePoints } from "../../data/calls/canonical-json.ts";
import { checkOptionNames } from "../../data/check-option-names.ts";
import { CalibrantError } from "../../errors.ts";
import { checkScenarioTask, toolSetKey } from "./check-scenario-task.ts";
import { pathName, SCENARIOS, type Scenario, type ScenarioTask } from "./scenario.ts";

/** Options of {@link assignScenario} and {@link supportedScenarios}. */
export interface AssignOptions {
  /** Tools that are never blocked: the registry's `escalationTools`. Default: none. */
  readonly escalationTools?: readonly string[];
  /**
   * Which path S2 blocks: `random` (default) draws it uniformly from those that can be blocked, `primary` takes the
   * first path of the task, so that who never switches always meets the block.
   */
  readonly block?: "random" | "primary";
}

/** The names of {@link AssignOptions}. */
export const ASSIGN_OPTIONS: readonly string[] = ["escalationTools", "block"];

/** What a scenario blocks for one episode. */
export interface ScenarioAssignment {
  readonly scenario: Scenario;
  /** The tools that answer "blocked" for the whole episode, sorted by code point; empty in S1. */
  readonly blocked: readonly string[];
  /** The name of the path that was drawn to be blocked; null in S1 (none) and S3 (all). */
  readonly blockedPath: string | null;
  /** The name of a path that stays fully open: the first in S1, the drawn one in S2; null in S3 and without paths. */
  readonly openPath: string | null;
}

/** A path as far as it can be blocked. */
interface BlockablePath {
  readonly name: string;
  /** Its tools without those that are never blocked. */
  readonly tools: ReadonlySet<string>;
}

/**
 * The scenarios that a task can be given, in order. S1: always. S2: when some path can be blocked while another stays
 * fully open. S3: when there are paths and each has a tool that may be blocked.
 *
 * @throws CalibrantError `data` for a task that is none, `option` for an unknown option.
 *
 * @example
 * ```ts
 * import { supportedScenarios } from "calibrant/recovery";
 * const task = { taskId: "t1", paths: [{ tools: ["find_by_email", "cancel"] }] };
 * console.log(supportedScenarios(task)); // [ 'S1', 'S3' ]
 * ```
 */
export function supportedScenarios(task: ScenarioTask, options: AssignOptions = {}): Scenario[] {
  const paths = blockablePaths(task, options);
  return SCENARIOS.filter(
    (scenario) =>
      scenario === "S1" || (scenario === "S2" ? candidates(paths, options).length > 0 : allBlockable(paths)),
  );
}

/**
 * What a scenario blocks for one episode of a task (Bench2Robust, section 2.1). Paths with the same tools count once.
 *
 * - S1 blocks nothing.
 * - S2 draws the blocked path A uniformly from the paths that can be blocked while another stays fully open, then the
 *   path R that stays open uniformly from those that do not need every tool of A, and blocks the tools of A that R does
 *   not need: A is blocked and R is open, always. Other paths may be either.
 * - S3 blocks every tool of every path.
 *
 * Escalation tools are never blocked. S2 takes two numbers from `random`, the other scenarios none.
 *
 * @param random - uniform numbers in [0, 1), such as {@link seededRandom}'s
 * @throws CalibrantError `data` naming the task when it does not support the scenario: S2 on a task with one path is
 * never a silent S1.
 *
 * @example
 * ```ts
 * import { assignScenario } from "calibrant/recovery";
 * const task = {
 *   taskId: "t1",
 *   paths: [{ id: "by email", tools: ["find_by_email", "cancel"] }, { id: "by name", tools: ["find_by_name", "cancel"] }],
 * };
 * const { blocked, openPath } = assignScenario(task, "S2", () => 0);
 * console.log(blocked, openPath); // [ 'find_by_email' ] by name
 * ```
 */
export function assignScenario(
  task: ScenarioTask,
  scenario: Scenario,
  random: () => number,
  options: AssignOptions = {},
): ScenarioAssignment {
  const paths = blockablePaths(task, options);
  if (scenario === "S1")
    return { scenario, blocked: [], blockedPath: null, openPath: paths[0]?.name ?? null };
  if (scenario === "S2") return blockOne(task, paths, random, options);
  if (scenario === "S3") return blockAll(task, paths);
  throw new CalibrantError(
    "option",
    `scenario must be one of ${SCENARIOS.join(", ")}, got ${String(scenario)}`,
  );
}

function blockOne(
  task: ScenarioTask,
  paths: readonly BlockablePath[],
  random: () => number,
  options: AssignOptions,
): ScenarioAssignment {
  const blockable = candidates(paths, options);
  if (blockable.length === 0) {
    const names = paths.map(({ name }) => name).join("; ");
    throw new CalibrantError(
      "data",
      `task ${task.taskId}: S2 needs a path that can be blocked while another stays fully open; give it S1 or S3, or name its equivalent tools; its paths: ${names || "none"}`,
      { taskId: task.taskId, scenario: "S2" },
    );
  }
  const blockedPath = drawn(blockable, random);
  const openPath = drawn(
    paths.filter((other) => canBlock(blockedPath, other)),
    random,
  );
  const blocked = [...blockedPath.tools].filter((tool) => !openPath.tools.has(tool));
  return {
    scenario: "S2",
    blocked: blocked.sort(compareCodePoints),
    blockedPath: blockedPath.name,
    openPath: openPath.name,
  };
}

function blockAll(task: ScenarioTask, paths: readonly BlockablePath[]): ScenarioAssignment {
  if (!allBlockable(paths)) {
    const open = paths.find(({ tools }) => tools.size === 0);
    throw new CalibrantError(
      "data",
      `task ${task.taskId}: S3 needs paths that can all be blocked, but ${open === undefined ? "it has no paths" : `only escalation tools are on ${open.name}`}`,
      { taskId: task.taskId, scenario: "S3" },
    );
  }
  const blocked = new Set(paths.flatMap(({ tools }) => [...tools]));
  return { scenario: "S3", blocked: [...blocked].sort(compareCodePoints), blockedPath: null, openPath: null };
}

/** The distinct paths of a task, the first of equals. */
function blockablePaths(task: ScenarioTask, options: AssignOptions): BlockablePath[] {
  checkOptionNames(options, ASSIGN_OPTIONS, "assignScenario");
  checkScenarioTask(task);
  const never = new Set(options.escalationTools ?? []);
  const distinct = new Map<string, BlockablePath>();
  for (const path of task.paths) {
    const tools = path.tools.filter((tool) => !never.has(tool));
    const key = toolSetKey(tools);
    if (!distinct.has(key)) distinct.set(key, { name: pathName(path), tools: new Set(tools) });
  }
  return [...distinct.values()];
}

/** The paths that S2 may block. */
function candidates(paths: readonly BlockablePath[], { block = "random" }: AssignOptions): BlockablePath[] {
  if (block !== "random" && block !== "primary")
    throw new CalibrantError("option", `block must be random or primary, got ${String(block)}`);
  const eligible = block === "primary" ? paths.slice(0, 1) : paths;
  return eligible.filter((path) => paths.some((other) => canBlock(path, other)));
}

/** Whether a path can be blocked with the other one left open: it has a tool that the other does not need. */
function canBlock(path: BlockablePath, other: BlockablePath): boolean {
  for (const tool of path.tools) if (!other.tools.has(tool)) return true;
  return false;
}

function allBlockable(paths: readonly BlockablePath[]): boolean {
  return paths.length > 0 && paths.every(({ tools }) => tools.size > 0);
}

function drawn(paths: readonly BlockablePath[], random: () => number): BlockablePath {
  return paths[Math.min(paths.length - 1, Math.floor(random() * paths.length))] as BlockablePath;
}
