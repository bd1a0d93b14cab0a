import type { OpenColumns } from "../log-prob-columns.ts";
import type { ChunkJob } from "./chunk-job.ts";
import { RESULT_BYTES } from "./chunk-layout.ts";
import type { ChunkSlot } from "./chunk-slot.ts";

/** Copies what the kernels wrote for `count` rows, as `Result` in `cuda/logprobs.cu`, into the columns. */
export function readChunk(
  { bytes }: ChunkSlot,
  { layout, want }: ChunkJob,
  columns: OpenColumns,
  first: number,
  count: number,
): void {
  const doubles = new Float64Array(bytes, layout.results, (count * RESULT_BYTES) / 8);
  const ints = new Int32Array(bytes, layout.results, (count * RESULT_BYTES) / 4);
  const { logprob, status, entropy, rank, argmax } = columns;
  for (let i = 0; i < count; i++) {
    const row = first + i;
    logprob[row] = doubles[i * 5] as number;
    if (entropy !== null) entropy[row] = doubles[i * 5 + 1] as number;
    if (rank !== null) rank[row] = ints[i * 10 + 7] as number;
    if (argmax !== null) argmax[row] = ints[i * 10 + 8] as number;
    status[row] = ints[i * 10 + 9] as number;
  }
  const { topIds, topLogprobs, coveredMass } = columns;
  const { topK } = want;
  topIds?.set(new Int32Array(bytes, layout.topIds, count * topK), first * topK);
  topLogprobs?.set(new Float64Array(bytes, layout.topLogprobs, count * topK), first * topK);
  coveredMass?.set(new Float64Array(bytes, layout.coveredMass, count), first);
}
