import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CalibrantError, errorMessage } from "../errors.ts";
import type { ByteSink } from "./byte-sink.ts";

/** A file that appears whole under its name, or not at all. */
export interface AtomicFile extends ByteSink {
  /** Hands all bytes to the system and renames to the final name. Like other writers, it does not wait for the disk. */
  commit(): Promise<void>;
  /** Removes the temporary file; the old file, if any, is untouched. */
  discard(): Promise<void>;
}

const FLUSH_BYTES = 1 << 20;

/**
 * Opens `path` for an atomic write: bytes go to a temporary file beside it, which takes the final name on
 * `commit`. A killed run leaves the old file whole. A symbolic link stays one: the file it leads to is written; a file
 * that is replaced keeps its permissions.
 *
 * @param path - the final name; its folder must exist.
 * @param unique - makes the temporary name unique among writers of the same path, for example the process id.
 * @param onTemporary - told the temporary name before the file is there: what a process that is told to stop removes.
 * @throws CalibrantError `io` naming the path when the folder is missing or not writable, or the path is a folder or
 *   device, which a rename would replace; from `write` and `commit` when the bytes cannot be written.
 */
export async function openAtomicFile(
  path: string,
  unique: string | number,
  onTemporary: (temporaryPath: string) => void = () => undefined,
): Promise<AtomicFile> {
  const target = await realpath(path).catch(() => path);
  const temporary = join(dirname(target), `.${basename(target)}.${unique}.tmp`);
  onTemporary(temporary);
  const handle = await openForWrite(path, temporary);
  let position = 0;
  let queued: Uint8Array[] = [];
  let queuedBytes = 0;
  let open = true;
  const fail = (error: unknown): never => {
    throw cannotWrite(path, error);
  };
  const flush = async (): Promise<void> => {
    const pieces = queued;
    queued = [];
    queuedBytes = 0;
    await writeAll(handle, pieces).catch(fail);
  };
  return {
    get position() {
      return position;
    },
    async write(bytes) {
      position += bytes.length;
      queued.push(bytes);
      queuedBytes += bytes.length;
      if (queuedBytes >= FLUSH_BYTES) await flush();
    },
    async commit() {
      await flush();
      open = false;
      await handle.close().catch(fail);
      await rename(temporary, target).catch(fail);
    },
    async discard() {
      if (open) await handle.close().catch(() => undefined);
      open = false;
      await rm(temporary, { force: true });
    },
  };
}

async function openForWrite(path: string, temporary: string): Promise<FileHandle> {
  try {
    const folder = dirname(temporary);
    if ((await stat(folder).catch(() => null)) === null) throw new Error(`there is no folder ${folder}`);
    const there = await stat(path).catch(() => null);
    if (there?.isDirectory()) throw new Error("it is a folder");
    if (there?.isFile() === false) throw new Error("it is a device or pipe; - is standard output");
    return await open(temporary, "w", there === null ? 0o666 : there.mode & 0o777);
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

function cannotWrite(path: string, error: unknown): CalibrantError {
  return new CalibrantError("io", `cannot write ${path}: ${errorMessage(error)}`, { path }, { cause: error });
}

/** `writev` may write less than it was given: a full disk or a signal; go on from where it stopped. */
async function writeAll(handle: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  if (pieces.length === 0) return;
  const total = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const { bytesWritten } = await handle.writev(pieces.slice());
  if (bytesWritten === total) return;
  const rest = Buffer.concat(pieces).subarray(bytesWritten);
  let done = 0;
  while (done < rest.length) {
    const written = await handle.write(rest, done, rest.length - done);
    done += written.bytesWritten;
  }
}
