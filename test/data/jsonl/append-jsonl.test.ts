import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ResultColumn } from "../../../src/data/columns.ts";
import { appendToLines } from "../../../src/data/jsonl/append-jsonl.ts";
import { lineRanges } from "../../../src/data/jsonl/line-ranges.ts";
import { parseJsonlChunk } from "../../../src/data/jsonl/parse-jsonl-chunk.ts";

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

function append(text: string, columns: readonly ResultColumn[]): string {
  const bytes = bytesOf(text);
  const { starts, ends } = lineRanges(bytes);
  return Buffer.from(appendToLines(bytes, starts, ends, columns)).toString();
}

const numbers = (name: string, ...values: number[]): ResultColumn => ({
  name,
  type: "float64",
  values: Float64Array.from(values),
});

describe("appendToLines", () => {
  it("keeps each line byte for byte and adds the columns before its last brace", () => {
    const text = '{"z": 1.0, "a":NaN , "id":1234567890123456789,"t":"}é"}\r\n\n  { }\t\n{}';
    expect(append(text, [numbers("ppl", 1.5, 0.1, 1e21), numbers("reward", -1, 5e-324, 3)])).toBe(
      '{"z": 1.0, "a":NaN , "id":1234567890123456789,"t":"}é","ppl":1.5,"reward":-1}\n' +
        '{ "ppl":0.1,"reward":5e-324}\n{"ppl":1e+21,"reward":3}\n',
    );
  });

  it("writes NaN as null and infinities as words", () => {
    expect(append('{"a":1}\n'.repeat(3), [numbers("ppl", Number.NaN, Infinity, -Infinity)])).toBe(
      '{"a":1,"ppl":null}\n{"a":1,"ppl":"Infinity"}\n{"a":1,"ppl":"-Infinity"}\n',
    );
  });

  it("writes text by code, -1 as null, in ASCII", () => {
    const status: ResultColumn = {
      name: "stätus",
      type: "utf8",
      codes: Int32Array.of(1, -1, 0),
      dictionary: ["ok", 'a "b" 😀'],
    };
    expect(append("{}\n{}\n{}", [status])).toBe(
      '{"st\\u00e4tus":"a \\"b\\" \\ud83d\\ude00"}\n{"st\\u00e4tus":null}\n{"st\\u00e4tus":"ok"}\n',
    );
  });

  it("is not misled by braces inside text, or nested empty objects", () => {
    expect(append('{"a":{}}\n{"a":"{"}\n{"a":[{}]}', [numbers("x", 1, 2, 3)])).toBe(
      '{"a":{},"x":1}\n{"a":"{","x":2}\n{"a":[{}],"x":3}\n',
    );
  });

  it("only ends lines in LF when there is no column", () => {
    expect(append('{"a":1}\r\n{"a":2}', [])).toBe('{"a":1}\n{"a":2}\n');
    expect(append("", [])).toBe("");
  });

  it("refuses columns of another length and lines without a brace", () => {
    expect(() => append("{}\n{}\n", [numbers("ppl", 1)])).toThrow("column ppl: expected 2 rows, got 1");
    expect(() => append("{}\n{\n", [numbers("ppl", 1, 2)])).toThrow(
      "row 1 of the chunk is not one JSON object a line",
    );
  });

  it("adds the columns and changes nothing else (law)", () => {
    const row = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue(), { maxKeys: 5 });
    const lines = fc.array(
      fc.tuple(row, fc.constantFrom("\n", "\r\n", " \n", "\n\n"), fc.constantFrom(0, 1)),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(lines, fc.double(), (items, value) => {
        // Spread out, never on several lines: blanks after every separator, as other writers put them.
        const text = items
          .map(
            ([fields, ending, indent]) => JSON.stringify(fields, null, indent).replaceAll("\n", " ") + ending,
          )
          .join("");
        const values = new Float64Array(items.length).map((_, i) => (i % 2 === 0 ? value : i / 3));
        const columns: ResultColumn[] = [
          { name: "new é", type: "float64", values },
          {
            name: "new text",
            type: "utf8",
            codes: new Int32Array(items.length).map((_, i) => (i % 3) - 1),
            dictionary: ["a", "\u2028"],
          },
        ];
        const { rows } = parseJsonlChunk(bytesOf(append(text, columns)), "a", 1);
        // A float beyond 2^53 is written without a fraction and so reads back as an integer of the same value.
        for (const fields of rows)
          if (typeof fields["new é"] === "bigint") fields["new é"] = Number(fields["new é"]);
        const written = (x: number): unknown =>
          Number.isFinite(x) ? x + 0 : Number.isNaN(x) ? null : String(x);
        const before = parseJsonlChunk(bytesOf(text), "a", 1).rows;
        expect(rows).toEqual(
          before.map((fields, i) => ({
            ...fields,
            "new é": written(values[i] as number),
            "new text": [null, "a", "\u2028"][i % 3],
          })),
        );
        expect(rows.map((fields) => Object.keys(fields).slice(-2))).toEqual(
          rows.map(() => ["new é", "new text"]),
        );
      }),
    );
  });
});
