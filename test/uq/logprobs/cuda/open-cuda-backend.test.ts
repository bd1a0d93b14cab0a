import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { probeCuda } from "../../../../src/uq/logprobs/cuda/probe-cuda.ts";
import { type CudaBackend, createCudaBackend } from "../../../../src/uq/logprobs/cuda-backend.ts";
import { buildFakeCuda, type FakeCuda, NOTHING_HELD, whyNoFake } from "../fake-cuda/build-fake-cuda.ts";
import { realistic, targetsFor } from "../sample-blocks.ts";
import { describeKernels } from "./describe-kernels.ts";

const skip = whyNoFake();
const fake = skip === null ? buildFakeCuda(512) : (null as unknown as FakeCuda);
const create = (cublas: string = fake.path): Promise<CudaBackend> =>
  createCudaBackend({ driver: fake.path, cublas });

afterAll(() => {
  if (skip !== null) return;
  fake.remove();
  expect(fake.damaged()).toBe(0);
});

describe.skipIf(skip !== null)("cuda, blocks of 512 threads", () => describeKernels(() => fake.path));

const NOT_THERE = "/nowhere/libcuda.so.1";
const block = realistic({ type: "float32", rows: 3, vocab: 70 }, 1);
const targets = targetsFor(3, 70);
const hidden = { data: new Float32Array(12), rows: 3, width: 4 };
const head = { weights: new Float32Array(280), vocab: 70, width: 4, bias: new Float32Array(70) };

async function failure(work: () => Promise<unknown>): Promise<{ code: string; message: string }> {
  const error: unknown = await work().then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: "CalibrantError" });
  const { code, message } = error as { code: string; message: string };
  expect(message).not.toContain("\n");
  return { code, message };
}

describe.skipIf(skip !== null)("cuda, a driver or a GPU that will not do", () => {
  beforeEach(() => fake.reset());

  it.each([
    ["no driver", () => createCudaBackend({ driver: NOT_THERE }), /R450 or newer; \/nowhere\/libcuda/],
    ["another library", () => createCudaBackend({ driver: "libc.so.6" }), /is no driver: .* no cuInit$/],
  ])("%s", async (_what, work, message) => {
    expect(await failure(work)).toMatchObject({
      code: "missing-package",
      message: expect.stringMatching(message),
    });
  });

  it.each<[string, Record<string, number>, RegExp]>([
    ["no GPU", { devices: 0 }, /\(CUDA 13\.0\) finds no GPU; .*nvidia-smi.*: CUDA_ERROR_NO_DEVICE$/],
    ["an old GPU", { major: 7, minor: 0 }, /the GPU Fake GPU is too old: .* 7\.5 at least, got 7\.0$/],
    [
      "an old driver",
      { version: 10000, major: 8 },
      /\(CUDA 10\.0\) does not take the kernels .*R450.*: logprobs\.ptx: CUDA_ERROR_UNSUPPORTED_PTX_VERSION$/,
    ],
  ])("%s", async (_what, settings, message) => {
    for (const [name, value] of Object.entries(settings)) fake.set(name, value);
    expect(await failure(() => create())).toMatchObject({
      code: "missing-package",
      message: expect.stringMatching(message),
    });
    expect(fake.held()).toEqual(NOTHING_HELD);
  });

  it("a driver and a kernel module of two versions", async () => {
    fake.fail("cuInit", 803);
    expect((await failure(() => create())).message).toMatch(
      /does not start; .*: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH$/,
    );
  });

  it.each([[1], [-1], [0.5]])("GPU %d, of which there is none", async (device) => {
    expect(await failure(() => createCudaBackend({ driver: fake.path, device }))).toEqual({
      code: "option",
      message: `device must be a GPU from 0 to 0, got ${device}`,
    });
  });

  it("takes the PTX where the cubin is not for the driver or the GPU", async () => {
    for (const [settings, images] of [
      [{ version: 13000, major: 9 }, 1],
      [{ version: 11000, major: 9 }, 2],
      [{ version: 12040, major: 8 }, 1],
      [{ version: 13000, major: 12 }, 1],
    ] as const) {
      fake.reset();
      for (const [name, value] of Object.entries(settings)) fake.set(name, value);
      const backend = await create();
      expect(fake.calls("cuModuleLoadData")).toBe(images);
      await backend.dispose();
    }
  });

  it("frees everything whatever fails while it opens", async () => {
    for (const [name, times] of [
      ["cuDriverGetVersion", 0],
      ["cuDeviceGetCount", 1],
      ["cuDeviceGet", 2],
      ["cuDeviceGetName", 1],
      ["cuDeviceGetAttribute", 2],
      ["cuDeviceTotalMem_v2", 1],
      ["cuDevicePrimaryCtxRetain", 1],
      ["cuStreamCreate", 2],
      ["cuEventCreate", 2],
    ] as const)
      for (let call = 0; call < times; call++) {
        fake.reset();
        fake.fail(name, 719, call);
        const { code, message } = await failure(() => create());
        expect([code, message.endsWith("CUDA_ERROR_LAUNCH_FAILED")]).toEqual(["io", true]);
        expect(fake.held()).toEqual(NOTHING_HELD);
      }
    fake.reset();
    fake.fail("cuDriverGetVersion", 1);
    const backend = await create();
    expect(backend.info.detail).toBe("Fake GPU, driver unknown");
    await backend.dispose();
    expect(fake.held()).toEqual(NOTHING_HELD);
  });
});

describe.skipIf(skip !== null)("cuda, a call that fails", () => {
  beforeEach(() => fake.reset());

  const FAILING = [
    "cuMemAlloc_v2",
    "cuMemHostAlloc",
    "cuMemcpyHtoDAsync_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuModuleGetFunction",
    "cuLaunchKernel",
    "cuEventRecord",
    "cuEventQuery",
  ];

  it.each(FAILING)("%s, at any time: one error, nothing lost, and the next call works", async (name) => {
    const backend = await create();
    const work = async (): Promise<unknown> => {
      const [logits] = await Promise.all([backend.score(block, targets, { topK: 2, rank: true })]);
      return [logits, await backend.scoreHidden(hidden, head, targets, { entropy: true })];
    };
    const fresh = await create();
    const expected = [
      await fresh.score(block, targets, { topK: 2, rank: true }),
      await fresh.scoreHidden(hidden, head, targets, { entropy: true }),
    ];
    await fresh.dispose();
    let failures = 0;
    for (let call = 0; call < 12; call++) {
      fake.reset();
      fake.fail(name, 719, call);
      const result = await work().catch((error: unknown) => error);
      if (!(result instanceof Error)) continue;
      failures++;
      expect(result).toMatchObject({ name: "CalibrantError", code: "io" });
      expect(result.message).toContain("CUDA_ERROR_LAUNCH_FAILED");
    }
    expect(failures).toBeGreaterThan(0);
    fake.reset();
    expect(await work()).toEqual(expected);
    await backend.dispose();
    expect(fake.held()).toEqual(NOTHING_HELD);
  });

  it("memory that the GPU does not have: how much, how much is left, what to do", async () => {
    const backend = await create();
    fake.set("memory", 1500);
    const { code, message } = await failure(() => backend.score(block, targets));
    expect(code).toBe("io");
    expect(message).toMatch(
      /^a chunk of 3 rows needs \d{4} bytes on GPU 0, which has 1500 left: free memory there or lower memoryBytes: CUDA_ERROR_OUT_OF_MEMORY$/,
    );
    fake.set("memory", 2 ** 30);
    const array = backend.upload(block.data);
    fake.set("memory", 2000);
    expect(() => backend.upload(new Float32Array(1000))).toThrow(
      /an upload of 1000 numbers needs 4000 bytes/,
    );
    fake.reset();
    fake.fail("cuMemcpyHtoD_v2", 719);
    expect(() => backend.upload(block.data)).toThrow(/the GPU failed at copying to the GPU/);
    expect(fake.held().deviceBlocks).toBe(1);
    backend.free(array);
    await backend.dispose();
    expect(fake.held()).toEqual(NOTHING_HELD);
  });

  it("a device that is broken for good: every call says so, and it can be disposed of", async () => {
    const backend = await create();
    fake.fail("cuEventQuery", 700);
    const { message } = await failure(() => backend.score(block, targets));
    expect(message).toMatch(/fewer than said; restart the process\): CUDA_ERROR_ILLEGAL_ADDRESS$/);
    await backend.dispose();
    expect(fake.held()).toEqual(NOTHING_HELD);
  });

  it("cuBLAS that is not there, or fails: what was tried and how to get it; logits still work", async () => {
    const without = await create("/nowhere/libcublas.so.12");
    const missing = await failure(() => without.scoreHidden(hidden, head, targets));
    expect(missing.code).toBe("missing-package");
    expect(missing.message).toMatch(/need NVIDIA's cuBLAS .*pip install .* option cublas; \/nowhere/);
    expect((await without.score(block, targets)).counts.scored).toBe(3);
    await without.dispose();

    const backend = await create();
    fake.failCublas(1);
    const refused = await failure(() => backend.scoreHidden(hidden, head, targets));
    expect(refused.code).toBe("missing-package");
    expect(refused.message).toMatch(/cuBLAS 12\.4\.1 .*does not start .*: CUBLAS_STATUS_NOT_INITIALIZED$/);
    await backend.scoreHidden(hidden, head, targets);
    fake.failCublas(13);
    const broken = await failure(() => backend.scoreHidden(hidden, head, targets));
    expect(broken.code).toBe("io");
    expect(broken.message).toMatch(/failed at a matrix product: CUBLAS_STATUS_EXECUTION_FAILED$/);
    await backend.dispose();
    expect(fake.held()).toEqual(NOTHING_HELD);
  });
});

describe("probeCuda", () => {
  it.skipIf(skip !== null)("tells what is there", async () => {
    fake.reset();
    fake.set("devices", 2);
    const probe = await probeCuda({ driver: fake.path, cublas: fake.path });
    const gpu = { name: "Fake GPU", computeCapability: "9.0", memoryBytes: 2 ** 33, freeBytes: 2 ** 33 };
    expect(probe).toEqual({
      koffi: { installed: true, version: expect.stringMatching(/^3\./), problem: null },
      driver: { found: true, version: "13.0", problem: null },
      devices: [
        { index: 0, ...gpu },
        { index: 1, ...gpu },
      ],
      cublas: { found: true, path: fake.path, version: "12.4.1", problem: null },
    });
    fake.reset();
    fake.fail("cuMemGetInfo_v2", 719);
    expect((await probeCuda({ driver: fake.path })).devices[0]?.freeBytes).toBeNull();
    expect(fake.held()).toEqual(NOTHING_HELD);
    fake.set("devices", 0);
    expect((await probeCuda({ driver: fake.path })).driver).toMatchObject({
      found: false,
      problem: expect.stringContaining("CUDA_ERROR_NO_DEVICE"),
    });
  });

  it("tells what is missing", async () => {
    const probe = await probeCuda({ driver: NOT_THERE, cublas: "/nowhere/libcublas.so" });
    expect(probe.driver).toMatchObject({ found: false, version: null });
    expect(probe.driver.problem).toContain(NOT_THERE);
    expect(probe.cublas).toMatchObject({ found: false, path: null, version: null });
    expect(probe.devices).toEqual([]);
  });
});
