import type { BenchReport } from "./bench/bench-report.ts";

/** What `calibrant doctor --json` prints. Fields are only ever added. */
export interface DoctorReport {
  /** Calibrant's version. */
  readonly calibrant: string;
  readonly node: NodeReport;
  readonly system: SystemReport;
  readonly wasm: WasmReport;
  /** One a package that is optional, in the order of package.json. */
  readonly packages: readonly PackageReport[];
  /** One a TensorFlow package that was looked for; empty when the probe failed. */
  readonly tfjs: readonly TfjsReport[];
  readonly cuda: CudaReport;
  /** What `--backend auto` takes here. */
  readonly auto: { readonly logits: AutoReport; readonly hidden: AutoReport };
  readonly warnings: readonly DoctorWarning[];
  /** With `--bench` only. */
  readonly bench?: BenchReport;
}

export interface NodeReport {
  /** `20.20.2` */
  readonly version: string;
  /** The range that package.json asks for. */
  readonly required: string;
  readonly supported: boolean;
  /** The version of V8. */
  readonly v8: string;
}

export interface SystemReport {
  /** As `process.platform` and `process.arch`. */
  readonly platform: string;
  readonly arch: string;
  readonly release: string;
  readonly cpu: CpuReport;
  readonly memory: MemoryReport;
}

export interface CpuReport {
  readonly model: string;
  /** Logical processors. */
  readonly cores: number;
  /** How many threads run at once: what thread counts default to. */
  readonly parallelism: number;
  /** Processors that a control group grants (Linux); null where there is no limit. */
  readonly quota: number | null;
  /** Instruction sets that number crunching uses, as Linux names them; null where the system does not tell. */
  readonly features: readonly string[] | null;
}

export interface MemoryReport {
  readonly totalBytes: number;
  readonly freeBytes: number;
  /** What a control group grants; null where there is no limit below the total. */
  readonly limitBytes: number | null;
}

export interface WasmReport {
  readonly simd: boolean;
  readonly relaxedSimd: boolean;
  /** Threads over a shared memory. */
  readonly threads: boolean;
  /** The variant of the kernel that is used; null = none, JavaScript computes. */
  readonly variant: "relaxed" | "baseline" | null;
}

export interface PackageReport {
  readonly name: string;
  /** `optional`: installed by default; `peer`: only when asked for. */
  readonly kind: "optional" | "peer";
  /** The range of package.json. */
  readonly wanted: string;
  /** The installed version; null when it is not there. */
  readonly installed: string | null;
  /** Whether it can be loaded; null when that was not tried. */
  readonly loads: boolean | null;
  /** Why it cannot be loaded. */
  readonly reason: string | null;
  /** What it is for. */
  readonly gives: string;
  /** What installs it; null when nothing is missing. */
  readonly command: string | null;
}

export interface TfjsReport {
  /** The package. */
  readonly name: string;
  readonly installed: string | null;
  /** Whether its native binding is there. */
  readonly bindingPresent: boolean;
  readonly loads: boolean;
  /** The version of the TensorFlow library behind it. */
  readonly tensorflow: string | null;
  /** Where it really computes: the package's name does not tell. */
  readonly device: "gpu" | "cpu" | null;
  readonly reason: string | null;
  /** CUDA libraries that TensorFlow did not find. */
  readonly missingLibraries: readonly string[];
  /** What gets what is missing; null when nothing is. */
  readonly command: string | null;
}

export interface CudaReport {
  /** Whether the back end can compute here. */
  readonly usable: boolean;
  /** What keeps it from that. */
  readonly reason: string | null;
  /** The installed version of koffi, which calls the driver. */
  readonly koffi: string | null;
  /** The CUDA version that the driver speaks: `13.0`. */
  readonly driver: string | null;
  readonly devices: readonly CudaDeviceReport[];
  /** The version of cuBLAS, which hidden states need. */
  readonly cublas: string | null;
  readonly cublasReason: string | null;
  /** NVIDIA cards that the system lists, driver or not; null where it does not tell. */
  readonly cards: number | null;
  readonly command: string | null;
}

export interface CudaDeviceReport {
  readonly index: number;
  readonly name: string;
  /** `9.0` */
  readonly computeCapability: string;
  readonly memoryBytes: number;
}

export interface AutoReport {
  /** Null when none could be opened. */
  readonly backend: "wasm" | "js" | "tfjs" | "cuda" | null;
  /** What computes: `baseline SIMD`, `NVIDIA H200, driver 13.0`. */
  readonly detail: string | null;
  readonly reason: string;
}

export interface DoctorWarning {
  readonly code: WarningCode;
  readonly message: string;
  /** What helps, as a command; null where no command does. */
  readonly command: string | null;
}

export type WarningCode =
  | "node-unsupported"
  | "cpu-quota"
  | "no-simd"
  | "package-broken"
  | "tfjs-node-23"
  | "tfjs-binding-missing"
  | "tfjs-runs-on-cpu"
  | "tfjs-ptx-jit"
  | "gpu-without-driver"
  | "cuda-unusable"
  | "cublas-missing"
  | "probe-failed";
