import { readFile } from "node:fs/promises";
import { CalibrantError, errorMessage } from "../../errors.ts";

/**
 * The JSON value of a file.
 *
 * @throws CalibrantError `io` for a file that cannot be read, `data` for one that is not JSON, naming it.
 */
export async function readJsonFile(path: string): Promise<unknown> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new CalibrantError("io", `cannot read ${path}: ${errorMessage(error)}`, { path }, { cause: error });
  });
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const message = `${path} is not JSON: ${errorMessage(error)}`;
    throw new CalibrantError("data", message, { path }, { cause: error });
  }
}
