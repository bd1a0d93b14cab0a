import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { CalibrantError, errorMessage } from "../errors.ts";

/** Says that one process writes a file. */
export interface FileLock {
  /** Lets others write; without waiting, so that it can be called when the process is told to stop. */
  release(): void;
}

/** The process that holds a lock, as the lock file names it. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process started, where the system tells: a later process may have the same id. */
  readonly started: string | null;
}

/**
 * Takes the lock of `path`: the file `path.lock`, which names the process. The lock of a process that is gone is taken over. Processes
 * of other machines cannot be looked at and count as running.
 *
 * @throws CalibrantError `io` when another process holds it, or the lock file cannot be written.
 */
export function lockFile(path: string): FileLock {
  const lock = `${path}.lock`;
  const own = JSON.stringify({ pid: process.pid, host: hostname(), started: startOf(process.pid) });
  if (!createLock(path, lock, own)) takeOver(path, lock, own);
  return {
    release() {
      if (contentOf(lock) === own) rmSync(lock, { force: true });
    },
  };
}

/** False when the lock file is there already. */
function createLock(path: string, lock: string, content: string): boolean {
  try {
    const file = openSync(lock, "wx");
    try {
      writeSync(file, content);
    } finally {
      closeSync(file);
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    const message = `cannot write ${path}: its lock ${lock} cannot be made: ${errorMessage(error)}`;
    throw new CalibrantError("io", message, { path }, { cause: error });
  }
}

function takeOver(path: string, lock: string, own: string): void {
  const content = contentOf(lock);
  const holder = content === null ? null : holderIn(content);
  if (content !== null && (holder === null || isRunning(holder))) throw inUse(path, lock, holder);
  if (content !== null) setAside(path, lock, content);
  if (!createLock(path, lock, own)) throw inUse(path, lock, holderIn(contentOf(lock) ?? ""));
}

/** Removes a lock that was found stale; two processes may have found so, and the second must not remove the first's. */
function setAside(path: string, lock: string, stale: string): void {
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
  } catch {
    return;
  }
  const moved = contentOf(aside);
  if (moved === stale) {
    rmSync(aside, { force: true });
    return;
  }
  renameSync(aside, lock);
  throw inUse(path, lock, holderIn(moved ?? ""));
}

function inUse(path: string, lock: string, holder: Holder | null): CalibrantError {
  const where = holder === null || holder.host === hostname() ? "" : ` on ${holder.host}`;
  const who = holder === null ? "another run" : `another run (process ${holder.pid}${where})`;
  const message = `${path} is being written by ${who}: wait for its end or write to another file; if there is no such run, delete ${lock}`;
  return new CalibrantError("io", message, { path, lock });
}

function contentOf(lock: string): string | null {
  try {
    return readFileSync(lock, "utf8");
  } catch {
    return null;
  }
}

function holderIn(content: string): Holder | null {
  try {
    const { pid, host, started } = JSON.parse(content) as Partial<Holder>;
    if (typeof pid !== "number" || typeof host !== "string") return null;
    return { pid, host, started: started ?? null };
  } catch {
    return null;
  }
}

function isRunning({ pid, host, started }: Holder): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, under another user.
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const now = startOf(pid);
  return started === null || now === null || started === now;
}

/** When a process started, in ticks since the boot, from field 22 of Linux's /proc; null elsewhere. */
function startOf(pid: number): string | null {
  const text = contentOf(`/proc/${pid}/stat`);
  // The second field is the name in brackets, which may hold spaces and brackets.
  return text?.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}
