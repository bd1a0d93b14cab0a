import { CalibrantError, type ErrorCode, errorMessage } from "../errors.ts";

/** A failure in a worker thread as plain data, which can be sent to another thread. */
export interface WorkerFailure {
  readonly type: "failed";
  /** Null for a fault that is no {@link CalibrantError}. */
  readonly code: ErrorCode | null;
  readonly message: string;
  readonly details: object;
}

/** What a worker thread sends for something that was thrown in it. */
export function workerFailure(error: unknown): WorkerFailure {
  const known = error instanceof CalibrantError;
  return {
    type: "failed",
    code: known ? error.code : null,
    message: errorMessage(error),
    details: known ? { ...error.details } : {},
  };
}

/** The error that another thread sent. */
export function errorOfWorker({ code, message, details }: WorkerFailure): Error {
  return code === null ? new Error(message) : new CalibrantError(code, message, { ...details });
}
