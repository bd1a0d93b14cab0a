import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { lockFile } from "../../src/data/file-lock.ts";

const folder = mkdtempSync(join(tmpdir(), "calibrant-lock-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const path = join(folder, "results.jsonl");
const lock = `${path}.lock`;
const holder = (pid: number, changes: object = {}): string =>
  JSON.stringify({ pid, host: hostname(), started: null, ...changes });
const gone = spawnSync(process.execPath, ["-e", ""]).pid;

describe("lockFile", () => {
  it("keeps others out until it is released", () => {
    const held = lockFile(path);
    expect(() => lockFile(path)).toThrow(
      `${path} is being written by another run (process ${process.pid}): wait for its end or write to another file; if there is no such run, delete ${lock}`,
    );
    held.release();
    held.release();
    expect(existsSync(lock)).toBe(false);
    lockFile(path).release();
  });

  it("takes over the lock of a process that is gone, and leaves nothing else behind", () => {
    writeFileSync(lock, holder(gone));
    const held = lockFile(path);
    expect((JSON.parse(readFileSync(lock, "utf8")) as { pid: number }).pid).toBe(process.pid);
    held.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it.skipIf(!existsSync("/proc/self/stat"))(
    "takes over the lock of an earlier process with the same id",
    () => {
      writeFileSync(lock, holder(process.pid, { started: "1" }));
      lockFile(path).release();
      expect(existsSync(lock)).toBe(false);
    },
  );

  it.each([
    ["a running process", holder(process.ppid), `process ${process.ppid}`],
    ["a process elsewhere", holder(gone, { host: "elsewhere" }), `process ${gone} on elsewhere`],
    ["nobody who can be read", "", "another run:"],
  ])("respects the lock of %s", (_name, content, words) => {
    writeFileSync(lock, content);
    expect(() => lockFile(path)).toThrow(words);
    expect(readFileSync(lock, "utf8")).toBe(content);
    rmSync(lock);
  });

  it("does not remove a lock that another has taken over meanwhile", () => {
    const held = lockFile(path);
    writeFileSync(lock, holder(1));
    held.release();
    expect(readFileSync(lock, "utf8")).toBe(holder(1));
    rmSync(lock);
  });

  it("names the file that cannot be locked", () => {
    expect(() => lockFile(join(folder, "no/such/file"))).toThrow(/^cannot write .*no\/such\/file: its lock/);
  });
});
