import type { CheckedWant } from "../check-log-prob-input.ts";
import type { LogitType } from "../log-prob-backend.ts";
import type { ChunkLayout, Parts } from "./chunk-layout.ts";
import type { ChunkSlot } from "./chunk-slot.ts";

/** Logits of a chunk on the device. */
export interface DeviceLogits {
  readonly pointer: bigint;
  readonly rowStride: number;
  readonly type: LogitType;
}

/** Rows that are scored chunk by chunk. */
export interface ChunkJob {
  readonly rows: number;
  readonly vocab: number;
  readonly scale: number;
  readonly targets: Int32Array;
  readonly want: CheckedWant;
  readonly parts: Parts;
  readonly layout: ChunkLayout;
  /** Bytes of inputs in the pinned memory of a slot, after `stage`, that go to the device. */
  inputBytes(count: number): number;
  /** Writes inputs beside the targets into the pinned memory. */
  stage(slot: ChunkSlot, first: number, count: number): void;
  /** Starts whatever makes the logits in the slot's stream. */
  logits(slot: ChunkSlot, first: number, count: number): Promise<DeviceLogits> | DeviceLogits;
}
