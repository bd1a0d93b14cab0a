import { spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CLI, runCli, SAMPLE, temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();
const sample = readFileSync(SAMPLE, "utf8");
const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

/** One line on standard error, no stack, nothing on standard output. */
async function failure(
  args: readonly string[],
  input?: string | Uint8Array,
): Promise<{ status: number | null; line: string }> {
  const result = await runCli(["score", ...args, "--quiet"], input);
  expect(result.stdout.toString()).toBe("");
  expect(result.stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(result.stderr).not.toMatch(/\n\s+at /);
  return { status: result.status, line: result.stderr.trimEnd() };
}

describe("bad input is one clear line", () => {
  it("lists every missing and mistyped column at once", async () => {
    const path = file("columns.jsonl", '{"gt_action": 3, "logprobs": "no", "prompt": "x"}\n');
    const { status, line } = await failure([path]);
    expect(status).toBe(1);
    expect(line).toContain(`${path}: `);
    expect(line).toContain("missing column group_id (utf8 or int)");
    expect(line).toContain("missing column action (utf8) or response (utf8) or messages");
    expect(line).toContain("column logprobs: expected list<float32/64>, found utf8");
    expect(line).toContain("--columns");
  });

  it("names file and line of broken JSON", async () => {
    const lines = sample.trimEnd().split("\n");
    const path = file(
      "broken.jsonl",
      [...lines.slice(0, 6), '{"group_id": "x", ', ...lines.slice(6)].join("\n"),
    );
    const { status, line } = await failure([path, "--jobs", "2"]);
    expect(status).toBe(1);
    expect(line).toContain(`${path}:7:`);
  });

  it("names the line of a value of the wrong type", async () => {
    const lines = sample.trimEnd().split("\n");
    const broken = JSON.stringify({ ...JSON.parse(lines[2] as string), logprobs: "abc" });
    const path = file("type.jsonl", [...lines.slice(0, 2), broken, ...lines.slice(3)].join("\n"));
    const { status, line } = await failure([path]);
    expect(status).toBe(1);
    expect(line).toMatch(/logprobs: expected list<float32\/64>/);
  });

  it("says that a file is empty", async () => {
    expect(await failure([file("empty.jsonl", "")])).toEqual({
      status: 1,
      line: `calibrant: ${join(folder, "empty.jsonl")} is empty`,
    });
    expect((await failure([file("blank.jsonl", "\n\n")])).line).toContain("is empty");
    expect((await failure(["-"], "")).line).toBe("calibrant: <stdin> is empty");
  });

  it("says that a file does not exist, or a pattern matches nothing", async () => {
    expect(await failure([join(folder, "none.jsonl")])).toMatchObject({ status: 1 });
    expect((await failure([join(folder, "none-*.jsonl")])).line).toContain("no file matches");
    expect((await failure([folder])).line).toContain("it is a folder");
  });

  it.each([
    ["--reward", "trsut"],
    ["--tau", "0"],
    ["--tau", "-1"],
    ["--tau", "abc"],
    ["--min-std", "-1"],
    ["--jobs", "0"],
    ["--turns", "all"],
    ["--reward", "trust +"],
    ["--reward", "0.5*trsut"],
    ["--format", "csv"],
    ["--from", "nowhere"],
    ["--nonsense", "x"],
  ])("refuses %s %s with status 2", async (option, value) => {
    const result = await runCli(["score", SAMPLE, option, value]);
    expect(result.status).toBe(2);
    expect(result.stderr).not.toMatch(/\n\s+at /);
  });

  it("lists known names for an unknown reward and in a formula", async () => {
    expect((await failure([SAMPLE, "--reward", "trsut"])).line).toContain(
      "known: trust, trust-released, bench2robust",
    );
    expect((await failure([SAMPLE, "--reward", "0.5*trsut"])).line).toContain("trust");
  });

  it("refuses columns that would be written twice, and names the way out", async () => {
    const path = file("again.jsonl", sample.replaceAll('"rollout_id"', '"reward":1,"rollout_id"'));
    const { status, line } = await failure([path, "-o", join(folder, "again-out.jsonl")]);
    expect(status).toBe(1);
    expect(line).toContain("already has reward");
    expect(line).toContain("--prefix");
    const retry = await runCli([
      "score",
      path,
      "-o",
      join(folder, "again-out.jsonl"),
      "--prefix",
      "new_",
      "--quiet",
    ]);
    expect(retry.status).toBe(0);
    expect(readFileSync(join(folder, "again-out.jsonl"), "utf8")).toContain('"new_reward":');
  });

  it("refuses an output path that cannot be written before it reads a row", async () => {
    const { status, line } = await failure([SAMPLE, "-o", join(folder, "no/such/folder/out.jsonl")]);
    expect(status).toBe(1);
    expect(line).toContain("cannot write");
    mkdirSync(join(folder, "taken.jsonl"));
    expect((await failure([SAMPLE, "-o", join(folder, "taken.jsonl")])).line).toContain("it is a folder");
    expect((await failure([SAMPLE, "-o", join(folder, "out.csv")])).status).toBe(2);
  });

  it("refuses a name in --columns that nothing reads, and one given twice", async () => {
    const { status, line } = await failure([SAMPLE, "--columns", "goup_id=group_id"]);
    expect(status).toBe(2);
    expect(line).toContain("nothing reads goup_id");
    expect((await failure([SAMPLE, "--columns", "group_id=a,group_id=b"])).status).toBe(2);
  });

  it("names the line of a column to be added that only a later row has", async () => {
    const lines = Array.from({ length: 4000 }, () => sample.split("\n")[0] as string);
    const late = `${(lines[0] as string).slice(0, -1)},"margin":1}`;
    const path = file("late-margin.jsonl", [...lines, late].join("\n"));
    const { status, line } = await failure([path, "-o", join(folder, "late-margin-out.jsonl")]);
    expect(status).toBe(1);
    expect(line).toContain(`${path}:4001: already has margin`);
  });

  it("ends when its pipe stays open", async () => {
    const child = spawn(process.execPath, [CLI, "score", "-", "--quiet"]);
    child.stdin.write("these bytes are no rollouts");
    const status = await new Promise((resolve) => child.on("close", resolve));
    expect(status).toBe(1);
  });

  it("names the group that comes back in a pipe", async () => {
    const lines = sample.trimEnd().split("\n");
    const scattered = [...lines.slice(0, 12), lines[0]].join("\n");
    const { status, line } = await failure(["-", "-o", join(folder, "pipe.jsonl")], scattered);
    expect(status).toBe(1);
    expect(line).toContain("group_id desk-0 comes back at row 12");
  });
});

describe("nothing is lost", () => {
  it("leaves the old file whole and no temporary file when a run fails late", async () => {
    const output = join(folder, "kept.jsonl");
    writeFileSync(output, "old\n");
    const lines = sample.trimEnd().split("\n");
    const path = file("late.jsonl", [...lines, "{"].join("\n"));
    expect((await failure([path, "-o", output])).status).toBe(1);
    expect(readFileSync(output, "utf8")).toBe("old\n");
    expect(readdirSync(folder).filter((name) => name.includes("kept.jsonl"))).toEqual(["kept.jsonl"]);
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("removes the temporary file on %s", async (signal) => {
    const output = join(folder, `stopped-${signal}.jsonl`);
    const child = spawn(process.execPath, [CLI, "score", "-", "-o", output, "--quiet"]);
    child.stdin.on("error", () => undefined);
    child.stdin.write(sample);
    const temporaries = (): string[] =>
      readdirSync(folder).filter((name) => name.startsWith(`.stopped-${signal}`));
    while (temporaries().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill(signal);
    const status = await new Promise((resolve) => child.on("close", resolve));
    expect(status).toBe({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal]);
    expect(temporaries()).toEqual([]);
  });

  it.skipIf(!existsSync("/dev/full"))("says in one line that standard output is full", async () => {
    const full = openSync("/dev/full", "w");
    const child = spawn(process.execPath, [CLI, "score", SAMPLE, "-o", "-", "--quiet"], {
      stdio: ["ignore", full, "pipe"],
    });
    const pieces: Buffer[] = [];
    child.stderr?.on("data", (piece: Buffer) => pieces.push(piece));
    const status = await new Promise((resolve) => child.on("close", resolve));
    closeSync(full);
    expect(status).toBe(1);
    expect(Buffer.concat(pieces).toString().trimEnd()).toMatch(
      /^calibrant: cannot write standard output: .*ENOSPC[^\n]*$/,
    );
  });

  it("leaves the old file whole when the process is killed in the middle", async () => {
    const output = join(folder, "killed.jsonl");
    writeFileSync(output, "old\n");
    const child = spawn(process.execPath, [CLI, "score", "-", "-o", output, "--quiet"]);
    child.stdin.on("error", () => undefined);
    child.stdin.write(sample);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    child.kill("SIGKILL");
    await new Promise((resolve) => child.on("close", resolve));
    expect(readFileSync(output, "utf8")).toBe("old\n");
  });
});
