import { type Command, Option } from "commander";
import { endpointFlags } from "./asking/asking-flags.ts";
import { text } from "./define-option.ts";
import { addJudgingOptions, type JudgingFlags, judgingOptions } from "./judging/judging-flags.ts";
import type { JudgeOptions } from "./judging/judging-options.ts";

interface JudgeFlags extends JudgingFlags, Pick<JudgeOptions, "turns"> {
  readonly baseUrl?: string;
  readonly model?: string;
  readonly annotations?: string;
}

const EXAMPLES = `
Examples:
  calibrant judge rollouts.jsonl --annotations annotations.jsonl -o judgements.jsonl
  calibrant judge rollouts.jsonl --annotations annotations.jsonl --base-url http://localhost:8000/v1 --model m -o judgements.jsonl
  calibrant judge results.json --from tau-bench --turns all -o judgements.jsonl --dry-run

Native tool calls and text in TRUST's tags are read without a model; an endpoint is needed for the other turns only. The API key is
read from the environment (OPENAI_API_KEY, or --api-key-env) and is never written anywhere. Run the same command again after an
interruption: no answer in the file is asked for again. Ctrl-C and SIGTERM wait for the answers that are on the way (each for at most
--timeout), a second one does not. SIGKILL loses those on the way (at most --concurrency), never one that has arrived; a power cut may
lose those of the last seconds too.
Exit status: 0 every turn has its judgement, 1 some have none or an error, 2 wrong usage.`;

/** Adds the command `judge`. */
export function defineJudge(program: Command): void {
  const command = program
    .command("judge")
    .summary("says what the assistant decided in each key turn, with a model where it must")
    .description("Judges the annotated turns of trajectories and appends the judgements to a file.");
  const own = [
    text("--annotations <file>", "the output of calibrant annotate (default: the column annotations)"),
    () =>
      new Option("--turns <which>", "the annotated turns, or every user turn")
        .choices(["annotated", "all"])
        .default("annotated"),
    ...endpointFlags(false),
  ];
  addJudgingOptions(command, own, "the judgements");
  command.addHelpText("after", EXAMPLES).action(async (files: string[], flags: JudgeFlags) => {
    const { judgeCommand } = await import("./judging/judge-command.ts");
    await judgeCommand({
      ...judgingOptions(files, flags),
      baseUrl: flags.baseUrl ?? null,
      model: flags.model ?? null,
      annotations: flags.annotations ?? null,
      turns: flags.turns,
    });
  });
}
