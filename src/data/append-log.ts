import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { CalibrantError, errorMessage } from "../errors.ts";
import { fileBytes } from "./file-bytes.ts";
import { type FileLock, lockFile } from "./file-lock.ts";

/** A JSON object of a line. */
export type LogRecord = Readonly<Record<string, unknown>>;

type OnRecord = (record: LogRecord, line: number, start: number) => void;

/** A file of JSON lines that only grows. */
export interface AppendLog {
  /** Bytes that the file holds, all of them whole records. */
  readonly length: number;
  /**
   * Writes one record as one line, handed to the system whole before this returns: a process that is killed, even with
   * SIGKILL, loses no record.
   *
   * @throws CalibrantError `io` when the disk is full or gone, and the file then ends with the record before; or when the file
   *   was removed or replaced.
   */
  append(record: LogRecord): void;
  /**
   * Waits for the disk, closes the file and removes the lock. A file that this log made and added nothing to is removed, one that was
   * there empty stays. A second call does nothing.
   */
  close(): void;
}

/** Is told what the file holds. */
export interface OpenLogOptions {
  /**
   * Gets every record that is there, with its line from 1 and the byte at which that begins; what it throws refuses the file, which
   * stays as it was.
   */
  readonly onRecord?: OnRecord;
  /** Told how many bytes of an unfinished last line were cut off. */
  readonly onCut?: (bytes: number) => void;
  /** How far this process knows the file already: records before this byte are not read again. Default 0. */
  readonly from?: number;
}

/**
 * Opens a file of JSON lines to add records, and hands back those that it holds. The file is made when it is not there. A last line
 * that a kill or a power cut left unfinished is cut off.
 *
 * One process at a time: `path.lock` names it until `close`. Records are not flushed to the disk one by one, only at the end: a
 * killed process loses nothing, a power cut may lose the last seconds.
 *
 * @throws CalibrantError `io` when the path cannot be written or another process writes it; `data` naming the line when the
 *   file holds anything but JSON objects, a line each: it is then left as it was.
 */
export async function openAppendLog(path: string, options: OpenLogOptions = {}): Promise<AppendLog> {
  const target = checkedTarget(path);
  const lock = lockFile(target);
  try {
    const { length, cut, newline } = await readAppendLog(path, options.onRecord, options.from);
    const { file, made } = openForAppend(path);
    if (cut > 0) {
      ftruncateSync(file, length);
      options.onCut?.(cut);
    }
    const start = newline ? length : length + writeWhole(path, file, "\n", length);
    return appendLog(path, { file, made, lock, start });
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** A file that is open to add to. */
interface OpenFile {
  readonly file: number;
  /** Whether it was not there before. */
  readonly made: boolean;
}

interface LogParts extends OpenFile {
  readonly lock: FileLock;
  /** Bytes that the file holds. */
  readonly start: number;
}

function appendLog(path: string, { file, made, lock, start }: LogParts): AppendLog {
  let length = start;
  let open = true;
  return {
    get length() {
      return length;
    },
    append(record) {
      checkInPlace(path, file);
      length += writeWhole(path, file, `${JSON.stringify(record)}\n`, length);
    },
    close() {
      if (!open) return;
      open = false;
      try {
        fsyncSync(file);
        closeSync(file);
        if (made && length === 0) removeEmpty(path);
      } finally {
        lock.release();
      }
    },
  };
}

/** Two names of one file share its lock. */
function checkedTarget(path: string): string {
  const there = statSync(path, { throwIfNoEntry: false });
  const folder = dirname(path);
  const problem =
    there === undefined
      ? statSync(folder, { throwIfNoEntry: false }) === undefined && `there is no folder ${folder}`
      : !there.isFile() && "it is no regular file";
  if (problem) throw cannotWrite(path, new Error(problem));
  return there === undefined ? futurePath(path) : realPath(path);
}

/** Another run that made the file and added nothing removes it at its end: it may be gone since it was looked at. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return futurePath(path);
    throw cannotWrite(path, error);
  }
}

/** Where a file that is not there yet will be: a symbolic link may lead to no file as well. */
function futurePath(path: string): string {
  const folder = realpathSync(dirname(path));
  const place = join(folder, basename(path));
  const isLink = lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? futurePath(resolve(folder, readlinkSync(place))) : place;
}

function openForAppend(path: string): OpenFile {
  try {
    return { file: openSync(path, "ax"), made: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw cannotWrite(path, error);
  }
  try {
    return { file: openSync(path, "a"), made: false };
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/** Something else may have been put under this name meanwhile, and must stay. */
function removeEmpty(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.size === 0) rmSync(path, { force: true });
}

/** Records that go to a file without a name would be lost. */
function checkInPlace(path: string, file: number): void {
  const there = statSync(path, { throwIfNoEntry: false });
  const own = fstatSync(file);
  if (there !== undefined && there.ino === own.ino && there.dev === own.dev) return;
  throw cannotWrite(path, new Error("it was removed or replaced while this run was writing to it"));
}

/** Usually one write; a disk that fills up takes a part, which is taken back. @returns the bytes written. */
function writeWhole(path: string, file: number, text: string, length: number): number {
  const bytes = Buffer.from(text);
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
  } catch (error) {
    ftruncateSync(file, length);
    throw cannotWrite(path, error);
  }
  return bytes.length;
}

function cannotWrite(path: string, error: unknown): CalibrantError {
  return new CalibrantError("io", `cannot write ${path}: ${errorMessage(error)}`, { path }, { cause: error });
}

/** What {@link readAppendLog} found. */
export interface LogExtent {
  /** Bytes up to the end of the last whole record. */
  readonly length: number;
  /** Bytes of an unfinished last line behind it. */
  readonly cut: number;
  /** Whether the last whole record ends with a line break. */
  readonly newline: boolean;
}

/**
 * Reads the records of a log without touching it; a file that is not there is an empty one.
 *
 * @param from - the byte to begin at; where no line ends just before it, the file is not the one that was read, and all is.
 * @throws CalibrantError `io` or `data` as {@link openAppendLog}, or what `onRecord` throws.
 */
export async function readAppendLog(
  path: string,
  onRecord: OnRecord = () => undefined,
  from = 0,
): Promise<LogExtent> {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return { length: 0, cut: 0, newline: true };
  const start = from > 0 && endsLineAt(path, from) ? from : 0;
  try {
    return await readRecords(path, onRecord, start);
  } catch (error) {
    // A line is named by its number in the file.
    if (start > 0 && error instanceof CalibrantError) await readRecords(path, () => undefined, 0);
    throw error;
  }
}

async function readRecords(path: string, onRecord: OnRecord, from: number): Promise<LogExtent> {
  let length = from;
  let line = 0;
  let rest: Uint8Array = new Uint8Array(0);
  for await (const piece of fileBytes(path, undefined, from)) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      line++;
      takeLine(path, bytes.subarray(start, end), { line, start: length + start }, onRecord);
      start = end + 1;
    }
    length += start;
    rest = bytes.subarray(start);
  }
  return endOf(path, rest, { line: line + 1, start: length }, onRecord);
}

/** Whether a line ends with the byte before `offset`. */
function endsLineAt(path: string, offset: number): boolean {
  const file = openSync(path, "r");
  try {
    const byte = new Uint8Array(1);
    return readSync(file, byte, 0, 1, offset - 1) === 1 && byte[0] === 10;
  } finally {
    closeSync(file);
  }
}

/** Where a line stands in its file. */
interface LinePlace {
  readonly line: number;
  readonly start: number;
}

function takeLine(path: string, bytes: Uint8Array, { line, start }: LinePlace, onRecord: OnRecord): void {
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === "") return;
  const record = objectIn(text);
  if (record === null) throw notALog(path, line, text);
  onRecord(record, line, start);
}

/** The text behind the last line break: nothing, a whole record, the beginning of one, or something else altogether. */
function endOf(
  path: string,
  rest: Uint8Array,
  { line, start: length }: LinePlace,
  onRecord: OnRecord,
): LogExtent {
  if (rest.length === 0) return { length, cut: 0, newline: true };
  const text = new TextDecoder().decode(rest);
  const record = objectIn(text);
  if (record !== null) {
    onRecord(record, line, length);
    return { length: length + rest.length, cut: 0, newline: false };
  }
  // After a power cut a file may end with zeros where data never reached the disk.
  if (!/^(\{"|\{?\0*$|\s*$)/.test(text)) throw notALog(path, line, text);
  return { length, cut: rest.length, newline: true };
}

function objectIn(text: string): LogRecord | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as LogRecord) : null;
  } catch {
    return null;
  }
}

function notALog(path: string, line: number, text: string): CalibrantError {
  const message = `${path} line ${line}: expected a JSON object, got ${text.slice(0, 40).trim()}; name another file for the results`;
  return new CalibrantError("data", message, { path, line });
}
