import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { judgeCommand } from "../../../src/cli/judging/judge-command.ts";
import type { JudgeOptions, JudgingOptions } from "../../../src/cli/judging/judging-options.ts";
import { type StubServer, type StubStep, startStub } from "../../e2e/stub-model-server.ts";
import { annotation, askedRow, JUDGEMENT, jsonLines, trajectories } from "./sample-trajectories.ts";

const folder = mkdtempSync(join(tmpdir(), "calibrant-judge-"));
const rollouts = join(folder, "rollouts.jsonl");
const annotated = join(folder, "annotations.jsonl");
const output = join(folder, "judgements.jsonl");
writeFileSync(rollouts, jsonLines(trajectories(6)));
const GOOD: StubStep = { kind: "answer", text: JUDGEMENT };

let stub: StubServer | null = null;
let stdout = "";
let stderr = "";

beforeEach(() => {
  vi.stubEnv("OPENAI_API_KEY", "");
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
  stub = null;
  expect(existsSync(`${output}.lock`)).toBe(false);
  rmSync(output, { force: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the stub does goes by the row, how often the same was asked, and whether an answer was refused. */
async function serve(script: (row: number, nth: number, isAgain: boolean) => StubStep): Promise<StubServer> {
  stub = await startStub(({ body: { messages } }, nth) =>
    script(askedRow(messages), nth, messages.length > 2),
  );
  return stub;
}

const SHARED_OPTIONS: JudgingOptions = {
  files: [rollouts],
  columns: new Map(),
  from: null,
  id: null,
  output,
  concurrency: 3,
  timeout: 0.5,
  maxRetries: 1,
  maxTokens: 512,
  temperature: 0,
  seed: null,
  extraBody: null,
  limit: null,
  structured: "auto",
  maxAttempts: 2,
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
};

/** With the stub as the endpoint where there is one. */
function judge(changes: Partial<JudgeOptions> = {}): Promise<void> {
  return judgeCommand({
    ...SHARED_OPTIONS,
    baseUrl: stub?.baseUrl ?? null,
    model: stub === null ? null : "m",
    annotations: annotated,
    turns: "annotated",
    ...changes,
  });
}

/** Writes a file of annotations: `[id, turns]` each. */
function annotate(key: string, ...list: readonly (readonly [id: unknown, ...turns: number[]])[]): void {
  const lines = list.map(([id, ...turns]) => ({
    key,
    id,
    status: "ok",
    annotations: turns.map((turn) => annotation(turn)),
  }));
  writeFileSync(annotated, jsonLines(lines));
}

interface Line extends Record<string, unknown> {
  readonly id: unknown;
  readonly turn_idx: number;
  readonly status: string;
}

const lines = (path = output): Line[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
const states = (): string[] => lines().map(({ id, turn_idx, status }) => `${id} ${turn_idx} ${status}`);
const summary = (): Record<string, unknown> => JSON.parse(stdout) as Record<string, unknown>;

describe("judge", () => {
  it("reads calls and tags without a model, an endpoint, a key or the package openai", async () => {
    vi.doMock("openai", () => {
      throw new Error("Cannot find package 'openai'");
    });
    const tagged = [
      { role: "user", content: "hello" },
      { role: "assistant", content: "<think>t</think>direct_answer<A><answer>Hi.</answer>" },
    ];
    const silent = [{ role: "user", content: "hello?" }];
    const own = join(folder, "own.jsonl");
    const [calling] = trajectories(1);
    const rows = [
      { ...calling, rollout_id: "a", annotations: [annotation(1), annotation(1)] },
      { messages: tagged, rollout_id: "b", annotations: JSON.stringify([annotation(0), annotation(7)]) },
      { messages: silent, rollout_id: "c", annotations: [annotation(0), { turn_idx: 0, gt_action: "?" }] },
      { messages: [], rollout_id: "d", annotations: null },
    ];
    writeFileSync(own, jsonLines(rows));
    await judge({ files: [own], annotations: null, json: true });
    vi.doUnmock("openai");
    expect(lines()).toEqual([
      {
        key: "rollout_id",
        id: "a",
        turn_idx: 1,
        status: "parsed",
        pred_action: "tool_call",
        pred_answer: '{"name":"find","arguments":{"id":7}}',
        rationale: "",
        error: null,
      },
      {
        key: "rollout_id",
        id: "b",
        turn_idx: 0,
        status: "parsed",
        pred_action: "direct_answer",
        pred_answer: "Hi.",
        rationale: "",
        error: null,
      },
      {
        key: "rollout_id",
        id: "c",
        turn_idx: 0,
        status: "no_assistant",
        pred_action: null,
        pred_answer: null,
        rationale: null,
        error: null,
      },
    ]);
    expect(summary()).toMatchObject({
      requestedModel: null,
      trajectories: 4,
      withoutAnnotations: 1,
      outOfRange: 1,
      unreadable: 1,
      turns: 3,
      judgedBefore: 0,
      parsed: 2,
      noAssistant: 1,
      judged: 0,
      usedUpAnswers: 0,
      unanswered: 0,
      answers: 0,
      notVerbatim: 0,
    });
    expect(stderr).toContain("turns that the trajectory does not have, not judged: rollout_id b\n");
    expect(stderr).toContain("annotations that cannot be read, not judged: rollout_id c\n");
    const held = readFileSync(output, "utf8");
    await judge({ files: [own], annotations: null, quiet: true });
    expect(readFileSync(output, "utf8")).toBe(held);
    stdout = "";
    await judge({ files: [own], annotations: null, json: true });
    expect(summary()).toMatchObject({ turns: 3, judgedBefore: 3, parsed: 0, noAssistant: 0, judged: 0 });
  });

  it("asks about the other turns only, through trouble, and asks nothing twice", async () => {
    annotate("row", [0, 0, 1], [1, 0], [2, 1], [3, 0], [4, 5]);
    const { requests } = await serve((row, nth, isAgain) => {
      if (row === 1 && nth === 1) return { kind: "status", status: 429, headers: { "retry-after": "1" } };
      if (row === 3 && !isAgain) return { kind: "answer", text: '{"pred_action": "shrug"}' };
      return row === 1 ? { kind: "answer", text: JUDGEMENT.replace("look", "find it") } : GOOD;
    });
    await judge({ json: true, priceOut: 1 });
    expect(requests.map(({ body }) => askedRow(body.messages)).sort()).toEqual([0, 1, 1, 3, 3]);
    expect(states().sort()).toEqual([
      "0 0 ok",
      "0 1 parsed",
      "1 0 ok",
      "2 1 parsed",
      "3 0 ok",
      "3 0 rejected",
    ]);
    expect(lines().find(({ status }) => status === "rejected")).toMatchObject({
      pred_action: null,
      pred_answer: null,
      rationale: null,
      verbatim: null,
      error: expect.stringContaining("pred_action"),
      attempt: 1,
    });
    expect(lines().find(({ id, turn_idx }) => id === 0 && turn_idx === 0)).toMatchObject({
      ...(JSON.parse(JUDGEMENT) as object),
      error: null,
      verbatim: true,
      requested_model: "m",
      text_limit: 20_000,
      structured: "json_schema",
      prompt_tokens: 100,
    });
    expect(summary()).toMatchObject({
      turns: 5,
      parsed: 2,
      judged: 3,
      answers: 4,
      refusedAnswers: 1,
      outOfRange: 1,
      notVerbatim: 1,
    });
    expect(lines().find(({ id }) => id === 1)).toMatchObject({ status: "ok", verbatim: false });
    expect(lines().find(({ status }) => status === "parsed")).not.toHaveProperty("verbatim");
    expect(JSON.stringify(requests[0]?.body.messages)).toContain("It decides.");
    await judge();
    expect(requests).toHaveLength(5);
    expect(stderr).toMatch(/not verbatim, in the file +1\n/);
    await expect(judge({ model: "b" })).rejects.toThrow(
      /requested_model is m, of this run b: name another file/,
    );
  });

  it("keeps a failed judge apart from any judgement, and says how to go on", async () => {
    annotate("row", [0, 0], [1, 0]);
    await serve((row) => (row === 0 ? { kind: "answer", text: "no idea" } : { kind: "status", status: 500 }));
    await expect(judge()).rejects.toMatchObject({
      code: "io",
      message:
        "2 of 2 turns have no judgement: 1 used up their answers (--retry-failed asks those again), 1 got no answer (HTTP 500 1; the same command asks those again)",
    });
    expect(stderr).toMatch(/no judgement \(refused answers\): row 0 turn 0: /);
    expect(states()).toEqual(["0 0 rejected", "0 0 rejected"]);
  });

  it("says when a model is needed and none is named, and then writes nothing", async () => {
    annotate("row", [0, 0, 1], [1, 0]);
    await expect(judge()).rejects.toMatchObject({
      code: "usage",
      message: "2 turns need a model, 1 does not: give --base-url and --model for the former",
    });
    await expect(judge({ model: "m" })).rejects.toThrow("does not: give --base-url for the former");
    await expect(judge({ annotations: null })).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("which turns? Give --annotations"),
    });
    expect(existsSync(output)).toBe(false);
    await judge({ dryRun: true });
    expect(stdout).toMatch(/^Prompt of row 0 turn 0:\n\n\[system\]\n/);
    const counts = "2 of 3 turns to ask (0 done before, 1 read without a model); for one answer each: about ";
    expect(stdout).toContain(counts);
    expect(stderr).toContain(counts);
    expect(existsSync(output)).toBe(false);
    const unused = join(folder, "unused.jsonl");
    const broken = { annotations: "{broken", tools: "[broken", checklists: "{broken" };
    writeFileSync(unused, jsonLines(trajectories(1).map((row) => ({ ...row, ...broken }))));
    annotate("row", [0, 1]);
    await judge({ files: [unused], quiet: true });
    expect(states()).toEqual(["0 1 parsed"]);
    await expect(judge({ files: [unused], annotations: null })).rejects.toThrow("annotations");
  });

  it("judges every rollout of an annotated group under its own id", async () => {
    annotate("group_id", ["g0", 1], ["g2", 1], ["g9", 0]);
    await judge({ quiet: true });
    expect(states()).toEqual(["0 1 parsed", "1 1 parsed", "4 1 parsed", "5 1 parsed"]);
    await expect(judge({ id: "group_id" })).rejects.toThrow(
      /the group_id is that of .* as well: g0; name the rows apart/,
    );
  });

  it("judges every user turn with --turns all", async () => {
    const { requests } = await serve(() => GOOD);
    await judge({ annotations: null, turns: "all", limit: 2, quiet: true });
    expect(states().sort()).toEqual(["0 0 ok", "0 1 parsed", "1 0 ok", "1 1 parsed"]);
    expect(requests).toHaveLength(2);
  });

  it.each([
    ["", "there is nothing in it"],
    ["[1]\n", "line 1: expected a JSON object, got [1]"],
    ['{"id": null}\n', 'line 1: expected the key and id of a trajectory, got {"id":null}'],
    ['{"key":"row","id":0,"status":"ok","annotations":3}\n', "line 1: the annotations must be a list"],
    [
      '{"key":"row","id":0,"status":"rejected"}\n{"key":"x","id":0}\n',
      "line 2: the ids are of x, those before of row",
    ],
    [
      jsonLines(new Array(2).fill({ key: "row", id: 0, status: "ok", annotations: [] })),
      "line 2: row 0 was annotated before",
    ],
  ])("refuses a file of annotations that holds %j", async (text, problem) => {
    writeFileSync(annotated, text);
    await expect(judge()).rejects.toMatchObject({ code: "data", message: expect.stringContaining(problem) });
  });

  it("passes over refused annotations and a last line that is not whole", async () => {
    annotate("row", [0, 1]);
    const held = readFileSync(annotated, "utf8");
    const refused = '{"key":"row","id":1,"status":"rejected","annotations":null}\n';
    writeFileSync(annotated, `${refused}${held}{"key":"row","id":2,"sta`);
    await judge({ quiet: true });
    expect(states()).toEqual(["0 1 parsed"]);
  });
});
