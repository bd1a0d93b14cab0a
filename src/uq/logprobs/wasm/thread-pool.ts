import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { CalibrantError, errorMessage } from "../../../errors.ts";
import type { Kernel } from "./kernel.ts";
import { CONTROL_AT, stopJob } from "./layout.ts";
import { WORKER_CODE } from "./worker-code.ts";

/** More threads than a kernel's control words have room for. */
export const MOST_THREADS = 128;

/** How a job is to be run. */
export interface JobRun {
  readonly units: number;
  /** Bytes that a unit reads, or what takes about as long. */
  readonly unitBytes: number;
  readonly signal: AbortSignal | undefined;
  /** What the calling thread does before it helps, while the others are at work. */
  readonly meanwhile?: () => void;
}

/** Word 0 changes when there is something to do, 1 is the open job or 0, 2 changes when a thread is done; a thread's state each then. */
const CHANGES = 0;
const OPEN_JOB = 1;
const DONE = 2;
const STATES = 3;
const WORDS = STATES + MOST_THREADS;

/** Bytes of logits that the calling thread works through before it lets others have a turn: 2 to 5 milliseconds. */
export const TURN_BYTES: number = 8 << 20;
/** Below this, waking a thread costs more than it brings. */
const SHARED_BYTES = 256 << 10;
/** How long the calling thread sleeps for those that finish their last units, before it lets others have a turn, in ms. */
const NAP = 1;

/** The calling thread and its helpers, who draw units of one job at a time. No thread starts before the first job that is large enough. */
export class ThreadPool {
  readonly threads: number;
  readonly #kernel: Kernel;
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #helpers: (Worker | null)[];
  /** The thread that died at its work. */
  #lost: string | null = null;

  constructor(kernel: Kernel, threads: number) {
    this.threads = threads;
    this.#kernel = kernel;
    this.#words = new Int32Array(kernel.memory.buffer as SharedArrayBuffer, CONTROL_AT, WORDS);
    this.#helpers = new Array(threads - 1).fill(null);
  }

  /**
   * Does the job at an address. The calling thread leaves it now and then to what else waits, and looks at the signal.
   *
   * @throws CalibrantError `io` when a thread died at its work; the signal's reason. Nobody touches the job afterwards.
   */
  async run(job: number, { units, unitBytes, signal, meanwhile }: JobRun): Promise<void> {
    const step = Math.max(1, Math.floor(TURN_BYTES / unitBytes));
    const isShared = this.#helpers.length > 0 && units > 1 && units * unitBytes >= SHARED_BYTES;
    if (isShared) this.#open(job);
    try {
      meanwhile?.();
      while (this.#kernel.work(job, 0, step) === step) {
        await setImmediate();
        signal?.throwIfAborted();
      }
    } catch (error) {
      stopJob(this.#kernel.memory, job);
      throw error;
    } finally {
      if (isShared) await this.#close();
    }
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#helpers.map((helper) => helper?.terminate()));
  }

  #open(job: number): void {
    for (let helper = 0; helper < this.#helpers.length; helper++)
      if (this.#helpers[helper] === null) this.#start(helper);
    Atomics.store(this.#words, OPEN_JOB, job);
    Atomics.add(this.#words, CHANGES, 1);
    Atomics.notify(this.#words, CHANGES);
  }

  #start(helper: number): void {
    const stateWord = STATES + helper;
    const { module, memory } = this.#kernel;
    const workerData = {
      module,
      memory,
      controlAt: CONTROL_AT,
      controlLength: WORDS,
      thread: helper + 1,
      stateWord,
    };
    const worker = new Worker(WORKER_CODE, { eval: true, execArgv: [], workerData });
    let reason = "it was ended";
    worker.on("error", (error) => {
      reason = errorMessage(error);
    });
    worker.on("exit", () => {
      this.#helpers[helper] = null;
      // A thread that dies idle takes nothing with it.
      if (Atomics.exchange(this.#words, stateWord, 0) === 1)
        this.#lost = `thread ${helper + 2} of ${this.threads}: ${reason}`;
    });
    worker.unref();
    this.#helpers[helper] = worker;
  }

  async #close(): Promise<void> {
    Atomics.store(this.#words, OPEN_JOB, 0);
    for (;;) {
      const done = Atomics.load(this.#words, DONE);
      if (!this.#isAnyAtWork()) break;
      if (Atomics.wait(this.#words, DONE, done, NAP) === "timed-out") await setImmediate();
    }
    if (this.#lost === null) return;
    const reason = this.#lost;
    this.#lost = null;
    throw new CalibrantError(
      "io",
      `the log-prob back end lost a thread while it was at work, call it again for another: ${reason}`,
    );
  }

  #isAnyAtWork(): boolean {
    for (let helper = 0; helper < this.#helpers.length; helper++)
      if (Atomics.load(this.#words, STATES + helper) !== 0) return true;
    return false;
  }
}
