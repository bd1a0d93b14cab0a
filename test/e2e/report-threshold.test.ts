import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { jsonLines, reportRows } from "./report-rows.ts";
import { type CliResult, runCli, temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();
const path = (name: string): string => join(folder, name);
const ROWS = reportRows(200);
writeFileSync(path("rows.jsonl"), jsonLines(ROWS));

function report(file: string, ...args: string[]): Promise<CliResult> {
  return runCli([
    "report",
    path(file),
    "--by",
    "checkpoint",
    "--resamples",
    "200",
    "--permutations",
    "0",
    ...args,
  ]);
}

describe("--fail-if", () => {
  it("ends with 3 after the outputs are written, and names the slices that fail", async () => {
    const output = path("failing.html");
    const { status, stdout, stderr } = await report("rows.jsonl", "--fail-if", "iou > 0.55", "-o", output);
    expect(stderr).toMatch(/^calibrant: --fail-if "iou > 0\.55" is true for grpo \(iou 0\.[67]\d\d\)\n$/);
    expect(status).toBe(3);
    expect(stdout.toString()).toBe("");
    expect(existsSync(output)).toBe(true);
  });

  it("ends with 0 in silence when no slice fails", async () => {
    const { status, stderr } = await report("rows.jsonl", "--fail-if", "iou > 0.9 or ece > 0.9", "--quiet");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  it("fails when any of several expressions is true", async () => {
    const { status, stderr } = await report(
      "rows.jsonl",
      "--fail-if",
      "iou > 0.5",
      "--fail-if",
      "ece > 0.99",
    );
    expect(stderr).toContain(`--fail-if "(iou > 0.5) or (ece > 0.99)" is true for grpo (`);
    expect(status).toBe(3);
  });

  it("judges differences to the baseline", async () => {
    const compare = ["--compare", "baseline=base", "--quiet"];
    const worse = await report("rows.jsonl", ...compare, "--fail-if", "delta_iou_low > 0");
    const [failing, ...rest] = worse.stderr.split("\n");
    expect(failing).toMatch(
      /^calibrant: --fail-if "delta_iou_low > 0" is true for grpo \(delta_iou_low 0\.\d+\)$/,
    );
    expect(rest).toEqual([""]);
    expect(worse.status).toBe(3);
  });

  it("does not fail on a slice without wrong rows, and names it", async () => {
    const rows = ROWS.map((row) => (row.checkpoint === "base" ? { ...row, correct: true } : row));
    writeFileSync(path("one-class.jsonl"), jsonLines(rows));
    const { status, stderr } = await report("one-class.jsonl", "--fail-if", "iou > 0.9", "--quiet");
    expect(stderr).toMatch(
      /^calibrant: --fail-if "iou > 0.9" cannot be judged for base \(iou missing: [^)]+\)\n$/,
    );
    expect(status).toBe(0);
  });

  it("ends with 1 when no slice can be judged", async () => {
    writeFileSync(path("right.jsonl"), jsonLines(ROWS.map((row) => ({ ...row, correct: true }))));
    const { status, stderr } = await report("right.jsonl", "--fail-if", "iou > 0.9", "--quiet");
    expect(stderr).toMatch(
      /^calibrant: --fail-if "iou > 0.9" cannot be judged for base \(.*grpo \(.*trust \(.*\n$/,
    );
    expect(status).toBe(1);
  });
});
