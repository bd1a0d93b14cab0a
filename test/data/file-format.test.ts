import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detectFormat, formatFromName } from "../../src/data/file-format.ts";
import { CalibrantError } from "../../src/errors.ts";

const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "latin1"));
const BOM = "\u00ef\u00bb\u00bf";

describe("detectFormat", () => {
  it.each([
    ["PAR1\u0015\u0004", "parquet"],
    ["PARE\u0015\u0004", "parquet"],
    ["ARROW1\0\0", "arrow"],
    ["\u00ff\u00ff\u00ff\u00ff\u0078\u0001\0\0", "arrows"],
    ['{"a":1}\n', "jsonl"],
    [' \t\r\n{"a":1}', "jsonl"],
    [`${BOM}{}`, "jsonl"],
    ['[{"a":1}]', "json"],
    ["\n\n [", "json"],
    [`${BOM} [`, "json"],
    ["\n \r\n", "jsonl"],
    [BOM, "jsonl"],
  ])("%j is %s", (head, format) => {
    expect(detectFormat(latin1(head), "x")).toBe(format);
  });

  it("reads a stream from before Arrow 0.15, which begins with a length alone", () => {
    const head = Buffer.alloc(16);
    head.writeUInt32LE(248, 0);
    head.writeUInt32LE(16, 4);
    expect(detectFormat(head, "x")).toBe("arrows");
    head.writeUInt32LE(1000, 4);
    expect(() => detectFormat(head, "x")).toThrow("not JSONL");
  });

  it("looks at the bytes of a view, not of its buffer", () => {
    const bytes = latin1("PAR1....\u00ff\u00ff\u00ff\u00ff\u0008\0\0\0");
    expect(detectFormat(bytes.subarray(8), "x")).toBe("arrows");
  });

  it.each([
    ["", "rollouts.x is empty"],
    ["\u001f\u008b\u0008\0\0\0", "rollouts.x: gzip data: unpack it first (gunzip -k)"],
    ["FEA1\0\0", "rollouts.x: Feather version 1: write it again as Arrow IPC (Feather 2)"],
    ["a,b\n1,2\n", "rollouts.x: not JSONL, Arrow IPC or Parquet"],
    ["\u00ff\u00fe{\0", "rollouts.x: not JSONL, Arrow IPC or Parquet"],
    ["ARROW", "rollouts.x: not JSONL, Arrow IPC or Parquet"],
  ])("refuses %j", (head, message) => {
    expect(() => detectFormat(latin1(head), "rollouts.x")).toThrow(
      expect.objectContaining({ code: "data", message }),
    );
  });

  it("names a format or fails with one of our errors, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 24 }), (head) => {
        try {
          expect(["jsonl", "json", "arrow", "arrows", "parquet"]).toContain(detectFormat(head, "x"));
        } catch (error) {
          expect(error).toBeInstanceOf(CalibrantError);
        }
      }),
    );
  });
});

describe("formatFromName", () => {
  it.each([
    ["a.jsonl", "jsonl"],
    ["a.NDJSON", "jsonl"],
    ["a.b.arrow", "arrow"],
    ["a.feather", "arrow"],
    ["a.ipc", "arrow"],
    ["a.arrows", "arrows"],
    ["/x.jsonl/a.parquet", "parquet"],
    ["a.PQ", "parquet"],
  ])("%s is %s", (path, format) => {
    expect(formatFromName(path)).toBe(format);
  });

  it.each(["a", "a.json", "a.jsonl.gz", "x.parquet/a", "a.", "-"])("refuses %s", (path) => {
    expect(() => formatFromName(path)).toThrow(
      expect.objectContaining({
        code: "usage",
        message: `output format unknown: end the name in .jsonl, .arrow, .arrows or .parquet, or pass --format; got ${path}`,
      }),
    );
  });
});
