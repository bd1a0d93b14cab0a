import { closeSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type AppendLog, type LogRecord, openAppendLog } from "../../data/append-log.ts";
import type { AppendedColumn } from "../../data/arrow/append-arrow-columns.ts";
import type { ResultColumn } from "../../data/columns.ts";
import { lockFile } from "../../data/file-lock.ts";
import { CalibrantError } from "../../errors.ts";
import { grown } from "../../math/growable.ts";
import { settingsAsRead } from "../asking/setting-differences.ts";
import { writeErrorLine } from "../error-line.ts";
import { columnOfRows, type RowValue, spoolValue } from "./row-values.ts";

export type { RowValue } from "./row-values.ts";

/** What a run has found out about a row. */
export interface FinishedRow {
  /** By name of the added column; one that is not there is null. */
  readonly values: Readonly<Record<string, RowValue>>;
  /** JSON that is no column: what the summary needs. */
  readonly note?: LogRecord;
}

/** Some consecutive rows, by column. */
export interface SpooledRows {
  readonly rows: number;
  readonly columns: readonly ResultColumn[];
  readonly notes: readonly (LogRecord | null)[];
}

/** Finished rows in a file, in any order, until all are there: a run that is killed goes on with them. */
export interface RowSpool {
  /** How many rows are there. */
  readonly size: number;
  has(row: number): boolean;
  /** Adds a row, which is not there yet: one line, handed to the system before this returns. @throws as `AppendLog.append`. */
  append(row: number, finished: FinishedRow): void;
  /** Ends adding: waits for the disk and lets the lock go. Reading goes on. */
  seal(): void;
  /** Bytes that rows `start … end - 1` take. */
  bytes(start: number, end: number): number;
  /** Rows `start … end - 1`; those that are not there are null in every column, with a null note. */
  read(start: number, end: number): Promise<SpooledRows>;
  /** Closes and keeps the file for the next run; one without rows or a temporary one goes. Without waiting; a second call does nothing. */
  close(): void;
  /** Closes and removes the file. */
  remove(): void;
}

/** What {@link openRowSpool} is told. */
export interface RowSpoolOptions {
  /** The file that the rows are for; null or `-` = a temporary spool, with which nothing can go on. */
  readonly output: string | null;
  /** Everything that the numbers depend on, the inputs' fingerprints included. */
  readonly settings: LogRecord;
  readonly columns: readonly AppendedColumn[];
  /** Begins anew, whatever is there. */
  readonly restart: boolean;
}

/** The file that keeps the rows of an output that is not finished. */
export function spoolPath(output: string): string {
  return `${output}.partial`;
}

/**
 * Opens the spool of an output, `<output>.partial`, with the rows that an earlier run left there. Memory holds where rows lie, not what
 * they hold.
 *
 * @throws CalibrantError `data` when the file is none of a spool or was begun with other settings; as `openAppendLog`.
 */
export async function openRowSpool(options: RowSpoolOptions): Promise<RowSpool> {
  const { output, restart } = options;
  const folder = output === null || output === "-" ? mkdtempSync(join(tmpdir(), "calibrant-")) : null;
  const path = folder === null ? spoolPath(output as string) : join(folder, "rows");
  if (restart && folder === null) removeOld(path);
  const index = createRowIndex();
  try {
    const log = await openLog(path, options, index);
    return rowSpool({ path, folder, log, index, columns: options.columns });
  } catch (error) {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Not while another run writes it. */
function removeOld(path: string): void {
  const lock = lockFile(path);
  rmSync(path, { force: true });
  lock.release();
}

async function openLog(path: string, options: RowSpoolOptions, index: RowIndex): Promise<AppendLog> {
  const settings = settingsAsRead(options.settings);
  let refusal: CalibrantError | null = null;
  let previous = -1;
  let lastStart = 0;
  const log = await openAppendLog(path, {
    onRecord(record, line, start) {
      if (line === 1) {
        refusal = otherSettings(path, record, settings);
        return;
      }
      if (refusal !== null) throw refusal;
      const row = rowOf(record);
      if (row === null || row === previous || index.has(row)) throw noSpool(path, line);
      if (previous >= 0) index.set(previous, lastStart, start);
      previous = row;
      lastStart = start;
    },
    onCut: (bytes) => {
      writeErrorLine(`${path}: cut off ${bytes} bytes of a last line that was not written whole`);
    },
  });
  if (refusal !== null) {
    // There is no row that could be lost.
    log.close();
    removeOld(path);
    return openLog(path, options, index);
  }
  if (previous >= 0) index.set(previous, lastStart, log.length);
  if (log.length === 0) log.append({ calibrant: "logprobs", settings });
  return log;
}

function rowOf({ row }: LogRecord): number | null {
  return typeof row === "number" && Number.isSafeInteger(row) && row >= 0 ? row : null;
}

/** The error of rows that were found out with other settings. @throws CalibrantError `data` for a file of other things. */
function otherSettings(path: string, record: LogRecord, settings: LogRecord): CalibrantError | null {
  const { settings: before } = record;
  if (record.calibrant !== "logprobs" || typeof before !== "object" || before === null)
    throw noSpool(path, 1);
  const old = before as LogRecord;
  const names = [...new Set([...Object.keys(old), ...Object.keys(settings)])];
  const other = names.filter((name) => !isDeepStrictEqual(old[name], settings[name]));
  if (other.length === 0) return null;
  const words = other.map((name) => difference(name, old[name], settings[name])).join("; ");
  return new CalibrantError(
    "data",
    `${path} was begun with other settings (${words}): delete it or give --restart to begin anew`,
    { path, settings: other },
  );
}

/** `temperature is 1, of this run 2`; lists of files only by their name. */
function difference(name: string, old: unknown, now: unknown): string {
  const isPlain = [old, now].every((value) => typeof value !== "object" || value === null);
  return isPlain ? `${name} is ${String(old)}, of this run ${String(now)}` : `${name} changed`;
}

function noSpool(path: string, line: number): CalibrantError {
  return new CalibrantError(
    "data",
    `${path} line ${line}: no row of calibrant logprobs: delete the file or give --restart to begin anew`,
    { path, line },
  );
}

/** Where in the file rows lie. */
interface RowIndex {
  readonly size: number;
  has(row: number): boolean;
  set(row: number, start: number, end: number): void;
  /** [start, end), or null. */
  at(row: number): readonly [number, number] | null;
}

function createRowIndex(): RowIndex {
  let starts = new Float64Array(0);
  let ends = new Float64Array(0);
  let size = 0;
  // No row begins at byte 0, where the settings are.
  const has = (row: number): boolean => row < starts.length && (starts[row] as number) > 0;
  return {
    get size() {
      return size;
    },
    has,
    set(row, start, end) {
      starts = grown(starts, row + 1);
      ends = grown(ends, row + 1);
      starts[row] = start;
      ends[row] = end;
      size += 1;
    },
    at: (row) => (has(row) ? [starts[row] as number, ends[row] as number] : null),
  };
}

interface SpoolParts {
  readonly path: string;
  /** Of a temporary spool. */
  readonly folder: string | null;
  readonly log: AppendLog;
  readonly index: RowIndex;
  readonly columns: readonly AppendedColumn[];
}

function rowSpool({ path, folder, log, index, columns }: SpoolParts): RowSpool {
  let file: number | null = null;
  let isClosed = false;
  const close = (): void => {
    log.close();
    if (file !== null) closeSync(file);
    file = null;
    if (index.size === 0 && folder === null && !isClosed) rmSync(path, { force: true });
    isClosed = true;
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  };
  const recordOf = (row: number): SpoolRecord | null => {
    const place = index.at(row);
    if (place === null) return null;
    file ??= openSync(path, "r");
    return JSON.parse(textAt(path, file, place)) as SpoolRecord;
  };
  return {
    get size() {
      return index.size;
    },
    has: index.has,
    append(row, { values, note }) {
      const start = log.length;
      const kept = Object.entries(values).map(([name, value]) => [name, spoolValue(value)]);
      log.append({ row, values: Object.fromEntries(kept), ...(note !== undefined && { note }) });
      index.set(row, start, log.length);
    },
    seal: () => log.close(),
    bytes(start, end) {
      let bytes = 0;
      for (let row = start; row < end; row += 1) {
        const [from, to] = index.at(row) ?? [0, 0];
        bytes += to - from;
      }
      return bytes;
    },
    async read(start, end) {
      const records: (SpoolRecord | null)[] = [];
      for (let row = start; row < end; row += 1) records.push(recordOf(row));
      return {
        rows: end - start,
        columns: columns.map((column) =>
          columnOfRows(
            column,
            records.map((record) => record?.values[column.name] ?? null),
          ),
        ),
        notes: records.map((record) => record?.note ?? null),
      };
    },
    close,
    remove() {
      close();
      rmSync(path, { force: true });
    },
  };
}

/** A line of the spool. */
interface SpoolRecord {
  readonly row: number;
  readonly values: Readonly<Record<string, unknown>>;
  readonly note?: LogRecord;
}

function textAt(path: string, file: number, [start, end]: readonly [number, number]): string {
  const bytes = Buffer.allocUnsafe(end - start);
  for (let done = 0; done < bytes.length; ) {
    const read = readSync(file, bytes, done, bytes.length - done, start + done);
    if (read === 0) throw new CalibrantError("io", `${path} became shorter while it was read`, { path });
    done += read;
  }
  return bytes.toString("utf8");
}
