import { describe, expect, it } from "vitest";
import { type Kernel, loadKernel } from "../../../../src/uq/logprobs/wasm/kernel.ts";
import { ENTRY_BYTES, KIND_ROWS, RESULT_BYTES, writeJob } from "../../../../src/uq/logprobs/wasm/layout.ts";
import { ThreadPool } from "../../../../src/uq/logprobs/wasm/thread-pool.ts";

const JOB = 8192;
const ENTRIES = 16384;
const RESULTS = 24576;
const SCRATCH = 32768;
const UNITS = 100;

/** A job over rows of four zeros, or over rows beyond the end of the memory. */
function write({ memory }: Kernel, isBroken: boolean): void {
  const row = isBroken ? 0x7fff0000 : 60000;
  const entries = new Int32Array(memory.buffer, ENTRIES, (UNITS * ENTRY_BYTES) / 4);
  for (let unit = 0; unit < UNITS; unit++) entries.set([row, 1], 2 * unit);
  const none = { second: 0, third: 0, width: 0, padded: 0, rows: 0, outputStride: 0 };
  const rows = { units: UNITS, kind: KIND_ROWS, type: 0, columns: 4, all: false, topK: 0, scale: 1 };
  const places = { input: ENTRIES, output: RESULTS, scratch: SCRATCH, scratchBytes: 4096 };
  writeJob(memory, JOB, { ...rows, ...places, ...none });
}

/** The calling thread leaves all units to the other one, and waits until that has drawn one. */
function idle(kernel: Kernel): Kernel {
  const words = new Int32Array(kernel.memory.buffer, JOB, 1);
  const work = (_job: number, _thread: number, limit: number): number =>
    Atomics.wait(words, 0, 0, 5) === "timed-out" && Atomics.load(words, 0) === 0 ? limit : 0;
  return { ...kernel, work };
}

describe("ThreadPool", () => {
  it("rejects a job whose thread died at its work, and has another for the next", async () => {
    const kernel = await loadKernel("baseline");
    const pool = new ThreadPool(idle(kernel), 2);
    const job = { units: UNITS, unitBytes: 1 << 20, signal: undefined };
    for (let time = 0; time < 2; time++) {
      write(kernel, true);
      await expect(pool.run(JOB, job)).rejects.toMatchObject({
        code: "io",
        message: expect.stringMatching(/lost a thread .*: thread 2 of 2: .*memory access out of bounds/),
      });
      write(kernel, false);
      await pool.run(JOB, job);
      const sums = new Float64Array(kernel.memory.buffer, RESULTS, (UNITS * RESULT_BYTES) / 8);
      expect(sums[(UNITS - 1) * 5]).toBe(4);
      sums.fill(0);
    }
    await pool.dispose();
  });
});
