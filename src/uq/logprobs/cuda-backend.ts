import { checkOptionNames } from "../../data/check-option-names.ts";
import { CalibrantError } from "../../errors.ts";
import { type CudaBackend, openCudaBackend } from "./cuda/open-cuda-backend.ts";

export type { CudaBackend } from "./cuda/open-cuda-backend.ts";

/** How the back end `cuda` is made. */
export interface CudaOptions {
  /** The number of the GPU, as `nvidia-smi` counts those that CUDA_VISIBLE_DEVICES leaves. Default 0. */
  readonly device?: number;
  /**
   * Bytes on the GPU that the back end takes for itself at most: chunks, logits made of hidden states, and output layers that it keeps.
   * Not counted are numbers that `upload` put there, and the workspace of cuBLAS. Default 2 GiB.
   */
  readonly memoryBytes?: number;
  /** The driver's library. Default `libcuda.so.1`, on Windows `nvcuda.dll`, where the system looks for libraries. */
  readonly driver?: string;
  /** The library cuBLAS, for hidden states. Default version 12, 13 or 11, where the system looks for libraries. */
  readonly cublas?: string;
}

const DEFAULT_MEMORY_BYTES = 2 ** 31;

/**
 * Opens a GPU. Needs the package koffi and the NVIDIA driver, R450 or newer, and a GPU of compute capability 7.5 or newer; `scoreHidden`
 * needs NVIDIA's cuBLAS too. With weights given as an array, `scoreHidden` keeps a copy on the GPU and knows it by the array: an array
 * whose numbers change must be given as a new one.
 *
 * @throws CalibrantError `missing-package` for what is not there, naming how to get it; `option` for a GPU that is not there; `io` when
 *   the driver fails.
 *
 * @example
 * ```ts
 * import { createCudaBackend } from "calibrant/uq";
 * try {
 *   const cuda = await createCudaBackend({ driver: "libcuda-that-is-not-there.so" });
 *   await cuda.dispose();
 * } catch (error) {
 *   console.log((error as { code: string }).code); // missing-package
 * }
 * ```
 */
export async function createCudaBackend(options: CudaOptions = {}): Promise<CudaBackend> {
  checkOptionNames(options, ["device", "memoryBytes", "driver", "cublas"], "createCudaBackend");
  const { device = 0, memoryBytes = DEFAULT_MEMORY_BYTES, driver, cublas } = options;
  if (!Number.isSafeInteger(memoryBytes) || memoryBytes < 1)
    throw new CalibrantError("option", `memoryBytes must be a number of bytes, got ${memoryBytes}`);
  return openCudaBackend({ device, memoryBytes, driver, cublas, partCount: null });
}
