import { parentPort, workerData } from "node:worker_threads";
import { type WebAssemblyApi, webAssembly } from "../../../uq/logprobs/wasm/web-assembly.ts";
import { type FloorWork, floorSum, SIGNAL_DONE, SIGNAL_ROUND, SIGNAL_SLICES } from "./memory-floor.ts";

const { module, memory, signals, slot } = workerData as FloorWork;
// The thread that made the memory has WebAssembly.
const sum = floorSum(webAssembly() as WebAssemblyApi, module, memory);
const at = SIGNAL_SLICES + 3 * slot;
parentPort?.postMessage("ready");
let round = 0;
// The thread that started this one ends it.
for (;;) {
  Atomics.wait(signals, SIGNAL_ROUND, round);
  // No round begins before this one is done: what is read here is the round that woke the thread.
  round = Atomics.load(signals, SIGNAL_ROUND);
  const from = signals[at] as number;
  const to = signals[at + 1] as number;
  signals[at + 2] = from < to ? sum(from, to) : 0;
  Atomics.add(signals, SIGNAL_DONE, 1);
  Atomics.notify(signals, SIGNAL_DONE);
}
