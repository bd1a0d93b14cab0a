import { type ChildProcess, spawn } from "node:child_process";
import { errorMessage } from "../../errors.ts";

const IS_WINDOWS = process.platform === "win32";

/** What a check said about an episode. */
export interface CheckAnswer {
  /** Null when it gave no answer. */
  readonly completed: 0 | 1 | null;
  /** Why it gave none. */
  readonly note: string | null;
}

/**
 * Runs a command of the shell that decides whether the task of an episode was done. It gets the episode as a line of JSON on its
 * standard input; exit status 0 = done, any other = not. What it prints goes to standard error, for standard output may carry the protocol.
 *
 * @param timeoutMs - how long it may take; it is then stopped and gave no answer.
 */
export async function runCheck(command: string, row: object, timeoutMs: number): Promise<CheckAnswer> {
  return new Promise((resolve) => {
    // A group of its own, so that what the shell started ends with it.
    const child = spawn(command, { shell: true, stdio: ["pipe", 2, 2], detached: !IS_WINDOWS });
    const none = (why: string): void => resolve({ completed: null, note: `the check ${why}` });
    const timer = setTimeout(() => {
      none(`took longer than ${timeoutMs / 1000} s`);
      killGroup(child);
    }, timeoutMs);
    child.on("error", (error) => none(`could not run: ${errorMessage(error)}`));
    child.on("exit", (code, signal) => {
      clearTimeout(timer);
      if (code === 126 || code === 127) none(`could not run: the shell said ${code}`);
      else if (code !== null) resolve({ completed: code === 0 ? 1 : 0, note: null });
      else none(`was killed by ${signal}`);
    });
    // A check that does not read its input is fine.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(`${JSON.stringify(row)}\n`);
  });
}

function killGroup(child: ChildProcess): void {
  try {
    if (IS_WINDOWS || child.pid === undefined) child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // It ended meanwhile.
  }
}
