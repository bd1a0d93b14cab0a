import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type CudaBackend, createCudaBackend } from "../../../src/uq/logprobs/cuda-backend.ts";
import type { DeviceArray, HiddenBlock, LogitsBlock } from "../../../src/uq/logprobs/log-prob-backend.ts";
import { describeBackend, everything } from "./contract.ts";
import { expectColumns } from "./expect-columns.ts";
import { buildFakeCuda, type FakeCuda, NOTHING_HELD, whyNoFake } from "./fake-cuda/build-fake-cuda.ts";
import { hiddenOracle, scoreOracle } from "./oracle.ts";
import { gaussianRows, realistic, TYPES, targetsFor } from "./sample-blocks.ts";

const skip = whyNoFake();
const fake = skip === null ? buildFakeCuda(64) : (null as unknown as FakeCuda);
const create = (memoryBytes?: number): Promise<CudaBackend> =>
  createCudaBackend({
    driver: fake.path,
    cublas: fake.path,
    ...(memoryBytes !== undefined && { memoryBytes }),
  });

afterAll(() => {
  if (skip !== null) return;
  fake.remove();
  expect(fake.damaged()).toBe(0);
  expect(fake.held()).toEqual(NOTHING_HELD);
});

describeBackend("cuda, its kernels on the processor", () => create(), { skip, light: true });

const BOUNDS = { logprob: 2e-6, entropy: 1e-5 };
const HIDDEN_BOUNDS = { logprob: 2e-5, entropy: 2e-5, order: 2e-5 };
const block = realistic({ type: "float32", rows: 3, vocab: 70 }, 1);
const targets = targetsFor(3, 70);
const KIB = 2 ** 10;

describe.skipIf(skip !== null)("cuda, what it holds", () => {
  beforeEach(() => fake.reset());

  it("holds no more after 1,000 calls than after a few, and nothing when disposed of", async () => {
    const backend = await create();
    const hidden = gaussianRows({ type: "float32", rows: 3, vocab: 8 }, 5);
    const { data } = gaussianRows({ type: "float32", rows: 20, vocab: 8 }, 6);
    const head = { weights: data.subarray(0, 160), vocab: 20, width: 8, bias: new Float32Array(20) };
    const round = async (call: number): Promise<void> => {
      if (call % 2 === 0) await backend.score(block, targets, everything(call % 3));
      else await backend.scoreHidden(hidden, head, targetsFor(3, 20), everything(1));
      if (call % 10 === 0) await expect(backend.score(block, Int32Array.of(1, 2, 99))).rejects.toThrow();
    };
    for (let call = 0; call < 6; call++) await round(call);
    const held = fake.held();
    const made = fake.calls("cuMemAlloc_v2");
    for (let call = 0; call < 1000; call++) await round(call);
    expect(fake.held()).toEqual(held);
    // The bias is brought for each call; chunks and weights stay.
    expect(fake.calls("cuMemAlloc_v2") - made).toBe(500);
    expect(fake.calls("cuMemHostAlloc")).toBeLessThan(6);
    await backend.dispose();
    expect(fake.held()).toEqual(NOTHING_HELD);
  });

  it("keeps weights by their array, and lets go of them for others", async () => {
    const [rows, width, vocab] = [4, 64, 512];
    const hidden = gaussianRows({ type: "float32", rows, vocab: width }, 5);
    const weightsOf = (seed: number): Float32Array =>
      (gaussianRows({ type: "float32", rows: vocab, vocab: width }, seed).data as Float32Array).subarray(
        0,
        vocab * width,
      );
    const backend = await create(400 * KIB);
    const ids = targetsFor(rows, vocab);
    const score = async (weights: Float32Array): Promise<number> => {
      const before = fake.calls("cuMemcpyHtoDAsync_v2");
      const head = { weights, vocab, width };
      const columns = await backend.scoreHidden(hidden, head, ids);
      expectColumns(columns, hiddenOracle(hidden, head, ids), {}, HIDDEN_BOUNDS);
      return fake.calls("cuMemcpyHtoDAsync_v2") - before;
    };
    const [one, two, three] = [weightsOf(1), weightsOf(2), weightsOf(3)];
    // Targets and hidden states, and 128 KiB of weights when they are new.
    expect(await score(one)).toBe(3);
    expect(await score(one)).toBe(2);
    expect(await score(two)).toBe(3);
    expect(await score(three)).toBe(3);
    expect(await score(three)).toBe(2);
    expect(await score(one)).toBe(3);
    expect(fake.held().deviceBytes).toBeLessThanOrEqual(400 * KIB);
    await backend.dispose();
  });

  it("brings weights block by block where they do not fit, in any mixture of types", async () => {
    const [rows, width, vocab] = [40, 40, 601];
    for (const type of TYPES)
      for (const layerType of TYPES) {
        const hidden = gaussianRows({ type, rows, vocab: width, gap: 3 }, 7);
        const { data } = gaussianRows({ type: layerType, rows: vocab, vocab: width }, 8, 0.3);
        const bias = Float32Array.from({ length: vocab }, (_, id) => Math.sin(id));
        const head = { weights: data.subarray(0, vocab * width), type: layerType, vocab, width, bias };
        const ids = targetsFor(rows, vocab);
        const oracle = hiddenOracle(hidden, head, ids, everything(2));
        for (const memoryBytes of [48 * KIB, 200 * KIB, 2 ** 24]) {
          const backend = await create(memoryBytes);
          const columns = await backend.scoreHidden(hidden, head, ids, everything(2));
          expectColumns(columns, oracle, everything(2), HIDDEN_BOUNDS);
          expect(fake.held().deviceBytes).toBeLessThanOrEqual(memoryBytes);
          await backend.dispose();
        }
      }
  });

  it("scores rows that are more than its memory holds, with the same numbers", async () => {
    const many = realistic({ type: "bfloat16", rows: 60, vocab: 1003 }, 4);
    const ids = targetsFor(60, 1003);
    const roomy = await create();
    const expected = await roomy.score(many, ids, everything(3));
    expectColumns(expected, scoreOracle(many, ids, everything(3)), everything(3), BOUNDS);
    await roomy.dispose();
    for (const memoryBytes of [20 * KIB, 64 * KIB]) {
      const tight = await create(memoryBytes);
      expect(await tight.score(many, ids, everything(3))).toEqual(expected);
      expect(fake.held().deviceBytes).toBeLessThanOrEqual(memoryBytes);
      await tight.dispose();
    }
  });

  it("says what memory a row needs that is bound to be too little", async () => {
    const tiny = await create(KIB);
    await expect(tiny.score(block, targets)).rejects.toMatchObject({
      code: "io",
      message: expect.stringMatching(
        /^a chunk of 1 rows needs \d+ bytes on the GPU .* raise memoryBytes, now 1024$/,
      ),
    });
    await tiny.dispose();
    await expect(createCudaBackend({ memoryBytes: 0 })).rejects.toMatchObject({ code: "option" });
  });

  it("frees what was started when a signal stops it", async () => {
    const backend = await create(64 * KIB);
    const many = realistic({ type: "float32", rows: 200, vocab: 1003 }, 4);
    await backend.score(many, targetsFor(200, 1003));
    const held = fake.held();
    const control = new AbortController();
    const call = backend.score(many, targetsFor(200, 1003), {}, control.signal);
    setTimeout(() => control.abort(new Error("enough")), 3);
    const launches = fake.calls("cuLaunchKernel");
    await expect(call).rejects.toThrow("enough");
    expect(fake.calls("cuLaunchKernel") - launches).toBeLessThan(100);
    expect(fake.held()).toEqual(held);
    expectColumns(await backend.score(block, targets), scoreOracle(block, targets), {}, BOUNDS);
    await backend.dispose();
    expect(fake.held()).toEqual(NOTHING_HELD);
  });

  it("lets the event loop live while the device works", async () => {
    fake.set("polls", 300);
    const backend = await create();
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await backend.score(block, targets);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(10);
    await backend.dispose();
  });
});

describe.skipIf(skip !== null)("cuda, numbers on the device", () => {
  beforeEach(() => fake.reset());

  const onDevice = (backend: CudaBackend, given: LogitsBlock): LogitsBlock => ({
    ...given,
    data: backend.upload(given.data as Float32Array),
  });

  it("scores them where they are, with the numbers that the host's give", async () => {
    const backend = await create();
    for (const type of TYPES) {
      const host = realistic({ type, rows: 9, vocab: 1024, offset: 16 }, 2);
      const device = onDevice(backend, host);
      const ids = Int32Array.from(targetsFor(9, 1024), (id, row) => (row === 4 ? -100 : id));
      const columns = await backend.score(device, ids, everything(3));
      expect(columns).toEqual(await backend.score(host, ids, everything(3)));
      // Again, and after the host's.
      expect(await backend.score(device, ids, everything(3))).toEqual(columns);
      backend.free(device.data as DeviceArray);
    }
    await backend.dispose();
  });

  it("scores hidden states and weights that are there", async () => {
    const backend = await create(64 * KIB);
    for (const type of TYPES)
      for (const layerType of TYPES) {
        const hidden = gaussianRows({ type, rows: 20, vocab: 12, gap: 2, offset: 1 }, 5);
        const { data } = gaussianRows({ type: layerType, rows: 300, vocab: 12 }, 6);
        const head = { weights: data.subarray(0, 3600), type: layerType, vocab: 300, width: 12 };
        const ids = targetsFor(20, 300);
        const there: HiddenBlock = { ...hidden, data: backend.upload(hidden.data as Float32Array) };
        const layer = { ...head, weights: backend.upload(head.weights as Float32Array) };
        const columns = await backend.scoreHidden(there, layer, ids);
        expectColumns(columns, hiddenOracle(hidden, head, ids), {}, HIDDEN_BOUNDS);
      }
    // What was not freed is freed with the back end.
    await backend.dispose();
    expect(fake.held()).toEqual(NOTHING_HELD);
  });

  it("frees numbers after the calls that read them", async () => {
    const backend = await create();
    const device = onDevice(backend, block);
    const call = backend.score(device, targets);
    backend.free(device.data as DeviceArray);
    expectColumns(await call, scoreOracle(block, targets), {}, BOUNDS);
    await backend.score(block, targets);
    expect(() => backend.free(device.data as DeviceArray)).toThrow(/only numbers that upload gave/);
    await backend.dispose();
  });

  it("refuses addresses that are not the device's, and those between two numbers", async () => {
    const backend = await create();
    const array = backend.upload(block.data);
    const at = (pointer: bigint, length: number): LogitsBlock => ({
      ...block,
      type: "float32",
      data: { pointer, length },
    });
    const refused = async (given: LogitsBlock, message: RegExp): Promise<void> =>
      expect(backend.score(given, targets)).rejects.toMatchObject({
        code: "option",
        message: expect.stringMatching(message),
      });
    await refused(at(4096n, 210), /memory of the GPU that is still held, got 0x1000$/);
    await refused(at(array.pointer + 2n, 210), /multiple of 4 for float32/);
    await refused(at(array.pointer + 4096n, 210), /still held/);
    await refused(at(array.pointer, 10), /need 210 numbers/).catch(() => {});
    backend.free(array);
    await refused(at(array.pointer, 210), /still held/);
    expect(() => backend.upload([1] as unknown as Float32Array)).toThrow(/upload takes/);
    expect(backend.upload(new Float32Array(0)).length).toBe(0);
    await backend.dispose();
    expect(() => backend.upload(block.data)).toThrow("the log-prob back end is disposed");
    expect(() => backend.free(array)).toThrow("the log-prob back end is disposed");
  });
});

describe("koffi that is not there", () => {
  it("is named with the command that installs it", async () => {
    vi.resetModules();
    vi.doMock("koffi", () => {
      throw new Error("Cannot find package 'koffi'");
    });
    const fresh = await import("../../../src/uq/logprobs/cuda-backend.ts");
    const { probeCuda } = await import("../../../src/uq/logprobs/cuda/probe-cuda.ts");
    await expect(fresh.createCudaBackend()).rejects.toMatchObject({
      code: "missing-package",
      message: expect.stringContaining("the back end cuda needs the package koffi: npm install koffi"),
    });
    const probe = await probeCuda();
    expect(probe.koffi).toMatchObject({ installed: false, version: null });
    expect(probe.koffi.problem).toContain("npm install koffi");
    expect([probe.driver.found, probe.cublas.found, probe.devices]).toEqual([false, false, []]);
    vi.doUnmock("koffi");
    vi.resetModules();
  });

  it("is too old when pointers are no numbers yet", async () => {
    vi.resetModules();
    vi.doMock("koffi", () => ({ default: { version: "2.14.1" } }));
    const fresh = await import("../../../src/uq/logprobs/cuda-backend.ts");
    await expect(fresh.createCudaBackend()).rejects.toMatchObject({
      code: "missing-package",
      message: "the back end cuda needs koffi 3.1 or newer: npm install koffi@3, got 2.14.1",
    });
    vi.doUnmock("koffi");
    vi.resetModules();
  });
});
