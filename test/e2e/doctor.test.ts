import { describe, expect, it } from "vitest";
import type { BenchReport } from "../../src/cli/doctor/bench/bench-report.ts";
import type { DoctorReport } from "../../src/cli/doctor/doctor-report.ts";
import { readPackageJson } from "../guards/repository.ts";
import { runCli } from "./run-cli.ts";

const manifest = readPackageJson() as unknown as {
  readonly version: string;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
};

async function doctor(...args: string[]): Promise<DoctorReport> {
  const { status, stdout, stderr } = await runCli(["doctor", "--json", ...args]);
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout.toString()) as DoctorReport;
}

/** Each type beside reading the same memory. */
function expectTimes(bench: BenchReport): void {
  expect(bench).toMatchObject({ rows: 256, vocab: 32_000, rounds: 1, floor: "wasm", failures: [] });
  const timed = bench.results
    .filter(({ device, engine }) => device === "cpu" && engine !== "tfjs")
    .map(({ engine, threads, type, want }) => `${engine} ${threads} ${type} ${want}`);
  const ofType = (type: string): string[] => [
    `memory read 1 ${type} null`,
    `memory read 2 ${type} null`,
    ...["js 1", "wasm 1", "wasm 2"].flatMap((engine) => [
      `${engine} ${type} logprob`,
      `${engine} ${type} all`,
    ]),
  ];
  expect(timed).toEqual([...ofType("float32"), ...ofType("bfloat16")]);
  for (const { seconds, timesFloor } of bench.results) {
    expect(seconds).toBeGreaterThan(0);
    expect(timesFloor).toBeGreaterThan(0);
  }
}

describe("calibrant doctor", () => {
  it("reports this machine as JSON, and times every back end that is there", async () => {
    const { calibrant, node, system, wasm, packages, tfjs, cuda, auto, bench } = await doctor(
      ...["--bench", "--rounds", "1", "--threads", "2"],
    );
    expect(calibrant).toBe(manifest.version);
    expect(node).toMatchObject({ version: process.versions.node, required: ">=20", supported: true });
    expect(system).toMatchObject({ platform: process.platform, arch: process.arch });
    expect(wasm).toMatchObject({ simd: true, threads: true });
    expect(wasm.variant).toBe(wasm.relaxedSimd ? "relaxed" : "baseline");
    expect(Object.fromEntries(packages.map(({ name, wanted }) => [name, wanted]))).toEqual({
      ...manifest.optionalDependencies,
      ...manifest.peerDependencies,
    });
    expect(packages.find(({ name }) => name === "openai")).toMatchObject({
      installed: manifest.optionalDependencies.openai,
      loads: true,
      command: null,
    });
    for (const { name, installed, command } of tfjs)
      if (installed === null)
        expect(command).toBe(`npm install "${name}@${manifest.peerDependencies[name]}"`);
    expect(tfjs.map(({ name }) => name)).toEqual(["@tensorflow/tfjs-node-gpu", "@tensorflow/tfjs-node"]);
    expect(auto.logits.backend).toBe("wasm");
    const hasTensorFlowGpu = tfjs.some(({ device }) => device === "gpu");
    expect(auto.hidden.backend).toBe(cuda.usable ? "cuda" : hasTensorFlowGpu ? "tfjs" : "wasm");
    expectTimes(bench as BenchReport);
  });

  it("reports it for people", async () => {
    const { status, stdout, stderr } = await runCli(["doctor"]);
    expect(status, stderr).toBe(0);
    const text = stdout.toString();
    expect(text).toMatch(new RegExp(`^calibrant ${manifest.version.replaceAll(".", "\\.")}\n {2}Node `));
    for (const head of ["WebAssembly", "TensorFlow", "CUDA", "--backend auto", "Optional packages"])
      expect(text).toContain(`\n${head}\n`);
    expect(text).not.toContain("Bench");
  });

  it("goes on when nothing answers in time", async () => {
    const { warnings, auto } = await doctor("--timeout", "0.1");
    // A quick machine may answer even so.
    const failed = warnings.filter(({ code }) => code === "probe-failed");
    for (const { message } of failed) expect(message).toMatch(/no answer within 0\.1 s$/);
    if (failed.some(({ message }) => message.startsWith("the look at auto")))
      expect(auto.logits).toEqual({ backend: null, detail: null, reason: "no answer within 0.1 s" });
  });

  it.each([
    [["--rounds", "0"], "expected an integer from 1 to 1000."],
    [["--timeout", "soon"], "expected a number from 0.1 to 86400."],
    [["now"], "too many arguments"],
  ])("refuses %j with status 2", async (args, words) => {
    const { status, stdout, stderr } = await runCli(["doctor", ...args]);
    expect([status, stdout.toString()]).toEqual([2, ""]);
    expect(stderr).toContain(words);
    expect(stderr).toContain("see calibrant doctor --help\n");
  });
});
