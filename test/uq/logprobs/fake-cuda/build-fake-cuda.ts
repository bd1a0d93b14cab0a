import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import koffi from "koffi";

/** The fake driver (and cuBLAS, in the same library), with what tests steer in it. */
export interface FakeCuda {
  readonly path: string;
  /** As after loading: no failures, no settings, all counts of calls 0. */
  reset(): void;
  /** `devices`, `version`, `major`, `minor`, `memory`, `polls`. */
  set(name: string, value: number): void;
  /** The call gives the status once, after `skip` calls that work. */
  fail(name: string, status: number, skip?: number): void;
  failCublas(status: number): void;
  calls(name: string): number;
  /** What is held. */
  held(): { deviceBytes: number; deviceBlocks: number; pinnedBlocks: number; objects: number };
  /** Blocks that somebody wrote beside of. */
  damaged(): number;
  /** Removes the file. */
  remove(): void;
}

/** Nothing held. */
export const NOTHING_HELD: ReturnType<FakeCuda["held"]> = {
  deviceBytes: 0,
  deviceBlocks: 0,
  pinnedBlocks: 0,
  objects: 0,
};

/** Why the fake cannot be built here; null = it can. */
export function whyNoFake(): string | null {
  if (process.platform !== "linux") return "the fake driver is for Linux";
  return spawnSync("g++", ["--version"]).status === 0 ? null : "g++ is not here";
}

/**
 * Compiles the kernels of the package, and the driver that runs them on the processor.
 *
 * @param threads - of the blocks that have 512 on a GPU: fewer are faster.
 */
export function buildFakeCuda(threads: 64 | 512): FakeCuda {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  const path = join(mkdtempSync(join(tmpdir(), "calibrant-fake-cuda-")), "libfakecuda.so");
  const flags = ["-std=c++17", "-O2", "-fno-strict-aliasing", "-fPIC", "-shared", "-Wl,-Bsymbolic"];
  const own = [`-DEMULATED_THREADS=${threads}`, "-Wno-unknown-pragmas"];
  const sources = ["fake-cuda.cc", "fake-cublas.cc"];
  const built = spawnSync("g++", [...flags, ...own, "-o", path, ...sources], {
    cwd: folder,
    encoding: "utf8",
  });
  if (built.status !== 0) throw new Error(`g++ failed: ${built.stderr}`);
  const library = koffi.load(path);
  const call = (name: string, result: string, parameters: string[]): ((...values: unknown[]) => unknown) =>
    library.func(name, result, parameters);
  const counted = (name: string): (() => number) => {
    const count = call(name, "int64", []);
    return () => Number(count());
  };
  const counts = {
    deviceBytes: counted("fake_device_bytes"),
    deviceBlocks: counted("fake_device_blocks"),
    pinnedBlocks: counted("fake_pinned_blocks"),
    objects: counted("fake_objects"),
  };
  const reset = call("fake_reset", "void", []);
  const set = call("fake_set", "void", ["str", "int64"]);
  const fail = call("fake_fail", "void", ["str", "int", "int"]);
  const failCublas = call("fake_cublas_fail", "void", ["int"]);
  const calls = call("fake_calls", "int64", ["str"]);
  return {
    path,
    reset: () => void reset(),
    set: (name, value) => void set(name, value),
    fail: (name, status, skip = 0) => void fail(name, skip, status),
    failCublas: (status) => void failCublas(status),
    calls: (name) => Number(calls(name)),
    held: () => ({
      deviceBytes: counts.deviceBytes(),
      deviceBlocks: counts.deviceBlocks(),
      pinnedBlocks: counts.pinnedBlocks(),
      objects: counts.objects(),
    }),
    damaged: counted("fake_damaged"),
    remove: () => rmSync(dirname(path), { recursive: true, force: true }),
  };
}
