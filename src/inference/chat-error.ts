import { CalibrantError } from "../errors.ts";

/** What the `details` of an error of a chat client say. */
export interface ChatErrorDetails {
  /** Groups failures in counts: `timeout`, `connection`, `broken answer`, `HTTP 500`. */
  readonly reason: string;
  /** Whether every other question will fail alike: a refused key, an unknown model, a used-up quota. */
  readonly fatal: boolean;
  /** How often the question was asked. */
  readonly attempts: number;
}

/** The error of a question that has no answer. */
export function chatError(message: string, details: ChatErrorDetails): CalibrantError {
  return new CalibrantError("io", message, { ...details });
}

/** What an error of a chat client says; null for any other error. */
export function chatErrorDetails(error: unknown): ChatErrorDetails | null {
  if (!(error instanceof CalibrantError)) return null;
  const { reason, fatal, attempts } = error.details;
  if (typeof reason !== "string" || typeof fatal !== "boolean" || typeof attempts !== "number") return null;
  return { reason, fatal, attempts };
}
