import { statSync } from "node:fs";
import type { AppendedColumn } from "../../data/arrow/append-arrow-columns.ts";
import { openAtomicFile } from "../../data/atomic-file.ts";
import type { ByteSink } from "../../data/byte-sink.ts";
import type { ResultColumn } from "../../data/columns.ts";
import { lineRanges } from "../../data/jsonl/line-ranges.ts";
import { CalibrantError } from "../../errors.ts";
import type { Progress } from "../input/progress.ts";
import type { RunInput } from "../input/run-input.ts";
import { type PassInput, passInput } from "../score/pass-items.ts";
import type { OutputFormat } from "../score/score-options.ts";
import { outputFormat, withOutput } from "../score/score-output.ts";
import { openScoredTarget, type PassItem } from "../score/scored-target.ts";
import type { RowSpool, SpooledRows } from "./row-spool.ts";

/** What {@link joinOutput} is told. */
export interface JoinOptions {
  /** Rollouts that get the columns, row r those of row r of the spool; null = a table of the added columns alone. */
  readonly rollouts: readonly RunInput[] | null;
  readonly rows: number;
  readonly spool: RowSpool;
  /** The columns to write, all of them columns of the spool. */
  readonly columns: readonly AppendedColumn[];
  /** Null = no output, only `onRows`; `-` = standard output. */
  readonly output: string | null;
  readonly format: OutputFormat | null;
  /** JSON text that Arrow and Parquet outputs keep under the key `calibrant`. */
  readonly note: string;
  readonly progress: Pick<Progress, "end" | "stage">;
  /** Told of all rows once, in order. */
  readonly onRows?: (rows: SpooledRows, firstRow: number) => void;
}

/** How much of the spool is read at a time. */
const PIECE_BYTES = 1 << 24;
/** Added columns of one Parquet row group are encoded whole; above this the row groups are made anew. */
const SPLICE_BYTES = 1 << 28;
/** Rows of a table without rollouts that are made at a time. */
const TABLE_ROWS = 4096;

/**
 * Puts finished rows beside the rollouts that they belong to: the spool is sealed, the output written whole or not at all, and the spool
 * removed when it is there. Memory holds a few MiB of rows, however many there are.
 *
 * @throws CalibrantError `data` when the rollouts have another number of rows; as the writers. The spool then stays.
 */
export async function joinOutput(options: JoinOptions): Promise<void> {
  const { spool, output, progress } = options;
  spool.seal();
  progress.stage("writing");
  await withOutput(output, progress, async (sink) => {
    const rows = takeRows(options);
    await (sink === null ? rows.skip() : writeRows(options, rows, sink));
    rows.end();
  });
  spool.remove();
}

/**
 * Fails now where `path` could not be written after hours of work, or would be written over a tensor.
 *
 * @param tensors - files that are read and must stay.
 * @throws CalibrantError `usage` for one of these; `io` as `openAtomicFile`.
 */
export async function checkOutput(path: string | null, tensors: readonly string[] = []): Promise<void> {
  if (path === null || path === "-") return;
  const there = statSync(path, { throwIfNoEntry: false });
  const isTensor = (file: string): boolean => {
    const { dev, ino } = statSync(file);
    return there !== undefined && dev === there.dev && ino === there.ino;
  };
  if (/\.(npy|npz|safetensors|pt|pth|bin)$/i.test(path) || tensors.some(isTensor))
    throw new CalibrantError(
      "usage",
      `-o must not be a file of tensors: name a .jsonl, .arrow or .parquet file, got ${path}`,
      { output: path },
    );
  const file = await openAtomicFile(path, process.pid);
  await file.discard();
}

/** The rows of a spool, one after the other. */
interface RowTaker {
  /** How many of the next `most` rows make a piece of bearable size; at least one. */
  piece(most: number): number;
  take(rows: number): Promise<ResultColumn[]>;
  /** Takes all that are left. */
  skip(): Promise<void>;
  /** @throws CalibrantError `data` when rows are left. */
  end(): void;
}

function takeRows({ spool, rows: total, columns, onRows }: JoinOptions): RowTaker {
  const names = new Set(columns.map((column) => column.name));
  let next = 0;
  const piece = (most: number): number => {
    let count = 1;
    let bytes = spool.bytes(next, next + 1);
    while (count < most && bytes < PIECE_BYTES) {
      bytes += spool.bytes(next + count, next + count + 1);
      count += 1;
    }
    return count;
  };
  const take = async (rows: number): Promise<ResultColumn[]> => {
    if (next + rows > total) throw changedRollouts(total);
    const found = await spool.read(next, next + rows);
    onRows?.(found, next);
    next += rows;
    return found.columns.filter((column) => names.has(column.name));
  };
  return {
    piece,
    take,
    async skip() {
      while (next < total) await take(piece(total - next));
    },
    end() {
      if (next !== total) throw changedRollouts(total);
    },
  };
}

function changedRollouts(rows: number): CalibrantError {
  return new CalibrantError(
    "data",
    `the rollouts changed while they were read: they no longer have ${rows} rows`,
    { rows },
  );
}

async function writeRows(options: JoinOptions, rows: RowTaker, sink: ByteSink): Promise<void> {
  const { rollouts, columns, note } = options;
  const format = outputFormat(options, rollouts ?? TABLE_INPUTS);
  if (rollouts !== null && format === "parquet" && (await canSplice(rollouts, options.spool))) {
    const { spliceParquet } = await import("../../data/parquet/splice-parquet.ts");
    const paths = rollouts.map((input) => input.path as string);
    await spliceParquet(paths, sink, { added: columns, take: rows.take, note });
    return;
  }
  const needsSchema = format !== "jsonl";
  const pass =
    rollouts === null ? await tableInput(options.rows, needsSchema) : await passInput(rollouts, needsSchema);
  const target = await openScoredTarget(format, sink, { outputs: columns, note }, pass.schema);
  for await (const item of pass.items()) {
    for (const part of parts(item, rows)) await target.write(part.item, await rows.take(part.rows));
  }
  await target.close();
}

/** A table of its own is JSON Lines where nothing else is asked for. */
const TABLE_INPUTS: readonly Pick<RunInput, "format">[] = [{ format: "jsonl" }];

async function canSplice(rollouts: readonly RunInput[], spool: RowSpool): Promise<boolean> {
  if (rollouts.some((input) => input.format !== "parquet")) return false;
  const { readParquetFooter } = await import("../../data/parquet/parquet-footer.ts");
  let row = 0;
  for (const input of rollouts) {
    for (const group of (await readParquetFooter(input.path as string)).rowGroups) {
      if (spool.bytes(row, row + group.rows) > SPLICE_BYTES) return false;
      row += group.rows;
    }
  }
  return true;
}

/** Rows without columns of their own. */
async function tableInput(rows: number, needsSchema: boolean): Promise<PassInput> {
  const { createRowSchema } = await import("../../data/arrow/rows-to-arrow.ts");
  return {
    schema: needsSchema ? createRowSchema().finish() : null,
    async *items() {
      for (let at = 0; at < rows; at += TABLE_ROWS) {
        const bytes = Buffer.from("{}\n".repeat(Math.min(TABLE_ROWS, rows - at)));
        yield { kind: "lines", bytes, name: "rows", firstLine: at + 1 };
      }
    },
  };
}

/** An item of the input in parts whose added columns fit in memory. */
function* parts(
  item: PassItem,
  rows: RowTaker,
): Generator<{ readonly item: PassItem; readonly rows: number }> {
  if (item.kind === "batch") {
    const { batch } = item;
    for (let at = 0; at < batch.numRows; ) {
      const count = rows.piece(batch.numRows - at);
      yield { item: { ...item, batch: batch.slice(at, at + count) }, rows: count };
      at += count;
    }
    return;
  }
  const { starts, ends, newlinesBefore } = lineRanges(item.bytes);
  for (let at = 0; at < starts.length; ) {
    const count = rows.piece(starts.length - at);
    const bytes = item.bytes.subarray(starts[at] as number, ends[at + count - 1] as number);
    yield {
      item: { ...item, bytes, firstLine: item.firstLine + (newlinesBefore[at] as number) },
      rows: count,
    };
    at += count;
  }
}
