import type { ChunkJob, DeviceLogits } from "./chunk-job.ts";
import type { ChunkSlot } from "./chunk-slot.ts";
import type { CudaEngine } from "./cuda-engine.ts";

/** Threads of a block, as in `cuda/running.cuh`. */
const THREADS = 512;

/** Threads of a block of `finish`: few, so that few rows still spread. */
const FINISH_THREADS = 64;

/** Starts the kernels that score `count` rows of logits. */
export function startScores(
  engine: CudaEngine,
  slot: ChunkSlot,
  job: ChunkJob,
  logits: DeviceLogits,
  count: number,
): void {
  const { launcher } = engine;
  const { layout, vocab, parts, scale, want } = job;
  const at = (offset: number): bigint => slot.pointer + BigInt(offset);
  const all = want.entropy || want.rank || want.argmax;
  const row = [logits.pointer, { long: logits.rowStride }, { int: vocab }] as const;
  launcher.launch(`sum_${all ? "all_" : ""}${logits.type}`, [parts.count, count], THREADS, slot.stream, [
    ...row,
    { int: parts.length },
    at(0),
    { float: powerScale(scale) },
    at(layout.parts),
  ]);
  const blocks = Math.ceil(count / FINISH_THREADS);
  launcher.launch("finish", [blocks, 1], FINISH_THREADS, slot.stream, [
    at(layout.parts),
    { int: parts.count },
    { int: count },
    at(0),
    { double: scale },
    at(layout.results),
  ]);
  if (want.topK === 0) return;
  launcher.launch(`top_${logits.type}`, [count, 1], THREADS, slot.stream, [
    ...row,
    { int: want.topK },
    { double: scale },
    at(layout.results),
    at(layout.topIds),
    at(layout.topLogprobs),
    at(layout.coveredMass),
  ]);
}

const LEAST_FLOAT = 2 ** -126;
const GREATEST_FLOAT = 2 ** 127;

/** What a difference of logits is multiplied by to get powers of two; never 0 or infinite as a float, or masks would be NaN. */
function powerScale(scale: number): number {
  return Math.min(Math.max(scale * Math.LOG2E, LEAST_FLOAT), GREATEST_FLOAT);
}
