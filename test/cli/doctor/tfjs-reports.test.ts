import { describe, expect, it } from "vitest";
import type { Manifest } from "../../../src/cli/doctor/optional-packages.ts";
import { CUDA_11_COMMAND } from "../../../src/cli/doctor/remedies.ts";
import { tfjsReports } from "../../../src/cli/doctor/tfjs-reports.ts";
import type { TfjsProbe } from "../../../src/uq/logprobs/tfjs/load-tfjs.ts";

const MANIFEST: Manifest = {
  version: "0.1.0",
  engines: { node: ">=20" },
  peerDependencies: { "@tensorflow/tfjs-node-gpu": "^4.22.0" },
};

describe("tfjsReports", () => {
  const THERE: TfjsProbe = {
    package: "@tensorflow/tfjs-node-gpu",
    installed: true,
    version: "4.22.0",
    binding: true,
    tensorflow: "2.9.1",
    usesGpu: true,
    missingLibraries: [],
    problem: null,
    fix: null,
  };
  const report = (changes: Partial<TfjsProbe>, cards: number | null = 1): unknown =>
    tfjsReports([{ ...THERE, ...changes }], MANIFEST, { npm: () => "12.2.2", isGlobal: false, cards })[0];

  it("is what the probe found", () => {
    expect(report({})).toEqual({
      name: "@tensorflow/tfjs-node-gpu",
      installed: "4.22.0",
      bindingPresent: true,
      loads: true,
      tensorflow: "2.9.1",
      device: "gpu",
      reason: null,
      missingLibraries: [],
      command: null,
    });
  });

  it("gives the command for what is missing: package, binding, libraries", () => {
    const nothing = { binding: false, tensorflow: null, usesGpu: null, problem: "not there" };
    expect(report({ ...nothing, installed: false, version: null })).toMatchObject({
      loads: false,
      command: 'npm install "@tensorflow/tfjs-node-gpu@^4.22.0"',
    });
    expect(report(nothing)).toMatchObject({
      bindingPresent: false,
      loads: false,
      command:
        "npm install-scripts approve @tensorflow/tfjs-node-gpu && npm rebuild @tensorflow/tfjs-node-gpu",
    });
    const onCpu = { usesGpu: false, missingLibraries: ["libcudnn.so.8"] };
    expect(report(onCpu)).toMatchObject({ loads: true, device: "cpu", command: CUDA_11_COMMAND });
    expect(report(onCpu, 0)).toMatchObject({ device: "cpu", command: null });
  });
});
