import { rmSync } from "node:fs";
import type { AtomicFile } from "../../data/atomic-file.ts";
import type { ByteSink } from "../../data/byte-sink.ts";
import { formatFromName } from "../../data/file-format.ts";
import type { Progress } from "../input/progress.ts";
import type { RunInput } from "../input/run-input.ts";
import { onSignals } from "../on-signals.ts";
import { standardOutput } from "../standard-output.ts";
import type { OutputFormat, ScoreOptions } from "./score-options.ts";

/**
 * Opens the output, hands it to `work` (null = a summary alone) and puts it in its place when that is done. Whatever goes
 * wrong, a signal included, the file that was there before stays as it was.
 */
export async function withOutput<T>(
  path: string | null,
  progress: Pick<Progress, "end">,
  work: (sink: ByteSink | null) => Promise<T>,
): Promise<T> {
  const temporaries: string[] = [];
  const forgetSignals = onSignals(() => {
    progress.end();
    for (const temporary of temporaries) rmSync(temporary, { force: true });
  });
  let file: AtomicFile | null = null;
  try {
    file = await openOutputFile(path, temporaries);
    const result = await work(file ?? (path === "-" ? standardOutput() : null));
    progress.end();
    await file?.commit();
    return result;
  } catch (error) {
    progress.end();
    await file?.discard();
    throw error;
  } finally {
    forgetSignals();
  }
}

/** Opened first, so that a path that cannot be written is known before hours of work. */
async function openOutputFile(path: string | null, temporaries: string[]): Promise<AtomicFile | null> {
  if (path === null || path === "-") return null;
  const { openAtomicFile } = await import("../../data/atomic-file.ts");
  return openAtomicFile(path, process.pid, (temporary) => temporaries.push(temporary));
}

/** The format of the output: what was asked for, that of its name, or that of the first input. */
export function outputFormat(
  { format, output }: Pick<ScoreOptions, "format" | "output">,
  inputs: readonly Pick<RunInput, "format">[],
): OutputFormat {
  if (format !== null) return format;
  if (output !== null && output !== "-") return formatFromName(output);
  return inputs[0]?.format === "jsonl" ? "jsonl" : "arrows";
}
