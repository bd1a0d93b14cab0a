import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pythonFloatText } from "../../../src/rewards/released/python-float.ts";
import {
  type PythonJson,
  parsePythonJson,
  pythonJsonOf,
  pythonJsonText,
} from "../../../src/rewards/released/python-json.ts";

interface Golden {
  readonly floats: readonly (readonly [string, string])[];
  readonly texts: readonly (readonly [string, string | null, string | null])[];
}

const path = new URL("../../golden/python-json.json", import.meta.url);
const golden = JSON.parse(readFileSync(path, "utf8")) as Golden;

const written = (text: string, sortKeys: boolean): string | null => {
  const parsed = parsePythonJson(text);
  return parsed === null ? null : pythonJsonText(parsed.value, { sortKeys });
};

describe("python json", () => {
  it("writes floats as Python's repr does", () => {
    const wrong = golden.floats.filter(
      ([bits, text]) => pythonFloatText(Buffer.from(bits, "hex").readDoubleBE()) !== text,
    );
    expect(wrong).toEqual([]);
  });

  it("reads, refuses and writes texts as Python's json does", () => {
    const wrong = golden.texts.filter(
      ([text, plain, sorted]) => written(text, false) !== plain || written(text, true) !== sorted,
    );
    expect(wrong).toEqual([]);
    expect(golden.texts.filter(([, plain]) => plain === null).length).toBeGreaterThan(100);
  });

  it("keeps integers and floats apart, and a repeated key's first place with its last value", () => {
    expect(parsePythonJson("[1, 1.0, -0, 1e0]")).toEqual({ value: [1n, 1, 0n, 1] });
    const fields = parsePythonJson('{"b": 1, "a": 2, "b": null}')?.value as ReadonlyMap<string, PythonJson>;
    expect([...fields]).toEqual([
      ["b", null],
      ["a", 2n],
    ]);
  });

  it("gives up where nesting is too deep, without touching the stack", () => {
    const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
    expect(written(nested(995), false)).toBe(nested(995));
    expect(parsePythonJson(nested(996))).toBeNull();
    expect(parsePythonJson(nested(1e6))).toBeNull();
    expect(parsePythonJson('{"a":'.repeat(1e6))).toBeNull();
  });

  it("reads a million characters of anything in linear time", () => {
    const long = "9".repeat(1e5);
    expect(parsePythonJson(`${"[".repeat(3)}"${"\\n".repeat(5e5)}"]]]`)).not.toBeNull();
    expect(parsePythonJson(`[${"1,".repeat(5e5)}2]`)).not.toBeNull();
    expect(parsePythonJson(`{${'"a":1,'.repeat(2e5)}"b":2}`)).not.toBeNull();
    expect(parsePythonJson(`"${"\\".repeat(1e6)}`)).toBeNull();
    expect(parsePythonJson(" ".repeat(1e6))).toBeNull();
    expect(written(long, false)).toBe(long);
  });

  it("takes JavaScript data for what Python would hold", () => {
    const data = {
      b: [1, 1.5, undefined, -0, 10n ** 30n],
      a: { skipped: undefined, nan: Number.NaN },
      c: null,
    };
    expect(pythonJsonText(pythonJsonOf(data), { sortKeys: true })).toBe(
      `{"a": {"nan": NaN}, "b": [1, 1.5, null, 0, 1${"0".repeat(30)}], "c": null}`,
    );
    expect(pythonJsonOf(undefined)).toBeNull();
    expect(pythonJsonText(pythonJsonOf(new Map([["k", [true]]])))).toBe('{"k": [true]}');
    const circle: unknown[] = [];
    circle.push(circle);
    expect(pythonJsonOf(circle)).toBeNull();
  });
});
