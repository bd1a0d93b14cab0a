import type { CheckedWant } from "./check-log-prob-input.ts";
import { type LogProbColumns, ROW_STATUS } from "./log-prob-backend.ts";

/** {@link LogProbColumns} while a back end fills them. */
export interface OpenColumns {
  readonly logprob: Float64Array;
  readonly status: Uint8Array;
  readonly entropy: Float64Array | null;
  readonly rank: Int32Array | null;
  readonly argmax: Int32Array | null;
  readonly topIds: Int32Array | null;
  readonly topLogprobs: Float64Array | null;
  readonly coveredMass: Float64Array | null;
}

/** Columns whose rows all look as if they were skipped. */
export function openColumns(rows: number, { entropy, rank, argmax, topK }: CheckedWant): OpenColumns {
  return {
    logprob: new Float64Array(rows).fill(Number.NaN),
    status: new Uint8Array(rows).fill(ROW_STATUS.skipped),
    entropy: entropy ? new Float64Array(rows).fill(Number.NaN) : null,
    rank: rank ? new Int32Array(rows) : null,
    argmax: argmax ? new Int32Array(rows).fill(-1) : null,
    topIds: topK > 0 ? new Int32Array(rows * topK).fill(-1) : null,
    topLogprobs: topK > 0 ? new Float64Array(rows * topK).fill(Number.NaN) : null,
    coveredMass: topK > 0 ? new Float64Array(rows).fill(Number.NaN) : null,
  };
}

/** Counts the rows, and leaves out what was not wanted. */
export function closeColumns(open: OpenColumns): LogProbColumns {
  const seen = [0, 0, 0];
  for (let row = 0; row < open.status.length; row++) {
    const status = open.status[row] as number;
    seen[status] = (seen[status] as number) + 1;
  }
  const [scored = 0, skipped = 0, notFinite = 0] = seen;
  const { logprob, status, entropy, rank, argmax, topIds, topLogprobs, coveredMass } = open;
  return {
    logprob,
    status,
    ...(entropy !== null && { entropy }),
    ...(rank !== null && { rank }),
    ...(argmax !== null && { argmax }),
    ...(topIds !== null && { topIds }),
    ...(topLogprobs !== null && { topLogprobs }),
    ...(coveredMass !== null && { coveredMass }),
    counts: { scored, skipped, notFinite },
  };
}
