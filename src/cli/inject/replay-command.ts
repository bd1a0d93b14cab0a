import { CalibrantError } from "../../errors.ts";
import type { BayesianToolMemory } from "../../recovery/memory/bayesian-tool-memory.ts";
import type { ReplayPolicyName } from "../../recovery/world/replay-policies.ts";
import type { ReplayOptions } from "../../recovery/world/replay-retail.ts";
import { present } from "../define-option.ts";
import { readMemoryFile } from "../memory/read-memory-file.ts";
import { writeTableDocument } from "../tables/write-table-document.ts";
import { writeWhole } from "../write-whole.ts";
import type { ReplayFlags } from "./replay-options.ts";

/**
 * Runs `calibrant inject --replay`: scripted policies in the retail world, and the tables of their pass rates. Files are written when all
 * episodes have ended.
 *
 * @throws CalibrantError for options, a memory that cannot be read, and files that cannot be written.
 */
export async function replayCommand(flags: ReplayFlags): Promise<void> {
  const { replayRetail } = await import("../../recovery/world/replay-retail.ts");
  checkOutputs(flags);
  const lines: string[] = [];
  const memory = flags.memory === undefined ? undefined : readMemoryFile(flags.memory);
  const result = await replayRetail(replayOptions(flags, memory, lines));
  if (flags.output !== undefined) await writeWhole(flags.output, lines);
  if (flags.memoryOut !== undefined)
    await writeWhole(flags.memoryOut, [`${JSON.stringify(result.memory, null, 2)}\n`]);
  const { replayNumbers } = await import("./replay-result.ts");
  const { replayDocument } = await import("./replay-document.ts");
  const { replayJson } = await import("./replay-json.ts");
  const numbers = replayNumbers(result);
  const { json, quiet } = flags;
  await writeTableDocument(replayDocument(result, numbers), replayJson(result, numbers), {
    outputs: [],
    format: null,
    json,
    quiet,
    inputs: [],
  });
}

function checkOutputs({ output, memory, memoryOut }: ReplayFlags): void {
  if (output === "-" || memoryOut === "-")
    throw new CalibrantError(
      "usage",
      "the replay's tables are on standard output: give -o and --memory-out a file, got -",
    );
  const files = [output, memory, memoryOut].filter((file) => file !== undefined);
  const twice = files.find((file, at) => files.indexOf(file) !== at);
  if (twice !== undefined)
    throw new CalibrantError(
      "usage",
      `-o, --memory and --memory-out must be different files, got ${twice} twice`,
    );
}

function replayOptions(
  flags: ReplayFlags,
  memory: BayesianToolMemory | undefined,
  lines: string[],
): ReplayOptions {
  const { seed, tasks, seeds, policies, update, pClean, budget, maxConsecutive, output } = flags;
  const onRow = (row: object): void => {
    lines.push(`${JSON.stringify(row)}\n`);
  };
  return {
    ...present({ seed, tasks, seeds, update, pClean, budget, maxConsecutive, memory }),
    // Checked by replayRetail, which names them.
    ...(policies !== undefined && { policies: policies as readonly ReplayPolicyName[] }),
    ...(output !== undefined && { onRow }),
  };
}
