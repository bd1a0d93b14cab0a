import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { annotateCommand } from "../../../src/cli/judging/annotate-command.ts";
import type { AnnotateOptions } from "../../../src/cli/judging/judging-options.ts";
import { type StubRequest, type StubServer, type StubStep, startStub } from "../../e2e/stub-model-server.ts";
import { annotation, annotations, askedRow, jsonLines, trajectories } from "./sample-trajectories.ts";

const KEY = "sk-secret-0123456789";
const folder = mkdtempSync(join(tmpdir(), "calibrant-annotate-"));
const rollouts = join(folder, "rollouts.jsonl");
const output = join(folder, "annotations.jsonl");
writeFileSync(rollouts, jsonLines(trajectories(8)));
const GOOD: StubStep = { kind: "answer", text: annotations(annotation()) };

let stub: StubServer;
let stdout = "";
let stderr = "";

beforeEach(() => {
  vi.stubEnv("OPENAI_API_KEY", KEY);
  stdout = "";
  stderr = "";
  vi.spyOn(process.stdout, "write").mockImplementation((piece) => {
    stdout += typeof piece === "string" ? piece : Buffer.from(piece).toString();
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

/** Starts the stub; what it does goes by the row, and by how many answers of this conversation were refused. */
async function serve(
  script: (row: number, refused: number, nth: number, request: StubRequest) => StubStep,
): Promise<void> {
  stub = await startStub((request, nth) => {
    const { messages } = request.body;
    const refused = messages.filter(({ role }) => role === "assistant").length;
    return script(askedRow(messages), refused, nth, request);
  });
}

function annotate(changes: Partial<AnnotateOptions> = {}): Promise<void> {
  return annotateCommand({
    files: [rollouts],
    columns: new Map(),
    from: null,
    id: null,
    baseUrl: stub.baseUrl,
    model: "m",
    output,
    concurrency: 3,
    timeout: 0.3,
    maxRetries: 2,
    maxTokens: 512,
    temperature: 0,
    seed: null,
    extraBody: null,
    limit: null,
    structured: "auto",
    maxAttempts: 3,
    retryFailed: false,
    textLimit: 20_000,
    totalLimit: 160_000,
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

interface Line extends Record<string, unknown> {
  readonly id: unknown;
  readonly status: string;
}

const lines = (): Line[] =>
  readFileSync(output, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
const linesOf = (id: unknown): Line[] => lines().filter((line) => line.id === id);
const asked = (): number[] => stub.requests.map(({ body }) => askedRow(body.messages));
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);
const numerically = (a: unknown, b: unknown): number => Number(a) - Number(b);
const summary = (): Record<string, unknown> => JSON.parse(stdout) as Record<string, unknown>;

/** What a lying model answers first, and a word of why it is refused. */
const LIES: readonly (readonly [text: string, why: string])[] = [
  [annotations(annotation(2)), "turn_idx"],
  [annotations(annotation(0, "apologise")), "gt_action"],
  ['{"annotations": [{"turn_idx": 1, ', "JSON"],
  [annotations(annotation(0), annotation(1), annotation(1)), "annotations"],
  ["", "empty"],
  ["I would rather not say.", "JSON"],
];

/** What goes wrong on the way, the first time. */
const TROUBLE: readonly StubStep[] = [
  { kind: "status", status: 429, headers: { "retry-after": "1" } },
  { kind: "status", status: 500, body: `<html>boom ${KEY}</html>` },
  { kind: "hang" },
  { kind: "half" },
  { kind: "reset" },
  { kind: "raw", body: "{}" },
];

describe("annotate", () => {
  it("gets valid annotations through lies and trouble, every answer a line and none paid twice", async () => {
    await serve((row, refused, nth) => {
      const lie = LIES[row];
      const trouble = TROUBLE[row];
      if (nth === 1 && refused === 0 && trouble !== undefined) return trouble;
      return lie !== undefined && refused === 0 ? { kind: "answer", text: lie[0] } : GOOD;
    });
    await annotate({ json: true, priceIn: 2, priceOut: 10 });
    const answers = LIES.length * 2 + 2;
    expect(lines()).toHaveLength(answers);
    expect(stub.requests).toHaveLength(answers + TROUBLE.length);
    for (const [row, [text, why]] of LIES.entries()) {
      const [refused, ok] = linesOf(row) as [Line, Line];
      expect(refused).toMatchObject({ status: "rejected", annotations: null, output: text, attempt: 1 });
      expect(refused.error).toContain(why);
      expect(ok).toMatchObject({ status: "ok", error: null, attempt: 2, annotations: [annotation()] });
      const again =
        stub.requests.findLast(({ body }) => askedRow(body.messages) === row)?.body.messages ?? [];
      expect(again.at(-1)?.content).toContain(String(refused.error));
    }
    expect(linesOf(7)).toEqual([
      {
        key: "row",
        id: 7,
        status: "ok",
        annotations: [annotation()],
        error: null,
        output: annotations(annotation()),
        attempt: 1,
        finish_reason: "stop",
        model: "stub-1",
        requested_model: "m",
        prompt_version: expect.any(String),
        prompt_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        temperature: 0,
        max_tokens: 512,
        seed: null,
        structured: "json_schema",
        extra_body: null,
        text_limit: 20_000,
        total_limit: 160_000,
        prompt_tokens: 100,
        completion_tokens: 10,
      },
    ]);
    expect(summary()).toMatchObject({
      key: "row",
      trajectories: 8,
      annotatedBefore: 0,
      annotated: 8,
      usedUpAnswers: 0,
      unanswered: 0,
      labels: { direct_answer: 0, tool_call: 8, request_for_info: 0, cannot_answer: 0 },
      answers,
      refusedAnswers: LIES.length,
      failedRequests: {},
      promptTokens: 100 * answers,
      completionTokens: 10 * answers,
      cost: (200 * answers + 100 * answers) / 1e6,
    });
    const done = stub.requests.length;
    stdout = "";
    await annotate({ json: true });
    expect(stub.requests).toHaveLength(done);
    expect(summary()).toMatchObject({ trajectories: 8, annotatedBefore: 8, annotated: 0, answers: 0 });
  });

  it("reports what stays wrong, goes on with conversations, and asks failed ones only when told", async () => {
    let down = true;
    await serve((row, refused, _nth) => {
      if (row === 2) return { kind: "answer", text: refused < 4 ? "no" : annotations() };
      if (row === 5 && down && refused === 1) return { kind: "status", status: 503, body: `busy ${KEY}` };
      return row === 5 && refused === 0 ? { kind: "answer", text: "" } : GOOD;
    });
    await expect(annotate({ concurrency: 1 })).rejects.toMatchObject({
      code: "io",
      message:
        "2 of 8 trajectories have no annotation: 1 used up their answers (--retry-failed asks those again), 1 got no answer (HTTP 503 1; the same command asks those again)",
    });
    expect(stderr).toMatch(
      / {2}annotated before {7}0\n {2}annotated now {10}6\n {2}used up their answers {2}1\n {2}unanswered {13}1\n/,
    );
    expect(stderr).toMatch(/ {2}failed requests +HTTP 503 1\n/);
    expect(stderr).toMatch(/calibrant: no annotation \(refused answers\): row 2: .*JSON/);
    expect(stderr).toMatch(/calibrant: no annotation \(HTTP 503\): row 5: .*busy \*\*\*/);
    expect(linesOf(2).map(({ status, attempt }) => [status, attempt])).toEqual([
      ["rejected", 1],
      ["rejected", 2],
      ["rejected", 3],
    ]);
    down = false;
    const before = stub.requests.length;
    await expect(annotate({ quiet: true })).rejects.toThrow(
      "1 of 8 trajectories have no annotation: 1 used up their answers (--retry-failed asks those again)",
    );
    const resumed = stub.requests.slice(before);
    expect(resumed.map(({ body }) => askedRow(body.messages))).toEqual([5]);
    expect(resumed[0]?.body.messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "user",
    ]);
    expect(linesOf(5).map(({ status, attempt }) => [status, attempt])).toEqual([
      ["rejected", 1],
      ["ok", 2],
    ]);
    await annotate({ json: true }).catch(() => undefined);
    const counts = { trajectories: 8, annotatedBefore: 7, annotated: 0, usedUpAnswers: 1, unanswered: 0 };
    expect(summary()).toMatchObject({ ...counts, withoutMessages: 0, failedRequests: {} });
    await annotate({ retryFailed: true, quiet: true });
    expect(
      linesOf(2)
        .map(({ status, attempt }) => [status, attempt])
        .slice(3),
    ).toEqual([
      ["rejected", 4],
      ["ok", 5],
    ]);
    expect(linesOf(2).at(-1)?.annotations).toEqual([]);
    expect(lines()).toHaveLength(6 + 2 + 5);
  });

  it("tells each prompt how the labels stand, those of earlier runs included, and has the same result in any order", async () => {
    const actions = ["tool_call", "request_for_info", "direct_answer", "cannot_answer"];
    await serve((row) => ({
      kind: "answer",
      text: annotations(annotation(row % 2, actions[row % 4] as string)),
    }));
    await annotate({ concurrency: 1, limit: 6, quiet: true });
    await annotate({ concurrency: 1, quiet: true });
    const labels = stub.requests.map(
      ({ body }) => /Labels so far: (.*)\./.exec(body.messages.map(({ content }) => content).join("\n"))?.[1],
    );
    expect([labels[0], labels[1], labels[6]]).toEqual([
      "direct_answer 0, tool_call 0, request_for_info 0, cannot_answer 0",
      "direct_answer 0, tool_call 1, request_for_info 0, cannot_answer 0",
      "direct_answer 1, tool_call 2, request_for_info 2, cannot_answer 1",
    ]);
    const inOrder = lines();
    expect(inOrder.map(({ id }) => id)).toEqual(range(0, 8));
    rmSync(output);
    await annotate({ concurrency: 8, quiet: true });
    expect(lines().sort((a, b) => numerically(a.id, b.id))).toEqual(inOrder);
  });

  it("falls back where the server refuses response_format, once for the run", async () => {
    await serve((_row, _refused, _nth, { body }) =>
      body.response_format === undefined
        ? { kind: "answer", text: `Sure:\n\`\`\`json\n${annotations(annotation())}\n\`\`\`` }
        : { kind: "status", status: 400, body: '{"error":{"message":"response_format is not supported"}}' },
    );
    await annotate({ concurrency: 8 });
    expect(stub.requests).toHaveLength(8 + 2);
    expect(new Set(lines().map(({ structured }) => structured))).toEqual(new Set(["none"]));
    expect(stderr).toContain("calibrant: the server refuses json_schema, asking with json_object: ");
    const [first] = stub.requests;
    expect(first?.body.response_format).toMatchObject({ type: "json_schema", json_schema: { strict: true } });
    rmSync(output);
    await expect(annotate({ structured: "json_object", quiet: true })).rejects.toThrow("HTTP 400");
  });

  it("names trajectories by a column, the first row of each id, and refuses ids that repeat unasked", async () => {
    await serve(() => GOOD);
    await annotate({ id: "group_id", json: true });
    expect(asked().sort(numerically)).toEqual([0, 2, 4, 6]);
    expect(
      lines()
        .map(({ key, id }) => `${key} ${id}`)
        .sort(),
    ).toEqual([0, 1, 2, 3].map((n) => `group_id g${n}`));
    expect(summary()).toMatchObject({ key: "group_id", trajectories: 4, repeatedRows: 4 });
    await expect(annotate()).rejects.toThrow(
      "line 1: key is group_id, of this run row: name another file with -o",
    );
    const named = join(folder, "named.jsonl");
    const rows = trajectories(3).map((row, index) => ({
      rollout_id: index === 2 ? "a0" : `a${index}`,
      ...row,
    }));
    writeFileSync(named, jsonLines(rows));
    await expect(annotate({ files: [named] })).rejects.toThrow(
      /named\.jsonl:3: the rollout_id is that of .*named\.jsonl:1 as well: a0; with --id rollout_id the first row/,
    );
    rmSync(output);
    await annotate({ files: [named], id: "rollout_id", quiet: true });
    expect(
      lines()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(["a0", "a1"]);
    writeFileSync(
      named,
      jsonLines([
        { rollout_id: null, messages: [] },
        { rollout_id: "b", messages: [] },
      ]),
    );
    await expect(annotate({ files: [named] })).rejects.toThrow("named.jsonl:1: there is no rollout_id");
  });

  it("counts trajectories without messages, and refuses what are none", async () => {
    await serve(() => GOOD);
    const odd = join(folder, "odd.jsonl");
    const [good] = trajectories(1);
    writeFileSync(odd, jsonLines([good, { messages: [] }, { messages: null }]));
    await annotate({ files: [odd] });
    expect(lines().map(({ id }) => id)).toEqual([0]);
    expect(stderr).toContain("calibrant: no messages, so nothing to annotate: row 1, 2\n");
    writeFileSync(odd, jsonLines([good, { messages: ["hello"] }]));
    await expect(annotate({ files: [odd] })).rejects.toThrow(
      'odd.jsonl:2: messages must be a list of messages with a role, got ["hello"]',
    );
  });

  it("reads no column that it does not use, and shows of texts what it is told", async () => {
    await serve(() => GOOD);
    const odd = join(folder, "odd-columns.jsonl");
    const [good = {}] = trajectories(1);
    const policy = { role: "system", content: "p".repeat(9000) };
    const messages = [policy, ...(good.messages as unknown[])];
    writeFileSync(odd, jsonLines([{ ...good, messages, annotations: "{broken" }]));
    await annotate({ files: [odd], quiet: true });
    rmSync(output);
    await annotate({ files: [odd], textLimit: 500, quiet: true });
    const shown = stub.requests.map(({ body }) => body.messages[1]?.content ?? "");
    expect(shown.map((text) => text.includes(policy.content))).toEqual([true, false]);
    expect(shown[1]).toContain(" … [8540 characters left out] … ");
    expect(lines()[0]).toMatchObject({ text_limit: 500, total_limit: 160_000 });
  });

  it("refuses to go on with other settings, and in other files", async () => {
    await serve(() => GOOD);
    await annotate({ limit: 1, quiet: true });
    const prefix = `${output} line 1: `;
    await expect(annotate({ textLimit: 4000, totalLimit: 100 })).rejects.toThrow(
      `${prefix}text_limit is 20000, of this run 4000; total_limit is 160000, of this run 100: name`,
    );
    await expect(annotate({ model: "b", temperature: 1, seed: 3 })).rejects.toThrow(
      `${prefix}requested_model is m, of this run b; temperature is 0, of this run 1; seed is null, of this run 3: name another file with -o`,
    );
    const [line] = lines();
    writeFileSync(output, jsonLines([{ ...line, prompt_hash: "0" }]));
    await expect(annotate()).rejects.toThrow(`${prefix}prompt_hash is 0, of this run `);
    writeFileSync(output, jsonLines([line, line]));
    await expect(annotate()).rejects.toThrow("line 2: a second answer for 0: name another file with -o");
    writeFileSync(output, '{"id": 3}\n');
    await expect(annotate()).rejects.toThrow(`${prefix}no line of calibrant annotate (key): name another`);
    await expect(annotate({ output: "-" })).rejects.toThrow("-o must name a file");
    await expect(annotate({ output: join(folder, "a.Parquet") })).rejects.toMatchObject({
      code: "usage",
      message: `-o is written as JSON lines, not as .Parquet: end the name in .jsonl, got ${folder}/a.Parquet`,
    });
    vi.stubEnv("OPENAI_API_KEY", "");
    await expect(annotate({ baseUrl: "127.0.0.1:9111" })).rejects.toThrow(
      "the base URL must be an http or https address without ? and #, such as http://localhost:8000/v1, got 127.0.0.1:9111",
    );
    vi.stubEnv("OPENAI_API_KEY", KEY);
    await expect(annotate({ baseUrl: `http://h/v1?key=${KEY}` })).rejects.toThrow("got http://h/v1?…");
    await expect(annotate({ extraBody: { user: KEY } })).rejects.toMatchObject({ code: "data" });
    rmSync(output);
    await expect(annotate({ extraBody: { user: KEY } })).rejects.toThrow(
      "--extra-body must not hold the API key",
    );
    expect([stub.requests.length, existsSync(output)]).toEqual([1, false]);
  });

  it("waits for the answers on the way at the first signal, asks nothing more, and ends at once at the second", async () => {
    const exit = vi.spyOn(process, "exit").mockImplementation((status) => {
      throw new Error(`exit ${status}`);
    });
    const handlers = process.listenerCount("SIGINT");
    const signal = (name: "SIGINT" | "SIGTERM"): void => {
      for (const handle of process.listeners(name).slice(handlers)) handle(name);
    };
    await serve((row, _refused, nth) => {
      if (row === 2 && nth === 1) setTimeout(() => signal("SIGINT"), 20);
      // The first two are read only after the signal, and one of them is refused then.
      if (row === 2) return { kind: "hang" };
      return { kind: "slow", ms: 80, text: row === 1 ? "no" : annotations(annotation()) };
    });
    await expect(annotate({ structured: "none" })).rejects.toThrow("exit 130");
    expect(stderr).toBe(
      `calibrant: stopping: waiting for 3 answers on the way, once more to stop at once\ncalibrant: stopped with 1 of 8 trajectories annotated: run the same command to go on\n`,
    );
    expect(
      lines()
        .map(({ id, status }) => `${id} ${status}`)
        .sort(),
    ).toEqual(["0 ok", "1 rejected"]);
    expect([stub.requests.length, process.listenerCount("SIGINT")]).toEqual([3, handlers + 1]);
    const [left] = process.listeners("SIGINT").slice(handlers);
    expect(() => left?.("SIGINT")).toThrow("exit 130");
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      for (const handle of process.listeners(name).slice(handlers)) process.off(name, handle as () => void);
    expect(exit.mock.calls).toEqual([[130], [130]]);
  });

  it("ends early with the answers kept when no other question can fare better", async () => {
    await serve((row) => (row === 0 ? GOOD : { kind: "status", status: 401, body: `bad ${KEY}` }));
    await expect(annotate({ concurrency: 1, quiet: true })).rejects.toThrow(
      "HTTP 401: the server refuses the API key",
    );
    expect([lines().length, stub.requests.length]).toEqual([1, 2]);
  });

  it("shows every prompt as it would be sent now and what it would cost, and asks nothing", async () => {
    await serve((row) => (row === 1 ? { kind: "answer", text: "no" } : GOOD));
    await annotate({ limit: 2, maxAttempts: 1, quiet: true }).catch(() => undefined);
    const held = readFileSync(output, "utf8");
    const sent = stub.requests.length;
    vi.stubEnv("OPENAI_API_KEY", "");
    await annotate({
      limit: 4,
      dryRun: true,
      json: true,
      priceIn: 4,
      baseUrl: "https://elsewhere.example/v1",
    });
    const shown = summary() as { prompts: { id: number; messages: { role: string; content: string }[] }[] };
    expect(shown).toMatchObject({
      trajectories: 4,
      done: 1,
      usedUpAnswers: 0,
      toAsk: 3,
      maxCompletionTokens: 3 * 512,
      // One has two answers left, two have three.
      withAllAttempts: { maxCompletionTokens: 8 * 512 },
    });
    const { promptTokens, withAllAttempts } = shown as unknown as Record<string, number> & {
      withAllAttempts: Record<string, number>;
    };
    const sizes = shown.prompts.map(
      ({ messages }) => messages.reduce((sum, { content }) => sum + content.length, 0) / 4,
    );
    const [refused = 0, ...fresh] = sizes;
    expect(promptTokens).toBeCloseTo(
      sizes.reduce((sum, size) => sum + size, 0),
      -1,
    );
    const most = 2 * refused + 3 * fresh.reduce((sum, size) => sum + size, 0) + 7 * (512 + 200);
    expect(withAllAttempts.promptTokens).toBeCloseTo(most, -1);
    expect(withAllAttempts.maxCost).toBeCloseTo((4 * most) / 1e6, 3);
    expect(shown.prompts.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(shown.prompts[0]?.messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "user",
    ]);
    const next = shown.prompts[1]?.messages;
    expect([stub.requests.length, readFileSync(output, "utf8")]).toEqual([sent, held]);
    stdout = "";
    await annotate({ limit: 4, maxAttempts: 1, dryRun: true });
    expect(stdout).toMatch(/^Prompt of row 2:\n\n\[system\]\n/);
    const estimate =
      "2 of 4 trajectories to ask (1 done before, 1 used up their answers); for one answer each: about ";
    expect(stdout).toContain(estimate);
    expect(stderr.startsWith(estimate)).toBe(true);
    expect(stdout).not.toContain("--max-attempts");
    stdout = "";
    await annotate({ limit: 4, maxAttempts: 2, dryRun: true, quiet: true });
    expect(stdout).toMatch(/\nif all take --max-attempts 2 answers: at most about [\d,]+ prompt tokens/);
    await annotate({ limit: 4, maxAttempts: 1, concurrency: 1, quiet: true }).catch(() => undefined);
    expect(stub.requests[sent]?.body.messages).toEqual(next);
  });
});
