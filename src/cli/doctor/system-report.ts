import { availableParallelism, cpus, freemem, release, totalmem } from "node:os";
import type { CpuReport, MemoryReport, NodeReport, SystemReport } from "./doctor-report.ts";
import { textOf } from "./surroundings.ts";

/** Node, against the range `>=N` that package.json asks for. */
export function nodeReport(version: string, v8: string, required: string): NodeReport {
  const least = Number(/^>=(\d+)/.exec(required)?.[1] ?? 0);
  return { version, required, supported: Number(version.split(".")[0]) >= least, v8 };
}

/** The system, its processor and its memory. */
export function systemReport(): SystemReport {
  const { platform, arch } = process;
  return { platform, arch, release: release(), cpu: cpuReport(), memory: memoryReport() };
}

function cpuReport(): CpuReport {
  const info = textOf("/proc/cpuinfo");
  return {
    model: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    parallelism: availableParallelism(),
    quota: cpuQuota(textOf("/sys/fs/cgroup/cpu.max")),
    features: info === null ? null : cpuFeatures(info),
  };
}

function memoryReport(): MemoryReport {
  const totalBytes = totalmem();
  // Without a limit it is undefined, 0 or more than there is, depending on Node and on the kernel.
  const limit = process.constrainedMemory() as number | undefined;
  return {
    totalBytes,
    freeBytes: freemem(),
    limitBytes: limit !== undefined && limit > 0 && limit < totalBytes ? limit : null,
  };
}

const SHOWN =
  /^(sse4_2|avx|avx2|fma|f16c|avx512(f|bw|dq|vl|_bf16|_fp16|_vnni)|avx_vnni|amx_(tile|bf16)|asimd|asimdhp|fphp|bf16|sve|sve2|svebf16)$/;

/** The instruction sets of interest among those of `/proc/cpuinfo`, in its order; null when it lists none. */
export function cpuFeatures(cpuinfo: string): string[] | null {
  const flags = /^(?:flags|Features)\s*:\s*(.*)$/m.exec(cpuinfo)?.[1];
  if (flags === undefined) return null;
  return flags.split(/\s+/).filter((flag) => SHOWN.test(flag));
}

/** Processors that `cpu.max` of a control group grants: `150000 100000` are 1.5; null for no limit or no file. */
export function cpuQuota(cpuMax: string | null): number | null {
  const [quota, period] = (cpuMax ?? "").trim().split(/\s+/).map(Number);
  return quota !== undefined && period !== undefined && quota > 0 && period > 0 ? quota / period : null;
}
