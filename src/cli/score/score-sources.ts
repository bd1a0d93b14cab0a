import type { ColumnRenames } from "../../data/check-columns.ts";
import type { FoundColumn } from "../../data/columns.ts";
import { CalibrantError } from "../../errors.ts";
import { newOutputs, type PlanOutput } from "../../rewards/plan-outputs.ts";
import type { RewardPlan } from "../../rewards/reward-plan.ts";
import { type CheckedInput, checkInputs, renamePairs, taskSource } from "../input/check-inputs.ts";
import type { TaskSource } from "../input/input-task.ts";
import type { RunInput } from "../input/run-input.ts";
import type { ScoreOptions } from "./score-options.ts";

/** What is read of every input, and the columns that the output gets. */
export interface ScoreSources {
  readonly sources: readonly TaskSource[];
  readonly outputs: readonly PlanOutput[];
}

/** What a formula may name: numeric columns that every input has, under their own names and those of `--columns`. */
export function numericColumns(found: readonly (readonly FoundColumn[])[], renames: ColumnRenames): string[] {
  const numeric = found.map((columns) =>
    columns.filter((c) => c.kinds.includes("number")).map((c) => c.name),
  );
  const [first = [], ...rest] = numeric;
  const shared = first.filter((name) => rest.every((names) => names.includes(name)));
  const renamed = [...renames].filter(([, source]) => shared.includes(source)).map(([name]) => name);
  return [...new Set([...shared, ...renamed])];
}

/**
 * Checks the columns of all inputs against what a plan needs and adds.
 *
 * @param found - the columns of each input.
 * @throws CalibrantError `schema` for missing or mistyped columns, or a name that would be written twice; `usage` for a
 *   name in `--columns` that nothing reads.
 */
export function scoreSources(
  inputs: readonly RunInput[],
  found: readonly (readonly FoundColumn[])[],
  plan: Pick<RewardPlan, "needs" | "outputs">,
  options: Pick<ScoreOptions, "columns" | "output">,
): ScoreSources {
  const checked = checkInputs(inputs, found, plan.needs, options.columns);
  const outputs =
    options.output === null ? plan.outputs : sharedOutputs(plan, checked, renamePairs(options.columns));
  const added = options.output === null ? [] : outputs.map((output) => output.name);
  const sources = checked.map((input) => taskSource(input, plan.needs, options.columns, added));
  return { sources, outputs };
}

/** The columns that the output gets: the same for every input. */
function sharedOutputs(
  plan: Pick<RewardPlan, "needs" | "outputs">,
  checked: readonly CheckedInput[],
  renames: readonly (readonly [string, string])[],
): readonly PlanOutput[] {
  const [first, ...others] = checked.map(({ input, columns, present }) => {
    const names = new Set(columns.map((column) => column.name));
    // A column that is read under another name is not the one of an output's name.
    const read = present.filter((request) => !renames.some(([name]) => name === request.name));
    return { name: input.name, outputs: newOutputs(plan, names, read, input.name) };
  });
  if (first === undefined) return plan.outputs;
  for (const { name, outputs } of others) {
    if (outputs.length === first.outputs.length) continue;
    const only = plan.outputs.find((output) => outputs.includes(output) !== first.outputs.includes(output));
    throw new CalibrantError(
      "schema",
      `one of ${first.name} and ${name} has the column ${only?.name}: name the added columns apart with --prefix, for example --prefix new_`,
    );
  }
  return first.outputs;
}
