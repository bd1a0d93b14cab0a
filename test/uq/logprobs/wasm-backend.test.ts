import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { setImmediate, setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { setFlagsFromString } from "node:v8";
import type { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LogitsBlock, LogitType, LogProbColumns } from "../../../src/uq/logprobs/log-prob-backend.ts";
import { createWasmBackend, type WasmBackend, wasmSimd } from "../../../src/uq/logprobs/wasm-backend.ts";
import { describeBackend, everything } from "./contract.ts";
import { realistic, type Stored, TYPES, targetsFor } from "./sample-blocks.ts";

// Node 20 runs relaxed SIMD when it is asked to; later versions run it anyway.
if (wasmSimd() === "baseline") setFlagsFromString("--experimental-wasm-relaxed-simd");
const noRelaxed = wasmSimd() === "relaxed" ? null : "this Node has no relaxed SIMD";
const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));

describeBackend("wasm, 1 thread", () => createWasmBackend({ threads: 1, simd: "baseline" }), {
  light: true,
});
describeBackend("wasm, 2 threads", () => createWasmBackend({ threads: 2, simd: "baseline" }), {
  light: true,
});
describeBackend("wasm, 1 thread, relaxed", () => createWasmBackend({ threads: 1, simd: "relaxed" }), {
  light: true,
  skip: noRelaxed,
});

/** The block in the memory of a back end, at odd places. */
function inPlace(backend: WasmBackend, block: LogitsBlock & Stored): LogitsBlock & Stored & { free(): void } {
  const shared = backend.allocLogits(1, block.data.length + 1, block.type);
  shared.data.set(block.data as Uint16Array, 1);
  return { ...block, data: shared.data, offset: (block.offset ?? 0) + 1, free: shared.free };
}

/** Logits with sizes from 1/2 to 32 and both signs, made from the bits of their numbers. */
function manyLogits(type: LogitType, rows: number, vocab: number): LogitsBlock & Stored {
  const [gap, offset, temperature] = [3, 1, 0.8];
  const lowest = type === "float16" ? 0x3800 : 0x3f00;
  const span = type === "float16" ? 0x17ff : 0x2ff;
  const halves = new Uint16Array(offset + rows * (vocab + gap));
  let state = vocab;
  for (let i = 0; i < halves.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    halves[i] = ((state >>> 16) & 0x8000) | (lowest + (((state >>> 12) & 0xffff) % span));
  }
  const data =
    type === "float32"
      ? new Float32Array(Uint32Array.from(halves, (half, i) => (half << 16) | (i & 0xffff)).buffer)
      : halves;
  return { data, type, rows, vocab, rowStride: vocab + gap, offset, temperature };
}

/** What a call found, as text of its bits: comparing arrays number by number takes long. */
function bits({ counts, ...columns }: LogProbColumns): Record<string, string> {
  const text = ({ buffer, byteOffset, byteLength }: Float64Array | Int32Array | Uint8Array): string =>
    Buffer.from(buffer, byteOffset, byteLength).toString("latin1");
  const texts = Object.entries(columns).map(([name, column]) => [name, text(column)]);
  return { ...Object.fromEntries(texts), counts: JSON.stringify(counts) };
}

/** The columns that differ. */
function differing(found: Record<string, string>, expected: Record<string, string>): string[] {
  return Object.keys({ ...found, ...expected }).filter((name) => found[name] !== expected[name]);
}

describe("threads and copies", () => {
  const sizes = [
    { rows: 700, vocab: 1003 },
    { rows: 24, vocab: 32001 },
    { rows: 5000, vocab: 35 },
  ];

  for (const simd of ["baseline", "relaxed"] as const)
    describe.skipIf(simd === "relaxed" && noRelaxed !== null)(`${simd} SIMD`, () => {
      let backends: WasmBackend[];
      beforeAll(async () => {
        backends = await Promise.all([1, 2, 3].map((threads) => createWasmBackend({ threads, simd })));
      });
      afterAll(async () => {
        await Promise.all(backends.map((backend) => backend.dispose()));
      });

      for (const type of simd === "baseline" ? TYPES : (["float16"] as const))
        it.each(sizes)(`${type}: $rows rows of $vocab have the same bits`, async ({ rows, vocab }) => {
          const block = manyLogits(type, rows, vocab);
          const targets = targetsFor(rows, vocab);
          targets.fill(-100, 10, 17);
          const want = everything(5);
          const [first] = backends as [WasmBackend];
          const expected = bits(await first.score(block, targets, want));
          for (const backend of backends) {
            const { free, ...shared } = inPlace(backend, block);
            for (let call = 0; call < 2; call++) {
              for (const given of [block, shared]) {
                expect(differing(bits(await backend.score(given, targets, want)), expected)).toEqual([]);
                const alone = bits(await backend.score(given, targets));
                expect(alone.logprob === expected.logprob).toBe(true);
              }
            }
            free();
          }
        });

      it("hidden states have the same bits", async () => {
        const [rows, width, vocab] = [37, 50, 3000];
        const states = realistic({ type: "bfloat16", rows, vocab: width }, 1).data;
        const { data } = realistic({ type: "float16", rows: vocab, vocab: width }, 2);
        const hidden = { data: states.slice(0, rows * width) as Uint16Array, type: "bfloat16", rows, width };
        const weights = data.slice(0, vocab * width) as Uint16Array;
        const head = { weights, type: "float16", vocab, width, scale: 0.2 } as const;
        const block = { ...hidden, type: "bfloat16" } as const;
        const [first] = backends as [WasmBackend];
        const expected = await first.scoreHidden(block, head, targetsFor(rows, vocab), everything(3));
        for (const backend of backends) {
          const shared = backend.allocLogits(vocab, width, "float16");
          shared.data.set(weights);
          for (const given of [weights, shared.data]) {
            const layer = { ...head, weights: given };
            const columns = await backend.scoreHidden(block, layer, targetsFor(rows, vocab), everything(3));
            expect(columns).toEqual(expected);
          }
          shared.free();
        }
      });
    });
});

describe("allocLogits", () => {
  it("gives memory back: 1,000 calls need no more of it", async () => {
    const backend = await createWasmBackend({ threads: 1 });
    const plain = realistic({ type: "float32", rows: 3, vocab: 1003 }, 3);
    let size = 0;
    for (let call = 0; call < 1000; call++) {
      const logits = backend.allocLogits(3, 1003);
      logits.data.set(plain.data.subarray(0, 3009) as Float32Array);
      await backend.score(logits, targetsFor(3, 1003));
      await backend.score(plain, targetsFor(3, 1003), everything(2));
      logits.free();
      if (call === 0) size = backend.allocLogits(1, 1).data.buffer.byteLength;
    }
    expect(backend.allocLogits(1, 1).data.buffer.byteLength).toBe(size);
    await backend.dispose();
  });

  it("keeps logits where they are when the memory grows", async () => {
    const backend = await createWasmBackend({ threads: 2 });
    const block = realistic({ type: "float32", rows: 4, vocab: 1003 }, 5);
    const targets = targetsFor(4, 1003);
    const expected = await backend.score(block, targets);
    const { free: _free, ...early } = inPlace(backend, block);
    const late = backend.allocLogits(64, 151936);
    late.data.fill(1);
    expect(late.data.buffer).not.toBe(early.data.buffer);
    expect(await backend.score(early, targets)).toEqual(expected);
    const { logprob } = await backend.score(late, new Int32Array(64), { rank: true });
    expect(logprob[63]).toBeCloseTo(-Math.log(151936), 6);
    (early.data as Float32Array).fill(0);
    expect((await backend.score(early, targets)).logprob[0]).toBeCloseTo(-Math.log(1003), 6);
    await backend.dispose();
  });

  it("gives blocks that can be copied with another temperature", async () => {
    const backend = await createWasmBackend({ threads: 1 });
    const logits = backend.allocLogits(1, 2);
    logits.data.set([2, 0]);
    const { logprob } = await backend.score({ ...logits, temperature: 2 }, Int32Array.of(1));
    expect(logprob[0]).toBeCloseTo(-1 - Math.log1p(Math.exp(-1)), 6);
    logits.free();
    logits.free();
    await backend.dispose();
  });

  it("says when the memory is full, and what cannot be", async () => {
    const backend = await createWasmBackend({ threads: 1 });
    expect(() => backend.allocLogits(40_000, 40_000)).toThrow(/at most 4 GiB, is full.* wanted 6104 MiB$/);
    expect(backend.allocLogits(2, 3).data.length).toBe(6);
    expect(() => backend.allocLogits(0, 3)).toThrow(
      "rows of allocLogits must be a whole number from 1, got 0",
    );
    expect(() => backend.allocLogits(1, 1.5)).toThrow("vocab of allocLogits must be a whole number");
    expect(() => backend.allocLogits(1, 1, "float64" as "float32")).toThrow(
      "type must be float32, float16, bfloat16, got float64",
    );
    await backend.dispose();
    expect(() => backend.allocLogits(1, 1)).toThrow("the log-prob back end is disposed");
  });
});

describe("a large call", () => {
  const rows = 128;
  const vocab = 32000;
  const large = { data: new Float32Array(rows * vocab), rows, vocab };

  it.each([1, 2])("with %i threads lets others have their turns, and stops when told to", async (threads) => {
    const backend = await createWasmBackend({ threads });
    const shared = backend.allocLogits(rows, vocab);
    shared.data.fill(0);
    const size = shared.data.buffer.byteLength;
    for (const block of [large, shared]) {
      const control = new AbortController();
      const reason = new Error("enough");
      let turns = 0;
      const call = backend.score(block, new Int32Array(rows), everything(1), control.signal);
      const rejected = expect(call).rejects.toBe(reason);
      const turn = async (): Promise<void> => {
        await setImmediate();
        turns++;
      };
      await turn();
      control.abort(reason);
      await rejected;
      await turn();
      expect(turns).toBe(2);
      const { logprob } = await backend.score(block, new Int32Array(rows));
      expect(logprob[rows - 1]).toBeCloseTo(-Math.log(vocab), 6);
    }
    const again = backend.allocLogits(1, 64);
    expect(again.data.buffer.byteLength - size).toBeLessThan(16 << 20);
    await backend.dispose();
  });

  it("starts threads that end with the back end", async () => {
    const workers: Worker[] = [];
    const onWorker = (worker: Worker): void => {
      workers.push(worker);
    };
    process.on("worker", onWorker);
    const backend = await createWasmBackend({ threads: 3 });
    await backend.score({ data: new Float32Array(8), rows: 2, vocab: 4 }, Int32Array.of(0, 1));
    expect(workers.length).toBe(0);
    await backend.score(large, new Int32Array(rows));
    await backend.score(large, new Int32Array(rows));
    expect(workers.length).toBe(2);
    await backend.dispose();
    expect(workers.map(({ threadId }) => threadId)).toEqual([-1, -1]);
    process.off("worker", onWorker);
  });

  it("goes on after a thread was ended between two calls", async () => {
    const workers: Worker[] = [];
    const onWorker = (worker: Worker): void => {
      workers.push(worker);
    };
    process.on("worker", onWorker);
    const backend = await createWasmBackend({ threads: 2 });
    const expected = await backend.score(large, new Int32Array(rows));
    await workers[0]?.terminate();
    await setTimeout(1);
    expect(await backend.score(large, new Int32Array(rows))).toEqual(expected);
    expect(workers.length).toBe(2);
    process.off("worker", onWorker);
    await backend.dispose();
  });

  const built = `${root}dist/uq/logprobs/wasm-backend.js`;
  it.skipIf(!existsSync(built))("does not keep the process alive when dispose is forgotten", async () => {
    const code = `
      import { createWasmBackend } from ${JSON.stringify(new URL(`file://${built}`).href)};
      const backend = await createWasmBackend({ threads: 2 });
      const logits = backend.allocLogits(64, 32000);
      logits.data.fill(0);
      for (let call = 0; call < 20; call++) await backend.score(logits, new Int32Array(64));
      const { logprob } = await backend.score(logits, new Int32Array(64));
      console.log(logprob[63].toFixed(4));`;
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", code], { timeout: 20_000 });
    expect(stdout.trim()).toBe((-Math.log(32000)).toFixed(4));
  });
});

describe("createWasmBackend", () => {
  it("tells what computes", async () => {
    const backend = await createWasmBackend({ threads: 2, simd: "baseline" });
    expect(backend.name).toBe("wasm");
    expect(backend.device).toBe("cpu");
    expect(backend.info).toEqual({ threads: 2, detail: "SIMD", tolerance: 2e-6 });
    await backend.dispose();
  });

  it.skipIf(noRelaxed !== null)("takes relaxed SIMD where it runs", async () => {
    const backend = await createWasmBackend();
    expect(backend.info.detail).toBe("relaxed SIMD");
    await backend.dispose();
  });

  it("refuses options that cannot be, and logits on a device", async () => {
    const refused = async (options: object, message: string): Promise<void> =>
      expect(createWasmBackend(options)).rejects.toMatchObject({ code: "option", message });
    for (const threads of [0, 1.5, 129, Number.NaN])
      await refused({ threads }, `threads must be a whole number from 1 to 128, got ${threads}`);
    await refused({ simd: "avx" }, "simd must be relaxed or baseline, got avx");
    await refused({ thread: 1 }, "createWasmBackend has no option thread: did you mean threads?");
    const backend = await createWasmBackend({ threads: 1 });
    const onDevice = { data: { pointer: 1n, length: 4 }, type: "float32", rows: 1, vocab: 4 } as const;
    await expect(backend.score(onDevice, Int32Array.of(0))).rejects.toMatchObject({ code: "option" });
    await backend.dispose();
  });
});

describe("the kernel", () => {
  it("is what its sources give", async () => {
    await run(process.execPath, [`${root}scripts/build-wasm.mjs`, "--check"]);
  });
});
