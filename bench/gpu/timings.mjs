// How fast the kernels are, against a copy of the same bytes on the device, and against the matrix product alone.
import koffi from "koffi";
import { partsOf } from "../../dist/uq/logprobs/cuda/chunk-layout.js";
import { openCublas } from "../../dist/uq/logprobs/cuda/cublas.js";
import { openDevice } from "../../dist/uq/logprobs/cuda/cuda-device.js";
import { driverName, openDriver } from "../../dist/uq/logprobs/cuda/cuda-driver.js";
import { createLauncher } from "../../dist/uq/logprobs/cuda/launcher.js";
import { createCudaBackend } from "../../dist/uq/logprobs/cuda-backend.js";
import { gaussian, store } from "./float64.mjs";

const ROUNDS = 15;
const BYTES = { float32: 4, float16: 2, bfloat16: 2 };

/** The few calls of the driver that only a bench needs. */
function openTimer(device, path) {
  const library = koffi.load(path ?? driverName());
  const elapsed = library.func("cuEventElapsedTime", "int", ["void *", "uint64", "uint64"]);
  const copyDevice = library.func("cuMemcpyDtoD_v2", "int", ["uint64", "uint64", "size_t"]);
  const { driver } = device;
  const events = [0, 1].map(() => driver.pointer("timing", "cuEventCreate", 0));
  const stream = driver.pointer("timing", "cuStreamCreate", 0);
  /** Milliseconds of the device for `work(stream)`: the median of some rounds after a warm-up. */
  const time = (work, on = stream) => {
    const rounds = [];
    for (let round = 0; round < ROUNDS + 2; round++) {
      driver.call("timing", "cuEventRecord", events[0], on);
      work(on);
      driver.call("timing", "cuEventRecord", events[1], on);
      driver.call("timing", "cuStreamSynchronize", on);
      const ms = new Float32Array(1);
      elapsed(ms, ...events);
      if (round >= 2) rounds.push(ms[0]);
    }
    return median(rounds);
  };
  const close = () => {
    for (const event of events) driver.status("cuEventDestroy_v2", event);
    driver.status("cuStreamDestroy_v2", stream);
  };
  return { time, copyDevice, close };
}

/** Times of the logits of a shape by type, and of hidden states. */
export async function runTimings({ driver: path, cublas: cublasPath, device: index, isSmall }) {
  const backend = await createCudaBackend({
    device: index,
    memoryBytes: 2 ** 33,
    ...(path !== undefined && { driver: path }),
    ...(cublasPath !== undefined && { cublas: cublasPath }),
  });
  const kit = await import("../../dist/uq/logprobs/cuda/load-koffi.js");
  const device = await openDevice(openDriver(await kit.loadKoffi(), path), index);
  device.enter();
  const timer = openTimer(device, path);
  const launcher = createLauncher(device);
  const shapes = isSmall
    ? [[8, 1003]]
    : [
        [4096, 151936],
        [8192, 32000],
        [8192, 50257],
      ];
  const logits = [];
  try {
    for (const [rows, vocab] of shapes)
      for (const type of ["bfloat16", "float16", "float32"])
        logits.push(await timeLogits({ device, backend, timer, launcher }, { rows, vocab, type }));
    const shape = isSmall ? { rows: 8, width: 16, vocab: 257 } : { rows: 4096, width: 4096, vocab: 151936 };
    const hidden = await timeHidden({ device, backend, timer, cublasPath }, shape);
    return { logits, hidden };
  } finally {
    await backend.dispose();
    device.enter();
    timer.close();
    launcher.close();
    device.close();
  }
}

async function timeLogits({ device, backend, timer, launcher }, { rows, vocab, type }) {
  const length = rows * vocab;
  const bytes = length * BYTES[type];
  const array = fillDevice(device, backend, timer, type, rows, vocab);
  const copy = backend.upload(type === "float32" ? new Float32Array(length) : new Uint16Array(length));
  const targets = Int32Array.from({ length: rows }, (_, row) => (row * 7919) % vocab);
  device.enter();
  // The copy reads and writes: the traffic is twice its size.
  const copyMs = timer.time(() => timer.copyDevice(copy.pointer, array.pointer, bytes), 0n);
  backend.free(copy);
  const kernelMs = timeKernels(device, backend, timer, launcher, { rows, vocab, type, array, targets });
  const block = { data: array, type, rows, vocab };
  const callMs = await wall(() => backend.score(block, targets));
  const all = { entropy: true, rank: true, argmax: true };
  const callAllMs = await wall(() => backend.score(block, targets, all));
  const topMs = await wall(() => backend.score(block, targets, { topK: 5 }));
  backend.free(array);
  const rate = (ms) => bytes / ms / 1e6;
  return {
    ...{
      rows,
      vocab,
      type,
      bytes,
      copyGBs: 2 * rate(copyMs),
      kernelMs: kernelMs.plain,
      kernelGBs: rate(kernelMs.plain),
    },
    ...{ kernelAllMs: kernelMs.all, kernelAllGBs: rate(kernelMs.all), callMs, callAllMs, topMs },
    ofCopy: rate(kernelMs.plain) / (2 * rate(copyMs)),
  };
}

/** A few rows of logits, again and again. */
function fillDevice(device, backend, timer, type, rows, vocab) {
  const few = Math.min(rows, 8);
  const normal = gaussian(vocab);
  const seed = store(
    type,
    Float64Array.from({ length: few * vocab }, () => 3 * normal()),
  );
  const whole = type === "float32" ? new Float32Array(rows * vocab) : new Uint16Array(rows * vocab);
  const array = backend.upload(whole);
  const first = backend.upload(seed);
  const bytes = few * vocab * BYTES[type];
  device.enter();
  for (let row = 0; row + few <= rows; row += few)
    timer.copyDevice(array.pointer + BigInt(row * vocab * BYTES[type]), first.pointer, bytes);
  device.driver.call("filling", "cuStreamSynchronize", 0n);
  backend.free(first);
  return array;
}

function timeKernels(device, backend, timer, launcher, { rows, vocab, type, array, targets }) {
  const ids = backend.upload(new Float32Array(targets.buffer));
  const { count, length } = partsOf(vocab);
  const parts = backend.upload(new Float32Array(rows * count * 10));
  const results = backend.upload(new Float32Array(rows * 10));
  device.enter();
  const run = (kernel) =>
    timer.time((stream) => {
      launcher.launch(kernel, [count, rows], 512, stream, [
        ...[array.pointer, { long: vocab }, { int: vocab }, { int: length }, ids.pointer],
        ...[{ float: Math.LOG2E }, parts.pointer],
      ]);
      launcher.launch("finish", [Math.ceil(rows / 64), 1], 64, stream, [
        ...[parts.pointer, { int: count }, { int: rows }, ids.pointer, { double: 1 }, results.pointer],
      ]);
    });
  const ms = { plain: run(`sum_${type}`), all: run(`sum_all_${type}`) };
  for (const held of [ids, parts, results]) backend.free(held);
  return ms;
}

/** Hidden states and weights in bfloat16 that lie on the device: the call against the products that it needs, in chunks as it makes them. */
async function timeHidden({ device, backend, timer, cublasPath }, { rows, width, vocab }) {
  const hidden = fillDevice(device, backend, timer, "bfloat16", rows, width);
  const weights = fillDevice(device, backend, timer, "bfloat16", vocab, width);
  const targets = Int32Array.from({ length: rows }, (_, row) => (row * 7919) % vocab);
  const chunk = Math.min(rows, 1024);
  const logits = backend.upload(new Float32Array(chunk * vocab));
  device.enter();
  const cublas = openCublas(device, cublasPath);
  const gemmMs =
    timer.time((stream) => {
      const a = { pointer: hidden.pointer, rows: chunk, rowStride: width };
      const b = { pointer: weights.pointer, rows: vocab, rowStride: width };
      cublas.multiply(stream, "bfloat16", width, a, b, { pointer: logits.pointer, rowStride: vocab });
    }) *
    (rows / chunk);
  cublas.close();
  backend.free(logits);
  const callMs = await wall(() =>
    backend.scoreHidden(
      { data: hidden, type: "bfloat16", rows, width },
      { weights, type: "bfloat16", vocab, width },
      targets,
    ),
  );
  for (const held of [hidden, weights]) backend.free(held);
  const tflops = (ms) => (2 * rows * width * vocab) / ms / 1e9;
  return { rows, width, vocab, gemmMs, gemmTflops: tflops(gemmMs), callMs, ofGemm: callMs / gemmMs };
}

async function wall(work) {
  const rounds = [];
  for (let round = 0; round < ROUNDS + 2; round++) {
    const start = performance.now();
    await work();
    if (round >= 2) rounds.push(performance.now() - start);
  }
  return median(rounds);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}
