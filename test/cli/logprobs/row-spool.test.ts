import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRowSpool, type RowSpool, spoolPath } from "../../../src/cli/logprobs/row-spool.ts";
import { temporaryFolder } from "../../e2e/run-cli.ts";

const folder = temporaryFolder();
const COLUMNS = [
  { name: "logprobs", type: "list<float64>" },
  { name: "ids", type: "list<int32>" },
  { name: "ppl", type: "float64" },
  { name: "status", type: "utf8" },
] as const;

function open(name: string | null, settings: Readonly<Record<string, unknown>> = {}): Promise<RowSpool> {
  const output = name === null ? null : join(folder, name);
  return openRowSpool({ output, settings, columns: COLUMNS, restart: false });
}

describe("openRowSpool", () => {
  it("keeps rows in any order, each number as it was", async () => {
    const spool = await open("any.jsonl");
    const logprobs = Float64Array.of(-0.1 - 0.2, Number.NaN, Number.NEGATIVE_INFINITY);
    spool.append(2, { values: { logprobs, ids: [1, null], ppl: Number.POSITIVE_INFINITY, status: "ok" } });
    spool.append(0, { values: { logprobs: [], ppl: Number.NaN, status: null }, note: { asked: 3 } });
    expect([spool.size, spool.has(0), spool.has(1), spool.has(2), spool.has(99)]).toEqual([
      2,
      true,
      false,
      true,
      false,
    ]);
    spool.seal();
    const { columns, notes, rows } = await spool.read(0, 3);
    expect(rows).toBe(3);
    expect(notes).toEqual([{ asked: 3 }, null, null]);
    const offsets = Int32Array.of(0, 0, 0, 3);
    expect(columns).toEqual([
      {
        name: "logprobs",
        type: "list<float64>",
        values: logprobs,
        offsets,
        rowValid: Uint8Array.of(1, 0, 1),
      },
      {
        name: "ids",
        type: "list<int32>",
        values: Int32Array.of(1, -1),
        offsets: Int32Array.of(0, 0, 0, 2),
        rowValid: Uint8Array.of(0, 0, 1),
      },
      {
        name: "ppl",
        type: "float64",
        values: Float64Array.of(Number.NaN, Number.NaN, Number.POSITIVE_INFINITY),
      },
      { name: "status", type: "utf8", codes: Int32Array.of(-1, -1, 0), dictionary: ["ok"] },
    ]);
    expect((await spool.read(2, 3)).columns[0]).not.toHaveProperty("rowValid");
    spool.remove();
    expect(readdirSync(folder).filter((name) => name.startsWith("any"))).toEqual([]);
  });

  it("finds every row again, also one whose line has no end", async () => {
    const first = await open("again.jsonl", { a: 1 });
    for (const row of [4, 0, 7]) first.append(row, { values: { ppl: row } });
    first.close();
    first.close();
    const path = spoolPath(join(folder, "again.jsonl"));
    appendFileSync(path, '{"row":5,"values":{"ppl":5}}');
    const second = await open("again.jsonl", { a: 1 });
    expect(second.size).toBe(4);
    second.append(1, { values: { ppl: 1 } });
    expect((await second.read(0, 8)).columns[2]).toMatchObject({
      values: Float64Array.of(0, 1, Number.NaN, Number.NaN, 4, 5, Number.NaN, 7),
    });
    const sizes = [0, 1, 4, 5, 7].map((row) => second.bytes(row, row + 1));
    const [settings = "", ...lines] = readFileSync(path, "utf8").trimEnd().split("\n");
    expect(settings).toBe('{"calibrant":"logprobs","settings":{"a":1}}');
    const byRow = (row: number): number =>
      (lines.find((line) => line.startsWith(`{"row":${row},`))?.length ?? 0) + 1;
    expect([sizes[0], sizes[1], sizes[2], sizes[4]]).toEqual([0, 1, 4, 7].map(byRow));
    expect(second.bytes(0, 8)).toBe(sizes.reduce((sum, bytes) => sum + bytes, 0));
    await expect(open("again.jsonl", { a: 1 })).rejects.toThrow("is being written by another run");
    second.close();
    await expect(open("again.jsonl", { a: 2 })).rejects.toThrow("(a is 1, of this run 2)");
    appendFileSync(path, '{"row":4,"values":{}}\n');
    await expect(open("again.jsonl", { a: 1 })).rejects.toThrow("line 7: no row of calibrant logprobs");
  });

  it("is temporary without an output that stays", async () => {
    const spool = await open(null);
    spool.append(0, { values: { ppl: 1.5 } });
    expect((await spool.read(0, 1)).columns[2]).toMatchObject({ values: Float64Array.of(1.5) });
    spool.close();
    expect(existsSync(spoolPath("null"))).toBe(false);
  });
});
