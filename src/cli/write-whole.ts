import { openAtomicFile } from "../data/atomic-file.ts";
import { createCleanup } from "./cleanup.ts";
import { onSignals } from "./on-signals.ts";

/**
 * Writes a file that appears whole under its name or not at all; a run that is stopped leaves nothing behind.
 *
 * @param texts its pieces, in order
 * @throws CalibrantError `io` when it cannot be written.
 */
export async function writeWhole(path: string, texts: Iterable<string>): Promise<void> {
  const cleanup = createCleanup();
  const forgetSignals = onSignals(cleanup.run);
  try {
    const file = await openAtomicFile(path, process.pid, cleanup.file);
    try {
      for (const text of texts) await file.write(Buffer.from(text));
      await file.commit();
    } catch (error) {
      await file.discard();
      throw error;
    }
  } finally {
    forgetSignals();
  }
}
