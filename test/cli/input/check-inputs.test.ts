import { describe, expect, it } from "vitest";
import { checkInputs, renamePairs, taskSource } from "../../../src/cli/input/check-inputs.ts";
import type { RunInput } from "../../../src/cli/input/run-input.ts";
import type { ColumnNeeds, FoundColumn } from "../../../src/data/columns.ts";

const NEEDS: ColumnNeeds = {
  required: [[{ name: "ppl", kind: "number" }]],
  optional: [
    { name: "group_id", kind: "key" },
    { name: "weight", kind: "number" },
  ],
};
const FOUND: readonly FoundColumn[] = [
  { name: "ppl", type: "double", kinds: ["number", "json"] },
  { name: "prompt", type: "utf8", kinds: ["text", "key"] },
];

function input(name: string, format: RunInput["format"]): RunInput {
  const none = (): AsyncIterable<Uint8Array> => (async function* () {})();
  return { name, format, path: name, peek: none, bytes: none };
}

describe("checkInputs", () => {
  it("finds the columns that are there in every input, under the job's names", () => {
    const inputs = [input("a", "arrow"), input("b", "parquet")];
    const checked = checkInputs(inputs, [FOUND, FOUND], NEEDS, new Map([["group_id", "prompt"]]));
    expect(checked.map(({ present }) => present.map(({ name }) => name))).toEqual([
      ["ppl", "group_id"],
      ["ppl", "group_id"],
    ]);
  });

  it("names the input that lacks a column", () => {
    const inputs = [input("a", "arrow"), input("b", "arrow")];
    expect(() => checkInputs(inputs, [FOUND, []], NEEDS, new Map())).toThrow(
      /^b: missing column ppl \(float64\)/,
    );
  });

  it("refuses a name of --columns that nothing reads", () => {
    expect(() => checkInputs([], [], NEEDS, new Map([["pll", "ppl"]]))).toThrow(
      expect.objectContaining({
        code: "usage",
        message: "--columns: nothing reads pll; read are ppl, group_id, weight",
      }),
    );
  });
});

describe("taskSource", () => {
  const renames = new Map([
    ["group_id", "prompt"],
    ["weight", ""],
  ]);

  it("reads what is there from files with a schema", () => {
    const [checked] = checkInputs([input("a", "arrow")], [FOUND], NEEDS, renames);
    expect(taskSource(checked as NonNullable<typeof checked>, NEEDS, renames, ["reward"])).toEqual({
      name: "a",
      requests: [NEEDS.required[0]?.[0], NEEDS.optional[0]],
      renames: [["group_id", "prompt"]],
      added: [],
    });
  });

  it("reads all that may come in later lines of JSONL, but not what is ignored", () => {
    const [checked] = checkInputs([input("a", "jsonl")], [FOUND], NEEDS, new Map([["weight", ""]]));
    const source = taskSource(checked as NonNullable<typeof checked>, NEEDS, new Map([["weight", ""]]), [
      "reward",
    ]);
    expect(source.requests.map(({ name }) => name)).toEqual(["ppl", "group_id"]);
    expect(source.added).toEqual(["reward"]);
  });
});

describe("renamePairs", () => {
  it("holds names that differ", () => {
    const renames = new Map([
      ["a", "b"],
      ["c", "c"],
      ["d", ""],
    ]);
    expect(renamePairs(renames)).toEqual([["a", "b"]]);
  });
});
