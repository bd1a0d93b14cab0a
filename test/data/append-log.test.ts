import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it, vi } from "vitest";
import { type LogRecord, openAppendLog, readAppendLog } from "../../src/data/append-log.ts";

const { beforeRealpath } = vi.hoisted(() => ({
  beforeRealpath: { run: (_path: string): void => undefined },
}));
vi.mock("node:fs", async (importOriginal) => {
  const fs = await importOriginal<typeof import("node:fs")>();
  const realpathSync = (path: string): string => {
    beforeRealpath.run(path);
    return fs.realpathSync(path);
  };
  return { ...fs, realpathSync };
});

const folder = mkdtempSync(join(tmpdir(), "calibrant-log-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const path = join(folder, "log.jsonl");
const text = (): string => readFileSync(path, "utf8");

/** Opens the log, adds records and closes it; gives what it held and how much of it was cut off. */
async function addTo(file: string, ...added: LogRecord[]): Promise<{ held: LogRecord[]; cut: number }> {
  const held: LogRecord[] = [];
  let cut = 0;
  const log = await openAppendLog(file, {
    onRecord: (record) => void held.push(record),
    onCut: (bytes) => {
      cut = bytes;
    },
  });
  for (const record of added) log.append(record);
  log.close();
  log.close();
  return { held, cut };
}

describe("an append log", () => {
  it("is opened although another run removes its empty file at that moment", async () => {
    const shared = join(folder, "shared.jsonl");
    writeFileSync(shared, "");
    beforeRealpath.run = (looked) => {
      if (looked === shared) rmSync(shared, { force: true });
    };
    expect(await addTo(shared, { a: 1 })).toEqual({ held: [], cut: 0 });
    beforeRealpath.run = () => undefined;
    expect(readFileSync(shared, "utf8")).toBe('{"a":1}\n');
  });

  it("makes the file, adds whole lines and hands them back", async () => {
    expect(await addTo(path, { id: "a" }, { id: "ü\n" })).toEqual({ held: [], cut: 0 });
    expect(text()).toBe('{"id":"a"}\n{"id":"ü\\n"}\n');
    expect(await addTo(path, { id: "c" })).toEqual({ held: [{ id: "a" }, { id: "ü\n" }], cut: 0 });
    expect(text().split("\n")).toHaveLength(4);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it("reads on from where it is known, and all of a file that is another one", async () => {
    const seen = async (from: number): Promise<unknown[]> => {
      const ids: unknown[] = [];
      await readAppendLog(path, ({ id }) => void ids.push(id), from);
      return ids;
    };
    writeFileSync(path, '{"id":"a"}\n');
    const log = await openAppendLog(path, { from: 11 });
    log.append({ id: "b" });
    expect(log.length).toBe(22);
    log.append({ id: "c" });
    log.close();
    expect(await seen(22)).toEqual(["c"]);
    expect(await seen(33)).toEqual([]);
    // Beyond its end, and in the middle of a line.
    expect(await seen(34)).toEqual(["a", "b", "c"]);
    expect(await seen(12)).toEqual(["a", "b", "c"]);
    writeFileSync(path, '{"id":"a"}\n7\n');
    await expect(seen(11)).rejects.toThrow(/log\.jsonl line 2: expected a JSON object, got 7/);
    rmSync(path);
  });

  it("hands a record to the system before it goes on", async () => {
    writeFileSync(path, "");
    const log = await openAppendLog(path);
    log.append({ id: "a" });
    expect(text()).toBe('{"id":"a"}\n');
    log.close();
  });

  it.each(["removed", "replaced"])(
    "stops at once when the file was %s: records without a name would be lost",
    async (how) => {
      const log = await openAppendLog(path);
      log.append({ id: "a" });
      rmSync(path);
      if (how === "replaced") writeFileSync(path, "other\n");
      expect(() => log.append({ id: "b" })).toThrow(/log\.jsonl: it was removed or replaced/);
      log.close();
      expect(existsSync(path) ? text() : "").toBe(how === "replaced" ? "other\n" : "");
      rmSync(path, { force: true });
    },
  );

  it("has every record again after a cut at any byte, and none twice", async () => {
    const records = [{ id: "a", n: 1 }, { id: "é", text: '{"id":"x"}\n' }, { id: "c" }];
    const bytes = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    const zeros = fc.integer({ min: 0, max: 3 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: bytes.length }), zeros, async (length, padding) => {
        writeFileSync(path, Buffer.concat([bytes.subarray(0, length), Buffer.alloc(padding)]));
        const { held } = await addTo(path);
        expect(records.slice(0, held.length)).toEqual(held);
        await addTo(path, ...records.slice(held.length));
        expect(readFileSync(path).equals(bytes)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("says what it cut off, and keeps a last record that only lacks its line break", async () => {
    writeFileSync(path, '{"id":"a"}\n\n{"id":"b');
    expect(await addTo(path)).toEqual({ held: [{ id: "a" }], cut: 8 });
    expect(text()).toBe('{"id":"a"}\n\n');
    writeFileSync(path, '{"id":"a"}');
    expect(await addTo(path, { id: "b" })).toEqual({ held: [{ id: "a" }], cut: 0 });
    expect(text()).toBe('{"id":"a"}\n{"id":"b"}\n');
  });

  it.each([
    ['{"id":"a"}\n[1]\n{"id":"b', "line 2: expected a JSON object, got [1]; name another file"],
    ["PAR1 and more", "line 1: expected a JSON object, got PAR1 and more;"],
    ["{\n}\n", "line 1: expected a JSON object, got {;"],
  ])("leaves another file as it was (%#)", async (content, words) => {
    writeFileSync(path, content);
    await expect(openAppendLog(path)).rejects.toThrow(`${path} ${words}`);
    expect(text()).toBe(content);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it("leaves a file as it was that its owner refuses", async () => {
    writeFileSync(path, '{"id":"a"}\n{"id":"b');
    const onRecord = (_record: LogRecord, line: number): never => {
      throw new Error(`not line ${line}`);
    };
    await expect(openAppendLog(path, { onRecord })).rejects.toThrow("not line 1");
    expect(text()).toBe('{"id":"a"}\n{"id":"b');
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it("leaves no empty file behind that it made, but one that was there", async () => {
    const made = join(folder, "made.jsonl");
    await addTo(made);
    expect(existsSync(made)).toBe(false);
    writeFileSync(made, "");
    await addTo(made);
    expect(readFileSync(made, "utf8")).toBe("");
    rmSync(made);
    const log = await openAppendLog(made);
    writeFileSync(made, "of another");
    log.close();
    expect(readFileSync(made, "utf8")).toBe("of another");
  });

  it("is written by one at a time, whatever the file is called", async () => {
    writeFileSync(path, "");
    const link = join(folder, "link.jsonl");
    symlinkSync(path, link);
    const log = await openAppendLog(path);
    await expect(openAppendLog(link)).rejects.toMatchObject({ code: "io" });
    log.close();
    await addTo(link, { id: "a" });
    expect(text()).toBe('{"id":"a"}\n');
    rmSync(path);
    const early = await openAppendLog(link);
    await expect(openAppendLog(path)).rejects.toMatchObject({ code: "io" });
    early.append({ id: "b" });
    early.close();
    expect(text()).toBe('{"id":"b"}\n');
    rmSync(link);
  });

  it.each([
    ["no/folder.jsonl", "there is no folder"],
    [".", "it is no regular file"],
  ])("names %s, which cannot be written", async (name, words) => {
    await expect(openAppendLog(join(folder, name))).rejects.toThrow(words);
  });
});

describe("readAppendLog", () => {
  it("reads without touching anything, also a file that is not there", async () => {
    expect(await readAppendLog(join(folder, "none"))).toEqual({ length: 0, cut: 0, newline: true });
    writeFileSync(path, '{"id":"a"}\n{"id"');
    const lines: number[] = [];
    expect(await readAppendLog(path, (_record, line) => void lines.push(line))).toEqual({
      length: 11,
      cut: 5,
      newline: true,
    });
    expect([lines, text()]).toEqual([[1], '{"id":"a"}\n{"id"']);
  });
});
