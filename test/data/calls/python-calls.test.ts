import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../../src/data/calls/canonical-json.ts";
import { parsePythonCalls } from "../../../src/data/calls/python-calls.ts";
import { CalibrantError } from "../../../src/errors.ts";

interface Golden {
  readonly cases: readonly { readonly text: string; readonly calls: string | null }[];
  readonly bfcl: Readonly<Record<"texts" | "calls" | "keywords" | "positional", number>> & {
    readonly sha256: string;
  };
}

const golden = JSON.parse(
  readFileSync(new URL("../../golden/python-calls.json", import.meta.url), "utf8"),
) as Golden;

/** Texts that Python accepts and the strict grammar refuses. */
const STRICTER: readonly string[] = ["f(a=1) # comment"];

describe("parsePythonCalls", () => {
  it.each(golden.cases.filter(({ text, calls }) => calls !== null && !STRICTER.includes(text)))(
    "reads $text as Python does",
    ({ text, calls }) => {
      expect(canonicalJson(parsePythonCalls(text))).toBe(calls);
    },
  );

  it.each(golden.cases.filter(({ text, calls }) => calls === null || STRICTER.includes(text)))(
    "refuses $text",
    ({ text }) => {
      expect(() => parsePythonCalls(text)).toThrow(CalibrantError);
      expect(() => parsePythonCalls(text)).toThrow(JSON.stringify(text));
    },
  );

  it("says what it expected and where", () => {
    expect(() => parsePythonCalls("f(a=b)")).toThrow(
      'Python call: expected a literal at character 5 of "f(a=b)"',
    );
  });

  it("refuses adjacent texts and named characters", () => {
    expect(() => parsePythonCalls("f('a' 'b')")).toThrow("a comma or )");
    expect(() => parsePythonCalls("f('\\N{BULLET}')")).toThrow("no named character");
  });

  it("accepts reserved words, which tools use as names", () => {
    expect(parsePythonCalls("send(from='a', class=1)")[0]?.arguments).toEqual({ from: "a", class: 1 });
  });

  it("keeps every digit of a large integer", () => {
    expect(parsePythonCalls("f(id=9007199254740993)")[0]?.arguments).toEqual({ id: 9007199254740993n });
  });

  it("refuses nesting beyond Python's limit instead of overflowing the stack", () => {
    const nested = (depth: number): string => `f(${"[".repeat(depth)}${"]".repeat(depth)})`;
    expect(parsePythonCalls(nested(200))).toHaveLength(1);
    expect(() => parsePythonCalls(nested(100_000))).toThrow("at most 200 nested brackets");
  });

  it("turns positional arguments into keyword arguments when it knows the names", () => {
    const parameters = (name: string): readonly string[] | undefined =>
      name === "mv" ? ["source", "destination"] : undefined;
    expect(parsePythonCalls("mv('a', destination='b'), ls('c')", { parameters })).toEqual([
      { name: "mv", arguments: { source: "a", destination: "b" }, positional: [] },
      { name: "ls", arguments: {}, positional: ["c"] },
    ]);
    expect(() => parsePythonCalls("mv('a', 'b', 'c')", { parameters })).toThrow(
      "mv takes 2 arguments (source, destination), got 3",
    );
    expect(() => parsePythonCalls("mv('a', source='b')", { parameters })).toThrow("mv gets source twice");
  });

  it("reads back any call that is written out", () => {
    const literal = fc.letrec((tie) => ({
      value: fc.oneof(fc.string({ unit: "binary" }), fc.boolean(), fc.integer(), tie("list"), tie("object")),
      list: fc.array(tie("value"), { maxLength: 3 }),
      object: fc.dictionary(fc.string(), tie("value"), { maxKeys: 3 }),
    })).value;
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z_]{1,6}$/), literal, { maxKeys: 4 }), (args) => {
        const written = Object.entries(args).map(([key, value]) => `${key}=${pythonText(value)}`);
        const [call] = parsePythonCalls(`f(${written.join(", ")})`);
        expect(canonicalJson(call?.arguments)).toBe(canonicalJson(args));
      }),
    );
  });
});

function pythonText(value: unknown): string {
  if (value === true) return "True";
  if (value === false) return "False";
  if (Array.isArray(value)) return `[${value.map(pythonText).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([key, inner]) => `${pythonText(key)}: ${pythonText(inner)}`);
    return `{${entries.join(", ")}}`;
  }
  return JSON.stringify(value);
}

const answers = new URL(
  "../../../../shared/data/bfcl/possible_answer/BFCL_v4_multi_turn_base.jsonl",
  import.meta.url,
);

describe.skipIf(!existsSync(answers))("the gold calls of BFCL multi-turn base", () => {
  it("are read as Python reads them", () => {
    const texts = readFileSync(answers, "utf8")
      .trim()
      .split("\n")
      .flatMap((line) => (JSON.parse(line) as { ground_truth: string[][] }).ground_truth.flat());
    const read = texts.map((text) => parsePythonCalls(text));
    const calls = read.flat();
    const sum = (count: (index: number) => number): number =>
      calls.reduce((total, _, index) => total + count(index), 0);
    expect({
      texts: texts.length,
      calls: calls.length,
      keywords: sum((index) => Object.keys(calls[index]?.arguments ?? {}).length),
      positional: sum((index) => calls[index]?.positional.length ?? 0),
      sha256: createHash("sha256").update(read.map(canonicalJson).join("\n")).digest("hex"),
    }).toEqual(golden.bfcl);
  });
});
