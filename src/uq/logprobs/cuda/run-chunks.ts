import type { OpenColumns } from "../log-prob-columns.ts";
import type { ChunkJob } from "./chunk-job.ts";
import type { ChunkSlot } from "./chunk-slot.ts";
import type { CudaEngine } from "./cuda-engine.ts";
import { readChunk } from "./read-chunk.ts";
import { startScores } from "./start-scores.ts";

/**
 * Two chunks are under way at once: while the device works at one, the host fills the other.
 *
 * @throws CalibrantError `io` when the device fails; the signal's reason. Nothing is under way afterwards.
 */
export async function runChunks(
  engine: CudaEngine,
  job: ChunkJob,
  columns: OpenColumns,
  signal: AbortSignal | undefined,
): Promise<void> {
  const started: { slot: ChunkSlot; first: number; count: number }[] = [];
  const finishOldest = async (): Promise<void> => {
    const oldest = started.shift();
    if (oldest === undefined) return;
    await oldest.slot.idle();
    signal?.throwIfAborted();
    readChunk(oldest.slot, job, columns, oldest.first, oldest.count);
  };
  try {
    for (let first = 0, turn = 0; first < job.rows; first += job.layout.rows, turn++) {
      if (started.length === 2) await finishOldest();
      signal?.throwIfAborted();
      const slot = engine.slots[turn % 2] as ChunkSlot;
      const count = Math.min(job.layout.rows, job.rows - first);
      await startChunk(engine, job, slot, first, count);
      started.push({ slot, first, count });
    }
    while (started.length > 0) await finishOldest();
  } catch (error) {
    for (const slot of engine.slots) await slot.settle();
    throw error;
  }
}

async function startChunk(
  engine: CudaEngine,
  job: ChunkJob,
  slot: ChunkSlot,
  first: number,
  count: number,
): Promise<void> {
  const { driver, enter } = engine.device;
  enter();
  slot.grow(job.layout);
  new Int32Array(slot.bytes, 0, count).set(job.targets.subarray(first, first + count));
  job.stage(slot, first, count);
  const bytes = job.inputBytes(count);
  const doing = "copying a chunk to the GPU";
  driver.call(doing, "cuMemcpyHtoDAsync_v2", slot.pointer, slot.pinned, bytes, slot.stream);
  const logits = await job.logits(slot, first, count);
  enter();
  startScores(engine, slot, job, logits, count);
  const { results, pinnedBytes } = job.layout;
  driver.call(
    "copying results from the GPU",
    "cuMemcpyDtoHAsync_v2",
    slot.pinned + BigInt(results),
    slot.pointer + BigInt(results),
    pinnedBytes - results,
    slot.stream,
  );
  slot.mark();
}
