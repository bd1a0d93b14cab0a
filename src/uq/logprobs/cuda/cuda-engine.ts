import type { ChunkSlot } from "./chunk-slot.ts";
import type { CudaDevice } from "./cuda-device.ts";
import type { DeviceMemory } from "./device-memory.ts";
import type { Launcher } from "./launcher.ts";
import type { WeightsCache } from "./weights-cache.ts";

/** What the calls of a back end share. */
export interface CudaEngine {
  readonly device: CudaDevice;
  readonly memory: DeviceMemory;
  readonly launcher: Launcher;
  readonly slots: readonly [ChunkSlot, ChunkSlot];
  readonly weights: WeightsCache;
  /** Parts that a row is cut into; null = as its length asks for. */
  readonly partCount: number | null;
}

/**
 * Frees what is only kept for later calls, chunks first and then weights, until `bytes` more than what is in use are left. To be called
 * while no chunk is under way.
 */
export function makeRoom({ memory, slots, weights }: CudaEngine, bytes: number): void {
  for (const slot of slots) if (memory.used + bytes > memory.bound) slot.release();
  while (memory.used + bytes > memory.bound && weights.dropOldest());
}
