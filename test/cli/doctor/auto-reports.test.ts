import { describe, expect, it } from "vitest";
import { autoReports } from "../../../src/cli/doctor/auto-reports.ts";
import type { ProbeOutcome } from "../../../src/cli/doctor/run-probe.ts";
import { cudaOf, tfjsOf } from "./findings.ts";

const found = (value: unknown): ProbeOutcome => ({ messages: [{ type: "found", value }], failure: null });
const WASM = { backend: "wasm", detail: "SIMD" };
const CUDA = { backend: "cuda", detail: "NVIDIA H200, driver 13.0" };

const ON_CPU = tfjsOf({
  name: "@tensorflow/tfjs-node",
  installed: "4.22.0",
  loads: true,
  device: "cpu",
  reason: null,
});

describe("autoReports", () => {
  it("says why there is no GPU", () => {
    expect(autoReports(found({ logits: WASM, hidden: WASM }), cudaOf(), [tfjsOf(), ON_CPU])).toEqual({
      logits: { ...WASM, reason: "the fastest on a processor" },
      hidden: {
        ...WASM,
        reason:
          "no GPU can be used (cuda: no NVIDIA card in this machine; @tensorflow/tfjs-node-gpu is not installed; @tensorflow/tfjs-node is not on a GPU); fit for small models only",
      },
    });
  });

  it("says why logits stay on the processor beside a GPU", () => {
    const { logits, hidden } = autoReports(
      found({ logits: WASM, hidden: CUDA }),
      cudaOf({ usable: true, reason: null }),
      [],
    );
    expect(logits.reason).toMatch(/take longer over the bus to the GPU/);
    expect(hidden).toMatchObject({ backend: "cuda", detail: "NVIDIA H200, driver 13.0" });
    expect(hidden.reason).toMatch(/through the driver and cuBLAS$/);
  });

  it("says why TensorFlow is taken, and JavaScript", () => {
    const outcome = found({
      logits: { backend: "js", detail: "JavaScript float64" },
      hidden: { backend: "tfjs", detail: "TensorFlow 2.9.1, GPU" },
    });
    const { logits, hidden } = autoReports(outcome, cudaOf({ reason: "no koffi" }), []);
    expect(logits.reason).toBe("this Node has no WebAssembly with SIMD");
    expect(hidden.reason).toMatch(/through TensorFlow \(cuda: no koffi\)$/);
  });

  it("gives the reason of a look that failed", () => {
    const nothing = { backend: null, detail: null, reason: "no answer within 60 s" };
    expect(autoReports({ messages: [], failure: "no answer within 60 s" }, cudaOf(), [])).toEqual({
      logits: nothing,
      hidden: nothing,
    });
  });
});
