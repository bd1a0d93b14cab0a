import { CalibrantError } from "../../../errors.ts";
import { type CudaDriver, noGpu } from "./cuda-driver.ts";
import { kernelImages, LEAST_CAPABILITY } from "./kernel-images.ts";

const MAJOR = 75;
const MINOR = 76;

/** What the driver says about a GPU. */
export interface CudaDeviceFacts {
  readonly index: number;
  readonly name: string;
  /** `9.0` */
  readonly computeCapability: string;
  readonly memoryBytes: number;
}

/** A GPU with its primary context, the one that other libraries of the process use too, and the kernels in it. */
export interface CudaDevice extends CudaDeviceFacts {
  readonly driver: CudaDriver;
  /**
   * Makes the context that of this thread; to be called before other calls, since others set theirs. A failure shows at the call that
   * follows.
   */
  enter(): void;
  /** The kernel of this name. */
  kernel(name: string): bigint;
  close(): void;
}

/** @throws CalibrantError `io` when the driver does not say. */
export function readDeviceFacts(driver: CudaDriver, index: number): CudaDeviceFacts {
  const handle = driver.int("looking at the GPU", "cuDeviceGet", index);
  const name = Buffer.alloc(256);
  driver.call("looking at the GPU", "cuDeviceGetName", name, name.length, handle);
  const attribute = (id: number): number =>
    driver.int("looking at the GPU", "cuDeviceGetAttribute", id, handle);
  return {
    index,
    name: name.toString("utf8", 0, name.indexOf(0)),
    computeCapability: `${attribute(MAJOR)}.${attribute(MINOR)}`,
    memoryBytes: Number(driver.pointer("looking at the GPU", "cuDeviceTotalMem_v2", handle)),
  };
}

/** How many GPUs the driver shows. @throws CalibrantError `io` when it does not say. */
export function countDevices(driver: CudaDriver): number {
  return driver.int("counting GPUs", "cuDeviceGetCount");
}

/**
 * @throws CalibrantError `option` for a number of no GPU; `missing-package` for a GPU or a driver that is too old; `io` when the driver
 *   fails.
 */
export async function openDevice(driver: CudaDriver, index: number): Promise<CudaDevice> {
  const count = countDevices(driver);
  if (count === 0) throw noGpu("CUDA_ERROR_NO_DEVICE", driver.version);
  if (!Number.isInteger(index) || index < 0 || index >= count)
    throw new CalibrantError("option", `device must be a GPU from 0 to ${count - 1}, got ${index}`, {
      index,
      count,
    });
  const facts = readDeviceFacts(driver, index);
  const capability = Number(facts.computeCapability);
  if (capability < LEAST_CAPABILITY)
    throw new CalibrantError(
      "missing-package",
      `the GPU ${facts.name} is too old: its compute capability must be ${LEAST_CAPABILITY} at least, got ${facts.computeCapability}`,
      { ...facts },
    );
  const images = await kernelImages(capability);
  const handle = driver.int("opening the GPU", "cuDeviceGet", index);
  const context = driver.pointer("opening the GPU", "cuDevicePrimaryCtxRetain", handle);
  const enter = (): void => {
    driver.status("cuCtxSetCurrent", context);
  };
  let module = 0n;
  const close = (): void => {
    if (module !== 0n) driver.status("cuModuleUnload", module);
    driver.status("cuCtxSetCurrent", 0n);
    driver.status("cuDevicePrimaryCtxRelease_v2", handle);
  };
  try {
    enter();
    module = loadModule(driver, facts, images);
    const functions = new Map<string, bigint>();
    const kernel = (name: string): bigint => {
      const known = functions.get(name);
      if (known !== undefined) return known;
      const found = driver.pointer(`finding the kernel ${name}`, "cuModuleGetFunction", module, name);
      functions.set(name, found);
      return found;
    };
    return { ...facts, driver, enter, kernel, close };
  } catch (error) {
    close();
    throw error;
  }
}

const NOT_READABLE: readonly string[] = [
  "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
  "CUDA_ERROR_INVALID_PTX",
  "CUDA_ERROR_INVALID_IMAGE",
  "CUDA_ERROR_NO_BINARY_FOR_GPU",
];

/** The first image that the driver takes. */
function loadModule(
  driver: CudaDriver,
  facts: CudaDeviceFacts,
  images: Awaited<ReturnType<typeof kernelImages>>,
): bigint {
  const out = new BigUint64Array(1);
  const refusals: string[] = [];
  for (const { name, data } of images) {
    const status = driver.status("cuModuleLoadData", out, data);
    if (status === 0) return out[0] as bigint;
    refusals.push(`${name}: ${driver.errorName(status)}`);
    if (!NOT_READABLE.includes(driver.errorName(status))) break;
  }
  const message = `the driver (CUDA ${driver.version}) does not take the kernels for ${facts.name} (compute capability ${facts.computeCapability}); R450 (CUDA 11.0) or newer is needed: ${refusals.join(", ")}`;
  throw new CalibrantError("missing-package", message, { ...facts, version: driver.version, refusals });
}
