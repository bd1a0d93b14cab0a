import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type JsonDocument,
  jsonDocuments,
  looksLikeJsonArray,
} from "../../../src/data/jsonl/json-documents.ts";

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

/** The bytes in pieces, in one buffer that is used again, as some readers do. */
async function* cutInto(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(size);
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    buffer.set(piece);
    yield buffer.subarray(0, piece.length);
    buffer.fill(0);
  }
}

async function documents(text: string | Uint8Array, size = 1000, maxBytes = 1000): Promise<JsonDocument[]> {
  const all: JsonDocument[] = [];
  const source = cutInto(typeof text === "string" ? bytesOf(text) : text, size);
  for await (const document of jsonDocuments(source, "a.json", { maxBytes })) all.push(document);
  return all;
}

const values = async (text: string, size?: number): Promise<unknown[]> =>
  (await documents(text, size)).map((document) => document.value);

describe("jsonDocuments", () => {
  it("reads the elements of an array, whatever their text holds", async () => {
    const elements = [{ a: '],[{}"\\' }, {}, { b: [[], [1, { c: "é😀" }]] }, { "\\": "\\\\" }];
    for (const indent of [0, 1]) {
      for (const size of [1, 2, 3, 7, 1000]) {
        expect(await values(`\ufeff \n${JSON.stringify(elements, null, indent)}\n`, size)).toEqual(elements);
      }
    }
    const places = (await documents("[{}, {}]")).map((document) => document.place);
    expect(places).toEqual(["a.json: element 0", "a.json: element 1"]);
  });

  it("reads one object, pretty-printed or not, and objects that follow each other", async () => {
    expect(await values('{"a": [1]}')).toEqual([{ a: [1] }]);
    expect(await values('{\n  "a": {\n    "b": "}"\n  }\n}\n', 3)).toEqual([{ a: { b: "}" } }]);
    expect(await values('{"a":1}\r\n\n{"a":2}{"a":3}', 2)).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }]);
    const places = (await documents('\n{"a":1}\n\n {"a":\n2}\n{}')).map((document) => document.place);
    expect(places).toEqual(["a.json:2", "a.json:4", "a.json:6"]);
  });

  it("reads what Python writes, every digit included", async () => {
    const [document] = await documents('[{"a": NaN, "b": {"id": 12345678901234567890}}]');
    expect(document?.value).toEqual({ a: Number.NaN, b: { id: 12345678901234567890n } });
    expect(document?.nonFinite).toEqual({ a: 1 });
  });

  it.each([
    ["", "a.json is empty"],
    [" \n", "a.json is empty"],
    ["\ufeff", "a.json is empty"],
    ["[ ]", "a.json is empty"],
    ["[", "a.json: the file is cut short: its array is not closed"],
    ["[{},", "a.json: the file is cut short: its array is not closed"],
    ["[{}", "a.json: element 0: the file ends inside this object: it is cut short, or misses a closing mark"],
    [
      '[{}, {"a": "x',
      "a.json: element 1: the file ends inside this object: it is cut short, or misses a closing mark",
    ],
    ['{}\n{"a": [}', "a.json:2: the file ends inside this object: it is cut short, or misses a closing mark"],
    ["[{},]", 'a.json: element 1: expected a value, found "]"'],
    ["[,{}]", 'a.json: element 0: expected a value or the end of the array, found ","'],
    ["[{}] {}", 'a.json: element 1: expected nothing after the array, found "{"'],
    ["{} x", 'a.json:1: expected another object or the end, found "x"'],
    ["{}\n[]", 'a.json:2: expected another object or the end, found "["'],
    ["\n3", 'a.json:2: expected a JSON array or object, found "3"'],
    ["[{}, 3]", "a.json: element 1: expected an object, found 3"],
    ["[[{}]]", "a.json: element 0: expected an object, found [{}]"],
    ['[{"a": 1}, "x"]', 'a.json: element 1: expected an object, found "x"'],
    ["[null]", "a.json: element 0: expected an object, found null"],
  ])("refuses %j", async (text, message) => {
    for (const size of [1, 1000]) {
      await expect(documents(text, size)).rejects.toMatchObject({ code: "data", message });
    }
  });

  it("names the element or line of broken JSON and bad UTF-8", async () => {
    await expect(documents('[{}, {"a" 1}]')).rejects.toThrow(/^a\.json: element 1: not valid JSON: [^\n]+$/);
    await expect(documents('{}\n{"a": tru}')).rejects.toThrow(/^a\.json:2: not valid JSON/);
    await expect(documents("[{} {}]")).rejects.toThrow(/^a\.json: element 0: not valid JSON/);
    await expect(documents(Buffer.from('[{"a":"\xe9"}]', "latin1"))).rejects.toThrow(
      "a.json: element 0: not valid UTF-8; save the file as UTF-8",
    );
  });

  it("refuses an object that is too large to hold, with a way out", async () => {
    const text = `[{}, {"a": "${"x".repeat(100)}"}]`;
    for (const size of [10, 1000]) {
      await expect(documents(text, size, 50)).rejects.toThrow(
        "a.json: element 1: one object may hold 50 bytes at most; write its records as JSON Lines, one a line",
      );
    }
    expect(await documents(`[${"{},".repeat(100)}{}]`, 10, 50)).toHaveLength(101);
  });

  it("reads any objects back, however the source is cut (law)", async () => {
    const objects = fc.array(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 3 })), {
      minLength: 1,
    });
    await fc.assert(
      fc.asyncProperty(
        objects,
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom(0, 2),
        async (given, size, indent) => {
          const expected = JSON.parse(JSON.stringify(given));
          const rounded = (found: unknown[]): unknown =>
            JSON.parse(
              JSON.stringify(found, (_key, value) => (typeof value === "bigint" ? Number(value) : value)),
            );
          const found = async (text: string): Promise<unknown> => {
            const all: unknown[] = [];
            for await (const { value } of jsonDocuments(cutInto(bytesOf(text), size), "a")) all.push(value);
            return rounded(all);
          };
          expect(await found(JSON.stringify(given, null, indent))).toEqual(expected);
          expect(await found(given.map((value) => JSON.stringify(value, null, indent)).join("\n"))).toEqual(
            expected,
          );
        },
      ),
    );
  });
});

describe("looksLikeJsonArray", () => {
  it("looks at the first character after blanks and a byte order mark", () => {
    expect(
      ["[", " \r\n\t[{", "\ufeff[", "\ufeff\n["].map((text) => looksLikeJsonArray(bytesOf(text))),
    ).toEqual([true, true, true, true]);
    expect(
      ["", "  ", "{", '{"a":[', "\ufeff{", "x["].map((text) => looksLikeJsonArray(bytesOf(text))),
    ).toEqual([false, false, false, false, false, false]);
  });
});
