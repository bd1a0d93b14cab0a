import type { InputTask, TaskSource } from "./input-task.ts";
import { arrowOptions, type RunInput } from "./run-input.ts";

/** Rows of a Parquet task: whole row groups up to about this many rows. */
const PARQUET_TASK_ROWS = 65_536;

/**
 * Cuts inputs into tasks, in order.
 *
 * @param sources - what to read of each input, in the order of `inputs`.
 * @throws CalibrantError `data`/`io` for an input that cannot be read.
 */
export async function* inputTasks(
  inputs: readonly RunInput[],
  sources: readonly TaskSource[],
): AsyncGenerator<InputTask> {
  for (const [index, input] of inputs.entries()) {
    const source = sources[index] as TaskSource;
    if (input.format === "jsonl") yield* jsonlTasks(input, source);
    else if (input.format === "arrow") yield* arrowTasks(input, source);
    else yield* parquetTasks(input.path as string, source);
  }
}

async function* jsonlTasks(input: RunInput, source: TaskSource): AsyncGenerator<InputTask> {
  const { jsonlChunks } = await import("../../data/jsonl/jsonl-chunks.ts");
  let firstLine = 1;
  for await (const bytes of jsonlChunks(input.bytes(), input.name)) {
    const lines = countNewlines(bytes);
    yield { kind: "jsonl", bytes, firstLine, source };
    firstLine += lines;
  }
}

async function* arrowTasks(input: RunInput, source: TaskSource): AsyncGenerator<InputTask> {
  const { arrowChunks } = await import("../../data/arrow/arrow-messages.ts");
  let firstRow = 0;
  for await (const chunk of arrowChunks(input.bytes(), input.name, arrowOptions(input))) {
    yield { kind: "arrow", prefix: chunk.prefix, batch: chunk.batch, firstRow, source };
    firstRow += chunk.rows;
  }
}

async function* parquetTasks(path: string, source: TaskSource): AsyncGenerator<InputTask> {
  const { readParquetFooter } = await import("../../data/parquet/parquet-footer.ts");
  const footer = await readParquetFooter(path);
  let rowStart = 0;
  let rowEnd = 0;
  for (const [index, group] of footer.rowGroups.entries()) {
    rowEnd += group.rows;
    if (rowEnd - rowStart < PARQUET_TASK_ROWS && index + 1 < footer.rowGroups.length) continue;
    if (rowEnd > rowStart) yield { kind: "parquet", path, rowStart, rowEnd, source };
    rowStart = rowEnd;
  }
}

function countNewlines(bytes: Uint8Array): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  for (let at = buffer.indexOf(10); at >= 0; at = buffer.indexOf(10, at + 1)) count += 1;
  return count;
}
