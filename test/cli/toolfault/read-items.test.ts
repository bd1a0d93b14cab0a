import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readItems } from "../../../src/cli/toolfault/read-items.ts";
import { toolFaultItems } from "../../../src/metrics/toolfault/read-items.ts";
import { row, SAMPLE_PATH, sampleRows } from "../../metrics/toolfault/sample-items.ts";
import { encoded, fileMaker } from "../input/input-files.ts";

const file = fileMaker();
const none = new Map<string, string>();

describe("readItems", () => {
  it("reads the same items from JSONL, JSON, Arrow and Parquet", async () => {
    const rows = sampleRows();
    const expected = toolFaultItems(rows);
    expect(await readItems([fileURLToPath(SAMPLE_PATH)], none)).toEqual(expected);
    expect(await readItems([file("items.json", JSON.stringify(rows))], none)).toEqual(expected);
    for (const format of ["file", "stream", "parquet"] as const) {
      const path = file(`items.${format}`, await encoded(format, rows, 5));
      expect(await readItems([path], none), format).toEqual(expected);
    }
  });

  it("reads nested lists from JSONL, and columns under other names", async () => {
    const { id, ...rest } = row();
    const path = file("nested.jsonl", `${JSON.stringify({ ...rest, key: id })}\n`);
    expect(await readItems([path], new Map([["id", "key"]]))).toEqual(toolFaultItems([row()]));
  });

  it("reads critical sets that are empty everywhere", async () => {
    const rows = [row({ critical_next_actions: [] }), row({ id: "b", critical_next_actions: [] })];
    for (const format of ["file", "parquet"] as const) {
      const path = file(`empty.${format}`, await encoded(format, rows));
      expect((await readItems([path], none)).map((item) => item.critical_next_actions)).toEqual([[], []]);
    }
  });

  it("names file, line and column of a broken item, and both places of an id across files", async () => {
    const broken = file(
      "broken.jsonl",
      `${JSON.stringify(row())}\n\n${JSON.stringify(row({ id: "b", fault_type: "slow" }))}\n`,
    );
    await expect(readItems([broken], none)).rejects.toThrow(
      `${broken}:3: column fault_type: expected a fault type (none`,
    );
    const parquet = file(
      "broken.parquet",
      await encoded("parquet", [row(), row({ id: "b", next_action: "wait" })]),
    );
    await expect(readItems([parquet], none)).rejects.toThrow(`${parquet}: row 1: column next_action: `);
    const one = file("one.jsonl", JSON.stringify(row()));
    const two = file("two.jsonl", JSON.stringify(row()));
    await expect(readItems([one, two], none)).rejects.toThrow(`more than once: a (again at ${two}:1)`);
    const bare = file("bare.jsonl", '{"id":"a","fault_type":"none"}');
    await expect(readItems([bare], none)).rejects.toThrow(
      /missing column next_action .*missing column messages/,
    );
  });
});
