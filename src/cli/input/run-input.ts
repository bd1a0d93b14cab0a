import { expandInputs } from "../../data/expand-inputs.ts";
import { fileBytes } from "../../data/file-bytes.ts";
import { detectFormat, type FileFormat } from "../../data/file-format.ts";
import { CalibrantError } from "../../errors.ts";
import { replayable } from "./replayable.ts";

/** One input of a run: a file, or standard input. Adapters turn theirs into JSONL. */
export interface RunInput {
  /** For messages: the path, or `<stdin>`. */
  readonly name: string;
  readonly format: "jsonl" | "arrow" | "parquet";
  /** Set when the input is a file, which can be read again. */
  readonly path: string | null;
  /** The bytes (JSONL or Arrow IPC) from the beginning, to look at the first of them. */
  readonly peek: () => AsyncIterable<Uint8Array>;
  /** The bytes from the beginning; of a pipe only once. */
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

/** How an Arrow input is read: a file may be opened again to find dictionaries that stand behind the batches. */
export function arrowOptions(input: RunInput): { readonly reopen?: () => AsyncIterable<Uint8Array> } {
  return input.path === null ? {} : { reopen: input.bytes };
}

/**
 * Opens a file or standard input (`-`), finding its format by its first bytes.
 *
 * @param from - the adapter to read it through, or null.
 * @throws CalibrantError `data` for an empty or unknown input, `io` when it cannot be read, `usage` for Parquet in a pipe.
 */
export async function openRunInput(file: string, from: string | null): Promise<RunInput> {
  const path = file === "-" ? null : file;
  const name = path ?? "<stdin>";
  const pipe = path === null ? replayable(process.stdin as AsyncIterable<Uint8Array>) : null;
  const peek = (): AsyncIterable<Uint8Array> => pipe?.peek() ?? fileBytes(file, 1 << 16);
  const bytes = (): AsyncIterable<Uint8Array> => pipe?.all() ?? fileBytes(file);
  const format = detectFormat(await firstBytes(peek()), name);
  if (from !== null || format === "json") return adaptedInput({ name, path, peek, bytes, from, format });
  if (format === "parquet" && path === null) {
    throw new CalibrantError("usage", "Parquet cannot be read from a pipe: give the file's name", { name });
  }
  return { name, format: format === "arrows" ? "arrow" : format, path, peek, bytes };
}

/**
 * Opens the files of a command line, glob patterns expanded.
 *
 * @throws CalibrantError as {@link openRunInput} and {@link expandInputs}; `usage` for standard input given twice.
 */
export async function openRunInputs(files: readonly string[], from: string | null): Promise<RunInput[]> {
  const expanded = await expandInputs(files);
  if (expanded.filter((file) => file === "-").length > 1)
    throw new CalibrantError("usage", "standard input (-) can be given once");
  const inputs: RunInput[] = [];
  for (const file of expanded) inputs.push(await openRunInput(file, from));
  return inputs;
}

interface AdaptedSource extends Pick<RunInput, "name" | "path" | "peek" | "bytes"> {
  readonly from: string | null;
  readonly format: FileFormat;
}

async function adaptedInput(source: AdaptedSource): Promise<RunInput> {
  const { adaptedJsonl } = await import("./adapted-jsonl.ts");
  const adapted = (bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> =>
    adaptedJsonl(bytes, source.name, source.format, source.from);
  return {
    name: source.name,
    format: "jsonl",
    path: source.path,
    peek: () => adapted(source.peek()),
    bytes: () => adapted(source.bytes()),
  };
}

async function firstBytes(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream) {
    pieces.push(piece);
    length += piece.length;
    if (length >= 16) break;
  }
  return Buffer.concat(pieces);
}
