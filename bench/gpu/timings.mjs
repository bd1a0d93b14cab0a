// How fast the back end is, beside a copy of the same bytes on the device, the bare matrix product, and PyTorch.
import { partsOf } from "../../dist/uq/logprobs/cuda/chunk-layout.js";
import { createCudaBackend } from "../../dist/uq/logprobs/cuda-backend.js";
import { BYTES, callTime, inTurns, madeOnDevice, openGpu } from "./gpu-timer.mjs";
import { openTorch, torchContenders } from "./torch-process.mjs";

const SHAPES = {
  whole: {
    logits: [
      { rows: 4096, vocab: 151936 },
      { rows: 8192, vocab: 32000 },
    ],
    hidden: [
      { rows: 4096, width: 4096, vocab: 151936 },
      { rows: 1024, width: 1024, vocab: 32000 },
    ],
    rounds: 11,
  },
  quick: {
    logits: [{ rows: 8, vocab: 1003 }],
    hidden: [{ rows: 8, width: 16, vocab: 257 }],
    rounds: 3,
  },
};

/** Bytes of the device a logit takes: here twice (the copy), with PyTorch its logits, those in float32, and what it makes of them. */
const bytesOfLogit = (type, hasTorch) => 2 * BYTES[type] + (hasTorch ? BYTES[type] + 20 : 0);
const SPARE_BYTES = 2 ** 31;

/** Times of all shapes; rows are fewer where the memory asks for it. */
export async function runTimings({ libraries, device, isQuick, python, hasCublas }) {
  const shapes = isQuick ? SHAPES.quick : SHAPES.whole;
  const { rounds } = shapes;
  const { torch, problem } = await openTorch(python, device);
  const gpu = await openGpu({ libraries, device });
  const backend = await createCudaBackend({ device, ...libraries });
  const kit = { gpu, backend, torch, rounds };
  const result = {
    torch: torch?.versions ?? null,
    torchProblem: problem,
    rounds,
    logits: [],
    hidden: [],
    leftOut: [],
  };
  try {
    for (const { rows: most, vocab } of shapes.logits)
      for (const type of ["bfloat16", "float32"]) {
        const room = gpu.freeBytes() - SPARE_BYTES;
        const fitting = Math.floor(room / vocab / bytesOfLogit(type, torch !== null));
        const rows = Math.min(most, 8 * Math.floor(fitting / 8));
        if (rows < most)
          result.leftOut.push(`${most} × ${vocab} ${type}: the free memory takes ${rows} rows`);
        if (rows > 0) result.logits.push(await timeLogits(kit, { rows, vocab, type }));
      }
    for (const shape of hasCublas ? shapes.hidden : []) {
      const numbers = (shape.rows + shape.vocab) * shape.width + shape.rows * shape.vocab;
      if (4 * numbers + 2 * SPARE_BYTES < gpu.freeBytes() || isQuick)
        result.hidden.push(await timeHidden(kit, { ...shape, type: "bfloat16" }));
      else result.leftOut.push(`${shape.rows} × ${shape.width} → ${shape.vocab}: too little free memory`);
    }
    return result;
  } finally {
    await backend.dispose();
    gpu.close();
    await torch?.close();
  }
}

async function openShape(torch, shape) {
  return torch !== null && (await torch.ask({ open: shape })).opened ? torch : null;
}

async function timeLogits({ gpu, backend, torch, rounds }, { rows, vocab, type }) {
  const bytes = rows * vocab * BYTES[type];
  const data = madeOnDevice(gpu, { type, rows, width: vocab, spread: 3 });
  const copied = gpu.allocate(bytes);
  const block = { data, type, rows, vocab };
  const targets = targetsOf(rows, vocab);
  const kernels = openKernels(gpu, block, targets);
  const all = { entropy: true, rank: true, argmax: true };
  const call = async (want) => ({ ms: await callTime(() => backend.score(block, targets, want)) });
  const opened = await openShape(torch, { rows, vocab, type });
  const tasks = ["log_softmax", "float log_softmax", "cross_entropy", "float cross_entropy", "everything"];
  const times = await inTurns(
    {
      copy: () => ({ ms: gpu.time(() => gpu.copy(copied, data.pointer, bytes)) }),
      kernels: () => ({ ms: gpu.time(() => kernels.run(`sum_${type}`)) }),
      "kernels, all": () => ({ ms: gpu.time(() => kernels.run(`sum_all_${type}`)) }),
      call: () => call({}),
      "call, all": () => call(all),
      "call, top 5": () => call({ topK: 5 }),
      ...torchContenders(
        opened,
        Object.fromEntries([...tasks, "copy"].map((task) => [`torch ${task}`, task])),
      ),
    },
    rounds,
  );
  if (torch !== null) await torch.ask({ close: true });
  kernels.close();
  gpu.free(copied);
  gpu.free(data.pointer);
  return { rows, vocab, type, bytes, times };
}

/** The kernels of a call for logits on the device, without the call. */
function openKernels(gpu, { data, type, rows, vocab }, targets) {
  const { count, length } = partsOf(vocab);
  const ids = gpu.allocate(4 * rows);
  gpu.write(ids, targets);
  const parts = gpu.allocate(rows * count * 40);
  const results = gpu.allocate(rows * 40);
  const run = (kernel) => {
    const input = [data.pointer, { long: vocab }, { int: vocab }, { int: length }, ids];
    gpu.launcher.launch(kernel, [count, rows], 512, gpu.stream, [...input, { float: Math.LOG2E }, parts]);
    const sums = [parts, { int: count }, { int: rows }, ids, { double: 1 }, results];
    gpu.launcher.launch("finish", [Math.ceil(rows / 64), 1], 64, gpu.stream, sums);
  };
  const close = () => {
    for (const pointer of [ids, parts, results]) gpu.free(pointer);
  };
  return { type, run, close };
}

async function timeHidden({ gpu, backend, torch, rounds }, { rows, width, vocab, type }) {
  const data = madeOnDevice(gpu, { type, rows, width, spread: 1 });
  const weights = madeOnDevice(gpu, { type, rows: vocab, width, spread: 3 / Math.sqrt(width) });
  // As many rows at once as the back end takes, with logits in float32.
  const chunk = Math.min(rows, 1024);
  const logits = gpu.allocate(chunk * vocab * 4);
  gpu.device.enter();
  const cublas = gpu.openCublas();
  const multiply = () => {
    for (let first = 0; first < rows; first += chunk) {
      const pointer = data.pointer + BigInt(first * width * BYTES[type]);
      const a = { pointer, rows: Math.min(chunk, rows - first), rowStride: width };
      const b = { pointer: weights.pointer, rows: vocab, rowStride: width };
      cublas.multiply(gpu.stream, type, width, a, b, { pointer: logits, rowStride: vocab });
    }
  };
  const hidden = { data, type, rows, width };
  const head = { weights, type, vocab, width };
  const targets = targetsOf(rows, vocab);
  const opened = await openShape(torch, { rows, width, vocab, type });
  const times = await inTurns(
    {
      product: () => ({ ms: gpu.time(multiply) }),
      call: async () => ({ ms: await callTime(() => backend.scoreHidden(hidden, head, targets)) }),
      ...torchContenders(opened, {
        "torch matmul": "matmul",
        "torch chunked cross_entropy": "chunked cross_entropy",
      }),
    },
    rounds,
  );
  if (torch !== null) await torch.ask({ close: true });
  gpu.device.enter();
  cublas.close();
  for (const pointer of [logits, weights.pointer, data.pointer]) gpu.free(pointer);
  return { rows, width, vocab, type, times };
}

function targetsOf(rows, vocab) {
  return Int32Array.from({ length: rows }, (_, row) => (row * 7919) % vocab);
}
