import { errorMessage } from "../../errors.ts";
import { probeTfjs } from "../../uq/logprobs/tfjs/load-tfjs.ts";
import { autoReports } from "./auto-reports.ts";
import { cudaReport } from "./cuda-report.ts";
import type { DoctorReport } from "./doctor-report.ts";
import {
  installedVersion,
  isGlobalInstall,
  optionalPackages,
  ownManifest,
  packageRoot,
} from "./optional-packages.ts";
import { packageReports } from "./package-reports.ts";
import { runProbe } from "./run-probe.ts";
import { distribution, npmVersion, nvidiaCards } from "./surroundings.ts";
import { nodeReport, systemReport } from "./system-report.ts";
import { tfjsReports } from "./tfjs-reports.ts";
import { type DoctorFindings, doctorWarnings } from "./warnings.ts";
import { wasmReport } from "./wasm-report.ts";

/**
 * Looks at everything; what fails is a warning.
 *
 * @param timeoutMs - for each probe.
 */
export async function gatherReport(timeoutMs: number): Promise<Omit<DoctorReport, "bench">> {
  const manifest = ownManifest();
  const isGlobal = isGlobalInstall(packageRoot());
  const probed = {
    packages: await packageReports(optionalPackages(manifest), {
      version: installedVersion,
      load: (names) => runProbe("packages", names, timeoutMs),
      isGlobal,
    }),
    tfjs: await tried(() => probeTfjs(timeoutMs)),
    cuda: await runProbe("cuda", [], timeoutMs),
    auto: await runProbe("auto", [], timeoutMs),
  };
  const where = distribution();
  const cards = nvidiaCards();
  const cuda = cudaReport(probed.cuda, manifest, { cards, distribution: where, isGlobal });
  const tfjs = tfjsReports(probed.tfjs.value ?? [], manifest, { npm: npmVersion, isGlobal, cards });
  const findings: DoctorFindings = {
    calibrant: manifest.version,
    node: nodeReport(process.versions.node, process.versions.v8, manifest.engines.node),
    system: systemReport(),
    wasm: wasmReport(),
    packages: probed.packages,
    tfjs,
    cuda,
    auto: autoReports(probed.auto, cuda, tfjs),
  };
  const failed = Object.entries({ tfjs: probed.tfjs, cuda: probed.cuda, auto: probed.auto })
    .filter(([, { failure }]) => failure !== null)
    .map(([name, { failure }]) => [name, failure as string]);
  return { ...findings, warnings: doctorWarnings(findings, where, Object.fromEntries(failed)) };
}

async function tried<Value>(
  work: () => Promise<Value>,
): Promise<{ readonly value: Value | null; readonly failure: string | null }> {
  try {
    return { value: await work(), failure: null };
  } catch (error) {
    return { value: null, failure: errorMessage(error) };
  }
}
