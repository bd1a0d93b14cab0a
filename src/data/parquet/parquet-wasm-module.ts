import { CalibrantError, errorMessage } from "../../errors.ts";

/** The module `parquet-wasm`. */
export type ParquetWasm = typeof import("parquet-wasm");

/**
 * Loads the optional package `parquet-wasm`.
 *
 * @throws CalibrantError `missing-package` saying how to install it.
 */
export async function loadParquetWasm(): Promise<ParquetWasm> {
  try {
    return await import("parquet-wasm");
  } catch (error) {
    throw new CalibrantError(
      "missing-package",
      `this needs the package parquet-wasm: npm install parquet-wasm (${errorMessage(error)})`,
      { package: "parquet-wasm" },
      { cause: error },
    );
  }
}

/**
 * Runs a synchronous call into parquet-wasm, turning whatever it throws into one CalibrantError. Only synchronous
 * calls are safe: a Rust panic inside one of its promises ends the process instead of rejecting.
 *
 * @param subject - begins the message, for example the file's name.
 * @throws CalibrantError `data`.
 */
export function callParquetWasm<T>(subject: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    const isPanic = error instanceof Error && error.name === "RuntimeError";
    const reason = isPanic ? "out of memory or malformed data" : errorMessage(error);
    throw new CalibrantError("data", `${subject}: ${reason}`, { subject }, { cause: error });
  }
}
