import { EventEmitter } from "node:events";
import type { WorkerReply } from "../../../src/cli/score/ordered-pool.ts";
import type { ScoreTask } from "../../../src/cli/score/score-task.ts";

/** Stands in for a worker thread and answers when the test says so. */
export class Worker extends EventEmitter {
  /** All workers since the test began. */
  static readonly all: Worker[] = [];
  readonly tasks: ScoreTask[] = [];
  terminated = false;

  constructor() {
    super();
    Worker.all.push(this);
  }

  postMessage(task: ScoreTask): void {
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
