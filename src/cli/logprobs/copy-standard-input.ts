import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CalibrantError, errorMessage } from "../../errors.ts";

/** Standard input as a file, which can be read again. */
export interface InputCopy {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Removes it, without waiting. */
  remove(): void;
}

/** Copies standard input to a temporary file. @throws CalibrantError `io` when it cannot be written. */
export async function copyStandardInput(): Promise<InputCopy> {
  const folder = mkdtempSync(join(tmpdir(), "calibrant-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const path = join(folder, "stdin");
  try {
    const hash = createHash("sha256");
    const file = await open(path, "wx");
    let bytes = 0;
    try {
      for await (const piece of process.stdin as AsyncIterable<Uint8Array>) {
        hash.update(piece);
        await file.writeFile(piece);
        bytes += piece.length;
      }
    } finally {
      await file.close();
    }
    return { path, bytes, sha256: hash.digest("hex"), remove };
  } catch (error) {
    remove();
    const message = `cannot copy standard input to ${path}: ${errorMessage(error)}; set TMPDIR to a folder with room`;
    throw new CalibrantError("io", message, { path }, { cause: error });
  }
}
