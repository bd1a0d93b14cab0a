import { fork } from "node:child_process";

/** What is looked at in a process of its own, which native code may take down or hang. */
export type ProbeName = "packages" | "cuda" | "auto";

/** What a probe's process sends. */
export type ProbeMessage =
  /** A package is about to be loaded: if nothing follows, it took the process down. */
  | { readonly type: "loading"; readonly name: string }
  | { readonly type: "loaded"; readonly name: string; readonly reason: string | null }
  | { readonly type: "found"; readonly value: unknown }
  | { readonly type: "failed"; readonly reason: string };

/** How a probe ended. */
export interface ProbeOutcome {
  readonly messages: readonly ProbeMessage[];
  /** Null for one that ended by itself and found no fault. */
  readonly failure: string | null;
}

const WORDS = 20_000;

/** Runs a probe in a process of its own, for `timeoutMs` at most. Never throws. */
export function runProbe(
  probe: ProbeName,
  args: readonly string[],
  timeoutMs: number,
): Promise<ProbeOutcome> {
  return watched(new URL("./probe-process.js", import.meta.url), [probe, ...args], timeoutMs);
}

/** As {@link runProbe}, with a module of one's own. */
export function watched(module: URL, args: readonly string[], timeoutMs: number): Promise<ProbeOutcome> {
  return new Promise((resolve) => {
    const messages: ProbeMessage[] = [];
    let words = "";
    let failure: string | null = null;
    const child = fork(module, args, { stdio: ["ignore", "pipe", "pipe", "ipc"], execArgv: [] });
    const timer = setTimeout(() => {
      failure = `no answer within ${timeoutMs / 1000} s`;
      child.kill("SIGKILL");
    }, timeoutMs);
    const hear = (piece: string): void => {
      words = (words + piece).slice(-WORDS);
    };
    child.stdout?.setEncoding("utf8").on("data", hear);
    child.stderr?.setEncoding("utf8").on("data", hear);
    child.on("message", (message) => messages.push(message as ProbeMessage));
    child.on("error", (error) => {
      failure ??= `cannot be started: ${error.message}`;
      if (child.pid === undefined) finish();
    });
    child.on("close", (status, signal) => {
      if (signal !== null) failure ??= `its process was ended by ${signal}`;
      else if (status !== 0) failure ??= `its process ended with status ${status}${lastLine(words)}`;
      finish();
    });
    function finish(): void {
      clearTimeout(timer);
      const told = messages.find((message) => message.type === "failed");
      resolve({ messages, failure: told?.reason ?? failure });
    }
  });
}

function lastLine(words: string): string {
  const line = words.trim().split("\n").at(-1) ?? "";
  return line === "" ? "" : `: ${line}`;
}
