import { Worker } from "node:worker_threads";
import { CalibrantError } from "../../errors.ts";
import type { Evaluation } from "../../report/evaluation.ts";
import { errorOfWorker, type WorkerFailure } from "../worker-failure.ts";
import type { EvaluateOptions, EvaluateProgress } from "./evaluate-files.ts";

/** What the thread that evaluates sends. */
export type EvaluateMessage =
  | { readonly type: "rows"; readonly rows: number }
  | { readonly type: "stage"; readonly name: string }
  | { readonly type: "done"; readonly evaluation: Evaluation }
  | WorkerFailure;

/**
 * Reads and computes a report in a thread of its own: the computation is long and in one piece, and this thread must
 * answer signals meanwhile. Standard input is passed on.
 *
 * @throws CalibrantError as `evaluateFiles`.
 */
export async function evaluateInWorker(
  { files, from, columns, evaluation }: EvaluateOptions,
  progress: EvaluateProgress,
): Promise<Evaluation> {
  const workerData: EvaluateOptions = { files, from, columns, evaluation };
  const stdin = files.includes("-");
  const worker = new Worker(new URL("./report-worker.js", import.meta.url), { workerData, stdin });
  if (worker.stdin !== null) process.stdin.pipe(worker.stdin);
  try {
    return await finished(worker, progress);
  } finally {
    process.stdin.unpipe();
    await worker.terminate();
  }
}

function finished(worker: Worker, progress: EvaluateProgress): Promise<Evaluation> {
  return new Promise((resolve, reject) => {
    worker.on("message", (message: EvaluateMessage) => {
      if (message.type === "rows") progress.add(message.rows);
      else if (message.type === "stage") progress.stage(message.name);
      else if (message.type === "done") resolve(message.evaluation);
      else reject(errorOfWorker(message));
    });
    worker.on("error", reject);
    worker.on("exit", (code) => {
      reject(new CalibrantError("io", `the thread that computes the report ended with status ${code}`));
    });
  });
}
