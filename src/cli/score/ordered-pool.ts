import { Worker } from "node:worker_threads";
import { CalibrantError } from "../../errors.ts";
import { planRewards, type RewardPlan, type RewardPlanOptions } from "../../rewards/reward-plan.ts";
import type { InputTask } from "../input/input-task.ts";
import { errorOfWorker, type WorkerFailure } from "../worker-failure.ts";
import { runTask } from "./run-task.ts";
import type { TaskRows } from "./task-rows.ts";

/** What a worker needs to build the same plan. */
export interface PoolPlan {
  readonly rewards: readonly string[];
  readonly options: RewardPlanOptions;
  readonly numericColumns: readonly string[];
}

/** What a worker answers: rows of its task, the end of it, or a failure. */
export type WorkerReply =
  | { readonly type: "rows"; readonly rows: TaskRows }
  | { readonly type: "done" }
  | WorkerFailure;

/**
 * Scores tasks on `jobs` threads and yields their rows in task order, whatever the number of threads. With one
 * job, or one task, everything runs in this thread. When it ends early, `tasks` is told to let go of its input.
 */
export async function* runOrdered(
  tasks: AsyncIterator<InputTask>,
  plan: RewardPlan,
  poolPlan: PoolPlan,
  jobs: number,
): AsyncGenerator<TaskRows> {
  try {
    yield* runAll(tasks, plan, poolPlan, jobs);
  } finally {
    // Not awaited: a pipe that is being read answers only when it has something.
    void tasks.return?.().catch(() => undefined);
  }
}

async function* runAll(
  tasks: AsyncIterator<InputTask>,
  plan: RewardPlan,
  poolPlan: PoolPlan,
  jobs: number,
): AsyncGenerator<TaskRows> {
  const first = await tasks.next();
  if (first.done) return;
  const second = jobs > 1 ? await tasks.next() : null;
  if (second === null || second.done) {
    yield* runTask(first.value, plan);
    for (let next = second ?? (await tasks.next()); !next.done; next = await tasks.next())
      yield* runTask(next.value, plan);
    return;
  }
  yield* runOnWorkers([first.value, second.value], tasks, poolPlan, jobs);
}

/** The rows of one task as they arrive from its worker. */
interface Arrivals {
  readonly rows: TaskRows[];
  done: boolean;
  failure: Error | null;
  wake: () => void;
}

async function* runOnWorkers(
  waiting: InputTask[],
  tasks: AsyncIterator<InputTask>,
  poolPlan: PoolPlan,
  jobs: number,
): AsyncGenerator<TaskRows> {
  const take = async (): Promise<InputTask | null> => waiting.shift() ?? nextTask(tasks);
  const crew = startCrew(take, () => spawnWorker(poolPlan), jobs);
  try {
    for (let head = await crew.head(); head !== null; head = await crew.head()) {
      yield* drain(head);
      crew.drop();
    }
  } finally {
    await crew.stop();
  }
}

/** Workers, and the tasks that they have, in order. */
interface Crew {
  /** The first task, as soon as a worker has it; null when there is none left. */
  head(): Promise<Arrivals | null>;
  /** Makes room for another task: the first one is drained. */
  drop(): void;
  stop(): Promise<void>;
}

function startCrew(take: () => Promise<InputTask | null>, hire: () => Worker, jobs: number): Crew {
  const workers: Worker[] = [];
  const idle: Worker[] = [];
  const running: Arrivals[] = [];
  let ended = false;
  let pumping = Promise.resolve();
  let wake = (): void => undefined;

  const enqueue = (arrivals: Arrivals): void => {
    running.push(arrivals);
    wake();
  };
  const end = (): void => {
    ended = true;
    wake();
  };
  /** Gives tasks to idle workers, ahead of the consumer by at most one task a worker. */
  const pump = async (): Promise<void> => {
    while (!ended && running.length < 2 * jobs && (idle.length > 0 || workers.length < jobs)) {
      const task = await take();
      // The consumer may have left while the task was read: a worker started now would never be stopped.
      if (task === null || ended) return end();
      const worker = idle.pop() ?? hire();
      if (!workers.includes(worker)) workers.push(worker);
      enqueue(send(worker, task, () => onIdle(worker)));
    }
  };
  const schedule = (): void => {
    pumping = pumping.then(pump).catch((error: Error) => {
      enqueue({ rows: [], done: true, failure: error, wake: () => undefined });
      end();
    });
  };
  const onIdle = (worker: Worker): void => {
    idle.push(worker);
    schedule();
  };

  schedule();
  return {
    async head() {
      // Not for the pump to finish: it may wait for a slow pipe while workers have rows.
      while (running.length === 0 && !ended)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return running[0] ?? null;
    },
    drop() {
      running.shift();
      schedule();
    },
    async stop() {
      ended = true;
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

async function nextTask(tasks: AsyncIterator<InputTask>): Promise<InputTask | null> {
  const next = await tasks.next();
  return next.done ? null : next.value;
}

function spawnWorker(poolPlan: PoolPlan): Worker {
  const worker = new Worker(new URL("./score-worker.js", import.meta.url), { workerData: poolPlan });
  worker.setMaxListeners(0);
  return worker;
}

function send(worker: Worker, task: InputTask, onIdle: () => void): Arrivals {
  const arrivals: Arrivals = { rows: [], done: false, failure: null, wake: () => undefined };
  const settle = (failure: Error | null): void => {
    worker.off("message", onMessage);
    worker.off("error", onError);
    worker.off("exit", onExit);
    arrivals.done = true;
    arrivals.failure = failure;
    if (failure === null) onIdle();
    arrivals.wake();
  };
  const onMessage = (reply: WorkerReply): void => {
    if (reply.type === "rows") {
      arrivals.rows.push(reply.rows);
      arrivals.wake();
    } else settle(reply.type === "done" ? null : errorOfWorker(reply));
  };
  const onError = (error: Error): void => settle(error);
  const onExit = (code: number): void =>
    settle(new CalibrantError("io", `a worker thread ended with status ${code}`));
  worker.on("message", onMessage);
  worker.on("error", onError);
  worker.on("exit", onExit);
  worker.postMessage(task, transferable(task));
  return arrivals;
}

/** The prefix of an Arrow task is shared by its neighbours and must be copied. */
function transferable(task: InputTask): ArrayBuffer[] {
  if (task.kind === "jsonl") return [task.bytes.buffer as ArrayBuffer];
  return task.kind === "arrow" ? [task.batch.buffer as ArrayBuffer] : [];
}

async function* drain(arrivals: Arrivals): AsyncGenerator<TaskRows> {
  for (;;) {
    const rows = arrivals.rows.shift();
    if (rows !== undefined) yield rows;
    else if (arrivals.failure !== null) throw arrivals.failure;
    else if (arrivals.done) return;
    else
      await new Promise<void>((resolve) => {
        arrivals.wake = resolve;
      });
  }
}

/** Builds the plan that a pool plan describes. */
export function planOf(poolPlan: PoolPlan): Promise<RewardPlan> {
  return planRewards(poolPlan.rewards, poolPlan.options, poolPlan.numericColumns);
}
