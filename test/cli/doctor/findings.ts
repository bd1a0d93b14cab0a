import type { CudaReport, TfjsReport } from "../../../src/cli/doctor/doctor-report.ts";
import type { DoctorFindings } from "../../../src/cli/doctor/warnings.ts";

/** A TensorFlow package that is not there. */
export function tfjsOf(changes: Partial<TfjsReport> = {}): TfjsReport {
  return {
    name: "@tensorflow/tfjs-node-gpu",
    installed: null,
    bindingPresent: false,
    loads: false,
    tensorflow: null,
    device: null,
    reason: "@tensorflow/tfjs-node-gpu is not installed",
    missingLibraries: [],
    command: 'npm install "@tensorflow/tfjs-node-gpu@^4.22.0"',
    ...changes,
  };
}

/** No GPU. */
export function cudaOf(changes: Partial<CudaReport> = {}): CudaReport {
  return {
    usable: false,
    reason: "no NVIDIA card in this machine",
    koffi: "3.3.4",
    driver: null,
    devices: [],
    cublas: null,
    cublasReason: "libcublas.so.12 cannot be loaded",
    cards: 0,
    command: null,
    ...changes,
  };
}

export const H200 = {
  index: 0,
  name: "NVIDIA H200",
  computeCapability: "9.0",
  memoryBytes: 150_754_820_096,
} as const;

/** A machine without anything to warn of. */
export function findingsOf(changes: Partial<DoctorFindings> = {}): DoctorFindings {
  return {
    calibrant: "0.1.0",
    node: { version: "20.20.2", required: ">=20", supported: true, v8: "11.3" },
    system: {
      platform: "linux",
      arch: "x64",
      release: "6.1.0",
      cpu: { model: "AMD EPYC", cores: 4, parallelism: 4, quota: null, features: ["avx2", "fma"] },
      memory: { totalBytes: 2 ** 35, freeBytes: 2 ** 34, limitBytes: null },
    },
    wasm: { simd: true, relaxedSimd: false, threads: true, variant: "baseline" },
    packages: [],
    tfjs: [],
    cuda: cudaOf(),
    auto: {
      logits: { backend: "wasm", detail: "SIMD", reason: "the fastest on a processor" },
      hidden: { backend: "wasm", detail: "SIMD", reason: "no GPU" },
    },
    ...changes,
  };
}
