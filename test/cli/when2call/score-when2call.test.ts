import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { defineWhen2Call } from "../../../src/cli/when2call.ts";
import { when2callMetrics } from "../../../src/metrics/when2call/when2call-metrics.ts";

const folder = mkdtempSync(join(tmpdir(), "when2call-"));
const file = (name: string): string => join(folder, name);
const items = Array.from({ length: 6 }, (_, i) => ({
  uuid: `q${i}`,
  question: "?",
  correct_answer: ["tool_call", "request_for_info", "cannot_answer"][i % 3] as string,
  tools: i === 5 ? [] : ['{"name": "f"}'],
  answers: {
    direct: "d".repeat(30),
    tool_call: "t".repeat(40),
    request_for_info: "r".repeat(50),
    cannot_answer: "c".repeat(60),
  },
  source: i < 4 ? "live" : "simple",
}));
const logprobs = items.map(({ uuid }, i) => ({
  id: uuid,
  verdict: { direct: -30, tool_call: -20 - i, request_for_info: -25, cannot_answer: i === 5 ? -99 : -24 },
}));
const lines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/** Runs the command and returns what it printed. */
async function run(...words: readonly string[]): Promise<string> {
  const written: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  const program = new Command("calibrant").exitOverride().configureOutput({ writeErr: () => undefined });
  defineWhen2Call(program, ["node", "calibrant", "when2call"]);
  for (const command of program.commands) {
    command.copyInheritedSettings(program);
    for (const inner of command.commands) inner.copyInheritedSettings(program);
  }
  await program.parseAsync(["node", "calibrant", "when2call", "score", ...words]);
  return written.join("");
}

beforeAll(() => {
  writeFileSync(file("items.jsonl"), lines(items));
  writeFileSync(file("one.jsonl"), lines(logprobs.slice(0, 2)));
  writeFileSync(file("two.jsonl"), lines(logprobs.slice(2)));
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe("calibrant when2call score", () => {
  const common = (): string[] => ["--items", file("items.jsonl"), "--columns", "logprobs=verdict"];

  it("gives the numbers of the library over several files, as JSON and as documents", async () => {
    const options = ["--classes", "4", "--fdar", "gold_tool_call", "--by", "source,has_tools", "--seed", "5"];
    const printed = await run(
      file("one.jsonl"),
      file("two.jsonl"),
      ...common(),
      ...options,
      "--json",
      "-o",
      file("out.md"),
    );
    const renamed = logprobs.map(({ id, verdict }) => ({ id, logprobs: verdict }));
    const expected = when2callMetrics(renamed, items, {
      classes: 4,
      fdarDenominator: "gold_tool_call",
      by: ["source", "has_tools"],
      seed: 5,
    });
    expect(JSON.parse(printed)).toEqual(JSON.parse(JSON.stringify(expected)));
    expect(expected.slices.map(({ values }) => values)).toEqual([
      { source: "live", has_tools: "true" },
      { source: "simple", has_tools: "false" },
      { source: "simple", has_tools: "true" },
    ]);
    expect(readFileSync(file("out.md"), "utf8")).toContain("acc\\_norm");
    const tables = await run(file("one.jsonl"), file("two.jsonl"), ...common(), "--decision", "acc");
    expect(tables).toMatch(/^When2Call\n.* % acc_norm/);
    expect(tables).toContain("macro-F1 classes: 3");
  });

  it.each([
    [["--by", "sauce"], "option", /by: no item has the column/],
    [["--level", "2"], "option", /level must be between/],
    [["-o", "x.txt"], "usage", /x\.txt/],
    [["--columns", "label="], "schema", /^.*one.jsonl: missing column label/],
    [["--classes", "5"], "commander.invalidArgument", /Allowed choices are 3, 4/],
  ])("refuses %j in one line", async (words, code, message) => {
    const failure = await run(
      file("one.jsonl"),
      "--items",
      file("items.jsonl"),
      "--columns",
      "logprobs=verdict",
      ...words,
    ).catch((error) => error);
    expect(failure.message).toMatch(message);
    expect(failure.message).not.toContain("\n");
    expect(failure.code).toBe(code);
  });

  it("names the ids that do not fit, and needs the items", async () => {
    writeFileSync(
      file("odd.jsonl"),
      lines([
        { id: "q0", label: "direct" },
        { id: "q0", label: "direct" },
        { id: "zz", label: "ask" },
      ]),
    );
    await expect(run(file("odd.jsonl"), "--items", file("items.jsonl"))).rejects.toThrow(/: zz; .*: q0$/);
    await expect(run(file("odd.jsonl"))).rejects.toMatchObject({
      code: "commander.missingMandatoryOptionValue",
    });
    writeFileSync(file("bad.jsonl"), lines([items[0], { ...items[1], correct_answer: "perhaps" }]));
    await expect(
      run(file("one.jsonl"), ...["--items", file("bad.jsonl")], "--columns", "logprobs=verdict"),
    ).rejects.toThrow(/bad\.jsonl:2: correct_answer: expected one of/);
  });
});
