import type { ColumnRequest, RolloutBatch } from "../../data/columns.ts";
import type { InputTask, TaskSource } from "./input-task.ts";

/** Some consecutive rows of a task. */
export interface ReadRows {
  readonly batch: RolloutBatch;
  /** Bare NaN and infinities met in JSONL, by column. */
  readonly nonFinite: Readonly<Record<string, number>>;
}

/**
 * Reads the rows of a task, columns under the job's names.
 *
 * @throws CalibrantError `data`/`io` for rows that cannot be read.
 */
export async function* readTask(task: InputTask): AsyncGenerator<ReadRows> {
  const requests = sourceRequests(task.source);
  if (task.kind === "jsonl") {
    const { readJsonlTask } = await import("./read-jsonl-task.ts");
    const { batch, nonFinite } = readJsonlTask(task, requests);
    yield { batch: underJobNames(batch, task.source), nonFinite };
  } else if (task.kind === "arrow") {
    const { decodeArrowChunk } = await import("../../data/arrow/decode-arrow-chunk.ts");
    const { batchFromArrow } = await import("../../data/arrow/arrow-columns.ts");
    const record = await decodeArrowChunk(task.prefix, task.batch, task.source.name);
    const batch = batchFromArrow(record, requests, task.source.name, task.firstRow);
    yield { batch: underJobNames(batch, task.source), nonFinite: {} };
  } else {
    for await (const batch of readParquet(task, requests))
      yield { batch: underJobNames(batch, task.source), nonFinite: {} };
  }
}

type ParquetTask = Extract<InputTask, { kind: "parquet" }>;

/** DuckDB where it is installed: flat memory however large a row group is; else row group by row group. */
async function* readParquet(
  task: ParquetTask,
  requests: readonly ColumnRequest[],
): AsyncGenerator<RolloutBatch> {
  const { rowStart, rowEnd } = task;
  const { hasDuckdb, readParquetColumns } = await import("../../data/parquet/read-parquet-duckdb.ts");
  if (await hasDuckdb()) {
    yield* readParquetColumns(task.path, requests, { rowStart, rowEnd, threads: 1 });
    return;
  }
  const { readParquetColumnsByWasm } = await import("../../data/parquet/read-parquet-columns-wasm.ts");
  yield* readParquetColumnsByWasm(task.path, requests, { rowStart, rowEnd });
}

/** The requests under the file's own column names. */
function sourceRequests(source: TaskSource): ColumnRequest[] {
  const renames = new Map(source.renames);
  const nameOf = (name: string): string => renames.get(name) ?? name;
  return source.requests.map(({ fallbackFor, ...request }) => ({
    ...request,
    name: nameOf(request.name),
    ...(fallbackFor !== undefined && { fallbackFor: nameOf(fallbackFor) }),
  }));
}

function underJobNames(batch: RolloutBatch, source: TaskSource): RolloutBatch {
  if (source.renames.length === 0) return batch;
  const renames = new Map(source.renames);
  const columns = new Map(
    source.requests.flatMap((request) => {
      const column = batch.columns.get(renames.get(request.name) ?? request.name);
      return column === undefined ? [] : [[request.name, column] as const];
    }),
  );
  return { ...batch, columns };
}
