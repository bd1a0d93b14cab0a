import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { parseEvaluation } from "../../src/report/render/evaluation-json.ts";
import { binaryRows, jsonLines, reportRows } from "./report-rows.ts";
import { CLI, temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();
const path = (name: string): string => join(folder, name);
const ROWS = reportRows(10);
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

interface Watch {
  readonly stderr: () => string;
  readonly stdout: () => string;
  /** Sends a signal and gives the exit status. */
  readonly stop: (signal: NodeJS.Signals) => Promise<number | null>;
  readonly status: Promise<number | null>;
}

function watch(files: readonly string[], ...args: string[]): Watch {
  const fast = ["--resamples", "0", "--permutations", "0", "--watch", "--watch-interval", "0.05"];
  const child = spawn(process.execPath, [CLI, "report", ...files, ...fast, ...args], { stdio: "pipe" });
  children.push(child);
  let stderr = "";
  let stdout = "";
  child.stderr.on("data", (piece) => {
    stderr += piece;
  });
  child.stdout.on("data", (piece) => {
    stdout += piece;
  });
  const status = new Promise<number | null>((resolve) => child.on("close", resolve));
  return {
    stderr: () => stderr,
    stdout: () => stdout,
    status,
    stop(signal) {
      child.kill(signal);
      return status;
    },
  };
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 30));
}

const rowsIn = async (file: string): Promise<number> =>
  existsSync(file) ? (await parseEvaluation(readFileSync(file, "utf8"))).overall.rows : 0;

describe("--watch", () => {
  it("makes the report again when a file grows and when another matches, and ends on a signal", async () => {
    const [json, html] = [path("grows.json"), path("grows.html")];
    writeFileSync(path("grows-1.jsonl"), jsonLines(ROWS.slice(0, 40)));
    const watched = watch([path("grows-*.jsonl")], "-o", json, "-o", html);
    await until(async () => (await rowsIn(json)) === 40);
    expect(readFileSync(html, "utf8").includes(`<body data-refresh="0.05">`)).toBe(true);
    appendFileSync(path("grows-1.jsonl"), jsonLines(ROWS.slice(40, 80)));
    await until(async () => (await rowsIn(json)) === 80);
    writeFileSync(path("grows-2.jsonl"), jsonLines(ROWS.slice(80)));
    await until(async () => (await rowsIn(json)) === 120);
    await until(() => watched.stderr().trimEnd().split("\n").length === 3);
    expect(watched.stderr()).toContain(`calibrant: 120 rows reported in ${json}, ${html}\n`);
    expect(await watched.stop("SIGINT")).toBe(130);
  });

  it("keeps the last report while a line is half written", async () => {
    const [file, json] = [path("half.jsonl"), path("half.json")];
    writeFileSync(file, jsonLines(ROWS.slice(0, 40)));
    const watched = watch([file], "-o", json, "--quiet");
    await until(async () => (await rowsIn(json)) === 40);
    const line = jsonLines([ROWS[40] ?? {}]);
    appendFileSync(file, line.slice(0, 20));
    await until(() => watched.stderr() !== "");
    expect(watched.stderr()).toMatch(
      /^calibrant: .*half\.jsonl:41: not valid JSON: [^\n]*; the last report is kept, and the inputs are read again when they change\n$/,
    );
    expect(await rowsIn(json)).toBe(40);
    appendFileSync(file, line.slice(20));
    await until(async () => (await rowsIn(json)) === 41);
    expect(await watched.stop("SIGTERM")).toBe(143);
  });

  it.each(["stream", "file", "parquet"] as const)(
    "waits for the end of an Arrow %s or Parquet",
    async (format) => {
      const [file, json] = [path(`end.${format}`), path(`end-${format}.json`)];
      const bytes = await binaryRows(format, ROWS);
      writeFileSync(file, bytes.subarray(0, bytes.length - 30));
      const watched = watch([file], "-o", json, "--quiet");
      await until(() => watched.stderr() !== "");
      expect(watched.stderr()).toContain("there is no report yet");
      appendFileSync(file, bytes.subarray(bytes.length - 30));
      await until(async () => (await rowsIn(json)) === 120);
      writeFileSync(path(`new.${format}`), await binaryRows(format, ROWS.slice(0, 60)));
      renameSync(path(`new.${format}`), file);
      await until(async () => (await rowsIn(json)) === 60);
    },
  );

  it("prints a report a line with --json, and what --fail-if finds each time", async () => {
    const file = path("lines.jsonl");
    writeFileSync(file, jsonLines(ROWS.slice(0, 40)));
    const watched = watch([file], "--json", "--fail-if", "iou >= 0");
    await until(() => watched.stdout().split("\n").length === 2);
    appendFileSync(file, jsonLines(ROWS.slice(40)));
    await until(() => watched.stdout().split("\n").length === 3 && watched.stderr().split("\n").length === 3);
    const rows = watched
      .stdout()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).overall.rows);
    expect(rows).toEqual([40, 120]);
    expect(watched.stderr()).toMatch(
      /^(calibrant: --fail-if "iou >= 0" is true for all rows \(iou [\d.]+\)\n){2}$/,
    );
    expect(await watched.stop("SIGINT")).toBe(130);
  });

  it("ends at once with a column or file that is missing from the start", async () => {
    writeFileSync(path("other.jsonl"), '{"a":1}\n');
    const watched = watch([path("other.jsonl")], "-o", path("other.html"));
    expect(await watched.status).toBe(1);
    expect(watched.stderr()).toMatch(/^calibrant: .*missing column ppl[^\n]*\n$/);
    expect(await watch([path("none.jsonl")], "-o", path("none.html")).status).toBe(1);
    expect(existsSync(path("none.html"))).toBe(false);
  });
});
