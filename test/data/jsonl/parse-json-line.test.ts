import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonText } from "../../../src/data/jsonl/json-text.ts";
import { parseJsonLine } from "../../../src/data/jsonl/parse-json-line.ts";

type Spelled = Readonly<Record<string, unknown>>;

/** The value that a spelled one stands for, as we read it: integers beyond 2^53 are BigInt. */
function unspelled(spelled: Spelled): unknown {
  const [kind, value] = Object.entries(spelled)[0] as [string, unknown];
  if (kind === "null") return null;
  if (kind === "int") return Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(value as string);
  if (kind === "float") return Number((value as string).replace("inf", "Infinity"));
  if (kind === "list") return (value as Spelled[]).map(unspelled);
  if (kind !== "object") return value;
  return Object.fromEntries((value as [string, Spelled][]).map(([key, field]) => [key, unspelled(field)]));
}

/** A float that is a whole number has a fraction in Python, as does -0. */
function pythonNumber(value: number): string {
  const isLong = Number.isInteger(value) && (!Number.isSafeInteger(value) || Object.is(value, -0));
  const text = Object.is(value, -0) ? "-0" : String(value);
  return isLong && !text.includes("e") ? `${text}.0` : text;
}

/** JSON as Python writes it: bare non-finite numbers, every digit of an integer, blanks after separators. */
function pythonJson(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return pythonNumber(value);
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, field]) => `${JSON.stringify(key)}: ${pythonJson(field)}`)
    .join(", ")}}`;
}

const trickyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "NaN",
    "Infinity",
    ': NaN, "',
    "\\",
    '\\"',
    "\ue000",
    "\\ue000",
    "1234567890123456789",
    "\ue0007",
  ),
);
const unsafeInteger = fc
  .bigInt({ min: -(10n ** 30n), max: 10n ** 30n })
  .filter((n) => !Number.isSafeInteger(Number(n)));
const pythonValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constant(null),
    fc.boolean(),
    trickyText,
    fc.double(),
    fc.integer(),
    unsafeInteger,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(trickyText, tie("value"), { maxKeys: 4 }),
  ),
})).value;

describe("parseJsonLine", () => {
  const golden: { line: string; value: Spelled }[] = JSON.parse(
    readFileSync(new URL("../../golden/json-lines.json", import.meta.url), "utf8"),
  );

  it.each(golden)("reads what Python wrote: $line", ({ line, value }) => {
    expect(parseJsonLine(line, { exactIntegers: true }).value).toEqual(unspelled(value));
  });

  it("counts non-finite numbers by column, at any depth", () => {
    const { value, nonFinite } = parseJsonLine(
      '{"ppl": NaN, "a": [1, -Infinity, {"b": Infinity}], "s": "NaN", "c": 1}',
    );
    expect(value).toEqual({ ppl: Number.NaN, a: [1, -Infinity, { b: Infinity }], s: "NaN", c: 1 });
    expect(nonFinite).toEqual({ ppl: 1, a: 2 });
    expect(parseJsonLine('{"s": "NaN"}').nonFinite).toBeNull();
  });

  it("keeps every digit of the columns' integers, of deeper ones only when asked", () => {
    const line =
      '{"group_id": 1234567890123456789, "deep": {"id": 1234567890123456789}, "big": 1e20, "ok": 9007199254740991}';
    const exact = { group_id: 1234567890123456789n, big: 1e20, ok: 9007199254740991 };
    expect(parseJsonLine(line).value).toEqual({ ...exact, deep: { id: 1234567890123456800 } });
    expect(parseJsonLine(line, { exactIntegers: true }).value).toEqual({
      ...exact,
      deep: { id: 1234567890123456789n },
    });
    expect(parseJsonLine('{"deep": {"id": 1234567890123456789}}', { exactIntegers: true }).value).toEqual({
      deep: { id: 1234567890123456789n },
    });
    expect(parseJsonLine('{"a": 1e0000000000000000020, "b": 123456789012345680.5}').value).toEqual({
      a: 1e20,
      b: 123456789012345680,
    });
    expect(parseJsonLine('{"a": -9007199254740993, "b": NaN}').value).toEqual({
      a: -9007199254740993n,
      b: Number.NaN,
    });
    expect(parseJsonLine("1234567890123456789").value).toBe(1234567890123456789n);
  });

  it("leaves a __proto__ key harmless, on every path", () => {
    for (const rest of ["1", "NaN", "1234567890123456789"]) {
      const { value, nonFinite } = parseJsonLine(`{"__proto__": {"polluted": ${rest}}, "x": ${rest}}`, {
        exactIntegers: true,
      });
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(Object.keys(value as object)).toEqual(["__proto__", "x"]);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
      if (rest === "NaN") expect(Object.keys(nonFinite ?? {})).toEqual(["__proto__", "x"]);
    }
    const { value } = parseJsonLine('{"__proto__": 1234567890123456789}');
    expect(Object.getOwnPropertyDescriptor(value, "__proto__")?.value).toBe(1234567890123456789n);
  });

  it.each([
    '{"a": 1Infinity}',
    '{"a": xNaN}',
    '{"a": NaNs}',
    '{"a": NaN5}',
    '{"a": -NaN}',
    '{"a": +Infinity}',
    '{"a": .Infinity}',
    "{NaN: 1}",
    '{Infinity : 1, "b": 2}',
    '{"a": nan}',
    '{"a": NaN',
    '{"a": NaN NaN}',
    '{"a" NaN}',
    '"a"NaN',
    "'a'",
    "",
    "NaN,",
    '{"a": "NaN}',
  ])("refuses %s", (text) => {
    expect(() => parseJsonLine(text)).toThrow(SyntaxError);
  });

  it("reports the real trouble of a line that also holds NaN", () => {
    expect(() => parseJsonLine('{"ppl": NaN, "b": }')).toThrow(/Unexpected token '}'/);
    expect(() => parseJsonLine('{"b": ?, "p": NaN}')).toThrow(/NaN/);
  });

  it("does not overflow on deep nesting", () => {
    const deep = `${"[".repeat(20_000)}NaN, 12345678901234567890${"]".repeat(20_000)}`;
    expect(parseJsonLine(`{"a": ${deep}}`, { exactIntegers: true }).nonFinite).toEqual({ a: 1 });
  });

  it("equals JSON.parse on JSON, but for the digits of long integers (law)", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const { value, nonFinite } = parseJsonLine(text, { exactIntegers: true });
        expect(JSON.parse(jsonText(value))).toEqual(JSON.parse(text));
        expect(nonFinite).toBeNull();
      }),
    );
  });

  it("reads any value as Python wrote it (law)", () => {
    fc.assert(
      fc.property(pythonValue, (value) => {
        expect(parseJsonLine(pythonJson(value), { exactIntegers: true }).value).toEqual(value);
      }),
      { numRuns: 1000 },
    );
  });
});
