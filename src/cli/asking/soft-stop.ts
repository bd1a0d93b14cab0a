import { setMaxListeners } from "node:events";
import { writeErrorLine } from "../error-line.ts";
import { onEachSignal } from "../on-signals.ts";

/** What a run that asks does about signals. */
export interface SoftStop {
  /** Aborts at the first Ctrl-C or SIGTERM: nothing new is asked then. */
  readonly signal: AbortSignal;
  /** To be called once nothing is on the way any more: ends the process when a signal came, and takes the handlers off. */
  settled(): void;
}

/** What {@link createSoftStop} needs to know of a run. */
export interface SoftStopOptions {
  /** How many answers are on the way. */
  readonly onTheWay: () => number;
  /** Ends the progress line, before anything is said. */
  readonly endProgress: () => void;
  /** Leaves everything as it must be before the process ends; it must not wait for anything. */
  readonly clean: () => void;
}

/**
 * Answers that are on the way when a run is told to stop are paid for: the first Ctrl-C or SIGTERM waits for them, the second
 * ends the process at once. So does SIGHUP: the terminal that could say more is gone.
 */
export function createSoftStop({ onTheWay, endProgress, clean }: SoftStopOptions): SoftStop {
  const stop = new AbortController();
  // Every question that waits to be asked again listens, and Node would warn of a leak.
  setMaxListeners(0, stop.signal);
  let status: number | null = null;
  const end = (code: number): void => {
    clean();
    process.exit(code);
  };
  const forget = onEachSignal((name, code) => {
    if (status !== null || name === "SIGHUP") return end(code);
    status = code;
    endProgress();
    const waiting = onTheWay();
    if (waiting > 0) {
      const answers = waiting === 1 ? "1 answer" : `${waiting} answers`;
      writeErrorLine(`stopping: waiting for ${answers} on the way, once more to stop at once`);
    }
    stop.abort(new Error("stopped by a signal"));
  });
  return {
    signal: stop.signal,
    settled() {
      if (status !== null) end(status);
      forget();
    },
  };
}
