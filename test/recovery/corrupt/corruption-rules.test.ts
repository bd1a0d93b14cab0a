import { describe, expect, it } from "vitest";
import {
  type CorruptionRules,
  checkCorruptionRules,
  readCorruptionRules,
} from "../../../src/recovery/corrupt/corruption-rules.ts";

describe("checkCorruptionRules", () => {
  const refused = (rules: unknown): string => {
    try {
      checkCorruptionRules(rules as CorruptionRules);
    } catch (error) {
      return (error as Error).message;
    }
    return "accepted";
  };

  it("accepts names, pointers and both forms of lifecycles", () => {
    expect(refused({})).toBe("accepted");
    expect(refused({ criticalFields: ["items", "/items/*/a~1b"], protectedFields: [], lifecycles: [] })).toBe(
      "accepted",
    );
    expect(
      refused({
        lifecycles: {
          status: ["a", "b"],
          "/x/*": [
            ["a", "b"],
            ["a", "c"],
          ],
        },
      }),
    ).toBe("accepted");
  });

  it("refuses all else in one line", () => {
    expect(refused({ criticalField: [] })).toBe(
      "the corruption rules has no option criticalField: did you mean criticalFields?",
    );
    expect(refused({ criticalFields: "items" })).toBe(
      'criticalFields must be a list of names and JSON Pointers, got "items"',
    );
    expect(refused({ protectedFields: ["a", 5] })).toBe(
      "protectedFields[1] must name a field, or be a JSON Pointer that begins with /, got 5",
    );
    expect(refused({ criticalFields: ["/a~2"] })).toBe(
      'criticalFields[0] must be a JSON Pointer, in which ~ is ~0 and / is ~1, got "/a~2"',
    );
    expect(refused({ lifecycles: 5 })).toBe(
      "lifecycles must be lists of stages, or an object of them by field, got 5",
    );
    expect(refused({ lifecycles: [["a"]] })).toBe(
      'lifecycles[0] must be a list of two or more stages, the first stage first, got ["a"]',
    );
    expect(refused({ lifecycles: ["a", "b"] })).toContain(
      "lifecycles[0] must be a list of two or more stages",
    );
    expect(refused({ lifecycles: { status: ["a", ""] } })).toBe(
      'lifecycles["status"][1] must be the name of a stage, got ""',
    );
    expect(refused({ lifecycles: { status: [["In transit", "in_transit"]] } })).toBe(
      'lifecycles["status"][0] must hold each stage once, got "in_transit"',
    );
  });
});

describe("readCorruptionRules", () => {
  it("reads the names of JSON", () => {
    const lifecycles = [["a", "b"]];
    expect(readCorruptionRules({ critical_fields: ["x"], protected_fields: ["y"], lifecycles })).toEqual({
      criticalFields: ["x"],
      protectedFields: ["y"],
      lifecycles,
    });
    expect(readCorruptionRules({})).toEqual({});
    expect(() => readCorruptionRules({ criticalFields: ["x"] })).toThrow("did you mean critical_fields?");
    expect(() => readCorruptionRules([])).toThrow("must be an object");
    expect(() => readCorruptionRules({ critical_fields: [5] })).toThrow(
      "criticalFields[0] must name a field",
    );
  });
});
