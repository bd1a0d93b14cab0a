import { errorMessage } from "../../../errors.ts";
import { loadCublas } from "./cublas.ts";
import { type CudaDeviceFacts, countDevices, readDeviceFacts } from "./cuda-device.ts";
import { type CudaDriver, openDriver } from "./cuda-driver.ts";
import { type Koffi, loadKoffi } from "./load-koffi.ts";

/** What of the back end cuda is there. A `problem` is null when there is none. */
export interface CudaProbe {
  readonly koffi: {
    readonly installed: boolean;
    readonly version: string | null;
    readonly problem: string | null;
  };
  readonly driver: {
    readonly found: boolean;
    /** The newest CUDA version that it runs, `13.0`. */
    readonly version: string | null;
    readonly problem: string | null;
  };
  /** Empty when there is none. */
  readonly devices: readonly CudaProbeDevice[];
  readonly cublas: {
    readonly found: boolean;
    readonly path: string | null;
    readonly version: string | null;
    readonly problem: string | null;
  };
}

/** A GPU. */
export interface CudaProbeDevice extends CudaDeviceFacts {
  /** Null when the driver does not say. */
  readonly freeBytes: number | null;
}

/** Libraries that are not where the system looks. */
export interface CudaProbeOptions {
  readonly driver?: string;
  readonly cublas?: string;
}

/** Says what of the back end cuda is there; never throws. */
export async function probeCuda({ driver: path, cublas }: CudaProbeOptions = {}): Promise<CudaProbe> {
  let koffi: Koffi;
  try {
    koffi = await loadKoffi();
  } catch (error) {
    const problem = errorMessage(error);
    const missing = "koffi is needed to look";
    return {
      koffi: { installed: false, version: null, problem },
      driver: { found: false, version: null, problem: missing },
      devices: [],
      cublas: { found: false, path: null, version: null, problem: missing },
    };
  }
  return {
    koffi: { installed: true, version: koffi.version, problem: null },
    ...probeDriver(koffi, path),
    cublas: probeCublas(koffi, cublas),
  };
}

function probeDriver(koffi: Koffi, path: string | undefined): Pick<CudaProbe, "driver" | "devices"> {
  let version: string | null = null;
  try {
    const driver = openDriver(koffi, path);
    version = driver.version;
    const devices = Array.from({ length: countDevices(driver) }, (_, index) => ({
      ...readDeviceFacts(driver, index),
      freeBytes: freeBytes(driver, index),
    }));
    return { driver: { found: true, version, problem: null }, devices };
  } catch (error) {
    const problem = errorMessage(error);
    return { driver: { found: version !== null, version, problem }, devices: [] };
  }
}

/** Free memory can only be asked for inside of a context. */
function freeBytes(driver: CudaDriver, index: number): number | null {
  try {
    const doing = "looking at the GPU's memory";
    const handle = driver.int(doing, "cuDeviceGet", index);
    const context = driver.pointer(doing, "cuDevicePrimaryCtxRetain", handle);
    try {
      driver.call(doing, "cuCtxSetCurrent", context);
      return Number(driver.pointer(doing, "cuMemGetInfo_v2", new BigUint64Array(1)));
    } finally {
      driver.status("cuDevicePrimaryCtxRelease_v2", handle);
    }
  } catch {
    return null;
  }
}

function probeCublas(koffi: Koffi, path: string | undefined): CudaProbe["cublas"] {
  try {
    const found = loadCublas(koffi, path);
    return { found: true, path: found.path, version: found.version, problem: null };
  } catch (error) {
    return { found: false, path: null, version: null, problem: errorMessage(error) };
  }
}
