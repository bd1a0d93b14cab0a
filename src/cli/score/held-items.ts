import type { Schema } from "apache-arrow";
import type { InputTask } from "../input/input-task.ts";
import { inputTasks } from "../input/input-tasks.ts";
import type { OutputFormat } from "./score-options.ts";
import type { ScoreRun } from "./score-run.ts";
import type { PassItem } from "./scored-target.ts";

/** The rows of a pipe, kept until their results are known. */
export interface HeldItems {
  /** The tasks to score, one item each. */
  readonly tasks: AsyncGenerator<InputTask>;
  /** The item of the next task, in order; null when there is no output. */
  next(): Promise<PassItem | null>;
  /** The Arrow schema of the rows; null when the output needs none. */
  readonly schema: Schema | null;
}

/** What is held: the inputs of a run, and what is read of them. */
type HeldRun = Pick<ScoreRun, "inputs" | "sources">;

/** Starts to hold the only input of a run, which is a pipe. */
export async function openHeldItems(run: HeldRun, format: OutputFormat | null): Promise<HeldItems> {
  const schema = format === null || format === "jsonl" ? null : await pipeSchema(run);
  const held: (() => Promise<PassItem>)[] = [];
  return {
    tasks: holdTasks(run, format === null ? null : held),
    next: async () => (await held.shift()?.()) ?? null,
    schema,
  };
}

async function* holdTasks(run: HeldRun, held: (() => Promise<PassItem>)[] | null): AsyncGenerator<InputTask> {
  for await (const task of inputTasks(run.inputs, run.sources)) {
    held?.push(itemOf(task));
    yield task;
  }
}

/** A task's buffers may be transferred to another thread, so what is kept is a copy. */
function itemOf(task: InputTask): () => Promise<PassItem> {
  if (task.kind === "jsonl") {
    const item: PassItem = {
      kind: "lines",
      bytes: task.bytes.slice(),
      name: task.source.name,
      firstLine: task.firstLine,
    };
    return async () => item;
  }
  if (task.kind === "parquet") throw new Error("Parquet is never read from a pipe");
  const { prefix } = task;
  const batch = task.batch.slice();
  return async () => {
    const { decodeArrowChunk } = await import("../../data/arrow/decode-arrow-chunk.ts");
    const { name } = task.source;
    return { kind: "batch", batch: await decodeArrowChunk(prefix, batch, name), name };
  };
}

async function pipeSchema(run: HeldRun): Promise<Schema> {
  const [input] = run.inputs;
  if (input === undefined) throw new Error("a pipe run has one input");
  if (input.format === "arrow") {
    const { readArrowSchema } = await import("../../data/arrow/arrow-messages.ts");
    return readArrowSchema(input.peek(), input.name);
  }
  const { jsonlChunks } = await import("../../data/jsonl/jsonl-chunks.ts");
  const { parseJsonlChunk } = await import("../../data/jsonl/parse-jsonl-chunk.ts");
  const { createRowSchema } = await import("../../data/arrow/rows-to-arrow.ts");
  const schema = createRowSchema();
  for await (const bytes of jsonlChunks(input.peek(), input.name, { chunkBytes: 1 << 18 })) {
    const chunk = parseJsonlChunk(bytes, input.name, 1, { exactIntegers: true });
    schema.add(chunk.rows, input.name, chunk.lineNumbers);
    break;
  }
  return schema.finish();
}
