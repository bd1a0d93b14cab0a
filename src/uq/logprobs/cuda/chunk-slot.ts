import { CalibrantError } from "../../../errors.ts";
import type { ChunkLayout } from "./chunk-layout.ts";
import type { CudaDevice } from "./cuda-device.ts";
import { cudaError } from "./cuda-error.ts";
import type { DeviceMemory } from "./device-memory.ts";

const NOT_READY = 600;
const NO_TIMING = 2;

/** So often the device is asked at once; then once a millisecond. */
const EAGER_POLLS = 200;

/** A stream with memory of its own, on the device and pinned: what one chunk needs. Memory only grows until it is released. */
export class ChunkSlot {
  readonly #device: CudaDevice;
  readonly #memory: DeviceMemory;
  readonly stream: bigint;
  readonly #event: bigint;
  #deviceBytes = 0;
  #pinnedBytes = 0;
  /** Addresses of the memory; 0 before `grow`. */
  pointer = 0n;
  pinned = 0n;
  /** The pinned memory. */
  bytes: ArrayBuffer = new ArrayBuffer(0);

  /** @throws CalibrantError `io` when the device fails. */
  constructor(device: CudaDevice, memory: DeviceMemory) {
    this.#device = device;
    this.#memory = memory;
    this.stream = device.driver.pointer("making a stream", "cuStreamCreate", 0);
    const event = new BigUint64Array(1);
    const status = device.driver.status("cuEventCreate", event, NO_TIMING);
    if (status !== 0) {
      device.driver.status("cuStreamDestroy_v2", this.stream);
      throw cudaError("making an event", device.driver.errorName(status));
    }
    this.#event = event[0] as bigint;
  }

  /** @throws CalibrantError `io` when there is not so much memory. */
  grow({ rows, deviceBytes, pinnedBytes }: ChunkLayout): void {
    if (deviceBytes > this.#deviceBytes) {
      this.release();
      this.pointer = this.#memory.allocate(deviceBytes, `a chunk of ${rows} rows`);
      this.#deviceBytes = deviceBytes;
    }
    if (pinnedBytes > this.#pinnedBytes) {
      this.#releasePinned();
      const { driver } = this.#device;
      const out = new BigUint64Array(1);
      const status = driver.status("cuMemHostAlloc", out, pinnedBytes, 0);
      if (status !== 0) throw noPinnedMemory(pinnedBytes, driver.errorName(status));
      this.pinned = out[0] as bigint;
      this.#pinnedBytes = pinnedBytes;
      this.bytes = driver.koffi.view(this.pinned, pinnedBytes);
    }
  }

  /** Bytes on the device. */
  get held(): number {
    return this.#deviceBytes;
  }

  /** Frees the memory on the device. The slot must be idle. */
  release(): void {
    this.#memory.free(this.pointer);
    this.pointer = 0n;
    this.#deviceBytes = 0;
  }

  /** Marks the end of what has been started. */
  mark(): void {
    this.#device.driver.call("marking the end of a chunk", "cuEventRecord", this.#event, this.stream);
  }

  /**
   * Resolves when the device has come to the mark. The driver is asked on this thread, since a context belongs to a thread; the event
   * loop lives on between the questions.
   */
  async idle(): Promise<void> {
    const { driver, enter } = this.#device;
    for (let polls = 0; ; polls++) {
      await (polls < EAGER_POLLS ? nextTurn() : oneMillisecond());
      enter();
      const status = driver.status("cuEventQuery", this.#event);
      if (status === NOT_READY) continue;
      if (status === 0) return;
      throw cudaError("computing log-probs", driver.errorName(status));
    }
  }

  /** Waits for whatever has been started, after a failure too. */
  async settle(): Promise<void> {
    try {
      this.#device.enter();
      this.mark();
      await this.idle();
    } catch {
      // The failure that led here is the one to tell.
    }
  }

  close(): void {
    this.release();
    this.#releasePinned();
    this.#device.driver.status("cuEventDestroy_v2", this.#event);
    this.#device.driver.status("cuStreamDestroy_v2", this.stream);
  }

  #releasePinned(): void {
    if (this.pinned !== 0n) this.#device.driver.status("cuMemFreeHost", this.pinned);
    this.pinned = 0n;
    this.#pinnedBytes = 0;
    this.bytes = new ArrayBuffer(0);
  }
}

function noPinnedMemory(bytes: number, name: string): CalibrantError {
  const message = `a chunk needs ${bytes} bytes of pinned host memory, which the driver does not give: ${name}`;
  return new CalibrantError("io", message, { bytes, cuda: name });
}

/** Lets everything else of the event loop have its turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function oneMillisecond(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 1);
  });
}
