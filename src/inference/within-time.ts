import { CalibrantError } from "../errors.ts";

/** Node's fetch gives up after this time by itself, before the headers of a response and between two pieces of its body. */
export const MAX_TIMEOUT_SECONDS = 300;

/** @throws CalibrantError `option` for a time-out that cannot be kept. */
export function checkTimeout(seconds: number): void {
  if (seconds > 0 && seconds <= MAX_TIMEOUT_SECONDS) return;
  throw new CalibrantError(
    "option",
    `the time-out must be above 0 and at most ${MAX_TIMEOUT_SECONDS} seconds, got ${seconds}`,
  );
}

/**
 * Does something that a signal can stop, and stops it after a time.
 *
 * @param outer - stops it as well.
 * @param timedOut - makes what is thrown when the time is over.
 * @throws whatever `work` throws.
 */
export async function withinTime<T>(
  ms: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
  timedOut: () => unknown,
): Promise<T> {
  const own = new AbortController();
  let isOver = false;
  const stop = (): void => own.abort();
  const timer = setTimeout(() => {
    isOver = true;
    stop();
  }, ms);
  outer.addEventListener("abort", stop, { once: true });
  if (outer.aborted) stop();
  try {
    return await work(own.signal);
  } catch (error) {
    throw isOver ? timedOut() : error;
  } finally {
    clearTimeout(timer);
    outer.removeEventListener("abort", stop);
  }
}
