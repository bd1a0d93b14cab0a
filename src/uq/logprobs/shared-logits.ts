import type { LogitsBlock, LogitType } from "./log-prob-backend.ts";

/** Logits in the kernel's memory: they are scored where they are, without a copy. */
export interface SharedLogits extends LogitsBlock {
  readonly data: Float32Array | Uint16Array;
  readonly type: LogitType;
  /** Gives the memory back; `data` must not be used afterwards. A second call does nothing. */
  free(): void;
}

/**
 * Adds {@link SharedLogits.free}. It is not among the block's own enumerable properties: a copy with another temperature is a block of logits, and frees
 * nothing.
 */
export function withFree(block: Omit<SharedLogits, "free">, free: () => void): SharedLogits {
  let isFree = false;
  const once = (): void => {
    if (!isFree) free();
    isFree = true;
  };
  return Object.defineProperty(block, "free", { value: once }) as SharedLogits;
}
