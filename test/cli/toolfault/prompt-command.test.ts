import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type PromptOptions, promptCommand } from "../../../src/cli/toolfault/prompt-command.ts";
import { toolFaultPrompt, toolFaultPromptHash } from "../../../src/metrics/toolfault/prompt.ts";
import { toolFaultItems } from "../../../src/metrics/toolfault/read-items.ts";
import { SAMPLE_PATH, sampleRows } from "../../metrics/toolfault/sample-items.ts";
import { outputOf } from "./captured-output.ts";

const options: PromptOptions = {
  files: [fileURLToPath(SAMPLE_PATH)],
  columns: new Map(),
  ids: null,
  json: false,
  quiet: false,
};
const printed = (changes: Partial<PromptOptions>): Promise<string> =>
  outputOf(() => promptCommand({ ...options, ...changes }));

describe("promptCommand", () => {
  it("prints a JSON line an item, with version and hash", async () => {
    const lines = (await printed({ json: true })).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      await Promise.all(
        toolFaultItems(sampleRows()).map(async (item) => ({
          id: item.id,
          messages: toolFaultPrompt(item),
          prompt_version: "1",
          prompt_hash: await toolFaultPromptHash(),
        })),
      ),
    );
  });

  it("prints chosen prompts for people, below version and hash", async () => {
    const text = await printed({ ids: ["sample-05", "sample-02"] });
    expect(
      text.startsWith(`prompt version 1, sha256 ${await toolFaultPromptHash()}\n\n--- sample-05, system\n`),
    ).toBe(true);
    expect(text.match(/^--- .*$/gm)).toEqual([
      "--- sample-05, system",
      "--- sample-05, user",
      "--- sample-02, system",
      "--- sample-02, user",
    ]);
    expect(await printed({ ids: ["sample-05", "sample-02"], quiet: true })).toBe(
      text.slice(text.indexOf("---")),
    );
  });

  it("lists ids that no item has", async () => {
    await expect(printed({ ids: ["sample-01", "x", "y"] })).rejects.toThrow("no item has the id x, y");
  });
});
