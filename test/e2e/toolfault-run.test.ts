import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { askedId, GOOD_TEXT, runItemsText } from "../cli/toolfault/run-items.ts";
import { CLI, ROOT, temporaryFolder } from "./run-cli.ts";
import { type StubServer, type StubStep, startStub } from "./stub-model-server.ts";

const KEY = "sk-secret-0123456789";
const ITEMS = 30;
const folder = temporaryFolder();
const dataset = join(folder, "items.jsonl");
writeFileSync(dataset, runItemsText(ITEMS));

const stubs: StubServer[] = [];
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const stub of stubs.splice(0)) await stub.close();
});

async function serve(script: (id: string) => StubStep): Promise<StubServer> {
  const stub = await startStub(({ body }) => script(askedId(body.messages)));
  stubs.push(stub);
  return stub;
}

interface Running {
  readonly child: ChildProcess;
  readonly stderr: () => string;
  readonly status: Promise<number | null>;
}

function start(baseUrl: string, output: string, ...args: string[]): Running {
  const words = ["toolfault", "run", dataset, "--base-url", baseUrl, "--model", "m", "-o", output, ...args];
  const env = {
    ...process.env,
    OPENAI_API_KEY: KEY,
    OPENAI_LOG: "debug",
    OPENAI_BASE_URL: "http://wrong.invalid",
  };
  const child = spawn(process.execPath, [CLI, ...words, "--concurrency", "4"], { cwd: ROOT, env });
  children.push(child);
  let shown = "";
  child.stderr.on("data", (piece) => {
    shown += piece;
  });
  child.stdout.on("data", (piece) => {
    shown += piece;
  });
  const status = new Promise<number | null>((resolve) => {
    child.on("close", (code) => {
      expect(shown).not.toContain(KEY);
      resolve(code);
    });
  });
  return { child, stderr: () => shown, status };
}

const idsIn = (file: string): string[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as { id: string }).id);

async function untilAnswers(file: string, count: number): Promise<void> {
  while (!existsSync(file) || idsIn(file).length < count)
    await new Promise((resolve) => setTimeout(resolve, 5));
}

const SLOW: StubStep = { kind: "slow", ms: 60, text: GOOD_TEXT };

describe("calibrant toolfault run", () => {
  it("killed with SIGKILL, has all answers in the file and asks the others when it runs again", async () => {
    const stub = await serve(() => SLOW);
    const output = join(folder, "killed.jsonl");
    const first = start(stub.baseUrl, output);
    await untilAnswers(output, 8);
    first.child.kill("SIGKILL");
    expect(await first.status).toBe(null);
    const kept = idsIn(output);
    const before = stub.requests.length;
    expect([kept.length < ITEMS, existsSync(`${output}.lock`)]).toEqual([true, true]);
    const second = start(stub.baseUrl, output);
    expect(await second.status, second.stderr()).toBe(0);
    const again = stub.requests.slice(before).map(({ body }) => askedId(body.messages));
    expect(again.filter((id) => kept.includes(id))).toEqual([]);
    expect(again).toHaveLength(ITEMS - kept.length);
    expect(new Set(idsIn(output)).size).toBe(ITEMS);
    expect(idsIn(output)).toHaveLength(ITEMS);
    expect(existsSync(`${output}.lock`)).toBe(false);
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("stopped by %s twice, keeps finished answers and ends with %i", async (signal, status) => {
    const stub = await serve((id) => (/^item-\d$/.test(id) ? SLOW : { kind: "hang" }));
    const output = join(folder, `${signal}.jsonl`);
    const running = start(stub.baseUrl, output);
    await untilAnswers(output, 4);
    if (signal === "SIGTERM") {
      const other = start(stub.baseUrl, output);
      expect(await other.status).toBe(1);
      expect(other.stderr()).toMatch(/^calibrant: .* is being written by another run .*\n$/);
    }
    running.child.kill(signal);
    while (!running.stderr().includes("stopping")) await new Promise((resolve) => setTimeout(resolve, 5));
    running.child.kill(signal);
    expect(await running.status).toBe(status);
    expect(running.stderr()).toBe(
      `calibrant: stopping: waiting for 4 answers on the way, once more to stop at once\ncalibrant: stopped with ${idsIn(output).length} of ${ITEMS} items answered: run the same command to go on\n`,
    );
    expect(existsSync(`${output}.lock`)).toBe(false);
  });

  it("ends with 1 for items without answer and a refused key, with 2 for wrong usage", async () => {
    const stub = await serve((id) =>
      id === "item-3" ? { kind: "status", status: 500 } : { kind: "answer", text: GOOD_TEXT },
    );
    const some = start(stub.baseUrl, join(folder, "some.jsonl"), "--quiet", "--max-retries", "0");
    expect(await some.status).toBe(1);
    expect(some.stderr()).toBe(
      `calibrant: 1 of ${ITEMS} items have no answer (HTTP 500 1): run the same command again to ask only those\n`,
    );
    const closed = await serve(() => ({ kind: "status", status: 401, body: `bad key ${KEY}` }));
    const refused = start(closed.baseUrl, join(folder, "refused.jsonl"), "--quiet");
    expect(await refused.status).toBe(1);
    expect(refused.stderr()).toMatch(/^calibrant: .*HTTP 401: the server refuses the API key of .*\n$/);
    const usage = start("ftp://wrong", join(folder, "usage.jsonl"));
    expect(await usage.status).toBe(2);
    expect(usage.stderr()).toMatch(/^calibrant: the base URL must be an http or https address .*\n$/);
    const fixed = start(stub.baseUrl, join(folder, "usage.jsonl"), "--extra-body", '{"model":"other"}');
    expect(await fixed.status).toBe(2);
    expect(fixed.stderr()).toMatch(/^calibrant: --extra-body must not set any of .*; it sets model\n$/);
    expect(["refused.jsonl", "usage.jsonl"].map((name) => existsSync(join(folder, name)))).toEqual([
      false,
      false,
    ]);
  });
});
