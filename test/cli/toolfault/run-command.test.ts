import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DryRun } from "../../../src/cli/toolfault/dry-run.ts";
import { runCommand } from "../../../src/cli/toolfault/run-command.ts";
import type { RunOptions } from "../../../src/cli/toolfault/run-options.ts";
import type { RunResult } from "../../../src/cli/toolfault/run-result.ts";
import type { RunSummary } from "../../../src/cli/toolfault/run-summary.ts";
import { toolFaultPromptHash } from "../../../src/metrics/toolfault/prompt.ts";
import { type StubRequest, type StubServer, type StubStep, startStub } from "../../e2e/stub-model-server.ts";
import { askedId, GOOD_TEXT, runItemsText } from "./run-items.ts";

const KEY = "sk-secret-0123456789";
const folder = mkdtempSync(join(tmpdir(), "calibrant-run-"));
const dataset = join(folder, "items.jsonl");
const output = join(folder, "results.jsonl");
writeFileSync(dataset, runItemsText(12));
const HASH = await toolFaultPromptHash();
const GOOD: StubStep = { kind: "answer", text: GOOD_TEXT };

let stub: StubServer;
let stdout = "";
let stderr = "";

beforeEach(() => {
  vi.stubEnv("OPENAI_API_KEY", KEY);
  stdout = "";
  stderr = "";
  vi.spyOn(process.stdout, "write").mockImplementation((piece) => {
    stdout += piece;
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((piece) => {
    stderr += piece;
    return true;
  });
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await stub?.close();
  expect(existsSync(`${output}.lock`)).toBe(false);
  const written = existsSync(output) ? readFileSync(output, "utf8") : "";
  expect(stdout + stderr + written).not.toContain(KEY);
  rmSync(output, { force: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the stub; what it does goes by the item and how often that was asked. */
async function serve(script: (id: string, nth: number, request: StubRequest) => StubStep): Promise<void> {
  stub = await startStub((request, nth) => script(askedId(request.body.messages), nth, request));
}

function run(changes: Partial<RunOptions> = {}): Promise<void> {
  return runCommand({
    files: [dataset],
    columns: new Map(),
    baseUrl: stub.baseUrl,
    model: "m",
    output,
    concurrency: 3,
    timeout: 0.3,
    maxRetries: 2,
    maxTokens: 64,
    temperature: 0,
    seed: null,
    logprobs: false,
    jsonObject: false,
    extraBody: null,
    limit: null,
    ids: null,
    apiKeyEnv: "OPENAI_API_KEY",
    priceIn: null,
    priceOut: null,
    dryRun: false,
    quiet: false,
    json: false,
    retryDelays: { firstMs: 1, maxMs: 4, maxRetryAfterMs: 20 },
    ...changes,
  });
}

const results = (): RunResult[] =>
  readFileSync(output, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as RunResult);
const asked = (): string[] => stub.requests.map(({ body }) => askedId(body.messages));
const numbers = (ids: readonly string[]): number[] =>
  ids.map((id) => Number(id.slice(5))).sort((a, b) => a - b);
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

/** What goes wrong with an item when it is asked the first time. */
const TROUBLE: readonly StubStep[] = [
  { kind: "status", status: 429, headers: { "retry-after": "1" } },
  { kind: "status", status: 500, body: "<html>boom</html>" },
  { kind: "hang" },
  { kind: "hang", afterHeaders: true },
  { kind: "half" },
  { kind: "raw", body: "{ not JSON" },
  { kind: "raw", body: "{}" },
  { kind: "reset" },
];

describe("toolfault run", () => {
  it("gets every answer through all that may go wrong, and writes each once under the id of its item", async () => {
    const other = { id: "item-0", item: "item-1", fields: { id: "item-3" } };
    await serve((id, nth) => {
      const trouble = TROUBLE[numbers([id])[0] as number];
      if (nth === 1 && trouble !== undefined) return trouble;
      if (id === "item-9") return { kind: "answer", text: "I do not know", fields: { usage: null } };
      return { kind: "answer", text: `${JSON.stringify(other)} ${GOOD_TEXT}`, fields: { id: "item-7" } };
    });
    await run({ json: true, priceIn: 2, priceOut: 10 });
    const byId = new Map(results().map((result) => [result.id, result]));
    expect(results()).toHaveLength(12);
    expect(numbers([...byId.keys()])).toEqual(range(0, 12));
    expect(stub.requests).toHaveLength(12 + TROUBLE.length);
    expect(byId.get("item-2")).toEqual({
      id: "item-2",
      fault_type: "timeout",
      next_action: "retry_same",
      status: "ok",
      output: expect.stringContaining(GOOD_TEXT),
      finish_reason: "stop",
      model: "stub-1",
      requested_model: "m",
      prompt_version: "1",
      prompt_hash: HASH,
      temperature: 0,
      max_tokens: 64,
      seed: null,
      json_object: false,
      extra_body: null,
      prompt_tokens: 100,
      completion_tokens: 10,
    });
    expect(byId.get("item-9")).toMatchObject({ fault_type: null, next_action: null, status: "unparsed" });
    expect(JSON.parse(stdout)).toMatchObject({
      items: 12,
      answeredBefore: 0,
      asked: 12,
      answeredNow: 12,
      unanswered: 0,
      unparsed: 1,
      truncated: 0,
      answersInFile: 12,
      failed: {},
      promptTokens: 1100,
      completionTokens: 110,
      withoutUsage: 1,
      cost: 0.0033,
    } satisfies Partial<RunSummary>);
    expect(stderr).toBe("");
  });

  it("names what has no answer, and asks only that the next time", async () => {
    let broken = true;
    await serve((id) => {
      if (!broken || !["item-2", "item-5", "item-7"].includes(id)) return GOOD;
      return { kind: "status", status: id === "item-7" ? 400 : 503, body: `sorry ${KEY}` };
    });
    await expect(run()).rejects.toMatchObject({
      code: "io",
      message:
        "3 of 12 items have no answer (HTTP 503 2, HTTP 400 1): run the same command again to ask only those",
    });
    expect(stderr).toMatch(/failed +HTTP 503 2, HTTP 400 1\n/);
    expect(stderr).toMatch(/calibrant: no answer \(HTTP 503\): item-[25], item-[25]: /);
    expect(stderr).toContain("HTTP 400: sorry ***\n");
    expect(results()).toHaveLength(9);
    broken = false;
    const before = asked().length;
    stderr = "";
    await run();
    expect(numbers(asked().slice(before))).toEqual([2, 5, 7]);
    expect(numbers(results().map(({ id }) => id))).toEqual(range(0, 12));
    expect(stderr).toMatch(/answered before +9\nin the results file\n {2}answers +12\n/);
    expect(stderr).toMatch(/this run\n {2}asked +3\n {2}answered +3\n/);
    await run({ quiet: true });
    expect(asked()).toHaveLength(before + 3);
  });

  it("goes on behind a last line that was cut, asking nothing twice", async () => {
    await serve(() => GOOD);
    await run({ limit: 5 });
    const whole = readFileSync(output);
    writeFileSync(output, whole.subarray(0, whole.length - 20));
    await run({ quiet: true });
    expect(stderr).toMatch(/results\.jsonl: cut off \d+ bytes of a last line/);
    expect(asked()).toHaveLength(13);
    expect(numbers(results().map(({ id }) => id))).toEqual(range(0, 12));
  });

  it("refuses to go on where anything that shapes answers differs, and in other files", async () => {
    await serve(() => GOOD);
    await run({ limit: 1 });
    const written = readFileSync(output, "utf8");
    const prefix = `${output} line 1: `;
    await expect(run({ model: "b", temperature: 0.5 })).rejects.toThrow(
      `${prefix}requested_model is m, of this run b; temperature is 0, of this run 0.5: name another file with -o`,
    );
    const extraBody = { top_p: 0.5, stop: ["x"] };
    await expect(run({ seed: 3, jsonObject: true, extraBody })).rejects.toThrow(
      `${prefix}seed is null, of this run 3; json_object is false, of this run true; extra_body is null, of this run {"top_p":0.5,"stop":["x"]}: name another file with -o`,
    );
    await expect(run({ logprobs: true })).rejects.toThrow(
      `${prefix}the answers have no log-probs, of this run they have: name another file with -o, or leave out --logprobs`,
    );
    writeFileSync(output, written.replace('"seed":null,', ""));
    await expect(run()).rejects.toThrow(`${prefix}no result of calibrant toolfault run (seed): name another`);
    writeFileSync(output, written.replace(HASH, "0"));
    await expect(run()).rejects.toThrow(`${prefix}prompt_hash is 0, of this run ${HASH}: name another`);
    writeFileSync(output, '{"id": 3}\n{"id"');
    await expect(run()).rejects.toThrow(`${prefix}no result of calibrant toolfault run (id): name another`);
    writeFileSync(output, written + written);
    await expect(run()).rejects.toThrow("results.jsonl line 2: the id occurs a second time: item-0");
    await expect(run({ output: dataset })).rejects.toThrow("no result of calibrant toolfault run");
    expect(readFileSync(dataset, "utf8")).toBe(runItemsText(12));
    expect(stub.requests).toHaveLength(1);
  });

  it("keeps log-probs of the answer and its labels, null where they do not fit", async () => {
    const tokens = ['{"fault_type": "', "timeout", '", "next_action": "', "retry", "_same", '"}'];
    const content = tokens.map((token, index) => ({ token, logprob: -index / 4 }));
    await serve((id) => {
      const message = { role: "assistant", content: id === "item-1" ? "no" : GOOD_TEXT };
      const other = id === "item-3" ? [{ token: "?", logprob: -1 }] : content;
      const logprobs = id === "item-2" ? null : { content: other };
      return {
        kind: "answer",
        text: "",
        fields: { choices: [{ message, finish_reason: "length", logprobs }] },
      };
    });
    await run({ logprobs: true, limit: 4, concurrency: 1, json: true });
    const values = [0, -0.25, -0.5, -0.75, -1, -1.25];
    expect(
      results().map((result) => [
        result.logprobs,
        [result.fault_logprob, result.fault_tokens],
        [result.action_logprob, result.action_tokens],
      ]),
    ).toEqual([
      [values, [-0.25, 1], [-1.75, 2]],
      [values, [null, null], [null, null]],
      [null, [null, null], [null, null]],
      [[-1], [null, null], [null, null]],
    ]);
    expect(stub.requests[0]?.body.logprobs).toBe(true);
    expect(JSON.parse(stdout)).toMatchObject({
      truncated: 4,
      unparsed: 1,
      withoutLogprobs: 1,
      withoutLabelLogprobs: 1,
    });
    await expect(run()).rejects.toThrow(
      "line 1: the answers have log-probs, of this run they have none: name another file with -o, or add --logprobs",
    );
  });

  it("counts the whole file in its summary, and says how to ask again what was cut", async () => {
    await serve((id) => {
      if (id === "item-2") return { kind: "answer", text: "I do not know" };
      if (id !== "item-0" && id !== "item-3") return GOOD;
      const choices = [{ message: { role: "assistant", content: "{" }, finish_reason: "length" }];
      return { kind: "answer", text: "", fields: { choices } };
    });
    await run({ limit: 3, priceIn: 2 });
    expect(stderr).toContain(
      `calibrant: 1 answer was cut at --max-tokens: remove its line from ${output} to ask it again with more\n`,
    );
    stderr = "";
    await run({ limit: 5, priceIn: 2, extraBody: {} });
    expect(stderr.replace(/seconds +[\d.]+/, "seconds")).toBe(
      `model                m
items                5
answered before      3
in the results file
  answers            5
  unparsed           3
  truncated          2
this run
  asked              2
  answered           2
  failed             none
  prompt tokens      200
  completion tokens  20
  cost               0.0004
  seconds
calibrant: 2 answers were cut at --max-tokens: remove their lines from ${output} to ask them again with more
`,
    );
    const kept = results().filter((result) => result.finish_reason !== "length");
    writeFileSync(output, kept.map((result) => `${JSON.stringify(result)}\n`).join(""));
    const before = asked().length;
    const extraBody = { max_tokens: null, max_completion_tokens: 99 };
    await run({ limit: 5, maxTokens: 99, extraBody, quiet: true });
    expect(numbers(asked().slice(before))).toEqual([0, 3]);
    expect(results().map(({ max_tokens }) => max_tokens)).toEqual([64, 64, 64, 99, 99]);
  });

  it("ends early, answers kept, when no other item can fare better", async () => {
    await serve((id) =>
      id === "item-0" ? GOOD : { kind: "status", status: 401, body: `{"error":{"message":"bad ${KEY}"}}` },
    );
    await expect(run({ concurrency: 1 })).rejects.toThrow(
      "HTTP 401: the server refuses the API key of the environment variable OPENAI_API_KEY",
    );
    expect(stub.requests).toHaveLength(2);
    expect(results().map(({ id }) => id)).toEqual(["item-0"]);
    const gone = stub.baseUrl;
    await stub.close();
    await expect(run({ baseUrl: gone, quiet: true })).rejects.toThrow(
      /gave up after the first 8 questions all failed \((8|9|10) were asked\): .*ECONNREFUSED/,
    );
    expect(results()).toHaveLength(1);
  });

  it("says once what all questions failed for, and leaves no empty file", async () => {
    await serve(() => ({ kind: "status", status: 404, body: '{"error":{"message":"nothing here"}}' }));
    const ended = run({ concurrency: 6 });
    await expect(ended).rejects.toThrow(
      "HTTP 404: there is no model m here, or the address is wrong: nothing",
    );
    expect(stderr).toMatch(/calibrant: no answer \(HTTP 404\): (item-\d, ){4}item-\d, and 1 more\n$/);
    expect(existsSync(output)).toBe(false);
    writeFileSync(output, "");
    await expect(run({ concurrency: 1, quiet: true })).rejects.toThrow("HTTP 404");
    expect(readFileSync(output, "utf8")).toBe("");
  });

  it.each(["model", "messages", "temperature", "stream", "n"])(
    "refuses --extra-body with %s",
    async (name) => {
      await serve(() => GOOD);
      const refused = run({ files: ["nothing.jsonl"], extraBody: { top_p: 1, [name]: null } });
      await expect(refused).rejects.toMatchObject({
        code: "usage",
        message: `--extra-body must not set any of model, messages, temperature, stream, n; it sets ${name}`,
      });
      expect([stderr, stdout, stub.requests.length, existsSync(output)]).toEqual(["", "", 0, false]);
    },
  );

  it("refuses --extra-body with the API key, which results would keep", async () => {
    await serve(() => GOOD);
    const key = 'sk-"odd"-0123456789';
    vi.stubEnv("OPENAI_API_KEY", key);
    const refused = run({ extraBody: { metadata: { user: `for ${key}` } } });
    await expect(refused).rejects.toMatchObject({
      code: "usage",
      message: expect.not.stringContaining("0123456789"),
    });
    expect([stub.requests.length, existsSync(output)]).toEqual([0, false]);
    vi.unstubAllEnvs();
  });

  it("reads the dataset before it needs the package openai", async () => {
    vi.doMock("openai", () => {
      throw new Error("Cannot find package 'openai' imported from /somewhere");
    });
    await serve(() => GOOD);
    await expect(run({ files: [join(folder, "none.jsonl")] })).rejects.toThrow("none.jsonl");
    await expect(run()).rejects.toThrow(/^asking a model needs the package openai: npm install openai@\S+$/);
    vi.doUnmock("openai");
    expect(existsSync(output)).toBe(false);
  });

  it("asks the chosen items with the chosen options", async () => {
    await serve(() => GOOD);
    const extraBody = { top_p: 0.5 };
    await run({ ids: ["item-4", "item-2", "item-9"], limit: 2, seed: 3, jsonObject: true, extraBody });
    expect(numbers(asked())).toEqual([2, 4]);
    const { messages, ...fields } = stub.requests[0]?.body ?? { messages: [] };
    expect(messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(fields).toEqual({
      model: "m",
      max_tokens: 64,
      temperature: 0,
      seed: 3,
      response_format: { type: "json_object" },
      top_p: 0.5,
    });
    await expect(run({ ids: ["item-4", "nobody"] })).rejects.toThrow("--ids: not in the dataset: nobody");
  });

  it("shows the first prompt and what it would cost, and asks nothing", async () => {
    vi.stubEnv("OPENAI_API_KEY", "");
    await serve(() => GOOD);
    await run({ limit: 2, quiet: true });
    const held = readFileSync(output, "utf8");
    await run({ dryRun: true, json: true, priceIn: 4, baseUrl: "https://elsewhere.example/v1" });
    const shown = JSON.parse(stdout) as DryRun;
    expect(shown).toMatchObject({ items: 12, answeredBefore: 2, toAsk: 10, maxCompletionTokens: 640 });
    expect([shown.first?.id, askedId(shown.first?.messages ?? [])]).toEqual(["item-2", "item-2"]);
    expect(shown.maxCost).toBeCloseTo((4 * shown.promptTokens) / 1e6, 12);
    stdout = "";
    await run({ dryRun: true });
    expect(stdout).toMatch(/^Prompt of item item-2:\n\n\[system\]\n/);
    expect(stdout).toContain("10 of 12 items to ask (2 answered before): about ");
    expect([stub.requests.length, readFileSync(output, "utf8")]).toEqual([2, held]);
  });

  it("needs a key for servers elsewhere, and a file for the results", async () => {
    vi.stubEnv("OPENAI_API_KEY", " ");
    await serve(() => GOOD);
    await run({ limit: 1, quiet: true });
    expect(stub.requests[0]?.headers.authorization).toBe("Bearer none");
    const elsewhere = run({ baseUrl: "https://elsewhere.example/v1", apiKeyEnv: "MY_KEY" });
    await expect(elsewhere).rejects.toMatchObject({ code: "usage" });
    await expect(elsewhere).rejects.toThrow("the environment variable MY_KEY has no API key");
    await expect(run({ output: "-" })).rejects.toThrow("-o must name a file");
  });
});
