import { expandInputs } from "../../data/expand-inputs.ts";
import { CalibrantError } from "../../errors.ts";

/**
 * The files of a command line, patterns expanded, each once: runs are called by their files.
 *
 * @throws CalibrantError `usage` for a file that is given twice, and as {@link expandInputs}.
 */
export async function distinctInputs(files: readonly string[]): Promise<string[]> {
  const all = [...(await expandInputs(files))];
  const twice = all.find((file, index) => all.indexOf(file) !== index);
  if (twice === undefined) return all;
  throw new CalibrantError("usage", `a file is given twice: ${twice}`, { file: twice });
}
