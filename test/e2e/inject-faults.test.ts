import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { InjectionRecord } from "../../src/recovery/injection-record.ts";
import { connect, eventually, proxy, SERVER } from "./inject-clients.ts";
import { runCli, temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();
const file = (name: string) => join(folder, name);
const NOISE = "timeout=0.2,server_error=0.2,partial=0.15,stale=0.15,factual_error=0.15";
const LOUD = ["--noise", NOISE, "--budget", "1000", "--max-consecutive", "1000"];

type Row = Readonly<Record<string, unknown>> & {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly injections: readonly InjectionRecord[];
};

function rowsOf(path: string): Row[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Row);
}

/** Sixty calls of one tool, one after the other. */
async function episode(name: string, ...args: readonly string[]) {
  const output = file(`${name}.jsonl`);
  const all = [...args, "-o", output, "--log", file(`${name}.log`)];
  const client = await connect(
    proxy(...all, "--", process.execPath, SERVER, "--count", file(`${name}.count`)),
  );
  const results = [];
  for (let id = 0; id < 60; id++) results.push(await client.call("get_order", { id }));
  await client.close();
  const [row] = await eventually(() => readFileSync(output, "utf8") !== "" && rowsOf(output));
  return { results, row: row as Row, output };
}

describe("calls that meet faults", () => {
  it("explicit ones never reach the server, silent ones do once; seed and id fix everything", async () => {
    const { results, row, output } = await episode("one", "--seed", "7", ...LOUD);
    const reached = readFileSync(file("one.count"), "utf8").trim().split("\n");
    const explicit = row.injections.filter(({ executed }) => !executed);
    const silent = row.injections.filter(({ executed }) => executed);
    expect(explicit.length).toBeGreaterThan(10);
    expect(silent.length).toBeGreaterThan(10);
    expect(reached).toHaveLength(60 - explicit.length);
    for (const { call, response } of explicit)
      expect(results[call]).toEqual({ content: [{ type: "text", text: response }], isError: true });
    for (const { call, changes } of silent) {
      expect(changes.length).toBeGreaterThan(0);
      const { content, structuredContent } = results[call] as (typeof results)[number];
      expect(JSON.parse(content[0]?.text ?? "")).toEqual(structuredContent);
      expect(structuredContent).toMatchObject({ order_id: `O-${call}` });
      expect(structuredContent).not.toEqual({
        order_id: `O-${call}`,
        status: "delivered",
        total: 120.5,
        items: ["cup", "plate"],
      });
      expect(content[1]).toEqual({ type: "image", data: "AAAA", mimeType: "image/png" });
    }
    expect(row).toMatchObject({
      episode_id: "episode-1",
      condition: "injected",
      seed: 7,
      num_turns: 60,
      ended: "client",
    });
    expect(row.messages.filter(({ role }) => role === "tool").map(({ content }) => content)).toEqual(
      results.map(({ content }) => content.map(({ text }) => text ?? "[image image/png 3 bytes]").join("\n")),
    );
    const log = readFileSync(file("one.log"), "utf8");
    expect(log).toBe(row.injections.map((record) => `${JSON.stringify(record)}\n`).join(""));
    const again = await episode("two", "--seed", "7", ...LOUD);
    expect(readFileSync(again.output, "utf8")).toBe(readFileSync(output, "utf8"));
    expect(readFileSync(file("two.log"), "utf8")).toBe(log);
  });

  it("keep the schema that a tool declares, and the text beside the data, so that the SDK's clients take them", async () => {
    const output = file("schema.jsonl");
    const noise = ["--noise", "partial=0.3,stale=0.3,factual_error=0.3", "--budget", "1000"];
    const client = await connect(
      proxy(...noise, "--max-consecutive", "1000", "-o", output, "--", process.execPath, SERVER),
    );
    await client.listTools();
    const results = [];
    for (let id = 0; id < 60; id++) results.push(await client.call("list_orders", { id }));
    await client.close();
    const [row] = await eventually(() => readFileSync(output, "utf8") !== "" && rowsOf(output));
    const changed = (row as Row).injections.filter(({ changes }) => changes.length > 0);
    expect(changed.length).toBeGreaterThan(30);
    for (const { call } of changed) {
      const { content, structuredContent } = results[call] as (typeof results)[number];
      const { result } = structuredContent as { result: { status: string }[] };
      expect(content.map(({ text }) => JSON.parse(text ?? ""))).toEqual(result);
      expect(result).not.toEqual(
        [call, call + 1].map((id) => ({ order_id: `O-${id}`, status: "delivered", total: 120.5 })),
      );
    }
    expect(changed.map(({ fault }) => fault)).toEqual(expect.arrayContaining(["stale", "factual_error"]));
  });

  it("a log of injections that cannot be written is told at once", async () => {
    const missing = file("nowhere/log.jsonl");
    const { status, stderr } = await runCli(["inject", "--log", missing, "--", process.execPath, SERVER]);
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^calibrant: cannot write .*nowhere.log.jsonl: ENOENT.*\n$/),
    ]);
  });

  it("a check decides, gold actions come along, a scenario blocks, and score reads the file", async () => {
    const gold = [
      { name: "get_order", arguments: { id: 1 } },
      { name: "echo", arguments: { value: 1 } },
    ];
    writeFileSync(file("gold.jsonl"), `${JSON.stringify({ task_id: "t1", gold_actions: gold })}\n`);
    const registry = {
      tools: ["get_order", "echo", "fail"],
      tasks: [{ task_id: "t1", paths: [{ tools: ["get_order", "echo"] }, { tools: ["fail", "echo"] }] }],
    };
    writeFileSync(file("registry.json"), JSON.stringify(registry));
    const output = file("checked.jsonl");
    const common = [
      "-o",
      output,
      "--task",
      "t1",
      "--gold",
      file("gold.jsonl"),
      "--model",
      "m",
      "--p-clean",
      "1",
    ];
    const run = async (...args: string[]) => {
      const client = await connect(proxy(...common, ...args, "--", process.execPath, SERVER));
      const texts = [await client.text("get_order", { id: 1 }), await client.text("echo", { value: 1 })];
      await client.close();
      return texts;
    };
    // Two proxies at a time on one file. A check does not see the injection log.
    await Promise.all([run("--check", "grep get_order | grep -vq injections"), run("--check", "exit 1")]);
    await run("--check", "no-such-command-anywhere");
    await run(
      "--registry",
      file("registry.json"),
      "--scenario",
      "S3",
      "--check",
      "sleep 60",
      "--check-timeout",
      "0.2",
    );
    const rows = await eventually(() => rowsOf(output).length === 4 && rowsOf(output));
    expect(rows.map((row) => row.episode_id).sort()).toEqual([
      "episode-1",
      "episode-2",
      "episode-3",
      "episode-4",
    ]);
    const completed = rows.map((row) => row.completed);
    expect(completed.slice(0, 2).sort()).toEqual([0, 1]);
    expect(completed.slice(2)).toEqual([null, null]);
    expect(rows[2]?.note).toMatch(/could not run: the shell said 127/);
    expect(rows[3]?.note).toMatch(/took longer than 0.2 s/);
    expect(rows[3]).toMatchObject({
      scenario: "S3",
      blocked: ["echo", "fail", "get_order"],
      fault_types: ["blocked"],
    });
    const scored = await runCli([
      "score",
      output,
      "-r",
      "bench2robust",
      "-o",
      file("scored.jsonl"),
      "--quiet",
    ]);
    expect(scored.stderr).toBe("");
    const rewards = rowsOf(file("scored.jsonl")).map((row) => row.reward);
    // Done: 1. Not done: 0.3 times both of the two gold actions. Not checked: unknown.
    expect(rewards.slice(0, 2).sort()).toEqual([0.3, 1]);
    expect(rewards.slice(2)).toEqual([null, null]);
  });

  it("options that do not go together are wrong usage", async () => {
    const wrong: readonly (readonly [readonly string[], RegExp])[] = [
      [[], /needs a server/],
      [["--url", "http://127.0.0.1:1/mcp", "--", "node"], /takes one server/],
      [["--scenario", "S2", "--", "node"], /needs --registry and --task/],
      [["--clean", "--block", "a", "--", "node"], /--clean injects nothing/],
      [["--noise", "timeout=2", "--", "node"], /must be a number in \[0, 1\]/],
      [["--noise", "tiemout=0.2", "--", "node"], /did you mean timeout/],
      [["--json", "--", "node"], /--json goes with --replay/],
      [["--replay", "--http", "1"], /--replay does not take --http/],
      [["--url", "ftp://x", "--quiet"], /http or https/],
      [["--noise", "timeout", "--", "node"], /needs its probability, such as timeout=0.2/],
      [["--registry", "bfcl", "--", "node"], /--registry needs --scenario/],
      [["-o", "-", "--", "node"], /take the name of a file, got -/],
      [["--log", "-", "--", "node"], /take the name of a file, got -/],
      [["-o", "one.jsonl", "--log", "./one.jsonl", "--", "node"], /must be two files/],
    ];
    for (const [args, message] of wrong) {
      const { status, stderr, stdout } = await runCli(["inject", ...args]);
      expect(stderr).toMatch(message);
      expect([status, stdout.length]).toEqual([2, 0]);
    }
  });
});
