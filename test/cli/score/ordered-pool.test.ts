import { beforeEach, describe, expect, it, vi } from "vitest";
import type { InputTask } from "../../../src/cli/input/input-task.ts";
import { type PoolPlan, planOf, runOrdered, type WorkerReply } from "../../../src/cli/score/ordered-pool.ts";
import type { TaskRows } from "../../../src/cli/score/task-rows.ts";
import { CalibrantError } from "../../../src/errors.ts";
import { collect } from "../../golden/arrow-files.ts";
import { Worker } from "./fake-worker.ts";

vi.mock("node:worker_threads", () => import("./fake-worker.ts"));
vi.mock("../../../src/cli/score/run-task.ts", () => ({
  async *runTask(task: InputTask): AsyncGenerator<TaskRows> {
    yield rowsOf(numberOf(task));
    if (numberOf(task) === BROKEN) throw new CalibrantError("data", "a broken task");
    yield rowsOf(numberOf(task) + 0.5);
  },
}));

const BROKEN = 13;
const POOL: PoolPlan = { rewards: ["bench2robust"], options: {}, numericColumns: [] };
const plan = await planOf(POOL);

/** Tasks and rows of rows are told apart by a number. */
function taskOf(firstLine: number): InputTask {
  return {
    kind: "jsonl",
    bytes: new Uint8Array(1),
    firstLine,
    source: { name: "t", requests: [], renames: [], added: [] },
  };
}
const numberOf = (task: InputTask): number => (task.kind === "jsonl" ? task.firstLine : Number.NaN);
const rowsOf = (rows: number): TaskRows => ({
  rows,
  kept: [],
  passing: [],
  codes: null,
  keys: [],
  nonFinite: {},
});
const scored = (rows: number): WorkerReply => ({ type: "rows", rows: rowsOf(rows) });
const DONE: WorkerReply = { type: "done" };

/** Tasks 0 … count - 1; notes how many were taken, and whether they were let go of. */
function taskSource(count: number): {
  tasks: AsyncGenerator<InputTask>;
  taken: () => number;
  closed: () => boolean;
} {
  let taken = 0;
  let closed = false;
  async function* source(): AsyncGenerator<InputTask> {
    try {
      for (let task = 0; task < count; task += 1) {
        taken += 1;
        yield taskOf(task);
      }
    } finally {
      closed = true;
    }
  }
  return { tasks: source(), taken: () => taken, closed: () => closed };
}

async function* listOf(...numbers: readonly number[]): AsyncGenerator<InputTask> {
  for (const number of numbers) yield taskOf(number);
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const numbers = (rows: readonly TaskRows[]): number[] => rows.map((row) => row.rows);
const worker = (index: number): Worker => Worker.all[index] as Worker;

beforeEach(() => {
  Worker.all.length = 0;
});

describe("in this thread", () => {
  it.each([
    [0, 1],
    [1, 1],
    [4, 1],
    [0, 8],
    [1, 8],
  ])("runs %i tasks with %i jobs in order, without a worker", async (count, jobs) => {
    const rows = await collect(runOrdered(taskSource(count).tasks, plan, POOL, jobs));
    expect(numbers(rows)).toEqual(Array.from({ length: 2 * count }, (_, index) => index / 2));
    expect(Worker.all).toEqual([]);
  });

  it("takes no task before the rows of the one before it were taken", async () => {
    const { tasks, taken } = taskSource(5);
    const run = runOrdered(tasks, plan, POOL, 1);
    expect(taken()).toBe(0);
    await run.next();
    await run.next();
    expect(taken()).toBe(1);
    await run.next();
    expect(taken()).toBe(2);
  });

  it("gives the rows before a failure, then fails and takes no further task", async () => {
    const run = runOrdered(listOf(0, BROKEN, 2), plan, POOL, 1);
    const rows: number[] = [];
    await expect(
      (async () => {
        for await (const row of run) rows.push(row.rows);
      })(),
    ).rejects.toThrow("a broken task");
    expect(rows).toEqual([0, 0.5, BROKEN]);
  });

  it("lets go of the tasks when it is left early", async () => {
    const { tasks, closed } = taskSource(5);
    for await (const row of runOrdered(tasks, plan, POOL, 1)) if (row.rows === 1) break;
    await settled();
    expect(closed()).toBe(true);
  });

  it("passes on that the tasks cannot be read", async () => {
    async function* broken(): AsyncGenerator<InputTask> {
      yield taskOf(0);
      throw new CalibrantError("io", "cannot read");
    }
    await expect(collect(runOrdered(broken(), plan, POOL, 1))).rejects.toMatchObject({ code: "io" });
  });
});

describe("on workers", () => {
  it("yields rows in task order, whichever worker is done first", async () => {
    const all = collect(runOrdered(taskSource(4).tasks, plan, POOL, 2));
    await settled();
    expect(Worker.all.map(({ tasks }) => tasks.map(numberOf))).toEqual([[0], [1]]);
    worker(1).answer(scored(1), DONE);
    await settled();
    worker(1).answer(scored(2), scored(2.5), DONE);
    await settled();
    worker(0).answer(scored(0));
    worker(1).answer(scored(3), DONE);
    worker(0).answer(scored(0.5), DONE);
    expect(numbers(await all)).toEqual([0, 0.5, 1, 2, 2.5, 3]);
    expect(Worker.all.map(({ terminated }) => terminated)).toEqual([true, true]);
  });

  it("reads only a few tasks ahead of the rows that were taken", async () => {
    const { tasks, taken } = taskSource(100);
    const run = runOrdered(tasks, plan, POOL, 3);
    const first = run.next();
    for (let round = 0; round < 20; round += 1) {
      await settled();
      for (const one of Worker.all.slice(1)) one.answer(scored(1), DONE);
    }
    expect(taken()).toBe(6);
    expect(Worker.all).toHaveLength(3);
    worker(0).answer(scored(0));
    expect((await first).value?.rows).toBe(0);
    await run.return(undefined);
  });

  it("yields rows that are there while the next task lets itself be waited for", async () => {
    let arrive: (() => void) | undefined;
    async function* slow(): AsyncGenerator<InputTask> {
      yield taskOf(0);
      yield taskOf(1);
      await new Promise<void>((resolve) => {
        arrive = resolve;
      });
      yield taskOf(2);
    }
    const run = runOrdered(slow(), plan, POOL, 4);
    const next = async (): Promise<number | undefined> => (await run.next()).value?.rows;
    const first = next();
    await settled();
    worker(0).answer(scored(0), DONE);
    worker(1).answer(scored(1), DONE);
    expect([await first, await next()]).toEqual([0, 1]);
    const last = next();
    arrive?.();
    await settled();
    const one = Worker.all.find(({ tasks }) => tasks.some((task) => numberOf(task) === 2));
    one?.answer(scored(2), DONE);
    expect(await last).toBe(2);
    expect((await run.next()).done).toBe(true);
    expect(Worker.all).toHaveLength(2);
  });

  it("starts no more workers than there are tasks", async () => {
    const all = collect(runOrdered(taskSource(2).tasks, plan, POOL, 8));
    await settled();
    expect(Worker.all).toHaveLength(2);
    for (const one of Worker.all) one.answer(scored(numberOf(one.tasks[0] as InputTask)), DONE);
    expect(numbers(await all)).toEqual([0, 1]);
  });

  it("fails as a task failed, after the rows before it, and stops all workers", async () => {
    const { tasks, closed } = taskSource(50);
    const rows: number[] = [];
    const run = (async () => {
      for await (const row of runOrdered(tasks, plan, POOL, 2)) rows.push(row.rows);
    })();
    const outcome = expect(run).rejects.toMatchObject({
      code: "data",
      message: "x:7: bad",
      details: { line: 7 },
    });
    await settled();
    worker(1).answer({ type: "failed", code: "data", message: "x:7: bad", details: { line: 7 } });
    await settled();
    worker(0).answer(scored(0), DONE);
    await outcome;
    expect(rows).toEqual([0]);
    expect(Worker.all.every(({ terminated }) => terminated)).toBe(true);
    await settled();
    expect(closed()).toBe(true);
  });

  it.each([
    [(one: Worker) => one.answer({ type: "failed", code: null, message: "a fault", details: {} }), "a fault"],
    [(one: Worker) => one.emit("error", new Error("out of memory")), "out of memory"],
    [(one: Worker) => one.emit("exit", 134), "a worker thread ended with status 134"],
  ])("fails when a worker does", async (fail, message) => {
    const run = collect(runOrdered(taskSource(3).tasks, plan, POOL, 2));
    const outcome = expect(run).rejects.toThrow(message);
    await settled();
    fail(worker(0));
    await outcome;
    expect(Worker.all.every(({ terminated }) => terminated)).toBe(true);
  });

  it("fails when a later task cannot be read, after the rows before it", async () => {
    async function* broken(): AsyncGenerator<InputTask> {
      yield taskOf(0);
      yield taskOf(1);
      throw new CalibrantError("io", "cannot read on");
    }
    const rows: number[] = [];
    const run = (async () => {
      for await (const row of runOrdered(broken(), plan, POOL, 2)) rows.push(row.rows);
    })();
    const outcome = expect(run).rejects.toMatchObject({ code: "io" });
    await settled();
    worker(1).answer(scored(1), DONE);
    worker(0).answer(scored(0), DONE);
    await outcome;
    expect(rows).toEqual([0, 1]);
  });

  it("starts no worker for a task that comes after the consumer left", async () => {
    let arrive: (() => void) | undefined;
    async function* slow(): AsyncGenerator<InputTask> {
      yield taskOf(0);
      yield taskOf(1);
      await new Promise<void>((resolve) => {
        arrive = resolve;
      });
      yield taskOf(2);
    }
    const run = collect(runOrdered(slow(), plan, POOL, 4));
    const outcome = expect(run).rejects.toThrow("a fault");
    await settled();
    worker(0).answer({ type: "failed", code: null, message: "a fault", details: {} });
    await outcome;
    arrive?.();
    await settled();
    expect(Worker.all).toHaveLength(2);
    expect(Worker.all.every(({ terminated }) => terminated)).toBe(true);
  });
});

describe("planOf", () => {
  it("plans what is described", () => {
    expect(plan.outputs.map((output) => output.name)).toContain("efficiency");
  });
});
