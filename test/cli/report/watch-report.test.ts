import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createCleanup } from "../../../src/cli/cleanup.ts";
import { createProgress } from "../../../src/cli/input/progress.ts";
import { compileFailIf, type FailIf } from "../../../src/cli/report/fail-if.ts";
import type { ReportRun } from "../../../src/cli/report/make-report.ts";
import type { ReportOptions } from "../../../src/cli/report/report-options.ts";
import { watchedRender } from "../../../src/cli/report/watch-report.ts";
import { CalibrantError, type ErrorCode } from "../../../src/errors.ts";
import type { Evaluation } from "../../../src/report/evaluation.ts";
import { temporaryFolder } from "../../e2e/run-cli.ts";
import { sampleEvaluation } from "../../report/sample-evaluation.ts";

const folder = temporaryFolder();
const SAMPLE = sampleEvaluation();
let lines: string[];

beforeEach(() => {
  lines = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => lines.push(String(text)) > 0);
});
afterEach(() => vi.restoreAllMocks());

/** A watch that writes one JSON file. */
function watch(
  name: string,
  quiet: boolean,
  failIf: FailIf | null = null,
): { run: ReportRun; title: () => string } {
  const path = join(folder, name);
  const options: ReportOptions = {
    files: ["rows.jsonl"],
    from: null,
    columns: new Map(),
    evaluation: {},
    outputs: [path],
    format: null,
    json: false,
    plots: null,
    plotFormat: "svg",
    failIf: null,
    watch: true,
    watchInterval: 1,
    quiet,
  };
  const run: ReportRun = {
    options,
    outputs: { ...options, targets: [{ path, format: "json" }], refreshSeconds: 1 },
    failIf,
    progress: createProgress(true, "reading", () => 0),
    cleanup: createCleanup(),
  };
  return { run, title: () => (JSON.parse(readFileSync(path, "utf8")) as Evaluation).title };
}

const titled =
  (title: string): (() => Promise<Evaluation>) =>
  async () => ({ ...SAMPLE, title });
const failing =
  (code: ErrorCode, message: string): (() => Promise<Evaluation>) =>
  async () => {
    throw new CalibrantError(code, message);
  };

/** Renders once for each way to compute the report, one after the other. */
async function renderAll(run: ReportRun, ways: readonly (() => Promise<Evaluation>)[]): Promise<void> {
  const left = [...ways];
  const render = watchedRender(run, () => (left.shift() as () => Promise<Evaluation>)());
  while (left.length > 0) await render();
}

describe("watchedRender", () => {
  it("waits for a pattern that no file matches yet, but not for a file that is not there", async () => {
    const { run, title } = watch("later.json", true);
    const unmatched = async (): Promise<Evaluation> => {
      throw new CalibrantError("io", "no file matches runs/*.jsonl", { pattern: "runs/*.jsonl" });
    };
    await renderAll(run, [unmatched, titled("first")]);
    expect(lines.join("")).toContain("no file matches runs/*.jsonl; there is no report yet");
    expect(title()).toBe("first");
    const missing = failing("io", "cannot read rows.jsonl: no such file");
    await expect(renderAll(watch("never.json", true).run, [missing])).rejects.toThrow("no such file");
  });

  it("writes the report again and again, and says so", async () => {
    const { run, title } = watch("twice.json", false);
    await renderAll(run, [titled("one"), titled("two")]);
    expect(title()).toBe("two");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^calibrant: [\d,]+ rows reported in .*twice\.json\n$/);
  });

  it("keeps the last report while an input is half written", async () => {
    const { run, title } = watch("kept.json", true);
    await renderAll(run, [titled("one"), failing("data", "rows.jsonl:7: not valid JSON")]);
    expect(title()).toBe("one");
    expect(lines).toEqual([
      "calibrant: rows.jsonl:7: not valid JSON; the last report is kept, and the inputs are read again when they change\n",
    ]);
    await renderAll(run, [titled("three")]);
    expect(title()).toBe("three");
  });

  it("waits for an input that is half written at first", async () => {
    const { run, title } = watch("first.json", true);
    await renderAll(run, [failing("data", "rows.jsonl is empty"), titled("one")]);
    expect(title()).toBe("one");
    expect(lines).toEqual([
      "calibrant: rows.jsonl is empty; there is no report yet, and the inputs are read again when they change\n",
    ]);
  });

  it.each(["schema", "io", "usage", "option"] as const)(
    "ends with a %s error at first, not later",
    async (code) => {
      const { run } = watch(`${code}.json`, true);
      await expect(renderAll(run, [failing(code, "wrong")])).rejects.toMatchObject({ code });
      await renderAll(run, [titled("one"), failing(code, "wrong")]);
      expect(lines).toHaveLength(1);
    },
  );

  it("prints what --fail-if finds, and goes on", async () => {
    const { run, title } = watch("threshold.json", true, await compileFailIf("iou > 0", false));
    await renderAll(run, [titled("one"), titled("two")]);
    expect(title()).toBe("two");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/^calibrant: --fail-if "iou > 0" is true for base \(iou /);
  });
});
