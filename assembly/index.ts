import { decode, fillDecodeConstants } from "./decode";
import { fillPowerConstants } from "./exponential";
import { BLOCK, Entry, Job, Result, SCORED } from "./layout";
import { multiply } from "./products";
import { scoreRow } from "./score-row";
import { topTokens } from "./top-tokens";

/** Fills the table of constants; once per memory. */
export function initialize(): void {
  fillPowerConstants();
  fillDecodeConstants();
}

/** Hidden states as float32, each row filled up with zeros. */
export function decodeRow(from: usize, type: i32, count: i32, to: usize, padded: i32): void {
  decode(from, type, count, to);
  memory.fill(to + ((<usize>count) << 2), 0, (<usize>(padded - count)) << 2);
}

function scoreUnit(job: Job, unit: i32, scratch: usize): void {
  const entry = changetype<Entry>(job.input + (<usize>unit) * offsetof<Entry>());
  const result = changetype<Result>(job.output + (<usize>unit) * offsetof<Result>());
  if (job.all) scoreRow<i64>(job, entry, result, scratch);
  else scoreRow<i32>(job, entry, result, scratch);
  if (job.topK == 0 || result.status != SCORED) return;
  const skipped = (<usize>unit) * (<usize>job.topK) * 4;
  result.found = topTokens(
    entry.row,
    job.type,
    job.columns,
    job.topK,
    job.second + skipped,
    job.third + skipped,
  );
}

/**
 * Does units of a job that nobody has drawn, at most `limit`. A unit is done whole by one thread, so that results do not depend on who
 * does it.
 *
 * @returns how many; fewer than `limit` when nothing is left to draw.
 */
export function work(job: Job, thread: i32, limit: i32): i32 {
  const scratch = job.scratch + (<usize>thread) * job.scratchBytes;
  let done = 0;
  while (done < limit) {
    if (atomic.load<i32>(changetype<usize>(job), offsetof<Job>("stop")) != 0) break;
    const unit = atomic.add<i32>(changetype<usize>(job), 1, offsetof<Job>("next"));
    if (unit >= job.units) break;
    if (job.kind == 0) scoreUnit(job, unit, scratch);
    else multiply(job, unit, scratch + (<usize>BLOCK) * 4);
    done++;
  }
  return done;
}
