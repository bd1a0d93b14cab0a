import type { DoctorReport, DoctorWarning, TfjsReport, WarningCode } from "./doctor-report.ts";
import { type Distribution, driverCommand } from "./remedies.ts";

/** What warnings are drawn from. */
export type DoctorFindings = Omit<DoctorReport, "warnings" | "bench">;

/** TensorFlow is built for compute capability 9.0 from CUDA 11.8 on, which is TensorFlow 2.12. */
const FIRST_FOR_HOPPER = [2, 12] as const;

/**
 * What a user should know before work is given to this machine.
 *
 * @param failedProbes - what could not be looked at, with the reasons.
 */
export function doctorWarnings(
  findings: DoctorFindings,
  where: Distribution,
  failedProbes: Readonly<Record<string, string>>,
): DoctorWarning[] {
  return [
    ...machineWarnings(findings),
    ...packageWarnings(findings),
    ...tfjsWarnings(findings),
    ...cudaWarnings(findings, where),
    ...Object.entries(failedProbes).map(([probe, reason]) =>
      warning("probe-failed", `the look at ${probe} failed: ${reason}`),
    ),
  ];
}

function warning(code: WarningCode, message: string, command: string | null = null): DoctorWarning {
  return { code, message, command };
}

function machineWarnings({ node, system, wasm }: DoctorFindings): DoctorWarning[] {
  const found: DoctorWarning[] = [];
  if (!node.supported)
    found.push(warning("node-unsupported", `Node ${node.version} is not supported: needs ${node.required}`));
  if (wasm.variant === null)
    found.push(
      warning(
        "no-simd",
        "this Node's WebAssembly has no SIMD: log-probs are computed in JavaScript, several times slower",
      ),
    );
  const { quota, parallelism } = system.cpu;
  if (quota !== null && quota < parallelism)
    found.push(
      warning(
        "cpu-quota",
        `a control group grants ${quota} processors, but thread counts default to ${parallelism}: pass --threads ${Math.max(1, Math.floor(quota))}`,
      ),
    );
  return found;
}

function packageWarnings({ packages }: DoctorFindings): DoctorWarning[] {
  return packages
    .filter(({ loads }) => loads === false)
    .map(({ name, installed, reason, command }) =>
      warning("package-broken", `${name} ${installed} is installed but cannot be loaded: ${reason}`, command),
    );
}

function tfjsWarnings(findings: DoctorFindings): DoctorWarning[] {
  return findings.tfjs
    .filter(({ installed }) => installed !== null)
    .flatMap((tfjs) => [
      ...brokenWarnings(tfjs),
      ...nodeWarnings(tfjs, findings.node),
      ...(tfjs.name.endsWith("-gpu") ? gpuWarnings(tfjs, findings.cuda) : []),
    ]);
}

function brokenWarnings({
  name,
  installed,
  bindingPresent,
  loads,
  reason,
  command,
}: TfjsReport): DoctorWarning[] {
  if (loads) return [];
  if (bindingPresent)
    return [warning("package-broken", reason ?? `${name} ${installed} cannot be loaded`, command)];
  const message = `${name} ${installed} is installed without its native binding: its install script did not run (npm 12 blocks scripts) or its download failed`;
  return [warning("tfjs-binding-missing", message, command)];
}

function nodeWarnings({ name, installed }: TfjsReport, node: DoctorFindings["node"]): DoctorWarning[] {
  if (Number(node.version.split(".")[0]) < 23) return [];
  const message = `${name} ${installed} calls two functions that Node 23 removed: Calibrant puts them back before it loads the package, other programs must do so themselves`;
  return [warning("tfjs-node-23", message)];
}

function gpuWarnings(tfjs: TfjsReport, cuda: DoctorFindings["cuda"]): DoctorWarning[] {
  const { name, loads, tensorflow, device, missingLibraries, command } = tfjs;
  const found: DoctorWarning[] = [];
  if (loads && device === "cpu") {
    const missing = missingLibraries.length > 0 ? `; it did not find ${missingLibraries.join(", ")}` : "";
    const message = `${name} computes on the CPU: TensorFlow falls back to it without an error${missing}`;
    found.push(warning("tfjs-runs-on-cpu", message, command));
  }
  if (tensorflow !== null && isBefore(tensorflow, FIRST_FOR_HOPPER))
    found.push(...jitWarnings(tensorflow, cuda));
  return found;
}

function jitWarnings(tensorflow: string, { devices }: DoctorFindings["cuda"]): DoctorWarning[] {
  return devices
    .filter(({ computeCapability }) => Number(computeCapability) >= 9)
    .map(({ name, computeCapability }) =>
      warning(
        "tfjs-ptx-jit",
        `TensorFlow ${tensorflow} has no code for ${name} (compute capability ${computeCapability}): the driver translates every kernel at its first use, which can take half an hour or fail; --backend cuda needs no such step`,
      ),
    );
}

function isBefore(version: string, [major, minor]: readonly [number, number]): boolean {
  const [a = 0, b = 0] = version.split(".").map(Number);
  return a < major || (a === major && b < minor);
}

function cudaWarnings({ cuda, auto }: DoctorFindings, where: Distribution): DoctorWarning[] {
  if (cuda.usable) {
    if (cuda.cublas !== null || auto.hidden.backend !== "cuda") return [];
    const message = `hidden states go to the GPU, which needs cuBLAS for them: ${cuda.cublasReason ?? "it was not found"}`;
    return [warning("cublas-missing", message, cuda.command)];
  }
  if ((cuda.cards ?? 0) === 0) return [];
  if (cuda.driver === null && cuda.koffi !== null) {
    const message = `there is an NVIDIA card, but its driver was not found: ${cuda.reason ?? "libcuda is missing"}`;
    return [warning("gpu-without-driver", message, driverCommand(where) ?? cuda.command)];
  }
  const message = `there is an NVIDIA card that the back end cuda cannot use: ${cuda.reason ?? "no reason was told"}`;
  return [warning("cuda-unusable", message, cuda.command)];
}
