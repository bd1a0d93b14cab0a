import type { CalibrantError } from "../errors.ts";
import { chatError, chatErrorDetails } from "./chat-error.ts";

/** Options of {@link askAll}. */
export interface AskAllOptions<T, R> {
  /** Questions on the way at the same time; at least 1. */
  readonly concurrency: number;
  /** Asks about one task. It throws errors with `ChatErrorDetails`; any other error ends the run. */
  readonly ask: (task: T, signal: AbortSignal) => Promise<R>;
  /** Keeps an answer. Called as answers come in; when it throws, the run ends at once. */
  readonly onAnswer: (task: T, answer: R) => Promise<void> | void;
  /** Told of a task without answer. */
  readonly onFailure: (task: T, error: CalibrantError) => void;
  /** Ends the run without waiting for anything that is on the way. */
  readonly signal?: AbortSignal;
  /**
   * Ends the run once what is on the way is done: no other task is begun. `ask` may throw its reason for a task that it has not
   * asked yet, which is then neither answered nor failed.
   */
  readonly softStop?: AbortSignal;
  /** The run ends when so many tasks failed for one reason before any had an answer. Default 8. */
  readonly giveUpAfter?: number;
}

const GIVE_UP_AFTER = 8;

/**
 * Asks about all tasks, in their order, a bounded number at a time. A task that fails does not stop the others. A failure
 * that all others would share stops the run: no question is asked any more, and those on the way are waited for, since their
 * answers are paid for.
 *
 * @throws CalibrantError the failure that stopped the run; whatever `onAnswer` threw; the reason of the signal or the soft stop.
 */
export async function askAll<T, R>(tasks: readonly T[], options: AskAllOptions<T, R>): Promise<void> {
  const { signal } = options;
  signal?.throwIfAborted();
  const run = new AbortController();
  const abort = (): void => run.abort(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  const aborted = new Promise<never>((_resolve, reject) => {
    run.signal.addEventListener("abort", () => reject(run.signal.reason), { once: true });
  });
  try {
    await Promise.race([askPool(tasks, options, run), aborted]);
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

/** What stops a run softly: makes what the run throws, from how many questions were asked in the end. */
type Stop = (asked: number) => CalibrantError;

async function askPool<T, R>(
  tasks: readonly T[],
  { concurrency, ask, onAnswer, onFailure, softStop, giveUpAfter = GIVE_UP_AFTER }: AskAllOptions<T, R>,
  run: AbortController,
): Promise<void> {
  const watch = watchStart(giveUpAfter);
  let next = 0;
  let stop: Stop | null = null;
  const failed = (task: T, error: unknown): void => {
    const details = chatErrorDetails(error);
    if (details === null) throw error;
    const failure = error as CalibrantError;
    onFailure(task, failure);
    stop ??= details.fatal ? () => failure : watch.failed(details.reason, failure);
  };
  const one = async (task: T, own: AbortSignal): Promise<void> => {
    let answer: R;
    try {
      answer = await ask(task, own);
    } catch (error) {
      const notAsked = softStop?.aborted === true && error === softStop.reason;
      if (!run.signal.aborted && !notAsked) failed(task, error);
      return;
    }
    if (run.signal.aborted) return;
    watch.answered();
    await onAnswer(task, answer);
  };
  // Of its own for each worker: Node warns of a leak when many listen to one signal.
  const owners = Array.from({ length: Math.min(concurrency, tasks.length) }, () => new AbortController());
  const abortAll = (): void => {
    for (const owner of owners) owner.abort(run.signal.reason);
  };
  run.signal.addEventListener("abort", abortAll, { once: true });
  const worker = async ({ signal }: AbortController): Promise<void> => {
    while (stop === null && !run.signal.aborted && softStop?.aborted !== true && next < tasks.length) {
      await one(tasks[next++] as T, signal).catch((error: unknown) => run.abort(error));
    }
  };
  await Promise.all(owners.map(worker));
  softStop?.throwIfAborted();
  const end = stop as Stop | null;
  if (end !== null) throw end(next);
}

interface StartWatch {
  answered(): void;
  failed(reason: string, error: CalibrantError): Stop | null;
}

/** Notices that the first tasks all fail for one reason: a server that is down, a field that it does not know. */
function watchStart(giveUpAfter: number): StartWatch {
  const reasons: string[] = [];
  let answered = false;
  return {
    answered() {
      answered = true;
    },
    failed(reason, error) {
      reasons.push(reason);
      if (answered || reasons.length !== giveUpAfter || new Set(reasons).size > 1) return null;
      return (asked) => {
        const message = `gave up after the first ${giveUpAfter} questions all failed (${asked} were asked): ${error.message}`;
        return chatError(message, { reason, fatal: true, attempts: giveUpAfter });
      };
    },
  };
}
