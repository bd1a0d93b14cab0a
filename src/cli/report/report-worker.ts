import { parentPort, workerData } from "node:worker_threads";
import { workerFailure } from "../worker-failure.ts";
import { type EvaluateOptions, evaluateFiles } from "./evaluate-files.ts";
import type { EvaluateMessage } from "./evaluate-in-worker.ts";

const port = parentPort;

function send(message: EvaluateMessage): void {
  port?.postMessage(message);
}

// Not awaited: a worker module must not await at its top level, because the parent may end early.
void evaluateFiles(workerData as EvaluateOptions, {
  add: (rows) => send({ type: "rows", rows }),
  stage: (name) => send({ type: "stage", name }),
}).then(
  (evaluation) => send({ type: "done", evaluation }),
  (error: unknown) => send(workerFailure(error)),
);
