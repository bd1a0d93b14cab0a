import { LEAST_CAPABILITY } from "../../uq/logprobs/cuda/kernel-images.ts";
import type { CudaProbe } from "../../uq/logprobs/cuda/probe-cuda.ts";
import type { CudaReport } from "./doctor-report.ts";
import { installCommand, type Manifest } from "./optional-packages.ts";
import { cublasCommand, type Distribution, driverCommand } from "./remedies.ts";
import type { ProbeOutcome } from "./run-probe.ts";

/** What the machine tells beside the probe. */
export interface CudaSurroundings {
  /** NVIDIA cards on the bus; null where they are not listed. */
  readonly cards: number | null;
  readonly distribution: Distribution;
  readonly isGlobal: boolean;
}

/** What of the back end cuda is there. */
export function cudaReport(
  { messages, failure }: ProbeOutcome,
  { peerDependencies = {} }: Manifest,
  { cards, distribution, isGlobal }: CudaSurroundings,
): CudaReport {
  const found = messages.find((message) => message.type === "found");
  if (found === undefined) return nothing(cards, failure ?? "its probe told nothing");
  const { koffi, driver, devices, cublas } = found.value as CudaProbe;
  const command = (): string | null => {
    // Without a card, neither the package nor the driver would help.
    if (cards === 0 && devices.length === 0) return null;
    if (!koffi.installed) return installCommand("koffi", peerDependencies.koffi ?? "*", isGlobal);
    if (!driver.found) return driverCommand(distribution);
    return devices.length > 0 && !cublas.found ? cublasCommand(driver.version) : null;
  };
  const usable = devices.some(({ computeCapability }) => Number(computeCapability) >= LEAST_CAPABILITY);
  return {
    usable,
    reason: usable ? null : reasonOf(found.value as CudaProbe, cards),
    koffi: koffi.version,
    driver: driver.version,
    devices: devices.map(({ index, name, computeCapability, memoryBytes }) => {
      return { index, name, computeCapability, memoryBytes };
    }),
    cublas: cublas.version,
    cublasReason: cublas.problem,
    cards,
    command: command(),
  };
}

function reasonOf({ koffi, driver, devices }: CudaProbe, cards: number | null): string {
  if (devices.length > 0) return `needs a GPU of compute capability ${LEAST_CAPABILITY} or newer`;
  if (cards === 0) return "no NVIDIA card in this machine";
  return koffi.problem ?? driver.problem ?? "the driver shows no GPU";
}

function nothing(cards: number | null, reason: string): CudaReport {
  return {
    usable: false,
    reason,
    koffi: null,
    driver: null,
    devices: [],
    cublas: null,
    cublasReason: null,
    cards,
    command: null,
  };
}
