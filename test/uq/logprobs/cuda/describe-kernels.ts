import { afterAll, beforeAll, expect, it } from "vitest";
import { openCudaBackend } from "../../../../src/uq/logprobs/cuda/open-cuda-backend.ts";
import type { CudaBackend } from "../../../../src/uq/logprobs/cuda-backend.ts";
import type { DeviceArray, LogitsBlock } from "../../../../src/uq/logprobs/log-prob-backend.ts";
import { everything } from "../contract.ts";
import { expectColumns } from "../expect-columns.ts";
import { scoreOracle } from "../oracle.ts";
import { blockOf, realistic, TYPES, targetsFor } from "../sample-blocks.ts";

const BOUNDS = { logprob: 2e-6, entropy: 1e-5 };

/** Rows cut into any number of parts, at any alignment, with the threads of a GPU. */
export function describeKernels(driver: () => string): void {
  const splits = [1, 2, 7, null] as const;
  const backends: CudaBackend[] = [];

  beforeAll(async () => {
    for (const partCount of splits)
      backends.push(
        await openCudaBackend({
          device: 0,
          memoryBytes: 2 ** 30,
          driver: driver(),
          cublas: undefined,
          partCount,
        }),
      );
  });
  afterAll(async () => {
    for (const backend of backends) await backend.dispose();
  });

  const check = async (block: LogitsBlock, targets: Int32Array): Promise<void> => {
    const want = everything(Math.min(3, block.vocab));
    const oracle = scoreOracle(block, targets, want);
    for (const backend of backends) {
      const data = backend.upload(block.data as Float32Array);
      expectColumns(await backend.score({ ...block, data }, targets, want), oracle, want, BOUNDS);
      expectColumns(await backend.score({ ...block, data }, targets), oracle, {}, BOUNDS);
      backend.free(data as DeviceArray);
    }
  };

  for (const type of TYPES) {
    it.each([1, 7, 8, 64, 65, 1003, 4099])(`${type} logits of a vocabulary of %d`, async (vocab) => {
      for (const offset of [0, 1, 3, 5]) {
        const block = realistic({ type, rows: 2, vocab, offset, gap: offset }, vocab);
        await check(block, targetsFor(2, vocab));
      }
    });

    it(`${type} logits of a vocabulary of 151936, a row of masks, NaN and infinity in each part`, async () => {
      const block = realistic({ type, rows: 1, vocab: 151936, offset: 1 }, 9);
      await check(block, Int32Array.of(50645));
      const vocab = 40000;
      for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
        const odd = blockOf({ type, rows: 3, vocab }, (row, id) => {
          if (row === 2) return id === 39999 ? 1 : Number.NEGATIVE_INFINITY;
          return id === 13337 * (row + 1) ? value : Math.sin(id);
        });
        await check(odd, Int32Array.of(0, 1, 2));
      }
    });
  }

  it("keeps its precision where all rounds the same way", async () => {
    const vocab = 151936;
    const flat = [
      (id: number) => (id === 5 ? 12.3 : 0),
      (id: number) => (id === 5 ? 12 : -0.31),
      (id: number) => (id * 10) / vocab,
      (id: number) => (-id * 10) / vocab,
    ];
    const block = blockOf({ type: "float32", rows: 4, vocab, temperature: 0.83 }, (row, id) =>
      (flat[row] as (id: number) => number)(id),
    );
    await check(block, Int32Array.of(5, 6, 7, 8));
  });

  it("gives the same bits however many rows there are", async () => {
    const block = realistic({ type: "bfloat16", rows: 3, vocab: 70001 }, 5);
    const targets = targetsFor(3, 70001);
    const backend = backends[3] as CudaBackend;
    const all = await backend.score(block, targets, everything(2));
    for (let row = 0; row < 3; row++) {
      const own = { ...block, rows: 1, offset: row * 70001 };
      const one = await backend.score(own, targets.subarray(row, row + 1), everything(2));
      expect(one.logprob[0]).toBe(all.logprob[row]);
      expect(one.entropy?.[0]).toBe(all.entropy?.[row]);
    }
  });
}
