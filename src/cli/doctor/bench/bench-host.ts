import { fork } from "node:child_process";
import type { BenchAnswer, BenchOrder } from "./bench-messages.ts";

/** A process that times engines, one order after the other. */
export interface BenchHost {
  /** Never throws: a process that ends, or does not answer in time, gives `failed` from then on. */
  ask(order: BenchOrder): Promise<BenchAnswer>;
  close(): void;
}

/** Starts a process that times engines. */
export function startBenchHost(timeoutMs: number): BenchHost {
  const module = new URL("./bench-process.js", import.meta.url);
  const child = fork(module, [], { stdio: ["ignore", "ignore", "pipe", "ipc"], execArgv: [] });
  let words = "";
  let failure: string | null = null;
  let waiting: ((answer: BenchAnswer) => void) | null = null;
  const give = (answer: BenchAnswer): void => {
    const asked = waiting;
    waiting = null;
    asked?.(answer);
  };
  const fail = (reason: string): void => {
    failure ??= reason;
    give({ type: "failed", reason: failure });
  };
  child.stderr?.setEncoding("utf8").on("data", (piece: string) => {
    words = (words + piece).slice(-2000);
  });
  child.on("message", (answer) => give(answer as BenchAnswer));
  child.on("error", (error) => fail(`its process cannot be started: ${error.message}`));
  child.on("close", (status, signal) => {
    const last = words.trim().split("\n").at(-1) ?? "";
    fail(`its process ended with ${signal ?? `status ${status}`}${last === "" ? "" : `: ${last}`}`);
  });
  return {
    ask(order) {
      if (failure !== null) return Promise.resolve({ type: "failed", reason: failure });
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          fail(`no answer within ${timeoutMs / 1000} s`);
          child.kill("SIGKILL");
        }, timeoutMs);
        waiting = (answer) => {
          clearTimeout(timer);
          resolve(answer);
        };
        child.send(order, (error) => {
          if (error !== null) fail(`its process cannot be reached: ${error.message}`);
        });
      });
    },
    close() {
      child.kill("SIGKILL");
    },
  };
}
