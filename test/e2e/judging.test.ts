import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  annotation,
  annotations,
  askedRow,
  jsonLines,
  trajectories,
} from "../cli/judging/sample-trajectories.ts";
import { CLI, ROOT, runCli, temporaryFolder } from "./run-cli.ts";
import { type StubServer, type StubStep, startStub } from "./stub-model-server.ts";

const ROWS = 24;
const folder = temporaryFolder();
const rollouts = join(folder, "rollouts.jsonl");
writeFileSync(rollouts, jsonLines(trajectories(ROWS)));

const stubs: StubServer[] = [];
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const stub of stubs.splice(0)) await stub.close();
});

/** What the stub does goes by the row and by how many answers of the conversation were refused. */
async function serve(script: (row: number, refused: number) => StubStep): Promise<StubServer> {
  const stub = await startStub(({ body: { messages } }) =>
    script(askedRow(messages), messages.filter(({ role }) => role === "assistant").length),
  );
  stubs.push(stub);
  return stub;
}

interface Running {
  readonly child: ChildProcess;
  readonly stderr: () => string;
  readonly status: Promise<number | null>;
}

function start(baseUrl: string, output: string): Running {
  const words = [
    "annotate",
    rollouts,
    "--base-url",
    baseUrl,
    "--model",
    "m",
    "-o",
    output,
    "--concurrency",
    "4",
  ];
  const child = spawn(process.execPath, [CLI, ...words], { cwd: ROOT });
  children.push(child);
  let shown = "";
  child.stderr.on("data", (piece) => {
    shown += piece;
  });
  const status = new Promise<number | null>((resolve) => child.on("close", resolve));
  return { child, stderr: () => shown, status };
}

interface Line {
  readonly id: number;
  readonly status: string;
  readonly attempt: number;
}

const linesIn = (file: string): Line[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);

async function untilLines(file: string, count: number): Promise<void> {
  while (!existsSync(file) || linesIn(file).length < count)
    await new Promise((resolve) => setTimeout(resolve, 5));
}

const slow = (text: string): StubStep => ({ kind: "slow", ms: 50, text });
const GOOD = annotations(annotation());

describe("calibrant annotate and judge", () => {
  it("killed with SIGKILL, has every answer in the file and pays for none again", async () => {
    // Every other trajectory needs two answers, so that the kill falls into conversations.
    const stub = await serve((row, refused) => slow(row % 2 === 0 && refused === 0 ? "no" : GOOD));
    const output = join(folder, "killed.jsonl");
    const first = start(stub.baseUrl, output);
    await untilLines(output, 9);
    first.child.kill("SIGKILL");
    expect(await first.status).toBe(null);
    const kept = linesIn(output);
    const before = stub.requests.length;
    const second = start(stub.baseUrl, output);
    expect(await second.status, second.stderr()).toBe(0);
    const lines = linesIn(output);
    expect(lines.slice(0, kept.length)).toEqual(kept);
    const attempts = lines.map(({ id, status, attempt }) => `${id} ${status} ${attempt}`).sort();
    const expected = Array.from({ length: ROWS }, (_, row) =>
      row % 2 === 0 ? [`${row} rejected 1`, `${row} ok 2`] : [`${row} ok 1`],
    );
    expect(attempts).toEqual(expected.flat().sort());
    expect(stub.requests.length - before).toBe(expected.flat().length - kept.length);
    expect(existsSync(`${output}.lock`)).toBe(false);

    const judged = join(folder, "judgements.jsonl");
    const judge = await runCli(["judge", rollouts, "--annotations", output, "-o", judged, "--json"]);
    expect(judge.status, judge.stderr).toBe(0);
    expect(JSON.parse(judge.stdout.toString())).toMatchObject({ turns: ROWS, parsed: ROWS, answers: 0 });
  });

  it("stopped by SIGTERM, waits for answers on the way until told again; wrong usage ends with 2", async () => {
    const stub = await serve((row) => (row < 6 ? slow(GOOD) : { kind: "hang" }));
    const output = join(folder, "stopped.jsonl");
    const running = start(stub.baseUrl, output);
    await untilLines(output, 3);
    running.child.kill("SIGTERM");
    while (!running.stderr().includes("stopping")) await new Promise((resolve) => setTimeout(resolve, 5));
    const asked = stub.requests.length;
    running.child.kill("SIGTERM");
    expect(await running.status).toBe(143);
    expect(stub.requests).toHaveLength(asked);
    expect(running.stderr()).toBe(
      `calibrant: stopping: waiting for 4 answers on the way, once more to stop at once\ncalibrant: stopped with ${linesIn(output).length} of ${ROWS} trajectories annotated: run the same command to go on\n`,
    );
    const patient = await serve((row) => ({ kind: "slow", ms: 100, text: row % 2 === 0 ? GOOD : "no" }));
    const waited = join(folder, "waited.jsonl");
    const waiting = start(patient.baseUrl, waited);
    await untilLines(waited, 2);
    waiting.child.kill("SIGTERM");
    expect(await waiting.status, waiting.stderr()).toBe(143);
    expect(linesIn(waited)).toHaveLength(patient.requests.length);
    const judged = join(folder, "all.jsonl");
    const needed = await runCli(["judge", rollouts, "--turns", "all", "-o", judged]);
    expect([needed.status, needed.stderr]).toEqual([
      2,
      `calibrant: ${ROWS} turns need a model, ${ROWS} do not: give --base-url and --model for the former\n`,
    ]);
    const missing = await runCli(["annotate", rollouts, "-o", judged, "--model", "m"]);
    expect([missing.status, existsSync(judged)]).toEqual([2, false]);
  });
});
