import { chatError } from "./chat-error.ts";
import type { AttemptFailure } from "./describe-failure.ts";
import { pause } from "./pause.ts";
import { type RetryDelays, retryDelay } from "./retry-delay.ts";

/** How a question is asked until it is answered. */
export interface AskAgainOptions<T> {
  /** Asks once. */
  readonly attempt: () => Promise<T>;
  /** Describes what an attempt threw; null for what is no failure of the server or the way to it. */
  readonly describe: (error: unknown) => AttemptFailure | null;
  /** Makes the message of the error in the end: names the address and hides what errors must not show. */
  readonly message: (words: string) => string;
  /** How often a question is asked again. */
  readonly maxRetries: number;
  readonly delays: RetryDelays;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Gives up at once. */
  readonly signal: AbortSignal;
  /** Lets an attempt that is on the way come to its end, and makes no other. */
  readonly softStop: AbortSignal | undefined;
}

/**
 * Asks, and asks again after failures that may pass, with growing waits or those that the server asks for.
 *
 * @throws CalibrantError `io`, with `ChatErrorDetails` as its details, when there is no answer; whatever else an attempt throws; the
 *   reason of the signal that aborted.
 */
export async function askAgain<T>(options: AskAgainOptions<T>): Promise<T> {
  const { attempt, describe, message, maxRetries, delays, random, signal, softStop } = options;
  const stops = softStop === undefined ? [signal] : [signal, softStop];
  for (let attempts = 1; ; attempts++) {
    for (const stop of stops) stop.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      const failure = describe(error);
      if (failure === null) throw error;
      const { reason, fatal, retry, retryAfterMs } = failure;
      if (!retry || attempts > maxRetries) {
        const times = attempts === 1 ? "" : ` (asked ${attempts} times)`;
        throw chatError(message(`${failure.message}${times}`), { reason, fatal, attempts });
      }
      await pause(retryDelay(attempts, retryAfterMs, delays, random), stops);
    }
  }
}
