import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { afterAll, describe, expect, it } from "vitest";
import { defineRobustness } from "../../../src/cli/robustness.ts";
import type { RobustnessResult } from "../../../src/metrics/robustness/robustness-result.ts";

const folder = mkdtempSync(join(tmpdir(), "robustness-"));
const runs = join(folder, "runs.jsonl");
execFileSync(process.execPath, [
  fileURLToPath(new URL("../../../examples/make-robustness-runs.mjs", import.meta.url)),
  runs,
]);
afterAll(() => rmSync(folder, { recursive: true }));

async function run(...words: string[]): Promise<void> {
  const program = new Command("calibrant").exitOverride().configureOutput({ writeErr: () => undefined });
  defineRobustness(program, ["node", "calibrant", "robustness"]);
  for (const command of program.commands) command.copyInheritedSettings(program);
  await program.parseAsync(["node", "calibrant", "robustness", ...words]);
}

describe("calibrant robustness", () => {
  it("writes the tables of the example in every format, with one set of numbers", async () => {
    const [json, md, html] = ["json", "md", "html"].map((ending) => join(folder, `out.${ending}`)) as [
      string,
      string,
      string,
    ];
    await run(
      runs,
      "--base",
      "4b",
      "--btm",
      "4b+btm",
      "--rl",
      "4b+rl+btm",
      "--resamples",
      "200",
      "-o",
      json,
      "-o",
      md,
      "-o",
      html,
    );
    const result = JSON.parse(readFileSync(json, "utf8")) as RobustnessResult;
    expect([result.rows, result.gap.length, result.seeds.length, result.byFaultType.length]).toEqual([
      4500, 6, 18, 9,
    ]);
    expect(result.degraded).toMatchObject({ pairs: 6, degraded: 6, beyondNoise: 6 });
    expect(result.gap.every(({ clean }) => clean.interval === "task-bootstrap")).toBe(true);
    expect(result.sensitivity.pClean[0]?.delta?.value).toBeGreaterThan(0.1);
    const headline = /6 of 6 \(model, subset\) pairs pass less under injection/;
    expect(readFileSync(md, "utf8")).toMatch(headline);
    expect(readFileSync(html, "utf8")).toMatch(headline);
  });

  it("reads several files and other column names, and the severity asked for", async () => {
    const lines = readFileSync(runs, "utf8").trimEnd().split("\n");
    const [first, second, out] = ["a.jsonl", "b.jsonl", "c.json"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const renamed = lines.map((line) => line.replace('"task_id"', '"group_id"'));
    writeFileSync(first, `${renamed.slice(0, 1000).join("\n")}\n`);
    writeFileSync(second, `${renamed.slice(1000).join("\n")}\n`);
    await run(
      first,
      second,
      "--columns",
      "task_id=group_id",
      "--setting",
      "p_clean=0.6,k_max=2",
      "--resamples",
      "0",
      "-o",
      out,
    );
    const result = JSON.parse(readFileSync(out, "utf8")) as RobustnessResult;
    expect([result.rows, result.setting]).toEqual([4500, { pClean: 0.6, budget: 5, kMax: 2 }]);
    writeFileSync(second, `${renamed[3]}\n`);
    await expect(run(first, second, "--columns", "task_id=group_id", "--quiet")).rejects.toThrow(
      /^1 row repeats an episode .*task_id "retail-0", seed 4 \(.*a\.jsonl: row 3 and .*b\.jsonl: row 0\)$/,
    );
  });

  it("refuses what cannot be before it reads", async () => {
    await expect(run(runs, "--setting", "p=0.6")).rejects.toThrow(
      "expected numbers for p_clean, budget, k_max, got p=0.6.",
    );
    await expect(run(runs, "--level", "2", "--quiet")).rejects.toThrow("level must be between 0 and 1");
    await expect(run("-", runs)).rejects.toThrow("standard input (-) is read alone, not together with files");
    await expect(run(runs, "--base", "gpt", "--quiet")).rejects.toThrow(
      "systems.base: no row has this model; models present: 4b, 4b+btm, 4b+rl+btm; got gpt",
    );
  });
});
