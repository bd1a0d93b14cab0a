import { parentPort, workerData } from "node:worker_threads";
import type { InputTask } from "../input/input-task.ts";
import { workerFailure } from "../worker-failure.ts";
import { type PoolPlan, planOf, type WorkerReply } from "./ordered-pool.ts";
import { runTask } from "./run-task.ts";
import type { TaskRows } from "./task-rows.ts";

const port = parentPort;
const plan = planOf(workerData as PoolPlan);

// A worker module must not await at its top level: the parent may end early. The plan is awaited per task.
port?.on("message", (task: InputTask) => {
  void score(task);
});

async function score(task: InputTask): Promise<void> {
  try {
    for await (const rows of runTask(task, await plan)) reply({ type: "rows", rows }, buffersOf(rows));
    reply({ type: "done" }, []);
  } catch (error) {
    reply(workerFailure(error), []);
  }
}

function reply(message: WorkerReply, transfer: ArrayBuffer[]): void {
  port?.postMessage(message, transfer);
}

/** Parts own their buffers unless two columns are the same array; a buffer may be transferred only once. */
function buffersOf(rows: TaskRows): ArrayBuffer[] {
  const arrays = [...rows.kept, ...rows.passing.flat(), ...(rows.codes === null ? [] : [rows.codes])];
  return [...new Set(arrays.map((array) => array.buffer as ArrayBuffer))];
}
