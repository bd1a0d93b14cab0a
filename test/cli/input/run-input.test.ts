import { Readable } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openRunInput, type RunInput } from "../../../src/cli/input/run-input.ts";
import { collect } from "../../golden/arrow-files.ts";
import { encoded, fileMaker } from "./input-files.ts";

const file = fileMaker();
const text = async (bytes: AsyncIterable<Uint8Array>): Promise<string> =>
  Buffer.concat(await collect(bytes)).toString();

/** Opens `-` with pieces on standard input. */
async function piped(
  pieces: readonly (string | Uint8Array)[],
  from: string | null = null,
): Promise<RunInput> {
  const stream = Readable.from(pieces.map((piece) => Buffer.from(piece)));
  vi.spyOn(process, "stdin", "get").mockReturnValue(stream as unknown as typeof process.stdin);
  return openRunInput("-", from);
}

afterEach(() => vi.restoreAllMocks());

describe("a file", () => {
  it("is what its bytes say, not its name", async () => {
    const rows = [{ a: 1 }];
    const files = {
      "a.txt": ['{"a":1}\n', "jsonl"],
      "b.jsonl": [await encoded("file", rows), "arrow"],
      "c.parquet": [await encoded("stream", rows), "arrow"],
      "d.arrow": [await encoded("parquet", rows), "parquet"],
    } as const;
    for (const [name, [content, format]] of Object.entries(files)) {
      const path = file(name, content);
      expect(await openRunInput(path, null)).toMatchObject({ name: path, path, format });
    }
  });

  it("can be read from the beginning again and again", async () => {
    const input = await openRunInput(file("again.jsonl", '{"a":1}\n{"a":2}\n'), null);
    expect(await text(input.peek())).toBe('{"a":1}\n{"a":2}\n');
    expect(await text(input.bytes())).toBe('{"a":1}\n{"a":2}\n');
    expect(await text(input.bytes())).toBe('{"a":1}\n{"a":2}\n');
  });

  it("of JSON arrays is read as JSON Lines", async () => {
    const path = file("array.json", '\n[ {"id": 9007199254740993, "x": NaN},\n {"id": 2} ]');
    const input = await openRunInput(path, null);
    expect(input).toMatchObject({ format: "jsonl", path });
    const lines = '{"id":9007199254740993,"x":"NaN"}\n{"id":2}\n';
    expect(await text(input.peek())).toBe(lines);
    expect(await text(input.bytes())).toBe(lines);
  });

  it("goes through an adapter when it is told to, JSON Lines too", async () => {
    const record = JSON.stringify({ messages: [{ role: "user", content: "hi" }] });
    for (const content of [`${record}\n`, `[${record}]`]) {
      const input = await openRunInput(file("openai.json", content), "openai");
      expect(input.format).toBe("jsonl");
      expect(JSON.parse(await text(input.bytes()))).toMatchObject({
        messages: [{ role: "user", content: "hi" }],
      });
    }
  });

  it.each([
    ["", "data", /is empty$/],
    ["a,b\n", "data", /not JSONL, Arrow IPC or Parquet$/],
    ["\u001f\u008b\u0008", "data", /gzip data/],
  ])("that begins with %j is refused", async (content, code, message) => {
    await expect(openRunInput(file("bad", Buffer.from(content, "latin1")), null)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  it("that cannot be opened, or a binary one for an adapter, is refused", async () => {
    await expect(openRunInput(`${file("there", "{}")}-not`, null)).rejects.toMatchObject({ code: "io" });
    const path = file("binary", await encoded("file", [{ a: 1 }]));
    const input = await openRunInput(path, "openai");
    await expect(text(input.peek())).rejects.toMatchObject({
      code: "usage",
      message: `${path}: --from openai reads JSON or JSON Lines, found arrow`,
    });
    const lines = await openRunInput(file("lines", "{}"), "nowhere");
    await expect(text(lines.peek())).rejects.toMatchObject({ code: "usage" });
  });
});

describe("a pipe", () => {
  it("is looked at as often as wanted, then read once", async () => {
    const pieces = ['{"a"', ':1}\n{"a":', "2}\n", '{"a":3}\n'];
    const input = await piped(pieces);
    expect(input).toMatchObject({ name: "<stdin>", path: null, format: "jsonl" });
    for await (const piece of input.peek()) {
      expect(Buffer.from(piece).toString()).toBe(pieces[0]);
      break;
    }
    expect(await text(input.peek())).toBe(pieces.join(""));
    expect(await text(input.bytes())).toBe(pieces.join(""));
    expect(await text(input.bytes())).toBe("");
  });

  it("is recognised from pieces of any size", async () => {
    const stream = await encoded("stream", [{ a: 1 }]);
    const input = await piped(Array.from(stream, (byte) => Uint8Array.of(byte)));
    expect(input.format).toBe("arrow");
    expect((await text(input.bytes())).length).toBe(Buffer.from(stream).toString().length);
  });

  it("of JSON arrays is read as JSON Lines", async () => {
    const input = await piped(["[", '{"a":1},{"a"', ":2}]"]);
    expect(await text(input.peek())).toBe('{"a":1}\n{"a":2}\n');
    expect(await text(input.bytes())).toBe('{"a":1}\n{"a":2}\n');
  });

  it.each([
    [[], "data", "<stdin> is empty"],
    [
      ["PAR1", "more than sixteen bytes"],
      "usage",
      "Parquet cannot be read from a pipe: give the file's name",
    ],
    [["no", " rollouts at all"], "data", "<stdin>: not JSONL, Arrow IPC or Parquet"],
  ])("of %j is refused", async (pieces, code, message) => {
    await expect(piped(pieces)).rejects.toMatchObject({ code, message });
  });
});
