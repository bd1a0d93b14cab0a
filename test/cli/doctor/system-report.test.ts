import { describe, expect, it } from "vitest";
import { cpuFeatures, cpuQuota, nodeReport, systemReport } from "../../../src/cli/doctor/system-report.ts";

describe("cpuFeatures", () => {
  it("takes what computes from the flags of x86", () => {
    const cpuinfo =
      "processor\t: 0\nflags\t\t: fpu sse4_1 sse4_2 avx f16c avx2 fma avx512f avx512_bf16 rdpid\nprocessor\t: 1\nflags\t\t: fpu\n";
    expect(cpuFeatures(cpuinfo)).toEqual(["sse4_2", "avx", "f16c", "avx2", "fma", "avx512f", "avx512_bf16"]);
  });

  it("takes them from ARM's as well", () => {
    expect(cpuFeatures("Features\t: fp asimd fphp asimdhp sve2 crc32\n")).toEqual([
      "asimd",
      "fphp",
      "asimdhp",
      "sve2",
    ]);
  });

  it("is null where none are listed, and empty where none is of interest", () => {
    expect(cpuFeatures("processor: 0\n")).toBeNull();
    expect(cpuFeatures("flags : fpu vme\n")).toEqual([]);
  });
});

describe("cpuQuota", () => {
  it.each([
    ["150000 100000\n", 1.5],
    ["max 100000\n", null],
    ["", null],
    [null, null],
  ])("%j is %j processors", (text, expected) => {
    expect(cpuQuota(text)).toBe(expected);
  });
});

describe("nodeReport", () => {
  it.each([
    ["20.0.0", true],
    ["24.3.1", true],
    ["18.20.4", false],
  ])("%s is supported: %s", (version, supported) => {
    expect(nodeReport(version, "11.3", ">=20")).toEqual({ version, v8: "11.3", required: ">=20", supported });
  });
});

describe("systemReport", () => {
  it("is of this machine", () => {
    const { platform, arch, cpu, memory } = systemReport();
    expect([platform, arch]).toEqual([process.platform, process.arch]);
    expect(cpu.cores).toBeGreaterThan(0);
    expect(memory.freeBytes).toBeLessThanOrEqual(memory.totalBytes);
    expect(memory.limitBytes ?? 0).toBeLessThan(memory.totalBytes);
  });
});
