import { CalibrantError, errorMessage } from "../../../errors.ts";
import type { LogitType } from "../log-prob-backend.ts";
import type { CudaDevice } from "./cuda-device.ts";
import type { Koffi, NativeLibrary } from "./load-koffi.ts";

const POINTER = "void *";
const ADDRESS = "uint64";

/** How cuBLAS calls the types. */
const CUDA_TYPES = { float32: 0, float16: 2, bfloat16: 14 } as const satisfies Record<LogitType, number>;

const TRANSPOSED = 1;
const AS_IT_IS = 0;
const COMPUTE_32F = 68;
const DEFAULT_ALGORITHM = -1;
/** Default math, which keeps float32 (no TF32), and no sums in 16 bits. */
const MATH_MODE = 16;

const STATUS_NAMES: Readonly<Record<number, string>> = {
  1: "CUBLAS_STATUS_NOT_INITIALIZED",
  3: "CUBLAS_STATUS_ALLOC_FAILED",
  7: "CUBLAS_STATUS_INVALID_VALUE",
  8: "CUBLAS_STATUS_ARCH_MISMATCH",
  11: "CUBLAS_STATUS_MAPPING_ERROR",
  13: "CUBLAS_STATUS_EXECUTION_FAILED",
  14: "CUBLAS_STATUS_INTERNAL_ERROR",
  15: "CUBLAS_STATUS_NOT_SUPPORTED",
  16: "CUBLAS_STATUS_LICENSE_ERROR",
};

/** A matrix on the device, row after row. */
export interface DeviceMatrix {
  readonly pointer: bigint;
  readonly rows: number;
  readonly rowStride: number;
}

/** The matrix product of the user's own cuBLAS. */
export interface Cublas {
  readonly version: string;
  /** `product[i][j] = Σ a[i][·] b[j][·]` in float32, as work of the stream; a and b of one type, `width` numbers a row. */
  multiply(
    stream: bigint,
    type: LogitType,
    width: number,
    a: DeviceMatrix,
    b: DeviceMatrix,
    product: Omit<DeviceMatrix, "rows">,
  ): void;
  close(): void;
}

/** A cuBLAS library that could be loaded. */
export interface CublasLibrary {
  readonly path: string;
  readonly library: NativeLibrary;
  readonly version: string;
}

/** A library that is unloaded under its threads takes the process with it. */
const KEPT: Set<NativeLibrary> = new Set();

/**
 * @param path - default: the versions 12, 13 and 11 in turn, where the system looks for libraries.
 * @throws CalibrantError `missing-package` naming what was tried and how to get it.
 */
export function loadCublas(koffi: Koffi, path?: string): CublasLibrary {
  const problems: string[] = [];
  for (const name of path === undefined ? cublasNames() : [path]) {
    try {
      const library = koffi.load(name);
      KEPT.add(library);
      return { path: name, library, version: versionOf(library) };
    } catch (error) {
      problems.push(`${name}: ${errorMessage(error)}`);
    }
  }
  throw new CalibrantError(
    "missing-package",
    `hidden states on the back end cuda need NVIDIA's cuBLAS 11, 12 or 13: install the CUDA toolkit (or pip install nvidia-cublas-cu12) and name the library with the option cublas; ${problems.join("; ")}`,
    { problems },
  );
}

/**
 * To be called with the device entered.
 *
 * @throws CalibrantError `missing-package` as {@link loadCublas}, and for one that does not work with this driver.
 */
export function openCublas(device: CudaDevice, path?: string): Cublas {
  const { library, version, path: found } = loadCublas(device.driver.koffi, path);
  const name = `cuBLAS ${version} (${found})`;
  const create = library.func("cublasCreate_v2", "int", [POINTER]);
  const destroy = library.func("cublasDestroy_v2", "int", [ADDRESS]);
  const setStream = library.func("cublasSetStream_v2", "int", [ADDRESS, ADDRESS]);
  const setMathMode = library.func("cublasSetMathMode", "int", [ADDRESS, "int"]);
  const gemm = library.func("cublasGemmEx", "int", [
    ...[ADDRESS, "int", "int", "int", "int", "int", POINTER],
    ...[ADDRESS, "int", "int", ADDRESS, "int", "int", POINTER],
    ...[ADDRESS, "int", "int", "int", "int"],
  ]);
  const out = new BigUint64Array(1);
  const created = create(out) as number;
  if (created !== 0)
    throw new CalibrantError(
      "missing-package",
      `${name} does not start with the driver (CUDA ${device.driver.version}); a version that it supports is needed: ${statusName(created)}`,
      { cublas: statusName(created), path: found },
    );
  const handle = out[0] as bigint;
  const check = (status: unknown): void => {
    if (status !== 0)
      throw new CalibrantError("io", `${name} failed at a matrix product: ${statusName(status as number)}`, {
        cublas: statusName(status as number),
      });
  };
  const one = Float32Array.of(1);
  const zero = Float32Array.of(0);
  setMathMode(handle, MATH_MODE);
  return {
    version,
    multiply: (stream, type, width, a, b, product) => {
      check(setStream(handle, stream));
      const cudaType = CUDA_TYPES[type];
      // cuBLAS reads matrices column after column: rows of ours are its columns, and the product comes out as ours.
      check(
        gemm(
          ...[handle, TRANSPOSED, AS_IT_IS, b.rows, a.rows, width, one],
          ...[b.pointer, cudaType, b.rowStride, a.pointer, cudaType, a.rowStride, zero],
          ...[product.pointer, CUDA_TYPES.float32, product.rowStride, COMPUTE_32F, DEFAULT_ALGORITHM],
        ),
      );
    },
    close: () => {
      destroy(handle);
    },
  };
}

function cublasNames(): readonly string[] {
  return [12, 13, 11].map((version) =>
    process.platform === "win32" ? `cublas64_${version}.dll` : `libcublas.so.${version}`,
  );
}

function versionOf(library: NativeLibrary): string {
  const property = library.func("cublasGetProperty", "int", ["int", POINTER]);
  const numbers = [0, 1, 2].map((which) => {
    const out = new Int32Array(1);
    property(which, out);
    return out[0] as number;
  });
  return numbers.join(".");
}

function statusName(status: number): string {
  return STATUS_NAMES[status] ?? `status ${status}`;
}
