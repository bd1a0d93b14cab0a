import { createRequire } from "node:module";
import { join } from "node:path";
import util from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LogProbBackend } from "../../src/uq/logprobs/log-prob-backend.ts";
import { loadTfjs } from "../../src/uq/logprobs/tfjs/load-tfjs.ts";
import type { TensorOps } from "../../src/uq/logprobs/tfjs/tensor-flow.ts";
import type { TfjsPackage } from "../../src/uq/logprobs/tfjs/tfjs-packages.ts";
import { createTfjsBackend } from "../../src/uq/logprobs/tfjs-backend.ts";
import { describeBackend, everything } from "../uq/logprobs/contract.ts";
import { gaussianRows, realistic, targetsFor } from "../uq/logprobs/sample-blocks.ts";

/** A folder in whose node_modules the package is, and the package; scripts/tfjs-binding.mjs sets both. */
const { CALIBRANT_TFJS_FOLDER: folder, CALIBRANT_TFJS_PACKAGE: name = "@tensorflow/tfjs-node-gpu" } =
  process.env;
const skip = folder === undefined ? "node scripts/tfjs-binding.mjs FOLDER_OF_WHEELS runs it" : null;

let loaded: Promise<TensorOps> | null = null;

/** The package through the loader, from a folder that is not the project's. */
function binding(): Promise<TensorOps> {
  const from = createRequire(join(folder as string, "package.json"));
  const source = {
    find: () => ({ version: "4.22.0", folder: "", binding: "tfjs_binding.node", loaded: false }),
    load: async (asked: string) => from(asked) as unknown,
  };
  loaded ??= loadTfjs([name as TfjsPackage], source);
  return loaded;
}

const memory = async (): Promise<unknown> => {
  const tf = (await binding()) as TensorOps & {
    memory(): { readonly numTensors: number; readonly numBytes: number };
  };
  const { numTensors, numBytes } = tf.memory();
  return { numTensors, numBytes };
};

// Sums depend on how TensorFlow shares rows among its threads, in the last bits.
describeBackend(`${name}, its binding`, async () => createTfjsBackend({ tf: await binding() }), {
  skip,
  splitTolerance: 5e-7,
});

describe.skipIf(skip !== null)(`${name}${skip === null ? "" : ` (skipped: ${skip})`}`, () => {
  let backend: LogProbBackend;
  beforeAll(async () => {
    backend = await createTfjsBackend({ tf: await binding() });
  });
  afterAll(() => backend.dispose());

  it("runs on the CPU library and says so", async () => {
    expect(backend.device).toBe("cpu");
    const short = name.replace("@tensorflow/", "");
    expect(backend.info.detail).toMatch(
      new RegExp(`^TensorFlow \\d+\\.\\d+\\.\\d+ on the CPU \\(${short}\\)$`),
    );
    await expect(createTfjsBackend({ tf: await binding(), device: "gpu" })).rejects.toMatchObject({
      code: "missing-package",
      message: expect.stringMatching(/^TensorFlow finds no GPU.* got TensorFlow .* on the CPU/),
    });
  });

  it("has the functions of node:util that the package needs", () => {
    expect(util).toHaveProperty("isNullOrUndefined");
    expect(util).toHaveProperty("isArray");
  });

  it("leaves no tensor behind in 1,000 calls", async () => {
    const before = await memory();
    const block = realistic({ type: "float16", rows: 5, vocab: 1029 }, 21);
    const hidden = gaussianRows({ type: "float32", rows: 5, vocab: 16 }, 4);
    const { data } = gaussianRows({ type: "float32", rows: 300, vocab: 16 }, 5);
    const head = { weights: data.subarray(0, 4800), vocab: 300, width: 16 };
    const used = await createTfjsBackend({ tf: await binding() });
    for (let call = 0; call < 1000; call++) {
      await used.score(block, targetsFor(5, 1029), everything(3));
      await used.scoreHidden(hidden, head, targetsFor(5, 300), everything(3));
    }
    await used.dispose();
    expect(await memory()).toEqual(before);
  });

  it("gives the same numbers from small tiles", async () => {
    const used = await createTfjsBackend({ tf: await binding(), chunkBytes: 20_000 });
    const block = realistic({ type: "bfloat16", rows: 7, vocab: 32003 }, 3);
    const targets = targetsFor(7, 32003);
    const small = await used.score(block, targets, everything(4));
    const whole = await backend.score(block, targets, everything(4));
    expect(small.rank).toEqual(whole.rank);
    expect(small.argmax).toEqual(whole.argmax);
    expect(small.topIds).toEqual(whole.topIds);
    small.logprob.forEach((logprob, row) => {
      expect(Math.abs(logprob - (whole.logprob[row] as number))).toBeLessThan(1e-6);
      expect(Math.abs((small.entropy?.[row] as number) - (whole.entropy?.[row] as number))).toBeLessThan(
        5e-6,
      );
    });
    await used.dispose();
  });
});
