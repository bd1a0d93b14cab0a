import { CalibrantError } from "../../../errors.ts";
import type { CudaDevice } from "./cuda-device.ts";

/** What is allocated on a device, all of it freed at the end. */
export class DeviceMemory {
  readonly #device: CudaDevice;
  readonly #bytes = new Map<bigint, number>();
  /** Bytes that may be held at once. */
  readonly bound: number;
  #used = 0;

  constructor(device: CudaDevice, bound: number) {
    this.#device = device;
    this.bound = bound;
  }

  /** Bytes held now. */
  get used(): number {
    return this.#used;
  }

  /**
   * @param what - what the memory is for: `the logits of 8 rows`.
   * @throws CalibrantError `io` when the GPU has no such memory, or it would exceed the bound.
   */
  allocate(bytes: number, what: string): bigint {
    if (this.#used + bytes > this.bound) throw this.#tooMuch(bytes, what);
    const { driver, enter } = this.#device;
    const out = new BigUint64Array(1);
    enter();
    const status = driver.status("cuMemAlloc_v2", out, bytes);
    if (status !== 0) throw this.#failed(bytes, what, driver.errorName(status));
    const pointer = out[0] as bigint;
    this.#bytes.set(pointer, bytes);
    this.#used += bytes;
    return pointer;
  }

  has(pointer: bigint): boolean {
    return this.#bytes.has(pointer);
  }

  /** Nothing for a pointer that is not held. */
  free(pointer: bigint): void {
    const bytes = this.#bytes.get(pointer);
    if (bytes === undefined) return;
    this.#bytes.delete(pointer);
    this.#used -= bytes;
    this.#device.enter();
    this.#device.driver.status("cuMemFree_v2", pointer);
  }

  freeAll(): void {
    for (const pointer of [...this.#bytes.keys()]) this.free(pointer);
  }

  #tooMuch(bytes: number, what: string): CalibrantError {
    return new CalibrantError(
      "io",
      `${what} needs ${bytes} bytes on the GPU beside ${this.#used} in use: raise memoryBytes, now ${this.bound}`,
      { bytes, used: this.#used, memoryBytes: this.bound },
    );
  }

  #failed(bytes: number, what: string, name: string): CalibrantError {
    const { driver, index } = this.#device;
    const free = new BigUint64Array(1);
    const isKnown = driver.status("cuMemGetInfo_v2", free, new BigUint64Array(1)) === 0;
    const left = isKnown ? `, which has ${free[0]} left` : "";
    return new CalibrantError(
      "io",
      `${what} needs ${bytes} bytes on GPU ${index}${left}: free memory there or lower memoryBytes: ${name}`,
      { bytes, cuda: name, ...(isKnown && { freeBytes: Number(free[0]) }) },
    );
  }
}
