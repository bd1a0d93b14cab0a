import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  connect,
  eventually,
  type Listening,
  listening,
  proxy,
  type Sdk,
  SERVER,
  type Target,
} from "./inject-clients.ts";
import { temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();
const node = process.execPath;
const listeners: Listening[] = [];

async function start(command: readonly string[]): Promise<Listening> {
  const started = await listening(command);
  listeners.push(started);
  return started;
}

/** What a client sees of the fixture server; the same with and without the proxy. */
async function observe(target: Target, sdk: Sdk): Promise<Record<string, unknown>> {
  const client = await connect(target, sdk);
  const tools = await client.listTools();
  const failed = (name: string) => client.text(name).catch((error: Error) => error.message);
  const progress: number[] = [];
  await client.call("progress", {}, { onprogress: (step) => void progress.push(step.progress) });
  const numbers = Array.from({ length: 50 }, (_, index) => index);
  const concurrent = await Promise.all(numbers.map((value) => client.text("echo", { value })));
  const big = await client.text("big", { bytes: 5_000_000 });
  const stop = new AbortController();
  const cancelled = client.call("wait", { ms: 60_000 }, { signal: stop.signal }).catch(() => "cancelled");
  setTimeout(() => stop.abort(), 50);
  const seen = {
    tools,
    order: await client.call("get_order", { id: 4 }),
    failed: await client.call("fail"),
    rejected: await failed("reject"),
    unknown: await failed("no_such_tool"),
    asked: await failed("ask"),
    progress,
    concurrent: concurrent.map(Number),
    big: big?.length,
    cancelled: await cancelled,
    announced: await client.text("announce"),
  };
  // Clients of 2026-07-28 hear of changes only where they listen for them.
  if (sdk !== "v2 auto") await eventually(() => client.listChanges() > 0);
  await client.close();
  return seen;
}

describe("the proxy passes everything through", () => {
  let server: Listening;
  let overChild: Listening;
  let overUrl: Listening;
  const direct = new Map<Sdk, Record<string, unknown>>();

  beforeAll(async () => {
    server = await start([node, SERVER, "--http"]);
    const http = ["--http", "0", "--clean"];
    [overChild, overUrl] = await Promise.all([
      start([...proxy(...http, "--", node, SERVER)].filter((word) => word !== "--quiet")),
      start([...proxy(...http, "--url", server.url.href)].filter((word) => word !== "--quiet")),
    ]);
    for (const sdk of ["v1", "v2", "v2 auto"] as const) direct.set(sdk, await observe([node, SERVER], sdk));
  });
  afterAll(() => {
    for (const { child } of listeners) child.kill("SIGTERM");
  });

  it("sees what the tests are about without the proxy", () => {
    const { tools, ...seen } = direct.get("v1") as Record<string, unknown>;
    expect((tools as { tools: unknown[] }).tools).toHaveLength(12);
    expect(seen).toMatchObject({
      order: { structuredContent: { order_id: "O-4" } },
      failed: { isError: true },
      asked: "asked: Ada",
      progress: [1, 2, 3],
      concurrent: Array.from({ length: 50 }, (_, index) => index),
      big: 5_000_000,
      cancelled: "cancelled",
      announced: "announced",
    });
    expect(seen.rejected).toContain("arguments refused");
    expect(seen.unknown).toContain("no_such_tool");
  });

  const targets: readonly (readonly [string, Sdk, () => Target])[] = [
    ["stdio to a command", "v1", () => proxy("--clean", "--", node, SERVER)],
    ["stdio to a command", "v2 auto", () => proxy("--clean", "--", node, SERVER)],
    ["stdio to HTTP", "v2", () => proxy("--clean", "--url", server.url.href)],
    ["HTTP to a command", "v1", () => overChild.url],
    ["HTTP to a command", "v2 auto", () => overChild.url],
    ["HTTP to HTTP", "v2", () => overUrl.url],
    ["HTTP to HTTP", "v2 auto", () => overUrl.url],
  ];
  it.each(targets)("%s, client %s", async (_name, sdk, target) => {
    expect(await observe(target(), sdk)).toEqual(direct.get(sdk));
  });

  it("a published server, over both transports", async () => {
    const path = "../../node_modules/@modelcontextprotocol/server-everything/dist/index.js";
    const script = fileURLToPath(new URL(path, import.meta.url));
    const port = await freePort();
    const overHttp = spawn(node, [script, "streamableHttp"], {
      env: { ...process.env, PORT: String(port) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    await once(overHttp.stderr, "data");
    const url = new URL(`http://127.0.0.1:${port}/mcp`);
    const front = await start(
      [...proxy("--http", "0", "--clean", "--url", url.href)].filter((word) => word !== "--quiet"),
    );
    const output = join(folder, "everything.jsonl");
    const stdio = [node, script, "stdio"];
    const ends = [stdio, proxy("--clean", "-o", output, "--", ...stdio), url, front.url];
    const clients = await Promise.all(ends.map((end) => connect(end, "v1")));
    const seen = await Promise.all(
      clients.map(async (client) => [
        await client.listTools(),
        await client.call("get-sum", { a: 2, b: 40 }),
        await client.call("get-tiny-image"),
      ]),
    );
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[3]).toEqual(seen[2]);
    await Promise.all(clients.map((client) => client.close()));
    overHttp.kill("SIGKILL");
    const row = await eventually(() => readRow(output));
    expect(row.ended).toBe("client");
    const [, , , image] = row.messages as { content: string }[];
    expect(image?.content).toMatch(/\n\[image image\/png \d+ bytes\]\n/);
  });

  it("browsers and other machines are kept out", async () => {
    const post = { method: "POST", body: "{}", headers: { "content-type": "application/json" } };
    const fromSite = await fetch(overChild.url, {
      ...post,
      headers: { ...post.headers, origin: "http://evil.test" },
    });
    expect(fromSite.status).toBe(403);
    const refused = listening(proxy("--http", "0", "--host", "0.0.0.0", "--", node, SERVER));
    await expect(refused).rejects.toThrow(/--allow-remote/);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

function readRow(path: string): Record<string, unknown> | null {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  } catch {
    return null;
  }
}
