import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { adaptRecords } from "../../../src/data/adapters/adapters.ts";
import { readGoldActions, readMessages, readToolCalls } from "../../../src/data/calls/messages.ts";
import { fileBytes } from "../../../src/data/file-bytes.ts";

const shared = (path: string): string =>
  fileURLToPath(new URL(`../../../../shared/${path}`, import.meta.url));

type Rollout = Record<string, unknown>;

async function* piece(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function adapted(
  source: AsyncIterable<Uint8Array>,
  from: string | null,
  name = "a.json",
): Promise<Rollout[]> {
  const rows: Rollout[] = [];
  for await (const row of adaptRecords(source, name, "json", from)) rows.push(row);
  return rows;
}

const fromValue = (value: unknown, from: string): Promise<Rollout[]> =>
  adapted(piece(JSON.stringify(value)), from);

describe("adaptRecords", () => {
  it("gives the records of an array as they are without an adapter", async () => {
    expect(await adapted(piece('[{"a": 1}, {"b": NaN}]'), null)).toEqual([{ a: 1 }, { b: Number.NaN }]);
  });

  it("refuses unknown adapters and binary formats", async () => {
    await expect(adapted(piece("[]"), "verl")).rejects.toMatchObject({
      code: "usage",
      message: "--from: expected one of openai, tau-bench, tau2, got verl",
    });
    await expect(adapted(piece("[]"), "constructor")).rejects.toThrow("got constructor");
    await expect(adaptRecords(piece("PAR1"), "a.parquet", "parquet", "openai").next()).rejects.toThrow(
      "a.parquet: --from openai reads JSON or JSON Lines, found parquet",
    );
  });
});

describe("tau-bench", () => {
  const episodes = shared("data/tau_bench/gpt-4o-airline-40.json");
  const cases = shared("cases/bench2robust/tau_bench_40.json");

  it.skipIf(!existsSync(episodes) || !existsSync(cases))(
    "reads the 40 airline episodes as counted elsewhere",
    async () => {
      const expected: Record<string, unknown>[] = JSON.parse(readFileSync(cases, "utf8"));
      const rows = await adapted(fileBytes(episodes), "tau-bench");
      const counted = rows.map((row, index) => {
        const messages = readMessages(row.messages) ?? [];
        return {
          index,
          task_id: row.task_id,
          trial: row.trial,
          completed: row.completed,
          assistant: messages.filter((message) => message.role === "assistant").length,
          messages: messages.filter((message) => message.role !== "system").length,
          calls: readToolCalls(row.tool_calls).length,
          required_actions: readGoldActions(row.gold_actions).length,
        };
      });
      expect(counted).toEqual(
        expected.map((episode, at) => pick(episode, Object.keys(counted[at] as object))),
      );
      for (const row of rows) {
        const calls = (readMessages(row.messages) ?? []).flatMap((message) => message.toolCalls);
        expect(readToolCalls(row.tool_calls)).toEqual(calls);
        expect([row.group_id, row.rollout_id]).toEqual([row.task_id, `${row.task_id}:${row.trial}`]);
        expect(row.completed).toBe(row.env_reward === 1);
        expect(row).not.toHaveProperty("reward");
      }
    },
  );

  const episode = {
    task_id: 7,
    trial: 1,
    reward: 0.9999995,
    info: {
      task: {
        actions: [
          { name: "respond", kwargs: {} },
          { name: "f", kwargs: { a: [1] } },
        ],
      },
      user_cost: 0.5,
      source: "user",
    },
    traj: [
      { role: "user", content: "hi" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: '{"a": ' } }],
      },
    ],
  };

  it("takes a reward within 1e-6 of 1 as done, leaves out answers, keeps broken arguments", async () => {
    expect(await fromValue([episode, { ...episode, reward: 0.99, trial: null }], "tau-bench")).toEqual([
      {
        rollout_id: "7:1",
        group_id: 7,
        task_id: 7,
        trial: 1,
        env_reward: 0.9999995,
        user_cost: 0.5,
        completed: true,
        gold_actions: [{ name: "f", arguments: { a: [1] } }],
        messages: episode.traj,
        tool_calls: [{ name: "f", arguments: '{"a": ' }],
      },
      expect.objectContaining({ rollout_id: "7", completed: false, env_reward: 0.99 }),
    ]);
  });

  it("reads an episode that failed with an error", async () => {
    const failed = { task_id: 3, trial: 0, reward: 0, info: { error: "timeout", traceback: "…" }, traj: [] };
    expect(await fromValue([failed], "tau-bench")).toEqual([
      {
        rollout_id: "3:0",
        group_id: 3,
        task_id: 3,
        trial: 0,
        env_reward: 0,
        error: "timeout",
        completed: false,
        messages: [],
        tool_calls: [],
      },
    ]);
  });

  it("names file, element and path of another shape", async () => {
    const bad = { ...episode, info: { task: { actions: [{ kwargs: {} }] } } };
    await expect(fromValue([episode, bad], "tau-bench")).rejects.toMatchObject({
      code: "data",
      message:
        "a.json: element 1: info.task.actions[0].name: Invalid input: expected string, received undefined",
    });
    await expect(fromValue([{}], "tau-bench")).rejects.toThrow(
      /^a\.json: element 0: task_id: .* \(and 1 more\)$/,
    );
  });
});

describe("tau2", () => {
  const simulation = {
    id: "s1",
    task_id: "t",
    trial: 2,
    seed: 300,
    termination_reason: "user_stop",
    duration: 1.5,
    agent_cost: null,
    reward_info: {
      reward: 1,
      action_checks: [
        { action: { name: "f", requestor: "assistant" }, action_match: true },
        { action: { name: "g", requestor: "user" }, action_match: true },
        { name: "h", action_match: false },
      ],
    },
    messages: [
      { role: "assistant", content: "Hi", tool_calls: null, turn_idx: 0 },
      {
        role: "user",
        content: "toggle it",
        tool_calls: [{ id: "u", name: "toggle", arguments: {}, requestor: "user" }],
      },
      { role: "tool", id: "u", content: "on", requestor: "user", error: false },
      {
        role: "user",
        content: null,
        tool_calls: [{ id: "u", name: "toggle", arguments: {}, requestor: "user" }],
      },
      {
        role: "assistant",
        content: "Looking",
        tool_calls: [
          { id: "a", name: "f", arguments: { x: 1 }, requestor: "assistant" },
          { id: "a", name: "f", arguments: {} },
        ],
      },
      {
        role: "tool",
        tool_messages: [
          { role: "tool", id: "a", content: "1", requestor: "assistant" },
          { role: "tool", id: "a", content: "" },
        ],
      },
    ],
  };
  const call = (args: string): unknown => ({
    id: "a",
    type: "function",
    function: { name: "f", arguments: args },
  });

  it("reads a simulation alone, with its own action checks", async () => {
    expect(await fromValue(simulation, "tau2")).toEqual([
      {
        rollout_id: "s1",
        group_id: "t",
        task_id: "t",
        trial: 2,
        seed: 300,
        termination_reason: "user_stop",
        duration: 1.5,
        env_reward: 1,
        completed: true,
        matched_actions: 1,
        required_actions: 2,
        response: "Looking",
        tool_calls: [
          { name: "f", arguments: '{"x":1}' },
          { name: "f", arguments: "{}" },
        ],
        messages: [
          { role: "assistant", content: "Hi" },
          { role: "user", content: "toggle it" },
          { role: "assistant", content: "Looking", tool_calls: [call('{"x":1}'), call("{}")] },
          { role: "tool", content: "1", tool_call_id: "a" },
          { role: "tool", content: "", tool_call_id: "a" },
        ],
      },
    ]);
  });

  it("reads a results object: gold actions of the assistant, and what holds for the whole run", async () => {
    const actions = [
      { action_id: "0", name: "f", arguments: { x: 1 }, compare_args: [] },
      { action_id: "1", name: "g", arguments: {}, requestor: "user" },
      { action_id: "2", name: "h", arguments: { y: 2 }, compare_args: null },
    ];
    const results = {
      info: { agent_info: { llm: "m" }, environment_info: { domain_name: "retail" }, seed: 9 },
      tasks: [
        { id: "t", evaluation_criteria: { actions } },
        { id: "none", evaluation_criteria: null },
      ],
      simulations: [
        simulation,
        { task_id: "none", seed: null, reward_info: null, messages: null },
        { ...simulation, task_id: "unknown" },
      ],
    };
    const rows = await fromValue(results, "tau2");
    expect(rows[0]).toMatchObject({
      model: "m",
      subset: "retail",
      seed: 300,
      gold_actions: [
        { name: "f", arguments: { x: 1 }, compare_args: [] },
        { name: "h", arguments: { y: 2 } },
      ],
    });
    expect(rows[0]).not.toHaveProperty("matched_actions");
    expect(rows[1]).toEqual({
      group_id: "none",
      task_id: "none",
      model: "m",
      subset: "retail",
      seed: 9,
      gold_actions: [],
    });
    expect(rows[2]).toMatchObject({ group_id: "unknown", matched_actions: 1, required_actions: 2 });
  });

  const fragment = shared("data/tau2_bench/retail_trace_fragment.json");
  it.skipIf(!existsSync(fragment))("reads the retail trace", async () => {
    const [row] = await adapted(fileBytes(fragment), "tau2");
    expect(row).toMatchObject({
      group_id: "0",
      completed: false,
      env_reward: 0,
      matched_actions: 4,
      required_actions: 5,
    });
    expect(readToolCalls(row?.tool_calls)).toEqual([
      { name: "find_user_id_by_email", arguments: { email: "someone@example.com" } },
      {
        name: "find_user_id_by_name_zip",
        arguments: { first_name: "Yusuf", last_name: "Rossi", zip: "19122" },
      },
    ]);
  });

  const tasks = ["airline/tasks.json", "retail/tasks.json", "telecom/tasks_small.json"].map((path) =>
    shared(`data/tau2_bench/${path}`),
  );
  it.skipIf(!tasks.every((path) => existsSync(path)))(
    "reads the gold actions of all public tasks",
    async () => {
      const counts: number[] = [];
      for (const path of tasks) {
        const all: { id: string }[] = JSON.parse(readFileSync(path, "utf8"));
        const rows = await fromValue(
          { tasks: all, simulations: all.map(({ id }) => ({ task_id: id })) },
          "tau2",
        );
        counts.push(rows.flatMap((row) => readGoldActions(row.gold_actions)).length);
      }
      expect(counts).toEqual([142, 550, 7]);
    },
  );

  it("names file, record and path of another shape", async () => {
    await expect(fromValue({ simulations: [{}] }, "tau2")).rejects.toThrow(
      /^a\.json:1: simulations\[0\]\.task_id: /,
    );
    await expect(fromValue({ task_id: 1, messages: [{}] }, "tau2")).rejects.toThrow(
      /^a\.json:1: messages\[0\]\.role: /,
    );
  });
});

describe("openai", () => {
  const choice = (index: number, content: string | null, logprobs: unknown = null): unknown => ({
    index,
    finish_reason: "stop",
    message: { role: "assistant", content, refusal: null },
    logprobs,
  });
  const token = (logprob: number | null): unknown => ({ token: "x", logprob, bytes: null, top_logprobs: [] });
  const completion = {
    id: "cmpl-1",
    object: "chat.completion",
    model: "m",
    created: 5,
    usage: { total_tokens: 3 },
    choices: [
      choice(0, "a", { content: [token(-0.5), token(-9999), token(null)] }),
      choice(1, "b"),
      choice(2, null, { content: null }),
    ],
  };

  it("reads one row a choice, in one group", async () => {
    const shared = { group_id: "cmpl-1", model: "m", created: 5, finish_reason: "stop", tool_calls: [] };
    expect(await fromValue(completion, "openai")).toEqual([
      {
        ...shared,
        rollout_id: "cmpl-1:0",
        response: "a",
        logprobs: [-0.5, -9999, null],
        messages: [{ role: "assistant", content: "a" }],
      },
      { ...shared, rollout_id: "cmpl-1:1", response: "b", messages: [{ role: "assistant", content: "b" }] },
      { ...shared, rollout_id: "cmpl-1:2", messages: [{ role: "assistant", content: null }] },
    ]);
  });

  it("puts the request's messages before the answer, wherever they are", async () => {
    const messages = [{ role: "user", content: [{ type: "text", text: "hi" }] }];
    const tools = [{ type: "function", function: { name: "f" } }];
    const request = { messages, tools, seed: 4 };
    for (const record of [
      { ...completion, ...request },
      { ...completion, request },
      { ...completion, request: { body: request } },
    ]) {
      const [row] = await fromValue(record, "openai");
      expect(row).toMatchObject({ tools, seed: 4, response: "a" });
      expect(row?.messages).toEqual([
        { role: "user", content: "hi" },
        { role: "assistant", content: "a" },
      ]);
    }
  });

  it("reads batch output, failed requests too", async () => {
    const lines = [
      {
        id: "b1",
        custom_id: "q7",
        response: { status_code: 200, request_id: "r", body: completion },
        error: null,
      },
      {
        id: "b2",
        custom_id: "q8",
        response: { status_code: 429, body: { error: { message: "slow down" } } },
        error: null,
      },
      { id: "b3", custom_id: "q9", response: null, error: { code: "expired", message: "too late" } },
      { id: "b4", custom_id: "q10", response: { status_code: 500, body: null } },
    ];
    const rows = await adapted(piece(lines.map((line) => JSON.stringify(line)).join("\n")), "openai");
    expect(rows.slice(0, 3).map((row) => [row.rollout_id, row.group_id, row.custom_id, row.model])).toEqual(
      [0, 1, 2].map((index) => [`q7:${index}`, "q7", "q7", "m"]),
    );
    expect(rows.slice(3)).toEqual([
      { rollout_id: "q8", group_id: "q8", custom_id: "q8", error: "slow down" },
      { rollout_id: "q9", group_id: "q9", custom_id: "q9", error: "too late" },
      { rollout_id: "q10", group_id: "q10", custom_id: "q10", error: "status 500" },
    ]);
  });

  it("reads chat rows; what stands beside the messages is kept", async () => {
    const record = {
      messages: [
        { role: "user", content: "q" },
        {
          role: "assistant",
          content: "thinking",
          tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "c", content: "" },
        { role: "assistant", content: "done", weight: 1 },
      ],
      tools: [],
      group_id: "g",
      reward: 0.5,
      logprobs: [-1],
      nothing: null,
    };
    expect(await fromValue(record, "openai")).toEqual([
      {
        messages: [...record.messages.slice(0, 3), { role: "assistant", content: "done" }],
        tool_calls: [{ name: "f", arguments: "{}" }],
        response: "done",
        tools: [],
        group_id: "g",
        env_reward: 0.5,
        logprobs: [-1],
        nothing: null,
      },
    ]);
  });

  it("has no response when the last assistant message only calls", async () => {
    const messages = [
      { role: "assistant", content: "earlier" },
      { role: "assistant", content: null, tool_calls: [{ function: { name: "f" } }] },
    ];
    const [row] = await fromValue({ messages }, "openai");
    expect(row).not.toHaveProperty("response");
    expect(row?.tool_calls).toEqual([{ name: "f", arguments: "{}" }]);
  });

  it("names file, record and path of another shape", async () => {
    await expect(fromValue({ a: 1, b: 2 }, "openai")).rejects.toThrow(
      "a.json:1: expected messages, choices or response.body (OpenAI), found a, b",
    );
    await expect(fromValue({ choices: [{ text: "x" }] }, "openai")).rejects.toThrow(
      /^a\.json:1: choices\[0\]\.message: /,
    );
    await expect(fromValue({ messages: [] }, "openai")).rejects.toThrow(/^a\.json:1: messages: /);
    const broken = {
      custom_id: "q",
      response: { body: { choices: [{ message: {}, logprobs: { content: [1] } }] } },
    };
    await expect(fromValue(broken, "openai")).rejects.toThrow(
      "a.json:1: response.body: choices[0].logprobs.content: expected a list of {token, logprob}",
    );
  });
});

function pick(record: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, record[key]]));
}
