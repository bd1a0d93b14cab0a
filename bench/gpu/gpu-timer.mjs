// The device below the back end: memory, copies, kernels and the clock of the device, through the same context.
import { openCublas } from "../../dist/uq/logprobs/cuda/cublas.js";
import { openDevice } from "../../dist/uq/logprobs/cuda/cuda-device.js";
import { driverName, openDriver } from "../../dist/uq/logprobs/cuda/cuda-driver.js";
import { createLauncher } from "../../dist/uq/logprobs/cuda/launcher.js";
import { loadKoffi } from "../../dist/uq/logprobs/cuda/load-koffi.js";
import { gaussian, store } from "./made-up.mjs";

export const BYTES = { float32: 4, float16: 2, bfloat16: 2 };

/** The default stream, on which copies that name none run. */
const STREAM = 0n;
/** Runs between two events; one before them is not timed. */
const REPEATS = 3;

/** To be closed when done; everything that it gave is freed then. */
export async function openGpu({ libraries, device: index }) {
  const koffi = await loadKoffi();
  const device = await openDevice(openDriver(koffi, libraries.driver), index);
  const { driver } = device;
  device.enter();
  const library = koffi.load(libraries.driver ?? driverName());
  const elapsed = library.func("cuEventElapsedTime", "int", ["void *", "uint64", "uint64"]);
  const copyOnDevice = library.func("cuMemcpyDtoD_v2", "int", ["uint64", "uint64", "size_t"]);
  const events = [0, 1].map(() => driver.pointer("timing", "cuEventCreate", 0));
  const held = new Set();
  const check = (status) => {
    if (status !== 0) throw new Error(`the driver failed while timing: ${driver.errorName(status)}`);
  };
  const gpu = {
    device,
    stream: STREAM,
    launcher: createLauncher(device),
    openCublas: () => openCublas(device, libraries.cublas),
    freeBytes: () => {
      device.enter();
      return Number(driver.pointer("timing", "cuMemGetInfo_v2", new BigUint64Array(1)));
    },
    allocate: (bytes) => {
      device.enter();
      const pointer = driver.pointer("timing", "cuMemAlloc_v2", bytes);
      held.add(pointer);
      return pointer;
    },
    free: (pointer) => {
      device.enter();
      if (held.delete(pointer)) driver.call("timing", "cuMemFree_v2", pointer);
    },
    copy: (to, from, bytes) => check(copyOnDevice(to, from, bytes)),
    write: (to, data) => driver.call("timing", "cuMemcpyHtoD_v2", to, data, data.byteLength),
    wait: () => driver.call("timing", "cuStreamSynchronize", STREAM),
    /** Milliseconds of the device for one `work()`. */
    time: (work) => {
      device.enter();
      work();
      driver.call("timing", "cuEventRecord", events[0], STREAM);
      for (let i = 0; i < REPEATS; i++) work();
      driver.call("timing", "cuEventRecord", events[1], STREAM);
      gpu.wait();
      const ms = new Float32Array(1);
      check(elapsed(ms, ...events));
      return ms[0] / REPEATS;
    },
    close: () => {
      for (const pointer of held) gpu.free(pointer);
      device.enter();
      for (const event of events) driver.call("timing", "cuEventDestroy_v2", event);
      gpu.launcher.close();
      device.close();
    },
  };
  return gpu;
}

/** Normal numbers times `spread` on the device: a few rows of them, again and again. */
export function madeOnDevice(gpu, { type, rows, width, spread }) {
  const few = Math.min(rows, 8);
  const rowBytes = width * BYTES[type];
  const pointer = gpu.allocate(rows * rowBytes);
  const normal = gaussian(width);
  gpu.device.enter();
  const first = store(
    type,
    Float64Array.from({ length: few * width }, () => spread * normal()),
  );
  gpu.write(pointer, first);
  for (let row = few; row < rows; row += few) {
    const count = Math.min(few, rows - row);
    gpu.copy(pointer + BigInt(row * rowBytes), pointer, count * rowBytes);
  }
  gpu.wait();
  return { pointer, length: rows * width };
}

/** Milliseconds of the host until the call has answered. */
export async function callTime(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/**
 * All contenders once a round, in turns, the first round not counted; medians by name, null for one that could not run.
 *
 * @param contenders - by name, what gives `{ ms, … }` numbers of one run, or null.
 */
export async function inTurns(contenders, rounds) {
  const found = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  const names = Object.keys(contenders);
  for (let round = 0; round <= rounds; round++)
    for (let i = 0; i < names.length; i++) {
      const name = names[(round + i) % names.length];
      if (found[name] === null) continue;
      const times = await contenders[name]();
      if (times === null) found[name] = null;
      else if (round > 0) found[name].push(times);
    }
  return Object.fromEntries(names.map((name) => [name, found[name] && medians(found[name])]));
}

function medians(runs) {
  const names = Object.keys(runs[0]);
  return Object.fromEntries(names.map((name) => [name, median(runs.map((run) => run[name]))]));
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}
