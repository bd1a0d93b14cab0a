import { CalibrantError } from "../../../errors.ts";
import { checkHiddenJob, checkLogitsJob } from "../check-log-prob-input.ts";
import type { DeviceArray, LogProbBackend } from "../log-prob-backend.ts";
import { ChunkSlot } from "./chunk-slot.ts";
import { nativePart } from "./copy-to-device.ts";
import { type Cublas, openCublas } from "./cublas.ts";
import { openDevice } from "./cuda-device.ts";
import { openDriver } from "./cuda-driver.ts";
import type { CudaEngine } from "./cuda-engine.ts";
import { DeviceMemory } from "./device-memory.ts";
import { createLauncher } from "./launcher.ts";
import { loadKoffi } from "./load-koffi.ts";
import { scoreHidden } from "./score-hidden.ts";
import { scoreLogits } from "./score-logits.ts";
import { createTurns } from "./turns.ts";
import { WeightsCache } from "./weights-cache.ts";

/** Log-probs by an NVIDIA GPU, through its driver alone. Numbers that lie on the GPU are used where they are. */
export interface CudaBackend extends LogProbBackend {
  readonly name: "cuda";
  /**
   * Copies numbers to the GPU, to be given as logits, hidden states or weights of an output layer as often as wanted.
   *
   * @throws CalibrantError `io` when the GPU has no such memory.
   */
  upload(data: Float32Array | Uint16Array): DeviceArray;
  /** Frees what {@link CudaBackend.upload} gave, after the calls that were made before. @throws CalibrantError `option` for anything else. */
  free(array: DeviceArray): void;
}

/** What the back end is opened with; see `CudaOptions`. */
export interface OpenCudaOptions {
  readonly device: number;
  readonly memoryBytes: number;
  readonly driver: string | undefined;
  readonly cublas: string | undefined;
  /** Parts that a row is cut into; null = as its length asks for. Tests say others. */
  readonly partCount: number | null;
}

/** The greatest error of a log-prob, in nats. */
const TOLERANCE = 2e-6;

/** @throws CalibrantError as `createCudaBackend`. */
export async function openCudaBackend(options: OpenCudaOptions): Promise<CudaBackend> {
  const { engine, close: closeEngine } = await openEngine(options);
  const { device } = engine;
  // What callers hold is theirs to bound.
  const uploads = new DeviceMemory(device, Number.POSITIVE_INFINITY);
  let cublas: Cublas | null = null;
  const turns = createTurns();
  let closing: Promise<void> | null = null;
  const checkOpen = (): void => {
    if (closing !== null) throw new CalibrantError("option", "the log-prob back end is disposed");
  };
  const close = (): void => {
    device.enter();
    cublas?.close();
    uploads.freeAll();
    closeEngine();
  };
  const openProduct = (): Cublas => {
    device.enter();
    cublas ??= openCublas(device, options.cublas);
    return cublas;
  };
  return {
    name: "cuda",
    device: "gpu",
    info: { threads: 0, detail: `${device.name}, driver ${device.driver.version}`, tolerance: TOLERANCE },
    score: async (logits, targets, want, signal) => {
      checkOpen();
      const job = checkLogitsJob(logits, targets, want);
      return turns.take(() => scoreLogits(engine, job, signal));
    },
    scoreHidden: async (hidden, head, targets, want, signal) => {
      checkOpen();
      const job = checkHiddenJob(hidden, head, targets, want);
      return turns.take(async () => scoreHidden(engine, openProduct(), job, signal));
    },
    checkHidden: async () => {
      checkOpen();
      openProduct();
    },
    upload: (data) => {
      checkOpen();
      return upload(device, uploads, data);
    },
    free: (array) => {
      checkOpen();
      if (!uploads.has(array.pointer))
        throw new CalibrantError("option", "only numbers that upload gave can be freed, and once");
      // A call that is under way may still read them.
      if (turns.waiting() === 0) uploads.free(array.pointer);
      else void turns.take(async () => uploads.free(array.pointer));
    },
    dispose: () => {
      closing ??= turns.take(async () => close());
      return closing;
    },
  };
}

async function openEngine(options: OpenCudaOptions): Promise<{ engine: CudaEngine; close: () => void }> {
  const driver = openDriver(await loadKoffi(), options.driver);
  const device = await openDevice(driver, options.device);
  const undo: (() => void)[] = [() => device.close()];
  const close = (): void => {
    for (const step of undo.reverse()) step();
  };
  try {
    const memory = new DeviceMemory(device, options.memoryBytes);
    const weights = new WeightsCache(memory);
    undo.push(() => memory.freeAll());
    const launcher = createLauncher(device);
    undo.push(() => launcher.close());
    const openSlot = (): ChunkSlot => {
      const slot = new ChunkSlot(device, memory);
      undo.push(() => slot.close());
      return slot;
    };
    const slots = [openSlot(), openSlot()] as const;
    return { engine: { device, memory, launcher, slots, weights, partCount: options.partCount }, close };
  } catch (error) {
    close();
    throw error;
  }
}

function upload(
  device: CudaEngine["device"],
  uploads: DeviceMemory,
  data: Float32Array | Uint16Array,
): DeviceArray {
  if (!(data instanceof Float32Array || data instanceof Uint16Array))
    throw new CalibrantError("option", "upload takes a Float32Array, or a Uint16Array of 16-bit patterns");
  // A device gives no memory of 0 bytes.
  const pointer = uploads.allocate(Math.max(data.byteLength, 16), `an upload of ${data.length} numbers`);
  try {
    const doing = "copying to the GPU";
    if (data.length > 0)
      device.driver.call(
        doing,
        "cuMemcpyHtoD_v2",
        pointer,
        nativePart(data, 0, data.length),
        data.byteLength,
      );
    // The driver may still be copying from its own buffer.
    device.driver.call(doing, "cuStreamSynchronize", 0n);
  } catch (error) {
    uploads.free(pointer);
    throw error;
  }
  return { pointer, length: data.length };
}
