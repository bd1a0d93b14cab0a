import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

/** The built command. `npm test` builds before it tests. */
export const CLI: string = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
export const ROOT: string = fileURLToPath(new URL("../..", import.meta.url));
export const SAMPLE: string = join(ROOT, "examples/rollouts.jsonl");
export const SHARED: string = fileURLToPath(new URL("../../../shared", import.meta.url));

export interface CliResult {
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs `calibrant` with arguments, and `input` on standard input. */
export function runCli(
  args: readonly string[],
  input: string | Uint8Array = "",
  cwd: string = ROOT,
): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, ...args], { cwd });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (piece: Buffer) => out.push(piece));
    child.stderr.on("data", (piece: Buffer) => err.push(piece));
    child.on("error", reject);
    child.on("close", (status) => {
      resolve({ status, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString("utf8") });
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

/** A folder of its own for the tests of a file, removed afterwards. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "calibrant-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
