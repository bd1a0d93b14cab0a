import { describe, expect, it } from "vitest";
import { cudaReport } from "../../../src/cli/doctor/cuda-report.ts";
import type { Manifest } from "../../../src/cli/doctor/optional-packages.ts";
import { cublasCommand } from "../../../src/cli/doctor/remedies.ts";
import type { CudaProbe } from "../../../src/uq/logprobs/cuda/probe-cuda.ts";
import { H200 } from "./findings.ts";

const MANIFEST: Manifest = {
  version: "0.1.0",
  engines: { node: ">=20" },
  peerDependencies: { koffi: "^3.3.4" },
};

const PROBE: CudaProbe = {
  koffi: { installed: true, version: "3.3.4", problem: null },
  driver: { found: true, version: "12.4", problem: null },
  devices: [{ ...H200, freeBytes: 2 ** 36 }],
  cublas: { found: true, path: "libcublas.so.12", version: "12.4.5", problem: null },
};

describe("cudaReport", () => {
  const report = (changes: Partial<CudaProbe>, cards: number | null = 1): ReturnType<typeof cudaReport> =>
    cudaReport({ messages: [{ type: "found", value: { ...PROBE, ...changes } }], failure: null }, MANIFEST, {
      cards,
      distribution: { id: "debian", inContainer: false },
      isGlobal: false,
    });

  it("is what the probe found", () => {
    expect(report({})).toEqual({
      usable: true,
      reason: null,
      koffi: "3.3.4",
      driver: "12.4",
      devices: [H200],
      cublas: "12.4.5",
      cublasReason: null,
      cards: 1,
      command: null,
    });
  });

  const noKoffi = {
    koffi: { installed: false, version: null, problem: "no koffi" },
    driver: { found: false, version: null, problem: "koffi is needed to look" },
    devices: [],
  };

  it("gives the command for the first piece that is missing, and none where there is no card", () => {
    expect(report(noKoffi)).toMatchObject({ reason: "no koffi", command: 'npm install "koffi@^3.3.4"' });
    expect(report(noKoffi, null).command).toBe('npm install "koffi@^3.3.4"');
    expect(report(noKoffi, 0)).toMatchObject({ reason: "no NVIDIA card in this machine", command: null });
    const driver = { found: false, version: null, problem: "no libcuda.so.1" };
    expect(report({ driver, devices: [] })).toMatchObject({
      usable: false,
      reason: "no libcuda.so.1",
      command: "sudo apt-get install nvidia-driver",
    });
    const cublas = { found: false, path: null, version: null, problem: "no libcublas" };
    expect(report({ cublas })).toMatchObject({
      usable: true,
      cublasReason: "no libcublas",
      command: cublasCommand("12.4"),
    });
  });

  it("does not take a GPU that is too old for one that can be used", () => {
    const devices = [{ ...H200, computeCapability: "7.0", freeBytes: null }];
    expect(report({ devices })).toMatchObject({
      usable: false,
      reason: "needs a GPU of compute capability 7.5 or newer",
    });
  });

  it("gives the reason of a probe that failed", () => {
    const failed = cudaReport({ messages: [], failure: "its process was ended by SIGABRT" }, MANIFEST, {
      cards: 1,
      distribution: { id: null, inContainer: false },
      isGlobal: false,
    });
    expect(failed).toMatchObject({ usable: false, reason: "its process was ended by SIGABRT", koffi: null });
  });
});
