import { describe, expect, it } from "vitest";
import { type DoctorFindings, doctorWarnings } from "../../../src/cli/doctor/warnings.ts";
import { cudaOf, findingsOf, H200, tfjsOf } from "./findings.ts";

const UBUNTU = { id: "ubuntu", inContainer: false } as const;

function warningsOf(changes: Partial<DoctorFindings>): { code: string; command: string | null }[] {
  return doctorWarnings(findingsOf(changes), UBUNTU, {}).map(({ code, command }) => ({ code, command }));
}

/** tfjs-node-gpu that computes where it is told. */
const loaded = (device: "gpu" | "cpu"): Parameters<typeof tfjsOf>[0] => ({
  installed: "4.22.0",
  bindingPresent: true,
  loads: true,
  tensorflow: "2.9.1",
  device,
  reason: null,
  command: null,
});

describe("doctorWarnings", () => {
  it("says nothing of a machine where nothing is wrong, missing packages and GPU included", () => {
    expect(warningsOf({ tfjs: [tfjsOf()] })).toEqual([]);
  });

  it("names an old Node, missing SIMD and a control group's limit", () => {
    const { node, system, wasm } = findingsOf();
    const found = doctorWarnings(
      findingsOf({
        node: { ...node, version: "18.1.0", supported: false },
        wasm: { ...wasm, simd: false, variant: null },
        system: { ...system, cpu: { ...system.cpu, quota: 1.5 } },
      }),
      UBUNTU,
      {},
    );
    expect(found.map(({ code }) => code)).toEqual(["node-unsupported", "no-simd", "cpu-quota"]);
    expect(found[0]?.message).toBe("Node 18.1.0 is not supported: needs >=20");
    expect(found[2]?.message).toMatch(
      /grants 1\.5 processors, but thread counts default to 4: pass --threads 1/,
    );
  });

  it("hands on why a package does not load, with the command", () => {
    const [found] = doctorWarnings(
      findingsOf({
        packages: [
          {
            name: "lz4-napi",
            kind: "optional",
            wanted: "2.10.0",
            installed: "2.10.0",
            loads: false,
            reason: "no binary for this platform",
            gives: "LZ4",
            command: "npm install lz4-napi@2.10.0 --include=optional",
          },
        ],
      }),
      UBUNTU,
      {},
    );
    expect(found).toEqual({
      code: "package-broken",
      message: "lz4-napi 2.10.0 is installed but cannot be loaded: no binary for this platform",
      command: "npm install lz4-napi@2.10.0 --include=optional",
    });
  });

  it("tells a missing binding and a binding that does not load apart", () => {
    const command = "npm rebuild x";
    expect(warningsOf({ tfjs: [tfjsOf({ installed: "4.22.0", command })] })).toEqual([
      { code: "tfjs-binding-missing", command },
    ]);
    expect(warningsOf({ tfjs: [tfjsOf({ installed: "4.22.0", bindingPresent: true, command })] })).toEqual([
      { code: "package-broken", command },
    ]);
  });

  it("tells of the silent fall to the CPU of the GPU package, with the libraries, and of no other", () => {
    const tfjs = tfjsOf({ ...loaded("cpu"), missingLibraries: ["libcudart.so.11.0", "libcudnn.so.8"] });
    const [found] = doctorWarnings(findingsOf({ tfjs: [tfjs] }), UBUNTU, {});
    expect(found?.code).toBe("tfjs-runs-on-cpu");
    expect(found?.message).toContain("it did not find libcudart.so.11.0, libcudnn.so.8");
    expect(warningsOf({ tfjs: [{ ...tfjs, name: "@tensorflow/tfjs-node" }] })).toEqual([]);
  });

  it("tells of Node 23 with an installed TensorFlow package only", () => {
    const node = { ...findingsOf().node, version: "24.1.0" };
    expect(warningsOf({ node, tfjs: [tfjsOf()] })).toEqual([]);
    expect(warningsOf({ node, tfjs: [tfjsOf(loaded("gpu"))] })).toEqual([
      { code: "tfjs-node-23", command: null },
    ]);
  });

  it.each([
    ["2.9.1", "9.0", true],
    ["2.11.0", "10.0", true],
    ["2.12.0", "9.0", false],
    ["2.9.1", "8.9", false],
  ])(
    "TensorFlow %s on compute capability %s: translation at the first use: %s",
    (tensorflow, computeCapability, warns) => {
      const cuda = cudaOf({ usable: true, devices: [{ ...H200, computeCapability }], cublas: "12.1.0" });
      const codes = warningsOf({ cuda, tfjs: [tfjsOf({ ...loaded("gpu"), tensorflow })] });
      expect(codes).toEqual(warns ? [{ code: "tfjs-ptx-jit", command: null }] : []);
    },
  );

  it("tells of a card without driver, with the distribution's command", () => {
    const cuda = cudaOf({ cards: 1, reason: "libcuda.so.1 cannot be loaded" });
    expect(warningsOf({ cuda })).toEqual([
      { code: "gpu-without-driver", command: "sudo ubuntu-drivers install" },
    ]);
    const command = 'npm install "koffi@^3.3.4"';
    expect(warningsOf({ cuda: { ...cuda, koffi: null, command } })).toEqual([
      { code: "cuda-unusable", command },
    ]);
  });

  it("tells when hidden states go to a GPU that has no cuBLAS for them", () => {
    const { auto } = findingsOf();
    const command = "pip install nvidia-cublas-cu12";
    const cuda = cudaOf({ usable: true, reason: null, driver: "12.4", devices: [H200], cards: 1, command });
    const hidden = { backend: "cuda", detail: "NVIDIA H200", reason: "a GPU" } as const;
    expect(warningsOf({ cuda, auto: { ...auto, hidden } })).toEqual([{ code: "cublas-missing", command }]);
    expect(warningsOf({ cuda: { ...cuda, cublas: "12.4.5" }, auto: { ...auto, hidden } })).toEqual([]);
  });

  it("tells which look failed, and why", () => {
    const [found] = doctorWarnings(findingsOf(), UBUNTU, { cuda: "its process was ended by SIGSEGV" });
    expect(found).toEqual({
      code: "probe-failed",
      message: "the look at cuda failed: its process was ended by SIGSEGV",
      command: null,
    });
  });
});
