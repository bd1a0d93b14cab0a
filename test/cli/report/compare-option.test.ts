import { describe, expect, it } from "vitest";
import { baselineOf } from "../../../src/cli/report/compare-option.ts";

const refusal = (message: string): unknown => expect.objectContaining({ code: "usage", message });

describe("baselineOf", () => {
  it("takes baseline for the first column, unless a column is called so", () => {
    const compare = { column: "baseline", value: "base" };
    expect(baselineOf(compare, ["checkpoint", "subset"])).toEqual({ column: "checkpoint", value: "base" });
    expect(baselineOf(compare, ["checkpoint", "baseline"])).toEqual(compare);
  });

  it("takes any column of --by", () => {
    const compare = { column: "subset", value: "easy" };
    expect(baselineOf(compare, ["checkpoint", "subset"])).toEqual(compare);
  });

  it("refuses a column that does not slice", () => {
    expect(() => baselineOf({ column: "step", value: "1" }, ["checkpoint", "subset"])).toThrow(
      refusal("--compare: step is not a column of --by; write baseline=1, or one of checkpoint, subset"),
    );
    expect(() => baselineOf({ column: "step", value: "1" }, [])).toThrow(
      refusal("--compare needs --by: name the column whose values are compared, for example --by step"),
    );
    expect(() => baselineOf({ column: "baseline", value: "1" }, [])).toThrow(
      refusal("--compare needs --by: name the column whose values are compared, for example --by checkpoint"),
    );
  });
});
