// What the proxy adds to a call of a tool that does nothing, over loopback, without injection.
//
//   node bench/inject.mjs [--calls 2000] [--warmup 300] [--record]
//
// Three rows: the whole way over stdio, over streamable HTTP with the server behind the proxy over stdio, and over HTTP on
// both sides. Each is measured next to the same call without a proxy, one call of one and then one of the other, so that a busy machine
// slows both. --record lets the proxy record the episode as well (-o). Needs `npm run build`.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "2000" },
    warmup: { type: "string", default: "300" },
    record: { type: "boolean", default: false },
  },
});
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const CLI = here("../dist/cli/main.js");
const SERVER = here("../test/e2e/inject-server.mjs");
const folder = mkdtempSync(join(tmpdir(), "calibrant-bench-"));
const children = [];

/** The proxy's command line; each proxy records into a file of its own. */
function proxy(...args) {
  const output = values.record ? ["-o", join(folder, `episodes-${children.length}.jsonl`)] : [];
  return [CLI, "inject", "--clean", ...output, ...args];
}

/** Starts a program that listens and returns its address. */
async function listening(args) {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  children.push(child);
  return new Promise((resolve) => {
    child.stderr.on("data", (piece) => {
      const found = /listening on (\S+)/.exec(String(piece))?.[1];
      if (found !== undefined) resolve(new URL(found));
    });
  });
}

async function connect(transport) {
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(transport);
  return client;
}

const overStdio = (args) =>
  connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
const overHttp = (url) => connect(new StreamableHTTPClientTransport(url));

async function timed(client) {
  const start = performance.now();
  await client.callTool({ name: "echo", arguments: { value: 1 } });
  return performance.now() - start;
}

/** Times of both, in milliseconds, in turns. */
async function compare(direct, proxied) {
  const times = { direct: [], proxied: [] };
  for (let n = -Number(values.warmup); n < Number(values.calls); n++) {
    const [a, b] = [await timed(direct), await timed(proxied)];
    if (n < 0) continue;
    times.direct.push(a);
    times.proxied.push(b);
  }
  await Promise.all([direct.close(), proxied.close()]);
  return times;
}

function quantile(sorted, q) {
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}

function report(name, { direct, proxied }) {
  const [a, b] = [direct, proxied].map((list) => [...list].sort((x, y) => x - y));
  const cells = [0.5, 0.99].flatMap((q) => [quantile(a, q), quantile(b, q), quantile(b, q) - quantile(a, q)]);
  console.log(`| ${[name, ...cells.map((ms) => ms.toFixed(2))].join(" | ")} |`);
}

try {
  const serverUrl = await listening([SERVER, "--http"]);
  console.log(
    `${values.calls} calls each, ${values.record ? "recorded" : "not recorded"}, milliseconds, Node ${process.version}`,
  );
  console.log("| way | median direct | proxied | added | p99 direct | proxied | added |");
  console.log("|---|---|---|---|---|---|---|");
  report(
    "stdio",
    await compare(await overStdio([SERVER]), await overStdio(proxy("--", process.execPath, SERVER))),
  );
  const mixed = await listening(proxy("--http", "0", "--", process.execPath, SERVER));
  report("HTTP, server over stdio", await compare(await overHttp(serverUrl), await overHttp(mixed)));
  const both = await listening(proxy("--http", "0", "--url", serverUrl.href));
  report("HTTP on both sides", await compare(await overHttp(serverUrl), await overHttp(both)));
} finally {
  await Promise.all(
    children.map((child) => {
      const ended = new Promise((resolve) => child.on("exit", resolve));
      child.kill("SIGTERM");
      return ended;
    }),
  );
  rmSync(folder, { recursive: true, force: true });
}
