import * as tf from "@tensorflow/tfjs-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LogitsBlock } from "../../../src/uq/logprobs/log-prob-backend.ts";
import type { TensorFlow } from "../../../src/uq/logprobs/tfjs/tensor-flow.ts";
import { createTfjsBackend } from "../../../src/uq/logprobs/tfjs-backend.ts";
import "@tensorflow/tfjs-backend-cpu";
import { describeBackend, everything } from "./contract.ts";
import { expectColumns } from "./expect-columns.ts";
import { hiddenOracle, scoreOracle } from "./oracle.ts";
import { gaussianRows, realistic, TYPES, targetsFor } from "./sample-blocks.ts";

const TOLERANCE = { logprob: 2e-6, entropy: 1e-5 };

// Without it the back end of tfjs-core recommends tfjs-node on stderr.
tf.env().set("IS_TEST", true);

describeBackend("tfjs on tfjs-backend-cpu", () => createTfjsBackend({ tf }), { light: true });

const memory = (): unknown => {
  const { numTensors, numBytes, numDataBuffers } = tf.memory();
  return { numTensors, numBytes, numDataBuffers };
};

const headOf = (vocab: number, width: number, seed: number = 7) => {
  const { data } = gaussianRows({ type: "float32", rows: vocab, vocab: width }, seed, 0.7);
  return { weights: data.subarray(0, vocab * width), vocab, width };
};

/** TensorFlow.js with some functions replaced. */
const withFunctions = (functions: Partial<TensorFlow>): TensorFlow => ({ ...tf, ...functions });

describe("tfjs", () => {
  let before: unknown;
  beforeEach(() => {
    before = memory();
  });
  afterEach(() => {
    expect(memory()).toEqual(before);
  });

  it("says what computes", async () => {
    const backend = await createTfjsBackend({ tf });
    expect(backend.name).toBe("tfjs");
    expect(backend.device).toBe("cpu");
    expect(backend.info).toEqual({
      threads: 1,
      detail: "TensorFlow.js 4.22.0, its back end cpu",
      tolerance: 2e-6,
    });
  });

  it.each([
    [true, "tfjs-node-gpu", "gpu", "TensorFlow 2.9.1 on a GPU (tfjs-node-gpu)"],
    [false, "tfjs-node-gpu", "cpu", "TensorFlow 2.9.1 on the CPU (tfjs-node-gpu)"],
    [false, "tfjs-node", "cpu", "TensorFlow 2.9.1 on the CPU (tfjs-node)"],
  ] as const)(
    "believes TensorFlow, not its package: %s in %s",
    async (isUsingGpuDevice, name, device, detail) => {
      const native = {
        isUsingGpuDevice,
        isGPUPackage: name === "tfjs-node-gpu",
        binding: { TF_Version: "2.9.1" },
      };
      const fake = withFunctions({ backend: () => native });
      const backend = await createTfjsBackend({ tf: fake, device });
      expect([backend.device, backend.info.detail]).toEqual([device, detail]);
      const other = device === "gpu" ? "cpu" : "gpu";
      await expect(createTfjsBackend({ tf: fake, device: other })).rejects.toMatchObject({
        code: "missing-package",
        message: expect.stringMatching(new RegExp(`got ${detail.replace(/[()]/g, ".")}$`)),
      });
    },
  );

  it("refuses options that cannot be", async () => {
    const refusal = { name: "CalibrantError", code: "option" };
    for (const chunkBytes of [0, 3, 2.5, Number.NaN, 2 ** 31 + 1])
      await expect(createTfjsBackend({ tf, chunkBytes })).rejects.toMatchObject(refusal);
    await expect(createTfjsBackend({ tf, device: "tpu" as "gpu" })).rejects.toMatchObject(refusal);
    await expect(createTfjsBackend({ threads: 2 } as object)).rejects.toMatchObject(refusal);
    await expect(createTfjsBackend({ tf: {} as TensorFlow })).rejects.toThrow(
      "tf must be TensorFlow.js, such as @tensorflow/tfjs-core: it has no function ready",
    );
  });

  it("refuses numbers on a CUDA device", async () => {
    const backend = await createTfjsBackend({ tf });
    const data = { pointer: 4096n, length: 100 };
    const block: LogitsBlock = { data, type: "float32", rows: 2, vocab: 5 };
    const targets = Int32Array.of(0, 1);
    const message = /use the cuda back end: logits are on a device$/;
    await expect(backend.score(block, targets)).rejects.toThrow(message);
    const hidden = { data, type: "float32", rows: 2, width: 4 } as const;
    await expect(backend.scoreHidden(hidden, headOf(5, 4), targets)).rejects.toThrow(/hidden states are on/);
    const head = { weights: data, type: "float32", vocab: 5, width: 4 } as const;
    const states = gaussianRows({ type: "float32", rows: 2, vocab: 4 }, 1);
    await expect(backend.scoreHidden(states, head, targets)).rejects.toThrow(
      /the weights .* are on a device/,
    );
  });

  it.each([4, 400, 5000, 40_000])("gives the same from tiles of %d bytes", async (chunkBytes) => {
    const backend = await createTfjsBackend({ tf, chunkBytes });
    const vocab = chunkBytes < 100 ? 40 : 1201;
    for (const type of TYPES) {
      const block = realistic({ type, rows: 6, vocab, gap: 2, temperature: 0.8 }, 4);
      block.data.fill(
        type === "float32" ? Number.NEGATIVE_INFINITY : type === "float16" ? 0xfc00 : 0xff80,
        0,
        vocab - 9,
      );
      const targets = targetsFor(6, vocab);
      targets[4] = -100;
      const want = everything(11);
      expectColumns(
        await backend.score(block, targets, want),
        scoreOracle(block, targets, want),
        want,
        TOLERANCE,
      );
    }
    const hidden = gaussianRows({ type: "float32", rows: 5, vocab: 8 }, 3);
    const head = {
      ...headOf(vocab, 8),
      bias: Float32Array.from({ length: vocab }, (_bias, id) => -(id % 3)),
    };
    const want = everything(5);
    const bounds = { logprob: 2e-5, entropy: 2e-5, order: 2e-5 };
    const columns = await backend.scoreHidden(hidden, head, targetsFor(5, vocab), want);
    expectColumns(columns, hiddenOracle(hidden, head, targetsFor(5, vocab), want), want, bounds);
    await backend.dispose();
  });

  it("leaves nothing behind in 1,000 calls", async () => {
    const backend = await createTfjsBackend({ tf });
    const block = realistic({ type: "float16", rows: 3, vocab: 40 }, 2);
    const targets = targetsFor(3, 40);
    const first = await backend.score(block, targets, everything(2));
    for (let call = 0; call < 999; call++) await backend.score(block, targets, everything(2));
    expect(await backend.score(block, targets, everything(2))).toEqual(first);
    expect(memory()).toEqual(before);
  });

  it("keeps the weights of two output layers, until it is disposed of", async () => {
    const backend = await createTfjsBackend({ tf });
    const hidden = gaussianRows({ type: "float32", rows: 3, vocab: 8 }, 3);
    const targets = targetsFor(3, 50);
    const heads = [1, 2, 3].map((seed) => headOf(50, 8, seed));
    const held: number[] = [];
    for (const turn of [0, 0, 1, 0, 2, 0, 1]) {
      const head = heads[turn] as (typeof heads)[number];
      const columns = await backend.scoreHidden(hidden, { ...head }, targets);
      const bounds = { logprob: 2e-5, entropy: 2e-5, order: 2e-5 };
      expectColumns(columns, hiddenOracle(hidden, head, targets), {}, bounds);
      held.push(tf.memory().numTensors);
    }
    const start = (before as { numTensors: number }).numTensors;
    expect(held.map((tensors) => tensors - start)).toEqual([1, 1, 2, 2, 2, 2, 2]);
    await backend.dispose();
  });

  it("leaves nothing behind when it is stopped, wherever it is", async () => {
    const backend = await createTfjsBackend({ tf, chunkBytes: 4096 });
    const reason = new Error("enough");
    const block = realistic({ type: "float32", rows: 20, vocab: 1000 }, 2);
    const hidden = gaussianRows({ type: "float32", rows: 20, vocab: 8 }, 3);
    for (let turns = 0; turns < 12; turns++) {
      for (const call of [
        (signal: AbortSignal) => backend.score(block, targetsFor(20, 1000), everything(2), signal),
        (signal: AbortSignal) =>
          backend.scoreHidden(hidden, headOf(1000, 8, turns), targetsFor(20, 1000), everything(2), signal),
      ]) {
        const control = new AbortController();
        const running = call(control.signal);
        for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
        control.abort(reason);
        await expect(running).rejects.toBe(reason);
      }
    }
    await backend.dispose();
  });

  it("leaves nothing behind when TensorFlow throws, and works again afterwards", async () => {
    let left = Number.POSITIVE_INFINITY;
    const real: TensorFlow = tf;
    const failing = Object.fromEntries(
      (["exp", "sum", "topk", "matMul", "tensor2d", "gather"] as const).map((name) => [
        name,
        (...values: never[]) => {
          left -= 1;
          if (left < 0) throw new Error("ResourceExhausted: OOM when allocating\n tensor");
          return real[name](...values);
        },
      ]),
    );
    const backend = await createTfjsBackend({ tf: withFunctions(failing), chunkBytes: 4096 });
    const block = realistic({ type: "float32", rows: 3, vocab: 1000 }, 2);
    const hidden = gaussianRows({ type: "float32", rows: 3, vocab: 8 }, 3);
    for (let working = 0; working < 20; working++) {
      left = working;
      const call =
        working % 2 === 0
          ? backend.score(block, targetsFor(3, 1000), everything(2))
          : backend.scoreHidden(hidden, headOf(1000, 8, working), targetsFor(3, 1000), everything(2));
      await expect(call).rejects.toMatchObject({
        name: "CalibrantError",
        code: "io",
        message:
          "TensorFlow failed (a smaller chunkBytes takes less memory): ResourceExhausted: OOM when allocating tensor",
      });
    }
    left = Number.POSITIVE_INFINITY;
    const columns = await backend.score(block, targetsFor(3, 1000), everything(2));
    expectColumns(columns, scoreOracle(block, targetsFor(3, 1000), everything(2)), everything(2), TOLERANCE);
    await backend.dispose();
  });

  it("refuses float32 matrices where products are TF32, and takes 16-bit ones", async () => {
    const round = (x: tf.Tensor): tf.Tensor =>
      tf.tidy(() => tf.tensor(Float32Array.from(x.dataSync(), toTf32), x.shape));
    const matMul = (a: tf.Tensor, b: tf.Tensor, left: boolean, right: boolean): tf.Tensor =>
      tf.tidy(() => tf.matMul(round(a), round(b), left, right));
    const backend = await createTfjsBackend({ tf: withFunctions({ matMul }) });
    const hidden = gaussianRows({ type: "bfloat16", rows: 3, vocab: 8 }, 3);
    const targets = targetsFor(3, 50);
    await expect(backend.scoreHidden(hidden, headOf(50, 8), targets)).rejects.toMatchObject({
      code: "option",
      message: expect.stringMatching(/NVIDIA_TF32_OVERRIDE=0 in the environment, got float32 weights$/),
    });
    const { data } = gaussianRows({ type: "float16", rows: 50, vocab: 8 }, 5, 0.7);
    const head = { weights: data.subarray(0, 400), type: "float16", vocab: 50, width: 8 } as const;
    const columns = await backend.scoreHidden(hidden, head, targets);
    const bounds = { logprob: 2e-6, entropy: 2e-5, order: 2e-5 };
    expectColumns(columns, hiddenOracle(hidden, head, targets), {}, bounds);
    await backend.dispose();
  });

  it("scores rows with subnormal logits itself where TensorFlow takes them for 0", async () => {
    const flush = (x: number): number => (Math.abs(x) < 2 ** -126 ? 0 : x);
    const tensor2d = (values: Float32Array, shape: [number, number]): tf.Tensor =>
      tf.tensor2d(values.map(flush), shape);
    const tensor1d = (values: Float32Array, type: "float32"): tf.Tensor =>
      tf.tensor1d(values.map(flush), type);
    const backend = await createTfjsBackend({ tf: withFunctions({ tensor1d, tensor2d }) });
    for (const type of TYPES) {
      const tiny = type === "float16" ? 2 ** -24 : 2 ** -130;
      const block = realistic({ type, rows: 4, vocab: 12 }, 3);
      const patterns = { float32: [tiny, 2 * tiny], float16: [1, 2], bfloat16: [8, 16] }[type];
      block.data.fill(0, 12, 24);
      block.data.set(patterns, 13);
      const targets = Int32Array.of(1, 1, -100, 3);
      const columns = await backend.score({ ...block, temperature: tiny }, targets, everything(3));
      expectColumns(
        columns,
        scoreOracle({ ...block, temperature: tiny }, targets, everything(3)),
        everything(3),
        TOLERANCE,
      );
      expect(columns.rank?.[1]).toBe(2);
    }
  });
});

/** The nearest number with 10 bits behind the point. */
function toTf32(value: number): number {
  const bits = new Uint32Array(Float32Array.of(value).buffer);
  bits[0] = ((bits[0] as number) + 0x1000) & 0xffffe000;
  return new Float32Array(bits.buffer)[0] as number;
}
