/** How long a question that failed waits before it is asked again; milliseconds. */
export interface RetryDelays {
  /** Before the first repetition; it doubles with each. */
  readonly firstMs: number;
  /** The longest wait without a word from the server. */
  readonly maxMs: number;
  /** The longest wait that a server can ask for with `Retry-After`. */
  readonly maxRetryAfterMs: number;
}

/** Six repetitions wait 63 seconds in all at most, so that they outlast a rate limit that counts by the minute. */
export const RETRY_DELAYS: RetryDelays = { firstMs: 1000, maxMs: 60_000, maxRetryAfterMs: 120_000 };

/**
 * The wait before attempt `attempt + 1`, in milliseconds: what the server asked for and up to a tenth more, or half to
 * all of an exponential back-off. The random part keeps questions that failed together from coming back together.
 *
 * @param attempt - attempts so far, from 1.
 * @param retryAfterMs - what the server asked for; null or 0 where it asked for nothing.
 * @param random - uniform in [0, 1).
 */
export function retryDelay(
  attempt: number,
  retryAfterMs: number | null,
  delays: RetryDelays,
  random: () => number,
): number {
  if (retryAfterMs !== null && retryAfterMs > 0) {
    return Math.min(retryAfterMs * (1 + 0.1 * random()), delays.maxRetryAfterMs);
  }
  const backoff = Math.min(delays.firstMs * 2 ** (attempt - 1), delays.maxMs);
  return backoff * (0.5 + 0.5 * random());
}

/**
 * What a response asks for with `retry-after-ms` or `Retry-After` (seconds, or a date), in milliseconds from `now`; null
 * where it asks for nothing that can be read, 0 for a date that has passed.
 *
 * @param now - milliseconds since 1970.
 */
export function retryAfter(headers: Headers | undefined, now: number): number | null {
  const exact = seconds(headers?.get("retry-after-ms") ?? null);
  if (exact !== null) return exact;
  const text = headers?.get("retry-after") ?? null;
  const relative = seconds(text);
  if (relative !== null) return relative * 1000;
  const date = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function seconds(text: string | null): number | null {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : null;
}
