import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TABLE_OUTPUT_OPTIONS, tableOutputOptions } from "../../../src/cli/tables/table-output-options.ts";
import { checkTableOutputs, writeTableDocument } from "../../../src/cli/tables/write-table-document.ts";
import { renderTablesHtml } from "../../../src/report/tables/render-tables-html.ts";
import { renderTablesMarkdown } from "../../../src/report/tables/render-tables-markdown.ts";
import { renderTablesTerminal } from "../../../src/report/tables/render-tables-terminal.ts";
import { sampleDocument } from "../../report/tables/sample-document.ts";

const DOCUMENT = sampleDocument();
const RESULT = { joint: 0.1625, missing: null, ratio: Number.NaN, bound: Number.NEGATIVE_INFINITY };
const JSON_TEXT = `{\n  "joint": 0.1625,\n  "missing": null,\n  "ratio": "NaN",\n  "bound": "-Infinity"\n}\n`;
const NONE = { outputs: [], format: null, json: false, quiet: false, inputs: [] } as const;

let folder = "";
let printed = "";
const at = (name: string): string => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "calibrant-tables-"));
  printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

describe("writeTableDocument", () => {
  it("prints tables when nothing else was asked for", async () => {
    await writeTableDocument(DOCUMENT, RESULT, NONE);
    expect(printed).toBe(renderTablesTerminal(DOCUMENT));
  });

  it.each([
    [{ ...NONE, quiet: true }, ""],
    [{ ...NONE, json: true, quiet: true }, JSON_TEXT],
    [{ ...NONE, format: "md" as const, quiet: true }, renderTablesMarkdown(DOCUMENT)],
    [{ ...NONE, outputs: ["-"], format: "json" as const }, JSON_TEXT],
  ])("%o", async (options, expected) => {
    await writeTableDocument(DOCUMENT, RESULT, options);
    expect(printed).toBe(expected);
  });

  it("writes each file in the format of its name, and nothing on standard output", async () => {
    const outputs = [at("a.html"), at("b.md"), at("c.json"), at("d")];
    await writeTableDocument(DOCUMENT, RESULT, { ...NONE, outputs, format: "json" });
    const page = await renderTablesHtml(DOCUMENT);
    expect(outputs.map((path) => readFileSync(path, "utf8"))).toEqual([
      page,
      renderTablesMarkdown(DOCUMENT),
      JSON_TEXT,
      JSON_TEXT,
    ]);
    expect(readdirSync(folder)).toHaveLength(4);
    expect(printed).toBe("");
  });

  it("leaves all files as they were when one cannot be made", async () => {
    writeFileSync(at("a.md"), "old");
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const outputs = [at("a.md"), at("b.json")];
    await expect(writeTableDocument(DOCUMENT, circular, { ...NONE, outputs })).rejects.toThrow("circular");
    expect(readdirSync(folder)).toEqual(["a.md"]);
    expect(readFileSync(at("a.md"), "utf8")).toBe("old");
    expect(printed).toBe("");
  });
});

describe("checkTableOutputs", () => {
  it.each([
    [{ ...NONE, outputs: ["-"], format: "md" as const, json: true }, "usage", "--json and -o - both write"],
    [{ ...NONE, format: "md" as const, json: true }, "usage", "--json and --format md both write"],
    [{ ...NONE, outputs: ["a.md", "./a.md"] }, "usage", "an output was given twice: ./a.md"],
    [{ ...NONE, outputs: ["a.md"], inputs: ["./a.md"] }, "usage", "the output a.md is one of the inputs"],
    [{ ...NONE, outputs: ["a.csv"] }, "usage", "output format unknown"],
    [{ ...NONE, outputs: ["-"] }, "usage", "standard output needs a format"],
    [
      { ...NONE, outputs: ["/nowhere/at/all.md"] },
      "io",
      "cannot write /nowhere/at/all.md: there is no folder",
    ],
  ])("refuses %o", async (options, code, message) => {
    const refusal = expect.objectContaining({ code, message: expect.stringContaining(message) });
    await expect(checkTableOutputs(options)).rejects.toEqual(refusal);
    await expect(writeTableDocument(DOCUMENT, RESULT, options)).rejects.toEqual(refusal);
    expect(printed).toBe("");
  });

  it("leaves nothing behind, and old files as they were", async () => {
    writeFileSync(at("a.md"), "old");
    await checkTableOutputs({ ...NONE, outputs: [at("a.md"), at("b.html")] });
    expect(readdirSync(folder)).toEqual(["a.md"]);
    expect(readFileSync(at("a.md"), "utf8")).toBe("old");
  });
});

describe("TABLE_OUTPUT_OPTIONS", () => {
  it("are read into options", () => {
    const program = TABLE_OUTPUT_OPTIONS.reduce(
      (command, option) => command.addOption(option()),
      new Command(),
    );
    const flags = program.parse(["-o", "a.md", "--output", "b.html", "--format", "json"], { from: "user" });
    expect(tableOutputOptions(flags.opts(), ["in.jsonl"])).toEqual({
      outputs: ["a.md", "b.html"],
      format: "json",
      json: false,
      quiet: false,
      inputs: ["in.jsonl"],
    });
    const bare = tableOutputOptions({ json: true, quiet: true }, []);
    expect(bare).toEqual({ ...NONE, json: true, quiet: true });
  });
});
