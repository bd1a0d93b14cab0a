import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { annotateCommand } from "../../src/cli/judging/annotate-command.ts";
import { judgeCommand } from "../../src/cli/judging/judge-command.ts";
import type { JudgingOptions } from "../../src/cli/judging/judging-options.ts";
import { scoreCommand } from "../../src/cli/score/score-command.ts";
import { loadAdapter } from "../../src/data/adapters/adapters.ts";
import { readMessages } from "../../src/data/calls/messages.ts";
import { parsePythonCalls } from "../../src/data/calls/python-calls.ts";
import { userTurns } from "../../src/data/calls/user-turns.ts";
import { annotation, annotations, jsonLines } from "../cli/judging/sample-trajectories.ts";
import { type StubServer, startStub } from "./stub-model-server.ts";

const shared = (path: string): string =>
  fileURLToPath(new URL(`../../../shared/data/${path}`, import.meta.url));
const TAU = shared("tau_bench/gpt-4o-airline-40.json");
const QUESTIONS = shared("bfcl/BFCL_v4_multi_turn_base.jsonl");
const ANSWERS = shared("bfcl/possible_answer/BFCL_v4_multi_turn_base.jsonl");

const folder = mkdtempSync(join(tmpdir(), "calibrant-real-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

type Row = Record<string, unknown>;

const linesOf = (path: string): Row[] =>
  readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);

/** Annotates rows by group, judges what has to be judged, and scores them; all from files. */
async function scoreAll(
  rows: readonly Row[],
  script: { readonly annotate: (prompt: string) => string; readonly judge: (prompt: string) => string },
): Promise<{
  readonly scored: Row[];
  readonly annotated: Row[];
  readonly judged: Row[];
  readonly asked: number;
}> {
  for (const name of ["annotations.jsonl", "judgements.jsonl"]) rmSync(at(name), { force: true });
  writeFileSync(at("rows.jsonl"), jsonLines(rows));
  const stubFor = (answer: (prompt: string) => string): Promise<StubServer> =>
    startStub(({ body }) => ({
      kind: "answer",
      text: answer(body.messages.map(({ content }) => content).join("\n")),
    }));
  const annotator = await stubFor(script.annotate);
  await annotateCommand({ ...optionsFor("annotations.jsonl", annotator), id: "group_id" });
  await annotator.close();
  const judge = await stubFor(script.judge);
  const judging = {
    ...optionsFor("judgements.jsonl", judge),
    annotations: at("annotations.jsonl"),
    turns: "annotated",
  } as const;
  await judgeCommand(judging);
  await judge.close();
  await scoreCommand({
    files: [at("rows.jsonl")],
    rewards: ["trust"],
    plan: {},
    output: at("scored.jsonl"),
    format: null,
    from: null,
    columns: new Map(),
    jobs: 1,
    seed: 0,
    json: false,
    quiet: true,
    trajectory: {
      weights: {},
      base: "column",
      annotations: at("annotations.jsonl"),
      judgements: at("judgements.jsonl"),
    },
  });
  return {
    scored: linesOf(at("scored.jsonl")),
    annotated: linesOf(at("annotations.jsonl")),
    judged: linesOf(at("judgements.jsonl")),
    asked: judge.requests.length,
  };
}

function optionsFor(
  output: string,
  { baseUrl }: StubServer,
): JudgingOptions & { baseUrl: string; model: string } {
  return {
    files: [at("rows.jsonl")],
    columns: new Map(),
    from: null,
    id: null,
    output: at(output),
    concurrency: 8,
    timeout: 20,
    maxRetries: 1,
    textLimit: 20_000,
    totalLimit: 160_000,
    maxTokens: 512,
    temperature: 0,
    seed: null,
    extraBody: null,
    structured: "auto",
    maxAttempts: 3,
    retryFailed: false,
    limit: null,
    apiKeyEnv: "OPENAI_API_KEY",
    priceIn: null,
    priceOut: null,
    dryRun: false,
    json: false,
    quiet: true,
    baseUrl,
    model: "scripted",
  };
}

describe.skipIf(!existsSync(QUESTIONS))("trajectories made of BFCL's multi-turn tasks", () => {
  it("are annotated, judged and scored to the digit", async () => {
    const tasks = linesOf(QUESTIONS).slice(0, 60);
    const answers = new Map(linesOf(ANSWERS).map(({ id, ground_truth }) => [id, ground_truth as string[][]]));
    const targets = new Map<string, string>();
    const rows = tasks.flatMap(({ id, question }) => {
      const users = (question as { content: string }[][]).map(([first]) => first?.content ?? "");
      const calls = (answers.get(id) ?? []).map((texts) =>
        texts.flatMap((text) =>
          (parsePythonCalls(text) ?? []).map(({ name, arguments: args }) => ({ name, arguments: args })),
        ),
      );
      const target = (calls[0] ?? [])
        .map((call) => `<tool_call>${JSON.stringify(call)}</tool_call>`)
        .join("\n");
      targets.set(users[0] as string, target);
      const messagesOf = (isRight: boolean): Row[] =>
        users.flatMap((content, turn) => [
          { role: "user", content },
          isRight
            ? {
                role: "assistant",
                content: null,
                tool_calls: (calls[turn] ?? []).map((call) => ({ function: call })),
              }
            : { role: "assistant", content: "That is done." },
        ]);
      return [true, false].map((isRight, rollout) => ({
        rollout_id: `${id}-${rollout}`,
        group_id: id,
        messages: messagesOf(isRight),
        checklist_reward: isRight ? 1 : 0,
        turn_ppl: users.map((_user, turn) => (turn === 0 ? [1.2, 1.5][rollout] : 9)),
      }));
    });
    const targetOf = (prompt: string): string =>
      [...targets].find(([user]) => prompt.includes(JSON.stringify(user).slice(1, 60)))?.[1] ?? "";
    const { scored, judged, asked } = await scoreAll(rows, {
      annotate: (prompt) => annotations({ ...annotation(0), target_answer: targetOf(prompt) }),
      judge: () =>
        JSON.stringify({ pred_action: "direct_answer", pred_answer: "That is done.", rationale: "" }),
    });
    expect(judged.map(({ status }) => status).sort()).toEqual(
      [...Array<string>(60).fill("ok"), ...Array<string>(60).fill("parsed")].sort(),
    );
    expect(asked).toBe(60);
    const c = 1 / (1 + Math.exp(-(1.5 - 1.2) / 0.1));
    for (const { rollout_id, reward, uq_reward, status, placements } of scored) {
      const isRight = String(rollout_id).endsWith("-0");
      expect(status, String(rollout_id)).toBe("ok");
      expect(uq_reward, String(rollout_id)).toBeCloseTo(isRight ? 1 + 3 * c : 2 * c, 12);
      expect(reward).toBeCloseTo((isRight ? 1 : 0) + (uq_reward as number), 12);
      expect(placements).toMatchObject([{ turn_idx: 0, message_idx: 1, token_idx: null }]);
    }
    expect(scored).toHaveLength(120);
  });
});

describe.skipIf(!existsSync(TAU))("episodes of tau-bench", () => {
  it("are grouped, annotated, judged and scored; nothing is lost", async () => {
    const adapter = await loadAdapter("tau-bench");
    const episodes = JSON.parse(readFileSync(TAU, "utf8")) as unknown[];
    const adapted = episodes.flatMap((episode) => adapter(episode as Row, "tau") as Row[]);
    const rows = adapted.map((row, index) => {
      const turns = userTurns(readMessages(row.messages) ?? []).length;
      return {
        ...row,
        group_id: `t${row.task_id as number}`,
        checklist_reward: row.env_reward,
        turn_ppl: Array.from({ length: turns }, (_, turn) => 1 + (((index + turn) % 7) + 1) / 8),
      };
    });
    const lastTurn = (prompt: string): number =>
      Math.max(...[...prompt.matchAll(/^Turn (\d+):/gm)].map(([, turn]) => Number(turn)));
    const { scored, annotated, judged, asked } = await scoreAll(rows, {
      annotate: (prompt) =>
        annotations(annotation(0, "request_for_info"), annotation(lastTurn(prompt), "direct_answer")),
      judge: () => JSON.stringify({ pred_action: "request_for_info", pred_answer: "Who?", rationale: "" }),
    });
    expect(annotated.every(({ status }) => status === "ok")).toBe(true);
    expect(annotated).toHaveLength(new Set(rows.map(({ group_id }) => group_id)).size);
    expect(judged.filter(({ status }) => status === "ok")).toHaveLength(asked);
    expect(asked).toBeGreaterThan(0);
    expect(scored).toHaveLength(rows.length);
    for (const row of scored) {
      const placed = row.placements as Row[];
      const sum = placed.reduce((total, { reward }) => total + (reward as number), 0);
      expect(row.reward).toBeCloseTo((row.checklist_reward as number) + sum, 12);
      const messages = readMessages(row.messages) ?? [];
      for (const { turn_idx, message_idx } of placed) {
        const { start, end } = userTurns(messages)[turn_idx as number] ?? { start: 0, end: 0 };
        expect(messages[message_idx as number]?.role).toBe("assistant");
        expect(message_idx).toBeGreaterThanOrEqual(start);
        expect(message_idx).toBeLessThan(end);
      }
    }
    expect(scored.filter(({ key_turns }) => key_turns === 2).length).toBeGreaterThan(0);
  });
});
