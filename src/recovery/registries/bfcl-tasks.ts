import { parsePythonCalls } from "../../data/calls/python-calls.ts";
import { checkOptionNames } from "../../data/check-option-names.ts";
import { CalibrantError, errorMessage } from "../../errors.ts";
import type { ScenarioTask } from "../scenario/scenario.ts";
import { taskPaths } from "../scenario/task-paths.ts";
import { BFCL } from "./bfcl.ts";

/** Options of {@link bfclTasks}. */
export interface BfclTaskOptions {
  /**
   * The questions of the same category, parsed: tools that a question takes away (`excluded_function`) cannot stand in.
   * Default: none is taken away.
   */
  readonly questions?: readonly unknown[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The paths of BFCL multi-turn tasks, from the lines of its `possible_answer` file (parsed): a task needs the tools that the
 * Python call texts of its `ground_truth` name, over all turns; the equivalents are those of {@link BFCL}. A task without
 * calls has no paths and supports S1 only.
 *
 * @throws CalibrantError `data` naming the task, for a line of another shape, a text that is no call, or a tool that is
 * not in the registry.
 *
 * @example
 * ```ts
 * import { bfclTasks } from "calibrant/recovery";
 * const answers = [{ id: "multi_turn_base_0", ground_truth: [["cd(folder='docs')"], ["cat('a.txt')"]] }];
 * console.log(bfclTasks(answers)[0]?.paths.map((path) => path.tools.join(" ")).join(" | ")); // cd cat | cd tail
 * ```
 */
export function bfclTasks(answers: readonly unknown[], options: BfclTaskOptions = {}): ScenarioTask[] {
  checkOptionNames(options, ["questions"], "bfclTasks");
  if (!Array.isArray(answers))
    throw new CalibrantError("data", `BFCL answers must be a list of lines, got ${typeof answers}`);
  const excluded = excludedTools(options.questions ?? []);
  return answers.map((value: unknown, index) => {
    const { id, ground_truth: turns } = (value ?? {}) as Fields;
    if (typeof id !== "string" || !Array.isArray(turns))
      throw new CalibrantError(
        "data",
        `BFCL answer ${index} must have an id and a ground_truth of turns, got ${String(id)}`,
      );
    try {
      const without = excluded.get(id) ?? [];
      return { taskId: id, paths: taskPaths(calledTools(turns), BFCL, { without }) };
    } catch (error) {
      throw new CalibrantError("data", `BFCL task ${id}: ${errorMessage(error)}`, { id }, { cause: error });
    }
  });
}

function calledTools(turns: readonly unknown[]): string[] {
  return turns.flat().flatMap((text) => {
    if (typeof text !== "string")
      throw new CalibrantError("data", `a call must be text, got ${JSON.stringify(text)}`);
    return parsePythonCalls(text).map(({ name }) => name);
  });
}

function excludedTools(questions: readonly unknown[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    questions.map((value, index) => {
      const { id, excluded_function: excluded = [] } = (value ?? {}) as Fields;
      if (typeof id !== "string" || !(excluded === null || Array.isArray(excluded)))
        throw new CalibrantError(
          "data",
          `BFCL question ${index} must have an id and excluded_function a list, got ${String(id)}`,
        );
      return [id, excluded ?? []];
    }),
  );
}
