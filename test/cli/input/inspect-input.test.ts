import { Readable } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import { inspectInput } from "../../../src/cli/input/inspect-input.ts";
import { openRunInput } from "../../../src/cli/input/run-input.ts";
import type { FoundColumn } from "../../../src/data/columns.ts";
import { collect } from "../../golden/arrow-files.ts";
import { encoded, fileMaker, type Row } from "./input-files.ts";

const file = fileMaker();
const ROWS: readonly Row[] = [
  { group_id: "a", ppl: 1.5, done: true, logprobs: [-0.5, -1] },
  { group_id: "b", ppl: 2.5, done: false, logprobs: [] },
];
const inspect = async (path: string): Promise<FoundColumn[]> => inspectInput(await openRunInput(path, null));
const words = (columns: readonly FoundColumn[]): string[] =>
  columns.map((column) => `${column.name}: ${column.type}, as ${column.kinds.join(" ")}`);

afterEach(() => vi.restoreAllMocks());

describe("inspectInput", () => {
  it("finds the columns of the first lines of JSON Lines and JSON", async () => {
    const found = [
      "group_id: utf8, as text key json",
      "ppl: double, as number json",
      "done: bool, as number json",
      "logprobs: list<double>, as list json",
    ];
    const lines = ROWS.map((row) => JSON.stringify(row)).join("\n");
    expect(words(await inspect(file("rows.jsonl", lines)))).toEqual(found);
    expect(words(await inspect(file("rows.json", JSON.stringify(ROWS))))).toEqual(found);
  });

  it("finds columns that the first line lacks", async () => {
    const path = file("late.jsonl", '{"a":1}\n\n{"a":2,"b":"x"}\n{"c":null}\n');
    expect((await inspect(path)).map(({ name }) => name)).toEqual(["a", "b", "c"]);
  });

  it.each(["file", "stream", "parquet"] as const)(
    "finds the columns of an Arrow %s or Parquet",
    async (format) => {
      const found = await inspect(file(format, await encoded(format, ROWS)));
      expect(found.map(({ name }) => name)).toEqual(["group_id", "ppl", "done", "logprobs"]);
      expect(found.map(({ kinds }) => kinds[0])).toEqual(["text", "number", "number", "list"]);
    },
  );

  it("leaves a pipe whole", async () => {
    const lines = ['{"a":1}\n', '{"a":2}\n'];
    const stream = Readable.from(lines.map((line) => Buffer.from(line)));
    vi.spyOn(process, "stdin", "get").mockReturnValue(stream as unknown as typeof process.stdin);
    const input = await openRunInput("-", null);
    expect(words(await inspectInput(input))).toEqual(["a: int, as number key json"]);
    expect(Buffer.concat(await collect(input.bytes())).toString()).toBe(lines.join(""));
  });

  it("reads no further than the first lines of a long file", async () => {
    const line = `${JSON.stringify({ a: "x".repeat(1000) })}\n`;
    const path = file("long.jsonl", `${line.repeat(600)}{"broken`);
    expect((await inspect(path)).map(({ name }) => name)).toEqual(["a"]);
  });

  it("names the place of broken lines, and files without a line", async () => {
    const broken = file("broken.jsonl", '{"a":1}\n{"a":\n');
    await expect(inspect(broken)).rejects.toMatchObject({
      code: "data",
      message: expect.stringContaining(`${broken}:2: not valid JSON`),
    });
    const blank = file("blank.jsonl", "\n \n");
    await expect(inspect(blank)).rejects.toMatchObject({ code: "data", message: `${blank} is empty` });
    const none = file("none.json", "[]");
    await expect(inspect(none)).rejects.toMatchObject({ code: "data", message: `${none} is empty` });
  });

  it("says that Arrow and Parquet files are cut off", async () => {
    for (const format of ["file", "parquet"] as const) {
      const bytes = await encoded(format, ROWS);
      const path = file(`cut-${format}`, bytes.subarray(0, 20));
      await expect(inspect(path)).rejects.toMatchObject({
        code: "data",
        message: expect.stringContaining(path),
      });
    }
  });
});
