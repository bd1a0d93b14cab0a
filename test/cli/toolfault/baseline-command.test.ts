import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type BaselineOptions, baselineCommand } from "../../../src/cli/toolfault/baseline-command.ts";
import { row } from "../../metrics/toolfault/sample-items.ts";
import { fileMaker } from "../input/input-files.ts";
import { outputOf } from "./captured-output.ts";

const input = fileMaker()("items.jsonl", `${JSON.stringify(row())}\n${JSON.stringify(row({ id: "b" }))}\n`);
const options: BaselineOptions = {
  files: [input],
  columns: new Map(),
  name: "oracle",
  output: null,
  quiet: true,
};
const LINES = `{"id":"a","fault_type":"timeout","next_action":"retry_same"}
{"id":"b","fault_type":"timeout","next_action":"retry_same"}
`;

describe("baselineCommand", () => {
  it("writes predictions on standard output, or whole into a file", async () => {
    expect(await outputOf(() => baselineCommand(options))).toBe(LINES);
    expect(await outputOf(() => baselineCommand({ ...options, output: "-" }))).toBe(LINES);
    const output = join(dirname(input), "oracle.jsonl");
    expect(await outputOf(() => baselineCommand({ ...options, output }))).toBe("");
    expect(readFileSync(output, "utf8")).toBe(LINES);
    expect(readdirSync(dirname(input)).sort()).toEqual(["items.jsonl", "oracle.jsonl"]);
  });

  it("refuses to overwrite the items, and a folder that is not there", async () => {
    await expect(baselineCommand({ ...options, output: input })).rejects.toThrow("is one of the inputs");
    const output = join(dirname(input), "none", "x.jsonl");
    await expect(baselineCommand({ ...options, output })).rejects.toThrow(
      `cannot write ${output}: there is no folder`,
    );
  });
});
