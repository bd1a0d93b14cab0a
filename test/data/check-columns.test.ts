import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkColumns, sourceName } from "../../src/data/check-columns.ts";
import type { ColumnKind, ColumnNeeds, ColumnRequest, FoundColumn } from "../../src/data/columns.ts";
import { CalibrantError } from "../../src/errors.ts";

const found = (name: string, type: string, ...kinds: ColumnKind[]): FoundColumn => ({ name, type, kinds });
const ask = (name: string, kind: ColumnKind): ColumnRequest => ({ name, kind });

const NEEDS: ColumnNeeds = {
  required: [
    [ask("group_id", "key")],
    [ask("action", "key"), ask("response", "text")],
    [ask("logprobs", "list"), ask("ppl", "number")],
  ],
  optional: [ask("ref_ppl", "number"), ask("answer", "text")],
};
const ID = found("group_id", "int64", "number", "key");
const ACTION = found("action", "utf8", "text", "key", "json");
const PPL = found("ppl", "double", "number");

function problems(columns: readonly FoundColumn[], renames?: ReadonlyMap<string, string>): unknown {
  try {
    checkColumns(columns, NEEDS, "f.jsonl", renames);
  } catch (error) {
    expect(error).toBeInstanceOf(CalibrantError);
    expect((error as CalibrantError).code).toBe("schema");
    return (error as CalibrantError).details.problems;
  }
  throw new Error("nothing was thrown");
}

describe("checkColumns", () => {
  it("says what is wanted of a column that is asked for as something else than usual", () => {
    const needs: ColumnNeeds = { required: [[ask("action", "number")]], optional: [] };
    expect(() => checkColumns([ACTION], needs, "f.jsonl")).toThrow(
      /column action: expected numbers or booleans, found utf8/,
    );
  });

  it("asks for what is there of the needs, in their order", () => {
    const columns = [
      found("answer", "utf8", "text"),
      PPL,
      found("response", "utf8", "text"),
      ACTION,
      ID,
      found("extra", "utf8", "text"),
    ];
    expect(checkColumns(columns, NEEDS, "f")).toEqual([
      ask("group_id", "key"),
      ask("action", "key"),
      ask("response", "text"),
      ask("ppl", "number"),
      ask("answer", "text"),
    ]);
    expect(checkColumns([ID, ACTION, PPL], NEEDS, "f").map(({ name }) => name)).toEqual([
      "group_id",
      "action",
      "ppl",
    ]);
  });

  it("lists everything that is missing or mistyped in one error", () => {
    const columns = [found("response", "int64", "number", "key"), found("ref_ppl", "utf8", "text")];
    expect(() => checkColumns(columns, NEEDS, "f.jsonl")).toThrow(
      "f.jsonl: missing column group_id (utf8 or int); column response: expected utf8, found int64; " +
        "missing column logprobs (list<float32/64>) or ppl (float64); column ref_ppl: expected float64, found utf8; " +
        "rename with --columns needed=present; columns present: response, ref_ppl",
    );
  });

  it("complains of a mistyped alternative even where another one would do", () => {
    const columns = [ID, ACTION, PPL, found("logprobs", "utf8", "text")];
    expect(problems(columns)).toEqual(["column logprobs: expected list<float32/64>, found utf8"]);
  });

  it("says a problem once that several needs have", () => {
    const twice: ColumnNeeds = { required: [[ask("x", "number")], [ask("x", "number")]], optional: [] };
    expect(() => checkColumns([], twice, "f")).toThrow(/^f: missing column x \(number\); rename/);
    expect(checkColumns([found("x", "double", "number")], twice, "f")).toEqual([ask("x", "number")]);
  });

  it("lists at most thirty columns", () => {
    const columns = Array.from({ length: 31 }, (_, index) => found(`c${index}`, "utf8", "text"));
    expect(() => checkColumns(columns, NEEDS, "f")).toThrow(/present: c0, .*, c29, …$/);
    expect(() => checkColumns(columns.slice(1), NEEDS, "f")).toThrow(/present: c1, .*, c30$/);
  });

  it("reads a column under another name, and a column renamed to nothing from nowhere", () => {
    const columns = [found("prompt", "utf8", "text", "key"), ACTION, PPL, found("ref_ppl", "utf8", "text")];
    const renames = new Map([
      ["group_id", "prompt"],
      ["ref_ppl", ""],
    ]);
    expect(checkColumns(columns, NEEDS, "f", renames)).toEqual([
      ask("group_id", "key"),
      ask("action", "key"),
      ask("ppl", "number"),
    ]);
    expect(sourceName("group_id", renames)).toBe("prompt");
    expect(sourceName("action", renames)).toBe("action");
    expect(sourceName("ref_ppl", renames)).toBe("");
  });

  it("names problems of renamed columns by the file's names", () => {
    const columns = [ID, ACTION, found("p", "utf8", "text")];
    expect(problems(columns, new Map([["ppl", "p"]]))).toEqual(["column p: expected float64, found utf8"]);
    expect(problems([ACTION, PPL], new Map([["group_id", ""]]))).toEqual([
      "missing column group_id (utf8 or int)",
    ]);
    expect(problems([ID, ACTION, PPL], new Map([["answer", "reply"]]))).toEqual([
      "missing column reply (given as answer=reply)",
    ]);
  });

  it("reads a column whole when one of its needs wants more than a fallback", () => {
    const messages = ask("messages", "json");
    const needs: ColumnNeeds = {
      required: [[{ ...messages, fallbackFor: "response" }], [messages]],
      optional: [{ ...messages, fallbackFor: "response" }],
    };
    expect(checkColumns([found("messages", "utf8", "text", "json")], needs, "f")).toEqual([messages]);
  });

  it("returns columns that are there, as kinds that they have, or throws", () => {
    const kind = fc.constantFrom<ColumnKind>("number", "text", "key", "list", "json");
    const name = fc.constantFrom("a", "b", "c", "d");
    const columns = fc.uniqueArray(fc.record({ name, type: fc.constant("t"), kinds: fc.uniqueArray(kind) }), {
      selector: (column) => column.name,
    });
    const requests = fc.array(fc.record({ name, kind }), { maxLength: 3 });
    const needs = fc.record({ required: fc.array(requests, { maxLength: 3 }), optional: requests });
    fc.assert(
      fc.property(columns, needs, (present, wanted) => {
        let chosen: ColumnRequest[];
        try {
          chosen = checkColumns(present, wanted, "f");
        } catch (error) {
          expect(error).toBeInstanceOf(CalibrantError);
          return;
        }
        const names = chosen.map((request) => request.name);
        expect(new Set(names).size).toBe(names.length);
        for (const request of chosen) {
          expect(present.find((column) => column.name === request.name)?.kinds).toContain(request.kind);
        }
        for (const alternatives of wanted.required) {
          expect(alternatives.some((request) => names.includes(request.name))).toBe(true);
        }
      }),
    );
  });
});
