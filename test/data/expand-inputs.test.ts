import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { expandInputs } from "../../src/data/expand-inputs.ts";
import { temporaryFolder } from "../e2e/run-cli.ts";

const folder = temporaryFolder();
const at = (...parts: string[]): string => join(folder, ...parts);
mkdirSync(at("sub"));
for (const name of ["b.jsonl", "a.jsonl", "step-10.jsonl", "step-2.jsonl", ".hidden.jsonl", "x[1].jsonl"])
  writeFileSync(at(name), "{}");
writeFileSync(at("sub", "c.jsonl"), "{}");

describe("expandInputs", () => {
  it("keeps names and their order, and expands patterns sorted by code unit", async () => {
    expect(await expandInputs([at("b.jsonl"), "-", at("step-*.jsonl"), at("a.jsonl")])).toEqual([
      at("b.jsonl"),
      "-",
      at("step-10.jsonl"),
      at("step-2.jsonl"),
      at("a.jsonl"),
    ]);
    expect(await expandInputs([])).toEqual([]);
  });

  it("names what a pattern finds as the pattern does: from the root, or from here", async () => {
    expect(await expandInputs([at("[ab].jsonl")])).toEqual([at("a.jsonl"), at("b.jsonl")]);
    const here = relative(process.cwd(), folder);
    expect(await expandInputs([`${here}/{a,b}.jsonl`])).toEqual([`${here}/a.jsonl`, `${here}/b.jsonl`]);
  });

  it("matches files alone: no folders, no hidden ones, below others only with **", async () => {
    expect(await expandInputs([at("*")])).toEqual(
      ["a.jsonl", "b.jsonl", "step-10.jsonl", "step-2.jsonl", "x[1].jsonl"].map((name) => at(name)),
    );
    expect(await expandInputs([at("**/c.jsonl")])).toEqual([at("sub", "c.jsonl")]);
  });

  it("never takes the name of a file for a pattern", async () => {
    expect(await expandInputs([at("x[1].jsonl")])).toEqual([at("x[1].jsonl")]);
  });

  it.each([
    ["none.jsonl", /^cannot read .*none\.jsonl: no such file$/],
    ["none-*.jsonl", /^no file matches .*none-\*\.jsonl$/],
    ["sub", /^cannot read .*sub: it is a folder; name its files, for example .*sub\/\*\.jsonl$/],
  ])("refuses %s", async (name, message) => {
    await expect(expandInputs([at("a.jsonl"), at(name)])).rejects.toMatchObject({
      code: "io",
      message: expect.stringMatching(message),
    });
  });

  it("refuses a link that leads nowhere", async () => {
    symlinkSync(at("gone.jsonl"), at("dangling"));
    await expect(expandInputs([at("dangling")])).rejects.toThrow("no such file");
  });

  it.skipIf(process.platform === "win32")("refuses what cannot be read twice", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(at("pipe"), resolve));
    try {
      await expect(expandInputs([at("pipe")])).rejects.toMatchObject({
        code: "io",
        message: `cannot read ${at("pipe")}: it is a pipe or device, which is read once; give it on standard input as -`,
      });
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
