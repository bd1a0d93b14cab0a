import { readFileSync } from "node:fs";
import { CalibrantError, errorMessage } from "../errors.ts";

/** A file of JSON, or - for standard input, parsed. @throws CalibrantError `io` when it cannot be read, `data` when it is no JSON. */
export function readJsonFile(path: string): unknown {
  return parseJson(readTextFile(path), path);
}

/** The values of a file of JSON lines, blank lines left out. @throws as {@link readJsonFile}, naming the line. */
export function readJsonLinesFile(path: string): unknown[] {
  const lines = readTextFile(path).split("\n");
  return lines.flatMap((line, index) =>
    line.trim() === "" ? [] : [parseJson(line, `${path} line ${index + 1}`)],
  );
}

function readTextFile(path: string): string {
  try {
    return readFileSync(path === "-" ? 0 : path, "utf8");
  } catch (error) {
    throw new CalibrantError("io", `cannot read ${path}: ${errorMessage(error)}`, { path }, { cause: error });
  }
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const message = `${place} is not JSON: ${errorMessage(error)}`;
    throw new CalibrantError("data", message, { place }, { cause: error });
  }
}
