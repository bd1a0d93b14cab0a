import type {
  AutoReport,
  CudaReport,
  DoctorReport,
  DoctorWarning,
  PackageReport,
  SystemReport,
  TfjsReport,
  WasmReport,
} from "./doctor-report.ts";
import { renderBench } from "./render-bench.ts";
import { textTable } from "./text-table.ts";

/** The report for people. */
export function renderDoctor(report: DoctorReport): string {
  const { node } = report;
  const sections = [
    [
      `calibrant ${report.calibrant}`,
      ...textTable([
        [
          "Node",
          `${node.version} (V8 ${node.v8}), ${node.supported ? "supported" : `not supported: needs ${node.required}`}`,
        ],
        ...systemRows(report.system),
      ]),
    ],
    ["WebAssembly", ...textTable(wasmRows(report.wasm))],
    ["TensorFlow", ...report.tfjs.flatMap(tfjsLines)],
    ["CUDA", ...cudaLines(report.cuda)],
    [
      "--backend auto",
      ...textTable([autoRow("logits", report.auto.logits), autoRow("hidden states", report.auto.hidden)]),
    ],
    ["Optional packages", ...packageLines(report.packages)],
    ...(report.warnings.length === 0 ? [] : [["Warnings", ...report.warnings.flatMap(warningLines)]]),
    ...(report.bench === undefined ? [] : [renderBench(report.bench)]),
  ];
  return sections
    .map(([head, ...lines]) => [head, ...lines.map((line) => `  ${line}\n`.trimEnd()), ""].join("\n"))
    .join("\n");
}

function systemRows({ platform, arch, release, cpu, memory }: SystemReport): string[][] {
  const features = cpu.features === null ? "" : `; ${cpu.features.join(" ")}`;
  const quota = cpu.quota === null ? "" : `, ${cpu.quota} granted by a control group`;
  const limit =
    memory.limitBytes === null ? "" : `, ${gibibytes(memory.limitBytes)} granted by a control group`;
  return [
    ["system", `${platform} ${arch}, ${release}`],
    ["processor", `${cpu.model}, ${cpu.cores} cores, ${cpu.parallelism} threads at once${quota}${features}`],
    ["memory", `${gibibytes(memory.totalBytes)}, ${gibibytes(memory.freeBytes)} free${limit}`],
  ];
}

function wasmRows({ simd, relaxedSimd, threads, variant }: WasmReport): string[][] {
  return [
    ["SIMD", yesNo(simd)],
    ["relaxed SIMD", yesNo(relaxedSimd)],
    ["threads", yesNo(threads)],
    ["kernel", variant ?? "none: JavaScript computes"],
  ];
}

function tfjsLines(tfjs: TfjsReport): string[] {
  const { name, installed, loads, tensorflow, device, reason, command } = tfjs;
  if (installed === null) return missing(`${name}: not installed`, command);
  if (!loads) return missing(named(`${name} ${installed}`, reason ?? "cannot be used"), command);
  const where = device === "gpu" ? "on the GPU" : "on the CPU";
  return missing(`${name} ${installed}: TensorFlow ${tensorflow ?? "of unknown version"}, ${where}`, command);
}

function cudaLines(cuda: CudaReport): string[] {
  const cards =
    cuda.cards === null || cuda.devices.length > 0 ? [] : [["cards on the bus", String(cuda.cards)]];
  const rows = [
    ["usable", cuda.usable ? "yes" : `no: ${cuda.reason ?? "no reason was told"}`],
    ["koffi", cuda.koffi ?? "not installed"],
    ["driver", cuda.driver === null ? "not found" : `speaks CUDA ${cuda.driver}`],
    ...cards,
    ...cuda.devices.map(({ index, name, computeCapability, memoryBytes }) => [
      `device ${index}`,
      `${name}, compute capability ${computeCapability}, ${gibibytes(memoryBytes)}`,
    ]),
    [
      "cuBLAS",
      cuda.cublas ?? `not found${cuda.usable && cuda.cublasReason !== null ? `: ${cuda.cublasReason}` : ""}`,
    ],
  ];
  return missing(textTable(rows), cuda.command);
}

function autoRow(work: string, { backend, detail, reason }: AutoReport): string[] {
  return [work, backend === null ? `none: ${reason}` : `${backend} (${detail}): ${reason}`];
}

function packageLines(packages: readonly PackageReport[]): string[] {
  const there = packages.filter(({ command }) => command === null);
  const others = packages.filter(({ command }) => command !== null);
  return [
    ...textTable(there.map(({ name, installed, gives }) => [`${name} ${installed}`, gives])),
    ...others.flatMap(({ name, installed, reason, gives, command }) =>
      missing(
        `${name}: ${installed === null ? "not installed" : `${installed} cannot be loaded: ${reason}`}; for: ${gives}`,
        command,
      ),
    ),
  ];
}

function warningLines({ message, command }: DoctorWarning): string[] {
  return missing(`! ${message}`, command);
}

/** Reasons mostly begin with what they are about. */
function named(name: string, reason: string): string {
  return reason.startsWith(name) ? reason : `${name}: ${reason}`;
}

/** Lines, with the command that gets what is missing. */
function missing(lines: string | readonly string[], command: string | null): string[] {
  const list = typeof lines === "string" ? [lines] : lines;
  return command === null ? [...list] : [...list, `    $ ${command}`];
}

function yesNo(value: boolean): string {
  return value ? "yes" : "no";
}

function gibibytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}
