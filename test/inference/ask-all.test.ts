import { describe, expect, it } from "vitest";
import type { CalibrantError } from "../../src/errors.ts";
import { type AskAllOptions, askAll } from "../../src/inference/ask-all.ts";
import { chatError } from "../../src/inference/chat-error.ts";

const TASKS = Array.from({ length: 30 }, (_, index) => index);
const failure = (reason: string, fatal = false): CalibrantError =>
  chatError(`${reason}!`, { reason, fatal, attempts: 1 });
const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

interface Log {
  readonly started: number[];
  readonly answers: number[];
  readonly failures: number[];
  readonly options: AskAllOptions<number, number>;
}

/** Asks by `work`, which may throw, and notes what happens. */
function logged(
  work: (task: number, signal: AbortSignal) => unknown,
  changes: Partial<AskAllOptions<number, number>> = {},
): Log {
  const log = { started: [] as number[], answers: [] as number[], failures: [] as number[] };
  const options: AskAllOptions<number, number> = {
    concurrency: 4,
    async ask(task, signal) {
      log.started.push(task);
      await tick();
      await work(task, signal);
      return 2 * task;
    },
    onAnswer: (task, answer) => void log.answers.push(answer - task),
    onFailure: (task) => void log.failures.push(task),
    ...changes,
  };
  return { ...log, options };
}

const sorted = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b);

describe("askAll", () => {
  it("asks everything once, in order, a bounded number at a time", async () => {
    let running = 0;
    let most = 0;
    const { options, started, answers } = logged(async (task) => {
      most = Math.max(most, ++running);
      await tick();
      if (task % 3 === 0) await tick();
      running--;
    });
    await askAll(TASKS, options);
    expect(started).toEqual(TASKS);
    expect(sorted(answers)).toEqual(TASKS);
    expect(most).toBe(4);
    await askAll([], options);
    expect(started).toEqual(TASKS);
  });

  it("gives each of those that are asked at a time a signal of its own, and aborts all of them", async () => {
    const signals = new Set<AbortSignal>();
    const stop = new AbortController();
    const { options } = logged(
      async (task, signal) => {
        signals.add(signal);
        if (task === 9) stop.abort(new Error("enough"));
        await tick();
      },
      { signal: stop.signal },
    );
    await expect(askAll(TASKS, options)).rejects.toThrow("enough");
    expect([
      signals.size,
      [...signals].every(({ aborted, reason }) => aborted && reason.message === "enough"),
    ]).toEqual([4, true]);
  });

  it("goes on after failures", async () => {
    const { options, answers, failures } = logged((task) => {
      if (task % 2 === 0) throw failure(`HTTP ${400 + (task % 4)}`);
    });
    await askAll(TASKS, options);
    expect(sorted(failures)).toEqual(TASKS.filter((task) => task % 2 === 0));
    expect(sorted(answers)).toEqual(TASKS.filter((task) => task % 2 === 1));
  });

  it("stops at a failure that all would share, and keeps the answers on the way", async () => {
    const { options, started, answers, failures } = logged(async (task) => {
      if (task === 5) throw failure("HTTP 401", true);
      for (let i = 0; i < 20; i++) await tick();
    });
    await expect(askAll(TASKS, options)).rejects.toThrow("HTTP 401!");
    expect(failures).toEqual([5]);
    expect(sorted(answers)).toEqual(started.filter((task) => task !== 5));
    expect(started.length).toBeLessThan(10);
  });

  it("gives up when the first ones all fail for one reason", async () => {
    const { options, started } = logged(() => {
      throw failure("connection");
    });
    await expect(askAll(TASKS, options)).rejects.toThrow(
      /^gave up after the first 8 questions all failed \(\d+ were asked\): connection!$/,
    );
    expect(started.length).toBeLessThan(13);
    const wide = logged(
      () => {
        throw failure("connection");
      },
      { concurrency: 15 },
    );
    await expect(askAll(TASKS, wide.options)).rejects.toThrow("all failed (22 were asked): ");
    expect([wide.started.length, wide.failures.length]).toEqual([22, 22]);
    const mixed = logged((task) => {
      throw failure(task === 3 ? "timeout" : "connection");
    });
    await askAll(TASKS, mixed.options);
    expect(mixed.started).toEqual(TASKS);
    const late = logged((task) => {
      if (task > 0) throw failure("connection");
    });
    await askAll(TASKS, late.options);
    expect(late.failures).toHaveLength(29);
  });

  it("ends at once when an answer cannot be kept, or on a fault of its own", async () => {
    const full = new Error("disk full");
    const signals: AbortSignal[] = [];
    const { options, started } = logged(
      (task, signal) => {
        signals.push(signal);
        return task === 0 ? undefined : new Promise(() => undefined);
      },
      { onAnswer: () => Promise.reject(full) },
    );
    await expect(askAll(TASKS, options)).rejects.toBe(full);
    await tick();
    expect(started).toEqual([0, 1, 2, 3]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true, true]);
    const fault = new TypeError("a fault");
    const faulty = logged(() => {
      throw fault;
    });
    await expect(askAll(TASKS, faulty.options)).rejects.toBe(fault);
  });

  it("begins nothing new after a soft stop, keeps what is on the way and then throws its reason", async () => {
    const soft = new AbortController();
    const reason = new Error("enough");
    const { options, started, answers, failures } = logged(
      async (task) => {
        if (task === 4) soft.abort(reason);
        for (let i = 0; i < 5; i++) await tick();
        // A task that had to ask once more does not.
        if (task === 5) throw reason;
        if (task === 6) throw failure("HTTP 500");
      },
      { softStop: soft.signal },
    );
    await expect(askAll(TASKS, options)).rejects.toBe(reason);
    expect([started, sorted(answers), failures]).toEqual([[0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 4, 7], [6]]);
    await expect(askAll(TASKS, options)).rejects.toBe(reason);
    expect(started).toHaveLength(8);
  });

  it("waits for nothing when the signal aborts", async () => {
    const controller = new AbortController();
    const { options, answers, started } = logged(
      (task) => (task < 2 ? undefined : new Promise(() => undefined)),
      { signal: controller.signal },
    );
    const run = askAll(TASKS, options);
    setTimeout(() => controller.abort(new Error("stop")), 50);
    await expect(run).rejects.toThrow("stop");
    expect([answers, started]).toEqual([
      [0, 1],
      [0, 1, 2, 3, 4, 5],
    ]);
    await expect(askAll(TASKS, options)).rejects.toThrow("stop");
    expect(started).toHaveLength(6);
  });
});
