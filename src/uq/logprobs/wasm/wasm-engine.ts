import type { Arena } from "./arena.ts";
import type { Kernel } from "./kernel.ts";
import type { ThreadPool } from "./thread-pool.ts";

/** What computes: a kernel, its memory as it is given out, and the threads. */
export interface WasmEngine {
  readonly kernel: Kernel;
  readonly arena: Arena;
  readonly pool: ThreadPool;
}

/** Gives memory to some work, and takes all of it back, however the work ends. */
export async function withMemory<T>(
  arena: Arena,
  work: (allocate: (bytes: number) => number) => Promise<T>,
): Promise<T> {
  const addresses: number[] = [];
  try {
    return await work((bytes) => {
      const address = arena.allocate(bytes);
      addresses.push(address);
      return address;
    });
  } finally {
    for (const address of addresses) arena.free(address);
  }
}
