/**
 * What a thread runs: plain JavaScript in a string, so that it is the same from sources and from the package, whatever loads them.
 *
 * It waits until the first word changes, says that it is at work, and looks then whether a job is open: whoever closes a job and sees
 * afterwards that nobody is at work knows that nobody will touch it.
 */
export const WORKER_CODE: string = `
const { workerData } = require("node:worker_threads");
const { module, memory, controlAt, controlLength, thread, stateWord } = workerData;
const words = new Int32Array(memory.buffer, controlAt, controlLength);
const { work } = new globalThis.WebAssembly.Instance(module, { env: { memory } }).exports;
for (let seen = 0; ; ) {
  Atomics.wait(words, 0, seen);
  seen = Atomics.load(words, 0);
  Atomics.store(words, stateWord, 1);
  const job = Atomics.load(words, 1);
  if (job !== 0) work(job, thread, 0x7fffffff);
  Atomics.store(words, stateWord, 0);
  Atomics.add(words, 2, 1);
  Atomics.notify(words, 2);
}
`;
