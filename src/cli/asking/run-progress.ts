import type { RunCounts } from "./run-tally.ts";

/** Shows on a terminal how far a run is. */
export interface RunProgress {
  /** Draws the line anew, but not more often than people read. */
  update(counts: () => RunCounts): void;
  /** Removes the line. */
  end(): void;
}

const INTERVAL_MS = 200;

/**
 * Progress on standard error when it is a terminal and `quiet` is off; else silence.
 *
 * @param before - items that were answered before the run.
 * @param total - all items.
 * @param now - milliseconds.
 */
export function createRunProgress(
  quiet: boolean,
  before: number,
  total: number,
  now: () => number,
): RunProgress {
  const shown = !quiet && process.stderr.isTTY === true;
  const started = now();
  let last = Number.NEGATIVE_INFINITY;
  return {
    update(counts) {
      if (!shown || now() - last < INTERVAL_MS) return;
      last = now();
      const line = progressLine(counts(), before, total, (last - started) / 1000);
      process.stderr.write(`\r\x1b[K${line}`);
    },
    end() {
      if (shown) process.stderr.write("\r\x1b[K");
    },
  };
}

/** Of the questions of a run: before, the rate says little about the rest. */
const ESTIMATE_FROM = 0.1;

/**
 * `asking: 37/441, 3.2/s, about 3 min left, 12,345 tokens, cost 0.0123, 2 failed`, with the time left once a tenth of what this
 * run asks is done, answered or failed.
 *
 * @param seconds - since the begin of the run.
 */
export function progressLine(counts: RunCounts, before: number, total: number, seconds: number): string {
  const { answeredNow, promptTokens, completionTokens, cost, failed } = counts;
  const failures = Object.values(failed).reduce((sum, n) => sum + n, 0);
  const toAsk = total - before;
  const done = answeredNow + failures;
  const estimated = done > 0 && done < toAsk && done >= ESTIMATE_FROM * toAsk;
  const tokens = (promptTokens ?? 0) + (completionTokens ?? 0);
  return [
    `asking: ${count(before + answeredNow)}/${count(total)}`,
    `${(answeredNow / Math.max(seconds, 1e-3)).toFixed(1)}/s`,
    ...(estimated ? [`about ${duration((seconds * (toAsk - done)) / done)} left`] : []),
    `${count(tokens)} tokens`,
    ...(cost === null ? [] : [`cost ${cost.toFixed(4)}`]),
    ...(failures === 0 ? [] : [`${count(failures)} failed`]),
  ].join(", ");
}

/** `45 s`, `12 min`, `2 h 5 min`. */
function duration(seconds: number): string {
  if (seconds < 59.5) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
