import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { jsonLines, reportRows } from "./report-rows.ts";
import { CLI, runCli, temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();
const path = (name: string): string => join(folder, name);
const LINES = jsonLines(reportRows(10));
const FAST = ["--resamples", "0", "--permutations", "0"];
writeFileSync(path("rows.jsonl"), LINES);

/** One line on standard error, no stack, nothing on standard output. */
async function failure(
  args: readonly string[],
  input?: string,
): Promise<{ status: number | null; line: string }> {
  const result = await runCli(["report", ...args, ...FAST], input);
  expect(result.stdout.toString()).toBe("");
  expect(result.stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(result.stderr).not.toMatch(/\n\s+at /);
  return { status: result.status, line: result.stderr.trimEnd() };
}

describe("wrong usage is refused with status 2", () => {
  it.each([
    [["--bins", "0"], "--bins"],
    [["--bins", "10", "--edges", "1,2"], "--edges"],
    [["--edges", "2,1"], "edges"],
    [["--edges", "1,x"], "--edges"],
    [["--ece-bins", "x"], "--ece-bins"],
    [["--level", "1"], "level"],
    [["--level", "x"], "--level"],
    [["--scale", "linear"], "--scale"],
    [["--method", "mean"], "--method"],
    [["--resamples", "-1"], "--resamples"],
    [["--plot-format", "gif"], "--plot-format"],
    [["--format", "pdf"], "--format"],
    [["-o", "report"], "output format unknown"],
    [["-o", "-"], "--format html"],
    [["-o", "-", "--format", "json", "--json"], "--json and -o -"],
    [["--watch-interval", "0"], "--watch-interval"],
    [["--compare", "baseline=base"], "--compare needs --by"],
    [["--by", "checkpoint", "--compare", "base"], "--compare"],
    [["--by", "checkpoint", "--compare", "step=1"], "step is not a column of --by"],
    [["--by", "checkpoint,checkpoint"], "by must be"],
    [["--columns", "pll=ppl"], "nothing reads pll"],
    [["--uncertainty", "margin", "--confidence", "exp-nll"], "exp-nll needs perplexities"],
    [["--fail-if", "ioo > 0.5"], "did you mean iou"],
    [["--fail-if", "iou >"], "--fail-if"],
    [["--fail-if", "delta_iou > 0"], "--compare"],
    [["--nonsense"], "see calibrant report --help"],
  ])("%j", async (args, words) => {
    const { status, line } = await failure([path("rows.jsonl"), ...args]);
    expect(line).toContain(words);
    expect(status).toBe(2);
  });

  it("names the help of the command that was meant", async () => {
    expect((await failure([])).line).toBe(
      "calibrant: missing required argument 'files'; see calibrant report --help",
    );
    expect((await runCli(["score"])).stderr).toContain("see calibrant score --help");
    expect((await runCli(["reprot"])).stderr).toContain("see calibrant --help");
  });

  it("refuses standard input together with files, and in a watch", async () => {
    expect((await failure(["-", path("rows.jsonl")], LINES)).line).toContain(
      "standard input (-) is read alone",
    );
    expect(await failure(["-", "--watch", "-o", path("x.html")], LINES)).toMatchObject({ status: 2 });
    expect(await failure([path("rows.jsonl"), "--watch", "-o", "-", "--format", "md"])).toMatchObject({
      status: 2,
    });
  });

  it("refuses an expression before it opens a file", async () => {
    expect(
      await failure([path("none.jsonl"), "--fail-if", "ioo > 1", "-o", path("early.html")]),
    ).toMatchObject({
      status: 2,
    });
    expect(existsSync(path("early.html"))).toBe(false);
  });
});

describe("bad input is one clear line with status 1", () => {
  it("names the values that a baseline may have", async () => {
    const { status, line } = await failure([
      path("rows.jsonl"),
      "--by",
      "checkpoint",
      "--compare",
      "baseline=sft",
    ]);
    expect(line).toContain("sft");
    expect(line).toContain("base, grpo, trust");
    expect(status).not.toBe(0);
  });

  it("lists missing and mistyped columns with their types", async () => {
    writeFileSync(path("columns.jsonl"), '{"prompt":"x","correct":"yes"}\n');
    const { status, line } = await failure([path("columns.jsonl")]);
    expect(status).toBe(1);
    expect(line).toContain(`${path("columns.jsonl")}: missing column ppl (float64) or nll (float64)`);
    expect(line).toContain("column correct: expected bool, found utf8");
    expect((await failure([path("rows.jsonl"), "--by", "run"])).line).toContain("missing column run");
    expect((await failure([path("rows.jsonl"), "--uncertainty", "entropy"])).line).toContain("entropy");
  });

  it.each([
    ['{"ppl":0.5,"correct":true}', "ppl must be at least 1"],
    ['{"ppl":1.5,"correct":2}', "correct must be true, false, 1 or 0, got 2"],
    ['{"ppl":1.5,"correct":true,', "not valid JSON"],
  ])("names file and line of %s", async (last, words) => {
    writeFileSync(path("bad.jsonl"), `${LINES}${last}\n`);
    const { status, line } = await failure([path("bad.jsonl"), "--cluster", "none"]);
    expect(status).toBe(1);
    expect(line).toContain(`${path("bad.jsonl")}:121: `);
    expect(line).toContain(words);
  });

  it("names inputs that are not there or empty", async () => {
    expect(await failure([path("none.jsonl")])).toMatchObject({ status: 1 });
    expect((await failure(["-"], "")).line).toBe("calibrant: <stdin> is empty");
    expect((await failure([path("none-*.jsonl")])).line).toContain("no file matches");
  });
});

describe("outputs appear together or not at all", () => {
  const here = (name: string): string[] => readdirSync(folder).filter((file) => file.includes(name));

  it("when one cannot be written", async () => {
    mkdirSync(path("taken.md"));
    const outputs = ["-o", path("together.html"), "-o", path("taken.md"), "--plots", path("together-plots")];
    expect((await failure([path("rows.jsonl"), ...outputs])).line).toContain("it is a folder");
    expect(
      (await failure([path("rows.jsonl"), "-o", path("together.html"), "--plots", path("no/plots")])).status,
    ).toBe(1);
    expect(here("together")).toEqual([]);
  });

  it("when the input is broken at its end", async () => {
    writeFileSync(path("old.html"), "old");
    writeFileSync(path("late.jsonl"), `${LINES}{`);
    const outputs = ["-o", path("old.html"), "-o", path("late.json"), "--plots", path("late-plots")];
    expect((await failure([path("late.jsonl"), ...outputs])).status).toBe(1);
    expect(readFileSync(path("old.html"), "utf8")).toBe("old");
    expect(here("old.html")).toEqual(["old.html"]);
    expect([here("late.json"), here("late-plots")]).toEqual([["late.jsonl"], []]);
  });

  it.each(["SIGINT", "SIGTERM"] as const)("when %s ends the run", async (signal) => {
    const name = `stopped-${signal}`;
    const child = spawn(process.execPath, [
      ...[
        CLI,
        "report",
        "-",
        "-o",
        path(`${name}.html`),
        "-o",
        path(`${name}.json`),
        "--plots",
        path(`${name}-plots`),
      ],
      ...FAST,
    ]);
    child.stdin.on("error", () => undefined);
    child.stdin.write(LINES);
    while (here(name).length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill(signal);
    const status = await new Promise((resolve) => child.on("close", resolve));
    expect(status).toBe(signal === "SIGINT" ? 130 : 143);
    expect(here(name)).toEqual([]);
  });
});
