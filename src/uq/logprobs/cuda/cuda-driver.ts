import { CalibrantError, errorMessage } from "../../../errors.ts";
import { cudaError } from "./cuda-error.ts";
import type { Koffi, NativeFunction, NativeLibrary } from "./load-koffi.ts";

const POINTER = "void *";
const ADDRESS = "uint64";

/** The name of a function of the driver: one of those below. */
export type CudaCall = `cu${string}`;

/** The functions of the driver that are called, with their parameters; each gives a status. All are in R450 (CUDA 11.0). */
const CALLS: Readonly<Record<CudaCall, readonly string[]>> = {
  cuInit: ["uint"],
  cuDriverGetVersion: [POINTER],
  cuGetErrorName: ["int", POINTER],
  cuDeviceGetCount: [POINTER],
  cuDeviceGet: [POINTER, "int"],
  cuDeviceGetName: [POINTER, "int", "int"],
  cuDeviceGetAttribute: [POINTER, "int", "int"],
  cuDeviceTotalMem_v2: [POINTER, "int"],
  cuDevicePrimaryCtxRetain: [POINTER, "int"],
  cuDevicePrimaryCtxRelease_v2: ["int"],
  cuCtxSetCurrent: [ADDRESS],
  cuMemGetInfo_v2: [POINTER, POINTER],
  cuModuleLoadData: [POINTER, POINTER],
  cuModuleUnload: [ADDRESS],
  cuModuleGetFunction: [POINTER, ADDRESS, "str"],
  cuMemAlloc_v2: [POINTER, "size_t"],
  cuMemFree_v2: [ADDRESS],
  cuMemHostAlloc: [POINTER, "size_t", "uint"],
  cuMemFreeHost: [ADDRESS],
  cuPointerGetAttribute: [POINTER, "int", ADDRESS],
  cuMemcpyHtoD_v2: [ADDRESS, POINTER, "size_t"],
  cuMemcpyHtoDAsync_v2: [ADDRESS, POINTER, "size_t", ADDRESS],
  cuMemcpyDtoHAsync_v2: [POINTER, ADDRESS, "size_t", ADDRESS],
  cuStreamCreate: [POINTER, "uint"],
  cuStreamDestroy_v2: [ADDRESS],
  cuStreamSynchronize: [ADDRESS],
  cuEventCreate: [POINTER, "uint"],
  cuEventDestroy_v2: [ADDRESS],
  cuEventRecord: [ADDRESS, ADDRESS],
  cuEventQuery: [ADDRESS],
  cuLaunchKernel: [
    ADDRESS,
    ...["uint", "uint", "uint", "uint", "uint", "uint", "uint"],
    ADDRESS,
    POINTER,
    POINTER,
  ],
};

/** The NVIDIA driver of this machine, initialised. */
export interface CudaDriver {
  readonly koffi: Koffi;
  /** The newest CUDA version that it runs, `13.0`. */
  readonly version: string;
  /** The status of a call. */
  status(name: CudaCall, ...values: readonly unknown[]): number;
  /** Calls, for what `doing` says. @throws CalibrantError `io` for a status that is not 0. */
  call(doing: string, name: CudaCall, ...values: readonly unknown[]): void;
  /** A call whose first parameter receives 32 bits. @throws as `call`. */
  int(doing: string, name: CudaCall, ...values: readonly unknown[]): number;
  /** A call whose first parameter receives a pointer or a size. @throws as `call`. */
  pointer(doing: string, name: CudaCall, ...values: readonly unknown[]): bigint;
  /** `CUDA_ERROR_NO_DEVICE`. */
  errorName(status: number): string;
}

/** The driver's threads live as long as the process: a driver that is unloaded under them takes the process with it. */
const KEPT: Set<NativeLibrary> = new Set();

/**
 * @param path - default `libcuda.so.1`, on Windows `nvcuda.dll`.
 * @throws CalibrantError `missing-package` without a driver, without a GPU, or for a driver that is too old.
 */
export function openDriver(koffi: Koffi, path: string = driverName()): CudaDriver {
  const library = loadDriver(koffi, path);
  const functions = new Map<string, NativeFunction>();
  for (const [name, parameters] of Object.entries(CALLS))
    functions.set(name, functionOf(library, path, name, parameters));
  const status = (name: CudaCall, ...values: readonly unknown[]): number =>
    (functions.get(name) as NativeFunction)(...values) as number;
  const driver = { koffi, status, errorName: (code: number) => errorName(koffi, status, code) };
  const version = driverVersion(status);
  const initialised = status("cuInit", 0);
  if (initialised !== 0) throw noGpu(driver.errorName(initialised), version);
  const call: CudaDriver["call"] = (doing, name, ...values) => {
    const code = status(name, ...values);
    if (code !== 0) throw cudaError(doing, driver.errorName(code));
  };
  return {
    ...driver,
    version,
    call,
    int: (doing, name, ...values) => {
      const out = new Int32Array(1);
      call(doing, name, out, ...values);
      return out[0] as number;
    },
    pointer: (doing, name, ...values) => {
      const out = new BigUint64Array(1);
      call(doing, name, out, ...values);
      return out[0] as bigint;
    },
  };
}

/** What the driver's library is called here. */
export function driverName(): string {
  return process.platform === "win32" ? "nvcuda.dll" : "libcuda.so.1";
}

function loadDriver(koffi: Koffi, path: string): NativeLibrary {
  try {
    const library = koffi.load(path);
    KEPT.add(library);
    return library;
  } catch (error) {
    throw new CalibrantError(
      "missing-package",
      `the back end cuda needs the NVIDIA driver, R450 or newer; ${path} cannot be loaded: ${errorMessage(error)}`,
      { library: path },
      { cause: error },
    );
  }
}

function functionOf(
  library: NativeLibrary,
  path: string,
  name: string,
  parameters: readonly string[],
): NativeFunction {
  try {
    return library.func(name, "int", parameters);
  } catch (error) {
    throw new CalibrantError(
      "missing-package",
      `the NVIDIA driver is too old, or ${path} is no driver: R450 or newer is needed, this one has no ${name}`,
      { library: path, function: name },
      { cause: error },
    );
  }
}

function driverVersion(status: CudaDriver["status"]): string {
  const out = new Int32Array(1);
  const code = status("cuDriverGetVersion", out);
  const version = out[0] as number;
  return code === 0 ? `${Math.floor(version / 1000)}.${Math.floor((version % 1000) / 10)}` : "unknown";
}

function errorName(koffi: Koffi, status: CudaDriver["status"], code: number): string {
  const out = new BigUint64Array(1);
  if (status("cuGetErrorName", code, out) !== 0 || out[0] === 0n) return `CUDA error ${code}`;
  return koffi.decode.string(out[0] as bigint);
}

/** The error for a driver that does not start. */
export function noGpu(name: string, version: string): CalibrantError {
  const found = `the NVIDIA driver (CUDA ${version})`;
  const message =
    name === "CUDA_ERROR_NO_DEVICE"
      ? `${found} finds no GPU; see what nvidia-smi lists, and whether CUDA_VISIBLE_DEVICES hides it: ${name}`
      : `${found} does not start; see what nvidia-smi says: ${name}`;
  return new CalibrantError("missing-package", message, { cuda: name, version });
}
