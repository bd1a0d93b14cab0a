import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CalibrantError, errorMessage } from "../../errors.ts";

/** Some rows of kept parts, as the groups' state was fed with them. */
export interface SpooledRows {
  readonly kept: readonly Float64Array[];
  readonly groups: Int32Array;
}

/**
 * Keeps the parts of rows until all groups are complete: in memory up to a limit, then in a temporary file, so
 * that memory does not grow with the number of rows.
 */
export interface PartSpool {
  append(rows: SpooledRows): Promise<void>;
  /** All rows from the first, block by block as appended; may be asked for several times. */
  read(): AsyncGenerator<SpooledRows>;
  close(): Promise<void>;
}

interface Block {
  readonly rows: number;
  memory: SpooledRows | null;
  position: number;
}

/** Creates an empty {@link PartSpool}; `width` is the number of kept columns. */
export function createPartSpool(width: number, unique: string, memoryLimit: number = 64 << 20): PartSpool {
  const blocks: Block[] = [];
  const rowBytes = width * 8 + 4;
  let inMemory = 0;
  let file: FileHandle | null = null;
  let fileEnd = 0;

  const moveToFile = async (block: Block): Promise<void> => {
    file ??= await openAnonymous(unique);
    const bytes = packRows(block.memory as SpooledRows, block.rows, rowBytes);
    await writeAll(file, bytes, fileEnd);
    block.position = fileEnd;
    block.memory = null;
    fileEnd += bytes.length;
  };

  return {
    async append(rows) {
      const block: Block = { rows: rows.groups.length, memory: rows, position: 0 };
      blocks.push(block);
      inMemory += block.rows * rowBytes;
      if (inMemory <= memoryLimit) return;
      for (const waiting of blocks) if (waiting.memory !== null) await moveToFile(waiting);
      inMemory = 0;
    },
    async *read() {
      for (const block of blocks) {
        yield block.memory ??
          unpackRows(await readBytes(file as FileHandle, block, rowBytes), block.rows, width);
      }
    },
    async close() {
      await file?.close();
      blocks.length = 0;
    },
  };
}

/** Opened and unlinked at once: the space is given back even if the process is killed. */
async function openAnonymous(unique: string): Promise<FileHandle> {
  try {
    // A folder that nobody else can write to: the name in a shared one could be a link laid by another user.
    const folder = await mkdtemp(join(tmpdir(), `calibrant-${unique}-`));
    try {
      return await open(join(folder, "parts"), "wx+");
    } finally {
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    }
  } catch (error) {
    throw cannotWrite(error);
  }
}

/** A nearly full disk takes less than it is given before it fails; a hole would be read as zeros. */
async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  try {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
      done += bytesWritten;
    }
  } catch (error) {
    throw cannotWrite(error);
  }
}

function cannotWrite(error: unknown): CalibrantError {
  return new CalibrantError(
    "io",
    `cannot write the temporary file of parts in ${tmpdir()}: ${errorMessage(error)}; set TMPDIR to a folder with room`,
    { folder: tmpdir() },
    { cause: error },
  );
}

function packRows(rows: SpooledRows, count: number, rowBytes: number): Uint8Array {
  const bytes = new Uint8Array(count * rowBytes);
  let at = 0;
  for (const column of rows.kept) {
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, count * 8), at);
    at += count * 8;
  }
  bytes.set(new Uint8Array(rows.groups.buffer, rows.groups.byteOffset, count * 4), at);
  return bytes;
}

function unpackRows(bytes: Uint8Array, count: number, width: number): SpooledRows {
  const kept: Float64Array[] = [];
  for (let column = 0; column < width; column += 1) {
    kept.push(new Float64Array(bytes.buffer, column * count * 8, count));
  }
  return { kept, groups: new Int32Array(bytes.buffer, width * count * 8, count) };
}

async function readBytes(file: FileHandle, block: Block, rowBytes: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(block.rows * rowBytes);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, block.position);
  if (bytesRead !== bytes.length)
    throw new CalibrantError("io", "the temporary file of parts ended early", {});
  return bytes;
}
