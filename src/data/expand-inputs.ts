import { existsSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { CalibrantError } from "../errors.ts";

const GLOB_CHARACTERS = /[*?[\]{}!]/;

/**
 * File names from the command line: names as they are, glob patterns expanded in sorted order, `-` kept. A name
 * that exists is never taken for a pattern.
 *
 * @throws CalibrantError `io` naming the file that does not exist, the pattern that matches nothing, the folder, or the
 *   pipe or device, which cannot be read twice.
 */
export async function expandInputs(names: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const name of names) {
    if (name === "-") files.push(name);
    else if (existsSync(name)) files.push(checkedFile(name));
    else if (GLOB_CHARACTERS.test(name)) files.push(...(await expandGlob(name)));
    else throw new CalibrantError("io", `cannot read ${name}: no such file`, { path: name });
  }
  return files;
}

function checkedFile(name: string): string {
  const there = statSync(name);
  if (there.isFile()) return name;
  const problem = there.isDirectory()
    ? `it is a folder; name its files, for example ${name}/*.jsonl`
    : "it is a pipe or device, which is read once; give it on standard input as -";
  throw new CalibrantError("io", `cannot read ${name}: ${problem}`, { path: name });
}

async function expandGlob(pattern: string): Promise<string[]> {
  const { glob } = await import("tinyglobby");
  const absolute = isAbsolute(pattern);
  const found = await glob(pattern, { onlyFiles: true, expandDirectories: false, dot: false, absolute });
  if (found.length === 0) {
    throw new CalibrantError("io", `no file matches ${pattern}`, { pattern });
  }
  return found.sort();
}
