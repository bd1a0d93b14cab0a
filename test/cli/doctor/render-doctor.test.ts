import { describe, expect, it } from "vitest";
import { renderDoctor } from "../../../src/cli/doctor/render-doctor.ts";
import { cudaOf, findingsOf, H200, tfjsOf } from "./findings.ts";

describe("renderDoctor", () => {
  it("is a section a subject, with a command under what is missing", () => {
    const text = renderDoctor({
      ...findingsOf({
        tfjs: [tfjsOf()],
        packages: [
          {
            name: "openai",
            kind: "optional",
            wanted: "6.49.0",
            installed: "6.49.0",
            loads: true,
            reason: null,
            gives: "asks a model",
            command: null,
          },
          {
            name: "koffi",
            kind: "peer",
            wanted: "^3.3.4",
            installed: null,
            loads: null,
            reason: null,
            gives: "log-probs on a GPU",
            command: 'npm install "koffi@^3.3.4"',
          },
        ],
      }),
      warnings: [{ code: "no-simd", message: "slow", command: null }],
    });
    expect(text).toBe(`calibrant 0.1.0
  Node       20.20.2 (V8 11.3), supported
  system     linux x64, 6.1.0
  processor  AMD EPYC, 4 cores, 4 threads at once; avx2 fma
  memory     32.0 GiB, 16.0 GiB free

WebAssembly
  SIMD          yes
  relaxed SIMD  no
  threads       yes
  kernel        baseline

TensorFlow
  @tensorflow/tfjs-node-gpu: not installed
      $ npm install "@tensorflow/tfjs-node-gpu@^4.22.0"

CUDA
  usable            no: no NVIDIA card in this machine
  koffi             3.3.4
  driver            not found
  cards on the bus  0
  cuBLAS            not found

--backend auto
  logits         wasm (SIMD): the fastest on a processor
  hidden states  wasm (SIMD): no GPU

Optional packages
  openai 6.49.0  asks a model
  koffi: not installed; for: log-probs on a GPU
      $ npm install "koffi@^3.3.4"

Warnings
  ! slow
`);
  });

  it("lists GPUs, TensorFlow and limits", () => {
    const { system, node } = findingsOf();
    const text = renderDoctor({
      ...findingsOf({
        node: { ...node, supported: false },
        system: {
          ...system,
          cpu: { ...system.cpu, quota: 1.5, features: null },
          memory: { ...system.memory, limitBytes: 2 ** 33 },
        },
        cuda: cudaOf({
          usable: true,
          reason: null,
          driver: "13.0",
          devices: [H200],
          cards: 1,
          cublas: "13.1.1",
        }),
        tfjs: [
          tfjsOf({ installed: "4.22.0", loads: true, tensorflow: "2.9.1", device: "gpu", command: null }),
          tfjsOf({ installed: "4.22.0", reason: "no binding", command: "npm rebuild it" }),
        ],
      }),
      warnings: [],
    });
    for (const line of [
      "  Node       20.20.2 (V8 11.3), not supported: needs >=20",
      "  processor  AMD EPYC, 4 cores, 4 threads at once, 1.5 granted by a control group",
      "  memory     32.0 GiB, 16.0 GiB free, 8.0 GiB granted by a control group",
      "  @tensorflow/tfjs-node-gpu 4.22.0: TensorFlow 2.9.1, on the GPU",
      "  @tensorflow/tfjs-node-gpu 4.22.0: no binding",
      "      $ npm rebuild it",
      "  usable    yes",
      "  driver    speaks CUDA 13.0",
      "  device 0  NVIDIA H200, compute capability 9.0, 140.4 GiB",
      "  cuBLAS    13.1.1",
    ])
      expect(text.split("\n")).toContain(line);
    expect(text).not.toContain("Warnings");
  });
});
