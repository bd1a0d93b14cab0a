import { open } from "node:fs/promises";
import { CalibrantError, errorMessage } from "../errors.ts";

const READ_BYTES = 1 << 22;

/**
 * The bytes of a file from its beginning, in pieces of up to 4 MiB, each with its own buffer.
 *
 * @param from - the byte to begin at; other than 0 only for regular files.
 *
 * @throws CalibrantError `io` naming the path when it cannot be opened or read.
 */
export async function* fileBytes(
  path: string,
  readBytes: number = READ_BYTES,
  from = 0,
): AsyncGenerator<Uint8Array> {
  const fail = (error: unknown): never => {
    throw new CalibrantError("io", `cannot read ${path}: ${errorMessage(error)}`, { path }, { cause: error });
  };
  const handle = await open(path, "r").catch(fail);
  try {
    for (let position = from; ; ) {
      // Not zeroed: only what was read is given out.
      const buffer = new Uint8Array(Buffer.allocUnsafeSlow(readBytes).buffer);
      const { bytesRead } = await handle.read(buffer, 0, readBytes, from === 0 ? null : position).catch(fail);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield bytesRead === readBytes ? buffer : buffer.slice(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
