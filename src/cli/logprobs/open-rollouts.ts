import { stat } from "node:fs/promises";
import type { LogRecord } from "../../data/append-log.ts";
import type { ColumnRenames } from "../../data/check-columns.ts";
import type { ColumnNeeds, FoundColumn, RolloutBatch } from "../../data/columns.ts";
import { expandInputs } from "../../data/expand-inputs.ts";
import { CalibrantError } from "../../errors.ts";
import { checkInputs, taskSource } from "../input/check-inputs.ts";
import type { TaskSource } from "../input/input-task.ts";
import { inputTasks } from "../input/input-tasks.ts";
import { inspectInput } from "../input/inspect-input.ts";
import type { Progress } from "../input/progress.ts";
import { readTask } from "../input/read-task.ts";
import { arrowOptions, openRunInput, type RunInput } from "../input/run-input.ts";
import { copyStandardInput, type InputCopy } from "./copy-standard-input.ts";

/** Rollouts that get columns: files that can be read more than once. */
export interface Rollouts {
  readonly inputs: readonly RunInput[];
  /** The columns of each input. */
  readonly found: readonly (readonly FoundColumn[])[];
  /** Path, bytes and time of change of each file; of standard input bytes and SHA-256. */
  readonly fingerprint: readonly LogRecord[];
  /**
   * All rows in order, under the job's names.
   *
   * @throws CalibrantError `schema` when a needed column is missing or mistyped, or a row has an added column already.
   */
  read(needs: ColumnNeeds): AsyncGenerator<{ readonly batch: RolloutBatch; readonly file: string }>;
  /** The number of rows. JSON Lines are read through, so that a broken line is known before hours of work. @throws as `read`. */
  count(): Promise<number>;
  /** Removes the copy of standard input, if there is one, without waiting. */
  close(): void;
}

/** What {@link openRollouts} is told. */
export interface RolloutsOptions {
  /** The adapter to read them through, or null. */
  readonly from: string | null;
  readonly columns: ColumnRenames;
  /** Names of the columns that rows get. */
  readonly added: readonly string[];
  readonly progress?: Pick<Progress, "add">;
}

/**
 * Opens files of rollouts (globs; `-` is standard input, which is copied to a temporary file).
 *
 * @throws CalibrantError `io` or `data` for one that cannot be read; `schema` when one has a column that is to be added.
 */
export async function openRollouts(
  files: readonly string[],
  { from, columns, added, progress }: RolloutsOptions,
): Promise<Rollouts> {
  let copy: InputCopy | null = null;
  try {
    const inputs: RunInput[] = [];
    const fingerprint: LogRecord[] = [];
    for (const file of await expandInputs(files)) {
      if (file !== "-") {
        inputs.push(await openRunInput(file, from));
        fingerprint.push(await fileFingerprint(file));
        continue;
      }
      if (copy !== null) throw new CalibrantError("usage", "standard input (-) can be given once");
      copy = await copyStandardInput();
      inputs.push({ ...(await openRunInput(copy.path, from)), name: "<stdin>" });
      fingerprint.push({ path: "-", bytes: copy.bytes, sha256: copy.sha256 });
    }
    const found: FoundColumn[][] = [];
    for (const input of inputs) found.push(checkAdded(await inspectInput(input), added, input.name));
    return {
      inputs,
      found,
      fingerprint,
      async *read(needs) {
        const checked = checkInputs(inputs, found, needs, columns);
        const sources = checked.map((input) => taskSource(input, needs, columns, added));
        for await (const task of inputTasks(inputs, sources)) {
          for await (const { batch } of readTask(task)) {
            progress?.add(batch.rows);
            yield { batch, file: task.source.name };
          }
        }
      },
      count: () => countRows(inputs, added),
      close: () => copy?.remove(),
    };
  } catch (error) {
    copy?.remove();
    throw error;
  }
}

/** What a file was when a run began: one that changed makes other numbers. */
export async function fileFingerprint(path: string): Promise<LogRecord> {
  const { size, mtimeMs } = await stat(path);
  return { path, bytes: size, modified: mtimeMs };
}

function checkAdded(found: FoundColumn[], added: readonly string[], name: string): FoundColumn[] {
  const twice = added.filter((column) => found.some((other) => other.name === column));
  if (twice.length === 0) return found;
  throw new CalibrantError(
    "schema",
    `${name} already has ${twice.join(", ")}: name the added columns apart with a prefix, for example --prefix new_`,
    { columns: twice },
  );
}

async function countRows(inputs: readonly RunInput[], added: readonly string[]): Promise<number> {
  let rows = 0;
  for (const input of inputs) {
    if (input.format === "parquet") rows += await parquetRows(input);
    else if (input.format === "arrow") rows += await arrowRows(input);
    else rows += await jsonlRows(input, { name: input.name, requests: [], renames: [], added });
  }
  return rows;
}

async function parquetRows(input: RunInput): Promise<number> {
  const { readParquetFooter } = await import("../../data/parquet/parquet-footer.ts");
  return (await readParquetFooter(input.path as string)).rows;
}

async function arrowRows(input: RunInput): Promise<number> {
  const { arrowChunks } = await import("../../data/arrow/arrow-messages.ts");
  let rows = 0;
  for await (const chunk of arrowChunks(input.bytes(), input.name, arrowOptions(input))) rows += chunk.rows;
  return rows;
}

async function jsonlRows(input: RunInput, source: TaskSource): Promise<number> {
  let rows = 0;
  for await (const task of inputTasks([input], [source]))
    for await (const { batch } of readTask(task)) rows += batch.rows;
  return rows;
}
