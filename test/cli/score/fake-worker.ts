import { EventEmitter } from "node:events";
import type { InputTask } from "../../../src/cli/input/input-task.ts";
import type { WorkerReply } from "../../../src/cli/score/ordered-pool.ts";

/** Stands in for a worker thread and answers when the test says so. */
export class Worker extends EventEmitter {
  /** All workers since the test began. */
  static readonly all: Worker[] = [];
  readonly tasks: InputTask[] = [];
  terminated = false;

  constructor() {
    super();
    Worker.all.push(this);
  }

  postMessage(task: InputTask): void {
    this.tasks.push(task);
  }

  async terminate(): Promise<number> {
    this.terminated = true;
    return 0;
  }

  answer(...replies: readonly WorkerReply[]): void {
    for (const reply of replies) this.emit("message", reply);
  }
}
