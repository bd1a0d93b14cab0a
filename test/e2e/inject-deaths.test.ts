import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { connect, eventually, exitOf, listening, proxy, SERVER } from "./inject-clients.ts";
import { temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();
const node = process.execPath;

type Message = Readonly<Record<string, unknown>> & { readonly error?: { code: number; message: string } };

/** A client that only writes and reads lines, so that nothing of an SDK hides what the proxy does. */
async function rawClient(...args: readonly string[]) {
  const [command = "", ...rest] = proxy(...args);
  const child = spawn(command, rest, { stdio: "pipe" });
  let stderr = "";
  child.stderr.on("data", (piece: Buffer) => {
    stderr += piece.toString("utf8");
  });
  const answers = new Map<unknown, Message>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line) as Message;
    answers.set(message.id, message);
  });
  const send = (message: object) =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const ask = (id: number, method: string, params: object) => send({ id, method, params });
  const clientInfo = { name: "raw", version: "1" };
  ask(0, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  const answer = (id: number) => eventually(() => answers.get(id));
  const call = (id: number, name: string, values: object = {}) =>
    ask(id, "tools/call", { name, arguments: values });
  return { child: child as ChildProcess, send, call, answer, stderr: () => stderr };
}

async function ready(...args: readonly string[]) {
  const client = await rawClient(...args);
  await client.answer(0);
  client.send({ method: "notifications/initialized" });
  return client;
}

function rowsOf(path: string): Record<string, unknown>[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("when a side dies", () => {
  it("a server that ends or is killed is told to the client, with its last words", async () => {
    const output = join(folder, "server.jsonl");
    const crashing = await ready("--clean", "-o", output, "--", node, SERVER);
    crashing.call(1, "wait", { ms: 60_000 });
    crashing.call(2, "crash");
    const killed = await ready("--clean", "-o", output, "--", node, SERVER);
    killed.call(1, "pid");
    const { content } = (await killed.answer(1)).result as { content: { text: string }[] };
    killed.call(2, "wait", { ms: 60_000 });
    await eventually(() => killed.stderr().includes("waiting"));
    process.kill(Number(content[0]?.text), "SIGKILL");
    for (const [client, id, reason] of [
      [crashing, 1, /exit code 3; on standard error: the disk is on fire/],
      [crashing, 2, /exit code 3/],
      [killed, 2, /was killed by SIGKILL/],
    ] as const) {
      const { error } = await client.answer(id);
      expect(error?.message).toMatch(reason);
      expect(error?.code).toBe(-32000);
    }
    killed.call(3, "pid");
    expect((await killed.answer(3)).error?.message).toMatch(/SIGKILL/);
    expect(await exitOf(crashing.child)).toBe(1);
    expect(await exitOf(killed.child)).toBe(1);
    expect(crashing.stderr()).toMatch(/^calibrant: the server \(.*\) ended with exit code 3/m);
    const rows = rowsOf(output);
    expect(rows.map(({ ended }) => ended)).toEqual(["server", "server"]);
    expect(rows.map(({ num_turns }) => num_turns)).toEqual([2, 2]);
  });

  it("a server that cannot start or be reached is told too", async () => {
    for (const [args, reason] of [
      [["--", "no-such-program-anywhere"], /did not start: .*ENOENT/],
      [["--url", "http://127.0.0.1:9/mcp"], /cannot be reached/],
    ] as const) {
      const client = await rawClient("--clean", ...args);
      expect((await client.answer(0)).error?.message).toMatch(reason);
      expect(await exitOf(client.child)).toBe(1);
    }
  });

  it("an HTTP server that is killed during a call", async () => {
    const server = await listening([node, SERVER, "--http"]);
    const client = await ready("--clean", "--url", server.url.href, "--");
    client.call(1, "wait", { ms: 60_000 });
    await eventually(() => server.stderr().includes("waiting"));
    server.child.kill("SIGKILL");
    expect((await client.answer(1)).error?.message).toMatch(/without an answer|cannot be reached/);
    client.call(2, "pid");
    expect((await client.answer(2)).error?.message).toMatch(/cannot be reached/);
    expect(await exitOf(client.child)).toBe(1);
  });

  it("a client that is killed leaves its episode, and no server behind", async () => {
    const output = join(folder, "client.jsonl");
    const client = await ready("--clean", "-o", output, "--", node, SERVER);
    client.call(1, "pid");
    const { content } = (await client.answer(1)).result as { content: { text: string }[] };
    client.call(2, "big", { bytes: 5_000_000 });
    // What the system does with the pipes of a process that is killed.
    client.child.stdout?.destroy();
    client.child.stdin?.destroy();
    expect(await exitOf(client.child)).toBe(0);
    expect(rowsOf(output)).toMatchObject([{ ended: "client", num_turns: 2 }]);
    await eventually(() => !isAlive(Number(content[0]?.text)));
  });

  it("a proxy that is killed leaves a journal, from which the next one writes the episode", async () => {
    const output = join(folder, "proxy.jsonl");
    const client = await ready("--clean", "-o", output, "--task", "t", "--", node, SERVER);
    client.call(1, "echo", { value: [1, 2] });
    await client.answer(1);
    client.call(2, "wait", { ms: 60_000 });
    await eventually(() => client.stderr().includes("waiting"));
    client.child.kill("SIGKILL");
    await exitOf(client.child);
    expect(rowsOf(output)).toEqual([]);
    const next = await connect(proxy("--clean", "-o", output, "--", node, SERVER));
    expect(await next.text("echo", { value: 1 })).toBe("1");
    await next.close();
    const [first, second] = await eventually(() => rowsOf(output).length === 2 && rowsOf(output));
    expect(first).toMatchObject({
      episode_id: "episode-1",
      task_id: "t",
      ended: "killed",
      completed: null,
      num_turns: 2,
    });
    const messages = first?.messages as unknown[];
    expect(messages.slice(1)).toMatchObject([
      { role: "tool", content: "[1,2]" },
      { role: "assistant", tool_calls: [{ function: { name: "wait", arguments: '{"ms":60000}' } }] },
    ]);
    expect(second).toMatchObject({ episode_id: "episode-2", ended: "client" });
    await eventually(() => readdirSync(folder).every((name) => !/journal|lock/.test(name)));
  });

  it("over HTTP each session is an episode, and clients without sessions name theirs", async () => {
    const output = join(folder, "http.jsonl");
    const args = proxy("--clean", "-o", output, "--http", "0", "--", node, SERVER);
    const { url, child } = await listening(args.filter((word) => word !== "--quiet"));
    const [one, two] = [await connect(url), await connect(url, "v1")];
    expect(await one.text("pid")).not.toBe(await two.text("pid"));
    await one.close();
    await eventually(() => rowsOf(output).length === 1);
    // The server of the other session dies: it is told so for as long as it asks, and nobody else is.
    const gone = /exit code 3/;
    await expect(two.call("crash")).rejects.toThrow(gone);
    await eventually(() => rowsOf(output).length === 2);
    await expect(two.call("pid")).rejects.toThrow(gone);
    const [plain, named] = [
      await connect(url, "v2 auto"),
      await connect(url, "v2 auto", { "x-calibrant-episode": "mine" }),
    ];
    expect(await plain.text("pid")).not.toBe(await named.text("pid"));
    child.kill("SIGTERM");
    expect(await exitOf(child)).toBe(143);
    const rows = rowsOf(output).map(
      ({ episode_id, ended, num_turns }) => `${episode_id} ${ended} ${num_turns}`,
    );
    expect(rows.slice(0, 2)).toEqual(["episode-1 client 1", "episode-2 server 2"]);
    expect(rows.slice(2).sort()).toEqual(["episode-3 signal 1", "mine signal 1"]);
  });

  it("clients without sessions that are idle for long end their episode; their next request begins another", async () => {
    const output = join(folder, "idle.jsonl");
    const args = proxy("--clean", "-o", output, "--http", "0", "--idle", "0.1", "--", node, SERVER);
    const { url, child } = await listening(args.filter((word) => word !== "--quiet"));
    const client = await connect(url, "v2 auto");
    // An open request is no idleness.
    const [before, waited] = await Promise.all([client.text("pid"), client.text("wait", { ms: 2500 })]);
    expect([waited, rowsOf(output)]).toEqual(["waited", []]);
    await eventually(() => rowsOf(output).length === 1);
    expect(await client.text("pid")).not.toBe(before);
    await eventually(() => rowsOf(output).length === 2);
    child.kill("SIGTERM");
    expect(await exitOf(child)).toBe(143);
    const rows = rowsOf(output).map(
      ({ episode_id, ended, num_turns }) => `${episode_id} ${ended} ${num_turns}`,
    );
    expect(rows).toEqual(["episode-1 client 2", "episode-2 client 1"]);
  });

  it("a log that goes missing does not end the agent's run, and is told when that is over", async () => {
    const logs = mkdtempSync(join(folder, "logs-"));
    const args = ["--noise", "timeout=1", "--log", join(logs, "log.jsonl"), "--", node, SERVER];
    const client = await ready(...args);
    rmSync(logs, { recursive: true });
    for (const id of [1, 2]) {
      client.call(id, "pid");
      expect((await client.answer(id)).result).toMatchObject({ isError: true });
    }
    client.child.stdin?.end();
    expect(await exitOf(client.child)).toBe(1);
    expect(client.stderr().match(/cannot write .*log.jsonl: ENOENT/g)).toHaveLength(2);
  });

  it("a proxy that is told to stop writes its episode first", async () => {
    const output = join(folder, "signal.jsonl");
    const client = await ready("--clean", "-o", output, "--", node, SERVER);
    client.call(1, "wait", { ms: 60_000 });
    await eventually(() => client.stderr().includes("waiting"));
    client.child.kill("SIGTERM");
    expect(await exitOf(client.child)).toBe(143);
    expect(rowsOf(output)).toMatchObject([{ ended: "signal", num_turns: 1 }]);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
