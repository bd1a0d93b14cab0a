import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  type InferenceStub,
  type StubOptions,
  startInferenceStub,
} from "../uq/logprobs/server/stub-inference-server.ts";
import { chatTokens, logprobsOf, tokenize } from "../uq/logprobs/server/toy-model.ts";
import { CLI, type CliResult, ROOT, runCli, temporaryFolder } from "./run-cli.ts";

const ROWS = 40;
const folder = temporaryFolder();
const rollouts = join(folder, "rollouts.jsonl");
writeFileSync(rollouts, lines(Array.from({ length: ROWS }, (_, row) => rolloutOf(row))));

const stubs: InferenceStub[] = [];
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const stub of stubs.splice(0)) await stub.close();
});

function rolloutOf(row: number): { prompt: string; response: string; gt_answer: string } {
  return { prompt: `what is ${row}`, response: ` low ${row}`, gt_answer: `the ${row} answer` };
}

function lines(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

async function serve(
  kind: Parameters<typeof startInferenceStub>[0],
  options: StubOptions = {},
): Promise<InferenceStub> {
  const stub = await startInferenceStub(kind, options);
  stubs.push(stub);
  return stub;
}

function words(url: string, output: string, ...more: string[]): string[] {
  return ["logprobs", rollouts, "--server", url, "--model", "toy", "-o", output, ...more];
}

type Row = Record<string, unknown>;

function rowsOf(path: string): Row[] {
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
}

/** Line breaks; what stands behind the last one is no whole line. */
function linesIn(path: string): number {
  return readFileSync(path, "utf8").split("\n").length - 1;
}

async function until(child: ChildProcess, isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    if (child.exitCode !== null) throw new Error(`the run ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function idsOf(row: number): number[] {
  const { prompt, response } = rolloutOf(row);
  return [...tokenize(prompt, true), ...tokenize(response, false)];
}

function expected(row: number): number[] {
  const { prompt, response } = rolloutOf(row);
  return logprobsOf(tokenize(prompt, true), tokenize(response, false));
}

function scored(stub: InferenceStub): number {
  return stub.asked("/v1/completions").length + stub.asked("/generate").length;
}

function summaryOf(result: CliResult): Row {
  return JSON.parse(result.stdout.toString("utf8")) as Row;
}

describe("calibrant logprobs --server", () => {
  it("adds log-probs, perplexity, status and source, the same bytes whatever the concurrency", async () => {
    const stub = await serve("vllm", { topK: 3, script: () => ({ kind: "slow", ms: Math.random() * 4 }) });
    const one = join(folder, "one.jsonl");
    const many = join(folder, "many.jsonl");
    const first = await runCli(words(stub.url, one, "--concurrency", "1", "--json"));
    expect(first).toMatchObject({ status: 0, stderr: "" });
    expect(summaryOf(first)).toMatchObject({
      server: { kind: "vllm", version: "0.11.0", model: "toy", mode: "unknown", url: stub.url },
      rows: ROWS,
      before: 0,
      answered: ROWS,
      failed: {},
      notAsked: 0,
      statuses: { logprobs_status: { ok: ROWS } },
      boundaries: { joint: ROWS },
      written: true,
    });
    expect(await runCli(words(stub.url, many, "--concurrency", "16", "--quiet"))).toMatchObject({
      status: 0,
      stderr: "",
    });
    expect(readFileSync(many, "utf8")).toBe(readFileSync(one, "utf8"));
    const rows = rowsOf(one);
    expect(rows.map(({ logprobs }) => logprobs)).toEqual(rows.map((_, row) => expected(row)));
    const [row] = rows;
    const list = expected(0);
    expect(row).toMatchObject({
      ...rolloutOf(0),
      logprobs_status: "ok",
      logprobs_source: '{"server":"vllm","version":"0.11.0","model":"toy","mode":"unknown"}',
    });
    expect(row?.ppl).toBeCloseTo(Math.exp(-list.reduce((sum, x) => sum + x, 0) / list.length), 10);
    expect(existsSync(`${one}.partial`)).toBe(false);
  });

  it("fills more columns, from chats and token ids too, and says what has nothing to ask about", async () => {
    const stub = await serve("sglang");
    const input = join(folder, "chats.jsonl");
    const messages = [{ role: "user", content: "the first" }];
    writeFileSync(
      input,
      lines([
        { messages, response: "low", gt_answer: "lower" },
        { messages, response: "", gt_answer: null },
        { messages: null, response: "low", gt_answer: "lower" },
        {
          messages,
          prompt_token_ids: [5, 6],
          response: "low",
          response_token_ids: [7, 8],
          gt_answer: "lower",
        },
      ]),
    );
    const output = join(folder, "chats-out.jsonl");
    const result = await runCli([
      ...["logprobs", input, "--server", `${stub.url}/v1`, "--model", "toy", "-o", output, "--json"],
      ...["--fill", "logprobs,ref", "--logprobs-mode", "raw", "--prefix", "old_"],
    ]);
    expect(result).toMatchObject({ status: 0, stderr: "" });
    const chat = chatTokens(messages, true, null);
    const rows = rowsOf(output);
    expect(rows.map(({ old_logprobs: list }) => list)).toEqual([
      logprobsOf(chat, tokenize("low", false)),
      [],
      null,
      logprobsOf([5, 6], [7, 8]),
    ]);
    expect(rows.map(({ old_ref_logprobs: list }) => list)).toEqual([
      logprobsOf(chat, tokenize("lower", false)),
      null,
      null,
      logprobsOf([5, 6], tokenize("lower", false)),
    ]);
    expect(rows.map(({ old_logprobs_status: status }) => status)).toEqual(["ok", "empty", "no prompt", "ok"]);
    expect(rows.map(({ old_ref_logprobs_status: status }) => status)).toEqual([
      "ok",
      "no response",
      "no prompt",
      "ok",
    ]);
    expect(rows[1]).toMatchObject({ old_ppl: null, old_ref_ppl: null, old_logprobs_source: null });
    expect(rows[0]?.old_logprobs_source).toBe(
      '{"server":"sglang","version":"0.5.13","model":"toy","mode":"raw"}',
    );
    expect(summaryOf(result)).toMatchObject({ boundaries: { separate: 3, given: 1 } });
  });

  it("goes on after SIGKILL and asks nothing again that was answered", async () => {
    let slow = true;
    const stub = await serve("vllm", {
      script: ({ path }) => (slow && path === "/v1/completions" ? { kind: "slow", ms: 25 } : undefined),
    });
    const output = join(folder, "killed.jsonl");
    const child = spawn(process.execPath, [CLI, ...words(stub.url, output, "--concurrency", "2")], {
      cwd: ROOT,
    });
    children.push(child);
    const ended = new Promise((resolve) => child.on("close", resolve));
    await until(child, () => existsSync(`${output}.partial`) && linesIn(`${output}.partial`) > 12);
    child.kill("SIGKILL");
    await ended;
    expect(existsSync(output)).toBe(false);
    const kept = linesIn(`${output}.partial`) - 1;
    slow = false;
    stub.requests.length = 0;
    const result = await runCli(words(stub.url, output, "--json"));
    expect(summaryOf(result)).toMatchObject({ before: kept, answered: ROWS - kept, written: true });
    expect(scored(stub)).toBe(ROWS - kept);
    expect(rowsOf(output).map(({ logprobs }) => logprobs)).toEqual(
      Array.from({ length: ROWS }, (_, row) => expected(row)),
    );
  });

  it("waits for what is on the way at the first Ctrl-C", async () => {
    const stub = await serve("vllm", {
      script: ({ path }) => (path === "/v1/completions" ? { kind: "slow", ms: 150 } : undefined),
    });
    const output = join(folder, "stopped.jsonl");
    const child = spawn(process.execPath, [CLI, ...words(stub.url, output, "--concurrency", "4")], {
      cwd: ROOT,
    });
    children.push(child);
    let stderr = "";
    child.stderr.on("data", (piece) => {
      stderr += piece;
    });
    const status = new Promise((resolve) => child.on("close", resolve));
    await until(child, () => scored(stub) >= 6);
    child.kill("SIGINT");
    expect(await status).toBe(130);
    expect(stderr).toMatch(/stopping: waiting for \d answers? on the way, once more to stop at once/);
    expect(stderr).toMatch(/stopped with \d+ of 40 rows done: run the same command to go on/);
    expect(rowsOf(`${output}.partial`)).toHaveLength(1 + scored(stub));
  });

  it("leaves rows that failed to the next run, or writes them as nulls when it may", async () => {
    const failing = new Set(Array.from({ length: 10 }, (_, row) => JSON.stringify(idsOf(row))));
    const stub = await serve("vllm", {
      script: ({ path, body }) =>
        path === "/v1/completions" && failing.has(JSON.stringify(body.prompt))
          ? { kind: "status", status: 500, body: "Out of range float values are not JSON compliant" }
          : undefined,
    });
    const output = join(folder, "failed.jsonl");
    const result = await runCli(words(stub.url, output, "--limit", "20"));
    expect(result.status).toBe(1);
    expect(result.stderr).toContain("no log-probs (NaN log-probs): ");
    expect(result.stderr).toMatch(
      /30 of 40 rows have no log-probs \((NaN log-probs 10, not asked 20|not asked 20, NaN log-probs 10)\): the same command asks/,
    );
    expect(existsSync(output)).toBe(false);
    const nulls = await runCli(words(stub.url, output, "--limit", "15", "--allow-missing", "--json"));
    expect(nulls.status).toBe(0);
    const statuses = rowsOf(output).map(({ logprobs_status: status }) => status);
    expect(statuses.filter((status) => status === "ok")).toHaveLength(15);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill("NaN log-probs"));
    expect(statuses.filter((status) => status === "not asked")).toHaveLength(15);
  });

  it("goes on past rows that fail where others were answered before, or may go without", async () => {
    const failing = new Set(Array.from({ length: 12 }, (_, row) => JSON.stringify(idsOf(row))));
    const stub = await serve("vllm", {
      script: ({ path, body }) =>
        path === "/v1/completions" && failing.has(JSON.stringify(body.prompt))
          ? { kind: "status", status: 400, body: "no" }
          : undefined,
    });
    const output = join(folder, "past.jsonl");
    const given = await runCli(words(stub.url, output, "--concurrency", "1"));
    expect(given.stderr).toContain("gave up after the first 8 questions");
    const nulls = await runCli(words(stub.url, output, "--concurrency", "1", "--allow-missing"));
    expect(nulls.status).toBe(0);
    const statuses = rowsOf(output).map(({ logprobs_status: status }) => status);
    expect(statuses).toEqual([...Array(12).fill("HTTP 400"), ...Array(28).fill("ok")]);
  });

  it("ends soon when the server goes away in the middle", async () => {
    let answered = 0;
    const stub = await serve("vllm", {
      script({ path }) {
        if (path === "/v1/completions" && ++answered === 5) void stub.close();
        return undefined;
      },
    });
    const output = join(folder, "gone.jsonl");
    const all = words(stub.url, output, "--concurrency", "1", "--max-retries", "0", "--quiet");
    const result = await runCli(all);
    expect(result.status).toBe(1);
    expect(result.stderr).toMatch(/^calibrant: the server is gone, the last 8 rows found none: .*\n$/);
    expect(rowsOf(`${output}.partial`).length).toBeGreaterThanOrEqual(5);
  });

  it("gives up when the first rows all fail alike, and tells it in one line", async () => {
    const stub = await serve("vllm", {
      script: ({ path }) =>
        path === "/v1/completions" ? { kind: "status", status: 400, body: "no" } : undefined,
    });
    const output = join(folder, "given-up.jsonl");
    const result = await runCli(words(stub.url, output, "--concurrency", "1", "--quiet"));
    expect(result.status).toBe(1);
    expect(result.stderr).toMatch(
      /^calibrant: gave up after the first 8 questions all failed .*HTTP 400: no\n$/,
    );
    expect(existsSync(`${output}.partial`)).toBe(false);
  });

  it("refuses servers and options before anything is asked", async () => {
    const llama = await serve("llama.cpp");
    const output = join(folder, "refused.jsonl");
    const cases: [string[], number, RegExp][] = [
      [words(llama.url, output), 1, /is llama\.cpp's server/],
      [
        words(llama.url, output, "--fill", "other"),
        2,
        /expected logprobs, ref, neg or name=column, got other/,
      ],
      [words(llama.url, output, "--fill", "x=absent"), 1, /missing column absent/],
      [["logprobs", rollouts, "--server", llama.url, "-o", output], 2, /--server needs --model/],
      [
        words("https://example.com", output, "--api-key-env", "CALIBRANT_NO_KEY"),
        2,
        /CALIBRANT_NO_KEY has no API key/,
      ],
    ];
    for (const [args, status, message] of cases) {
      const result = await runCli(args);
      expect([result.status, result.stderr]).toEqual([status, expect.stringMatching(message)]);
      expect(existsSync(output)).toBe(false);
      expect(existsSync(`${output}.partial`)).toBe(false);
    }
  });

  it("shows what would be asked, and asks nothing", async () => {
    const stub = await serve("vllm");
    const output = join(folder, "dry.jsonl");
    const result = await runCli(words(stub.url, output, "--dry-run", "--fill", "logprobs,ref"));
    expect(result.status).toBe(0);
    expect(result.stdout.toString("utf8")).toMatch(/^rows +40\ntexts to ask about +80\n/);
    expect(stub.requests).toEqual([]);
    expect(existsSync(output)).toBe(false);
  });
});
