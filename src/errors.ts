/** The kinds of failure; each has one exit status and one HTTP status in {@link ERROR_STATUS}. */
export type ErrorCode =
  | "usage"
  | "option"
  | "schema"
  | "data"
  | "io"
  | "missing-package"
  | "length-mismatch"
  | "threshold";

/** What each error code means to a shell (exit status) and to an HTTP client (status). */
export const ERROR_STATUS: Readonly<Record<ErrorCode, { readonly exit: number; readonly http: number }>> = {
  usage: { exit: 2, http: 400 },
  option: { exit: 2, http: 400 },
  schema: { exit: 1, http: 422 },
  data: { exit: 1, http: 422 },
  io: { exit: 1, http: 500 },
  "missing-package": { exit: 1, http: 501 },
  "length-mismatch": { exit: 1, http: 422 },
  threshold: { exit: 3, http: 200 },
};

/**
 * The one error class of the package: a one-line message (subject first, offending value last, with the way
 * out), a `code` to branch on, and `details` with the same facts as data.
 *
 * @example
 * ```ts
 * import { CalibrantError } from "calibrant";
 * const error = new CalibrantError("option", "tau must be a positive number, got 0", { tau: 0 });
 * console.log(error.code, error.message); // option tau must be a positive number, got 0
 * ```
 */
export class CalibrantError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
    this.name = "CalibrantError";
    this.code = code;
    this.details = details;
  }

  /** A {@link CalibrantRangeError} is an instance too, although it extends RangeError. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isNamed(value, "CalibrantError") || isNamed(value, "CalibrantRangeError");
  }
}

/**
 * A number outside the range that its meaning allows: a confidence above 1, a perplexity below 1. An instance of both
 * `RangeError` and {@link CalibrantError}, with the same fields.
 *
 * @example
 * ```ts
 * import { CalibrantError, CalibrantRangeError } from "calibrant";
 * const error = new CalibrantRangeError("data", "confidence[3] must be in [0, 1], got 1.2", { index: 3 });
 * console.log(error instanceof RangeError, error instanceof CalibrantError, error.code); // true true data
 * ```
 */
export class CalibrantRangeError extends RangeError {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = "CalibrantRangeError";
    this.code = code;
    this.details = details;
  }
}

function isNamed(value: unknown, name: string): boolean {
  return value instanceof Error && value.name === name && "code" in value && "details" in value;
}

/** The message of anything thrown, on one line. */
export function errorMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s*\n\s*/g, " ").trim();
}
