import { existsSync } from "node:fs";
import type { LogRecord } from "../../data/append-log.ts";
import { expandInputs } from "../../data/expand-inputs.ts";
import { openTensorFile } from "../../data/tensors/read-tensor-file.ts";
import { elementsOf, shapeWords, type Tensor, type TensorFile } from "../../data/tensors/tensor.ts";
import { CalibrantError } from "../../errors.ts";
import { fileFingerprint } from "./open-rollouts.ts";

/** Tensors of one or more files, one after the other along the first axis. Positions count numbers, over all of them. */
export interface TensorSeries extends Pick<Tensor, "label" | "storage" | "readFloats" | "readIntegers"> {
  readonly shapes: readonly (readonly number[])[];
  readonly elements: number;
  /** Files, names and, of the files, bytes and time of change. */
  readonly fingerprint: readonly LogRecord[];
  close(): Promise<void>;
}

/**
 * Opens what an option names: `FILE` or `FILE:NAME`, where the file may be a glob pattern.
 *
 * @param option - for messages, for example `--logits`.
 * @throws CalibrantError `io`, `data` or `usage` as `openTensorFile`; `data` for tensors of different types.
 */
export async function openSeries(option: string, names: readonly string[]): Promise<TensorSeries> {
  const files: TensorFile[] = [];
  const close = async (): Promise<void> => {
    for (const file of files) await file.close();
  };
  try {
    const tensors: Tensor[] = [];
    const fingerprint: LogRecord[] = [];
    for (const { path, name } of await namedFiles(option, names)) {
      const file = await openTensorFile(path);
      files.push(file);
      tensors.push(await file.tensor(name));
      fingerprint.push({ ...(await fileFingerprint(path)), name });
    }
    return { ...joined(option, tensors), fingerprint, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Shapes as people write them: `(2, 5, 11) and (1, 4, 11)`. */
export function shapesWords({ shapes }: Pick<TensorSeries, "shapes">): string {
  const shown = shapes.slice(0, 3).map(shapeWords).join(" and ");
  return shapes.length > 3 ? `${shown} and ${shapes.length - 3} more` : shown;
}

interface NamedFile {
  readonly path: string;
  readonly name: string | null;
}

async function namedFiles(option: string, names: readonly string[]): Promise<NamedFile[]> {
  const files: NamedFile[] = [];
  for (const text of names) {
    const { path, name } = splitName(text);
    if (path === "-")
      throw new CalibrantError("usage", `${option} cannot be read from standard input: give the file's name`);
    // Numbers count as numbers: part-2 comes before part-10.
    const found = (await expandInputs([path])).sort(byNumbers);
    for (const file of found) files.push({ path: file, name });
  }
  return files;
}

const { compare: byNumbers } = new Intl.Collator("en", { numeric: true });

/** `FILE:NAME`, unless there is a file of the whole text; the colon behind a drive's letter is no separator. */
function splitName(text: string): NamedFile {
  const at = text.lastIndexOf(":");
  if (at < 0 || existsSync(text) || /^[A-Za-z]:[\\/][^:]*$/.test(text)) return { path: text, name: null };
  return { path: text.slice(0, at), name: text.slice(at + 1) };
}

function joined(option: string, tensors: readonly Tensor[]): Omit<TensorSeries, "fingerprint" | "close"> {
  const first = tensors[0] as Tensor;
  const other = tensors.find((tensor) => tensor.storage !== first.storage);
  if (other !== undefined)
    throw new CalibrantError(
      "data",
      `${option}: all files must store numbers alike: ${first.label} has ${first.type}, ${other.label} ${other.type}`,
    );
  const ends: number[] = [];
  let elements = 0;
  for (const { shape } of tensors) {
    elements += elementsOf(shape);
    ends.push(elements);
  }
  const read = async <T extends Float32Array | Uint16Array | Int32Array>(
    start: number,
    into: T,
    piece: (tensor: Tensor, at: number, part: T) => Promise<void>,
  ): Promise<void> => {
    let done = 0;
    for (let index = ends.findIndex((end) => end > start); done < into.length; index += 1) {
      const tensor = tensors[index] as Tensor;
      const begin = index === 0 ? 0 : (ends[index - 1] as number);
      const count = Math.min(into.length - done, (ends[index] as number) - start - done);
      if (count > 0) await piece(tensor, start + done - begin, into.subarray(done, done + count) as T);
      done += Math.max(count, 0);
    }
  };
  return {
    label: tensors.length === 1 ? first.label : `${first.label} and ${tensors.length - 1} more`,
    storage: first.storage,
    shapes: tensors.map(({ shape }) => shape),
    elements,
    readFloats: (start, into) => read(start, into, (tensor, at, part) => tensor.readFloats(at, part)),
    readIntegers: (start, into) => read(start, into, (tensor, at, part) => tensor.readIntegers(at, part)),
  };
}
