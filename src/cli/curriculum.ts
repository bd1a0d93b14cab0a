import { type Command, InvalidArgumentError } from "commander";
import type { CurriculumThresholds } from "../recovery/curriculum/curriculum-options.ts";
import { COLUMNS_OPTION, ESCALATION_TOOLS_OPTION } from "./common-options.ts";
import { type DefineOption, flag, parsed, text } from "./define-option.ts";
import { parsePairs } from "./option-values.ts";

/** The options of `calibrant curriculum` as the parser gives them. */
interface CurriculumFlags {
  readonly state?: string;
  readonly output?: string;
  readonly threshold?: Partial<CurriculumThresholds>;
  readonly escalationTools?: readonly string[];
  readonly columns?: ReadonlyMap<string, string>;
  readonly json: boolean;
  readonly quiet: boolean;
}

const EXAMPLES = `
One row is one episode of the iteration:
  messages                       the conversation in OpenAI's chat format
  completed, reward, scenario    outcome (1 or 0), reward, S1, S2 or S3
  injections, condition          optional; without the injection log, faults are read off the tool results

The phase is left when all of these hold (Table 9 of arXiv 2608.11977; * ours):
  1      reward > 0.25 in rewardIterations = 3 iterations in a row
  2, 3   switchRate > 0.25 and passRate > 0.25
  4      s3Escalation > 0.5, turns < 15, pass rates of S1 and S2 at most regression = 0.05* below those on entry
  5      stops: overEscalation > 0.5* in overEscalationIterations = 3* iterations in a row

Examples:
  calibrant curriculum step-0.jsonl -o curriculum.json
  calibrant curriculum step-1.jsonl --state curriculum.json -o curriculum.json --json

The same episodes given twice in a row count once, so a step may be run again.

Exit status: 0 done, also when the curriculum has stopped; 1 data or I/O error, 2 wrong usage.`;

/** Adds the command `curriculum`. */
export function defineCurriculum(program: Command): void {
  const command = program
    .command("curriculum")
    .summary("the training curriculum: diagnostics of an iteration, and the scenarios of the next one")
    .description(
      "Measures the episodes of a training iteration (JSONL, Arrow IPC or Parquet) and moves the curriculum on by one iteration.",
    )
    .argument("<rollouts...>", "files, glob patterns, or - for standard input (JSONL or Arrow IPC)");
  for (const option of OPTIONS) command.addOption(option());
  command.addHelpText("after", EXAMPLES).action(async (files: string[], flags: CurriculumFlags) => {
    const { curriculumCommand } = await import("./curriculum/curriculum-command.ts");
    await curriculumCommand({
      files,
      columns: flags.columns ?? new Map(),
      state: flags.state ?? null,
      output: flags.output ?? null,
      thresholds: flags.threshold ?? {},
      escalationTools: flags.escalationTools ?? null,
      json: flags.json,
      quiet: flags.quiet,
    });
  });
}

const OPTIONS: readonly DefineOption[] = [
  text("--state <file>", "the state after the iteration before (default: the first iteration, phase 1)"),
  text("-o, --output <file>", "where the new state goes; may be the file of --state; - for standard output"),
  parsed("--threshold <name=number,…>", "other thresholds, by the names below", parseThresholds),
  ESCALATION_TOOLS_OPTION,
  COLUMNS_OPTION,
  flag("--json", "print the result as JSON on standard output"),
  flag("--quiet", "no progress, no warnings, and no text on standard output"),
];

/** Which names and numbers are legal is said by the curriculum itself. */
function parseThresholds(pairs: string): Partial<CurriculumThresholds> {
  const entries = [...parsePairs(pairs)].map(([name, value]): [string, number] => {
    const threshold = Number(value);
    if (value === "" || Number.isNaN(threshold))
      throw new InvalidArgumentError(`expected name=number pairs, got ${name}=${value}.`);
    return [name, threshold];
  });
  return Object.fromEntries(entries);
}
