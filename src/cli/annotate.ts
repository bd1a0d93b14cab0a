import type { Command } from "commander";
import { endpointFlags } from "./asking/asking-flags.ts";
import { addJudgingOptions, type JudgingFlags, judgingOptions } from "./judging/judging-flags.ts";
import type { AnnotateOptions } from "./judging/judging-options.ts";

type AnnotateFlags = JudgingFlags & Pick<AnnotateOptions, "baseUrl" | "model">;

const EXAMPLES = `
Examples:
  calibrant annotate rollouts.jsonl --base-url http://localhost:8000/v1 --model qwen3-32b -o annotations.jsonl
  calibrant annotate rollouts.parquet --id group_id --base-url https://api.openai.com/v1 --model gpt-4o-mini -o annotations.jsonl --price-in 0.15 --price-out 0.6
  calibrant annotate results.json --from tau-bench --base-url http://localhost:8000/v1 --model m -o annotations.jsonl --dry-run

The API key is read from the environment (OPENAI_API_KEY, or --api-key-env) and is never written anywhere. Run the same command
again after an interruption: no answer in the file is asked for again. Ctrl-C and SIGTERM wait for the answers that are on the way
(each for at most --timeout), a second one does not. SIGKILL loses those on the way (at most --concurrency), never one that has
arrived; a power cut may lose those of the last seconds too.
Exit status: 0 every trajectory has its annotation, 1 some have none or an error, 2 wrong usage.`;

/** Adds the command `annotate`. */
export function defineAnnotate(program: Command): void {
  const command = program
    .command("annotate")
    .summary("finds the key turns of trajectories with a model, and resumes")
    .description(
      "Asks a model for the decision-critical turns of every trajectory (at most two) and appends its answers to a file.",
    );
  addJudgingOptions(command, endpointFlags(true), "the annotations");
  command.addHelpText("after", EXAMPLES).action(async (files: string[], flags: AnnotateFlags) => {
    const { annotateCommand } = await import("./judging/annotate-command.ts");
    await annotateCommand({ ...judgingOptions(files, flags), baseUrl: flags.baseUrl, model: flags.model });
  });
}
