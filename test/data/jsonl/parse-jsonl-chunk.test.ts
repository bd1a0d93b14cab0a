import { describe, expect, it } from "vitest";
import { parseJsonlChunk } from "../../../src/data/jsonl/parse-jsonl-chunk.ts";

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

describe("parseJsonlChunk", () => {
  it("reads rows, where their text lies and on which line", () => {
    const text = '\n  {"a":"é"} \t\r\n\r\n{"a":2}\n   \n{"a":3}';
    const chunk = parseJsonlChunk(bytesOf(text), "a.jsonl", 10);
    expect(chunk.rows).toEqual([{ a: "é" }, { a: 2 }, { a: 3 }]);
    expect([...chunk.lineNumbers]).toEqual([11, 13, 15]);
    expect(chunk.lines).toBe(5);
    const texts = [...chunk.lineStarts].map((start, row) =>
      Buffer.from(text).subarray(start, chunk.lineEnds[row]).toString(),
    );
    expect(texts).toEqual(['{"a":"é"}', '{"a":2}', '{"a":3}']);
  });

  it("counts bare non-finite numbers by column", () => {
    const text = '{"ppl":NaN,"lp":[-1,NaN,-Infinity]}\n{"ppl":1}\n{"ppl":Infinity,"__proto__":NaN}\n';
    const { nonFinite } = parseJsonlChunk(bytesOf(text), "a", 1);
    expect(Object.entries(nonFinite)).toEqual([
      ["ppl", 2],
      ["lp", 2],
      ["__proto__", 1],
    ]);
  });

  it("never lets two long ids collide", () => {
    const text = '{"group_id":1234567890123456781}\n{"group_id":1234567890123456782}\n';
    const { rows } = parseJsonlChunk(bytesOf(text), "a", 1);
    expect(rows.map((row) => row.group_id)).toEqual([1234567890123456781n, 1234567890123456782n]);
  });

  it("names file and line of broken JSON, on one line", () => {
    const broken = bytesOf('{"a":1}\n\n{"a":}\n');
    expect(() => parseJsonlChunk(broken, "a.jsonl", 5)).toThrow(/^a\.jsonl:7: not valid JSON: [^\n]+$/);
    expect(() => parseJsonlChunk(bytesOf('{"a":1}{"a":2}'), "a.jsonl", 1)).toThrow(
      /^a\.jsonl:1: not valid JSON/,
    );
    expect(() => parseJsonlChunk(broken, "a.jsonl", 5)).toThrow(expect.objectContaining({ code: "data" }));
  });

  it.each(["[1]", "3", '"text"', "null", "NaN"])("refuses a row that is %s", (row) => {
    expect(() => parseJsonlChunk(bytesOf(`{}\n${row}\n`), "a.jsonl", 1)).toThrow(
      `a.jsonl:2: expected one JSON object a line, found ${row}`,
    );
  });

  it("names file and line of text that is not UTF-8", () => {
    const bytes = Buffer.concat([bytesOf('{"a":"é"}\n\n{"a":"'), Buffer.from([0xe9]), bytesOf('"}\n')]);
    expect(() => parseJsonlChunk(bytes, "a.jsonl", 1)).toThrow(
      "a.jsonl:3: not valid UTF-8; save the file as UTF-8",
    );
    expect(() => parseJsonlChunk(Buffer.from('{"a":1}\n', "utf16le"), "a.jsonl", 1)).toThrow(
      /^a\.jsonl:1: not valid/,
    );
  });

  it("reads a view into a larger buffer", () => {
    const whole = bytesOf('xx{"a":1}\nyy');
    expect(parseJsonlChunk(whole.subarray(2, 10), "a", 1).rows).toEqual([{ a: 1 }]);
  });
});
