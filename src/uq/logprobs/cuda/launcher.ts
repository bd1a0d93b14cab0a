import type { CudaDevice } from "./cuda-device.ts";

/** An argument of a kernel: an address, or a number of the type that the kernel declares. */
export type KernelArgument =
  | bigint
  | { readonly int: number }
  | { readonly long: number }
  | { readonly float: number }
  | { readonly double: number };

/** Starts kernels; blocks are `(threads, 1, 1)`. */
export interface Launcher {
  launch(
    kernel: string,
    grid: readonly [x: number, y: number],
    threads: number,
    stream: bigint,
    values: readonly KernelArgument[],
  ): void;
  close(): void;
}

const SLOTS = 16;

/**
 * The driver wants pointers to the arguments, in memory that does not move: each argument has a slot of eight bytes, whose address never
 * changes.
 */
export function createLauncher(device: CudaDevice): Launcher {
  const { koffi } = device.driver;
  const memory = koffi.alloc("uint64", 2 * SLOTS);
  const slots = new DataView(koffi.view(memory, 2 * SLOTS * 8));
  const pointers = memory + BigInt(SLOTS * 8);
  for (let i = 0; i < SLOTS; i++) slots.setBigUint64((SLOTS + i) * 8, memory + BigInt(i * 8), true);
  return {
    launch: (kernel, [x, y], threads, stream, values) => {
      values.forEach((value, i) => {
        writeSlot(slots, i * 8, value);
      });
      const shape = [x, y, 1, threads, 1, 1, 0];
      const doing = `starting the kernel ${kernel}`;
      device.driver.call(doing, "cuLaunchKernel", device.kernel(kernel), ...shape, stream, pointers, null);
    },
    close: () => koffi.free(memory),
  };
}

function writeSlot(slots: DataView, at: number, value: KernelArgument): void {
  if (typeof value === "bigint") slots.setBigUint64(at, value, true);
  else if ("int" in value) slots.setInt32(at, value.int, true);
  else if ("long" in value) slots.setBigInt64(at, BigInt(value.long), true);
  else if ("float" in value) slots.setFloat32(at, value.float, true);
  else slots.setFloat64(at, value.double, true);
}
