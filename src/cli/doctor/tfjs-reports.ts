import type { TfjsProbe } from "../../uq/logprobs/tfjs/load-tfjs.ts";
import type { TfjsReport } from "./doctor-report.ts";
import { installCommand, type Manifest } from "./optional-packages.ts";
import { CUDA_11_COMMAND, runScriptsCommand } from "./remedies.ts";

/** What the machine tells beside the probe. */
export interface TfjsSurroundings {
  /** Asks for npm's version, which takes a while; null when it is not known. */
  readonly npm: () => string | null;
  readonly isGlobal: boolean;
  /** NVIDIA cards on the bus; null where they are not listed. */
  readonly cards: number | null;
}

/** What of each TensorFlow package is there. */
export function tfjsReports(
  probes: readonly TfjsProbe[],
  manifest: Manifest,
  surroundings: TfjsSurroundings,
): TfjsReport[] {
  return probes.map((probe) => ({
    name: probe.package,
    installed: probe.version,
    bindingPresent: probe.binding,
    loads: probe.tensorflow !== null || probe.usesGpu !== null,
    tensorflow: probe.tensorflow,
    device: probe.usesGpu === null ? null : probe.usesGpu ? "gpu" : "cpu",
    reason: probe.problem,
    missingLibraries: probe.missingLibraries,
    command: commandFor(probe, manifest, surroundings),
  }));
}

function commandFor(
  { package: name, installed, binding, usesGpu, problem, missingLibraries }: TfjsProbe,
  { peerDependencies = {} }: Manifest,
  { npm, isGlobal, cards }: TfjsSurroundings,
): string | null {
  if (!installed) return installCommand(name, peerDependencies[name] ?? "*", isGlobal);
  if (!binding || problem !== null) return runScriptsCommand(name, npm(), isGlobal);
  // Libraries of CUDA help where there is a card, or where nobody can tell.
  return usesGpu === false && missingLibraries.length > 0 && cards !== 0 ? CUDA_11_COMMAND : null;
}
