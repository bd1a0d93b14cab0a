import type { LogitType } from "../log-prob-backend.ts";
import type { DeviceMatrix } from "./cublas.ts";
import type { CudaEngine } from "./cuda-engine.ts";

const THREADS = 256;

/** Starts the kernel that makes float32, row after row at `to`, of a matrix of 16-bit numbers. Exact. */
export function widenRows(
  { launcher }: CudaEngine,
  stream: bigint,
  type: LogitType,
  from: DeviceMatrix,
  width: number,
  to: bigint,
): void {
  launcher.launch(`widen_${type}`, [Math.ceil(width / THREADS), from.rows], THREADS, stream, [
    from.pointer,
    { long: from.rowStride },
    { int: width },
    to,
  ]);
}
