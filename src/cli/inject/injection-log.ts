import { appendFileSync, closeSync, openSync } from "node:fs";
import { CalibrantError, errorMessage } from "../../errors.ts";
import type { InjectionRecord } from "../../recovery/injection-record.ts";
import { writeErrorLine } from "../error-line.ts";

/** The file of injections. A line that cannot be written does not end the agent's run; it is told, and remembered. */
export class InjectionLog {
  /** What went wrong first; null = nothing. */
  failure: CalibrantError | null = null;
  readonly #path: string;

  /** @throws CalibrantError `io` for a file that cannot be written. */
  constructor(path: string) {
    this.#path = path;
    try {
      closeSync(openSync(path, "a"));
    } catch (error) {
      throw cannotWrite(path, error);
    }
  }

  /** Adds a line. */
  write(record: InjectionRecord): void {
    try {
      appendFileSync(this.#path, `${JSON.stringify(record)}\n`);
    } catch (error) {
      if (this.failure !== null) return;
      this.failure = cannotWrite(this.#path, error);
      writeErrorLine(`inject: ${this.failure.message}`);
    }
  }
}

function cannotWrite(path: string, error: unknown): CalibrantError {
  return new CalibrantError("io", `cannot write ${path}: ${errorMessage(error)}`, { path }, { cause: error });
}
