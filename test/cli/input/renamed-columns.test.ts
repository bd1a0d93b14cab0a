import { describe, expect, it } from "vitest";
import { renamedColumns } from "../../../src/cli/input/renamed-columns.ts";
import type { FoundColumn } from "../../../src/data/columns.ts";

const column = (name: string, type = "double"): FoundColumn => ({ name, type, kinds: ["number"] });
const words = (columns: readonly FoundColumn[]): string[] =>
  columns.map(({ name, type }) => `${name}: ${type}`);
const FOUND = [column("ppl"), column("perplexity", "float"), column("ok", "bool")];

describe("renamedColumns", () => {
  it("shows a column under the job's name too, in place of one that has it", () => {
    expect(words(renamedColumns(FOUND, new Map([["ppl", "perplexity"]])))).toEqual([
      "perplexity: float",
      "ok: bool",
      "ppl: float",
    ]);
    expect(words(renamedColumns(FOUND, new Map([["correct", "ok"]]))).at(-1)).toBe("correct: bool");
  });

  it("hides a column that is read from nowhere, and leaves out one that is not there", () => {
    expect(words(renamedColumns(FOUND, new Map([["ppl", ""]])))).toEqual(["perplexity: float", "ok: bool"]);
    expect(words(renamedColumns(FOUND, new Map([["x", "none"]])))).toEqual(words(FOUND));
    expect(renamedColumns(FOUND, new Map())).toEqual(FOUND);
  });
});
