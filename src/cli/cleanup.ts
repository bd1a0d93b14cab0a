import { rmdirSync, rmSync } from "node:fs";

/** What a run that fails or is stopped takes away again. */
export interface Cleanup {
  /** A temporary file; one that is gone already does no harm. */
  file(path: string): void;
  /** A folder that the run made; it stays when something lies in it. */
  folder(path: string): void;
  /** Takes everything away, without waiting. */
  run(): void;
}

/** Creates a {@link Cleanup}. */
export function createCleanup(): Cleanup {
  const files = new Set<string>();
  const folders = new Set<string>();
  return {
    file: (path) => void files.add(path),
    folder: (path) => void folders.add(path),
    run() {
      for (const path of files) rmSync(path, { force: true });
      for (const path of folders) removeEmpty(path);
    },
  };
}

function removeEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Someone put something there, or took it away.
  }
}
