import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Readable } from "node:stream";
import type { McpTransport } from "../../recovery/mcp/mcp-message.ts";
import { shellWords } from "../shell-words.ts";
import { type Backend, MAX_MESSAGE_BYTES } from "./backend.ts";
import { loadMcpStdioClient } from "./load-mcp.ts";

/**
 * A server that is started here and spoken to over its standard input and output. It gets the whole environment, as it would without
 * the proxy; what it writes on standard error goes to ours.
 */
export async function childBackend([command = "", ...args]: readonly string[]): Promise<Backend> {
  const { StdioClientTransport } = await loadMcpStdioClient();
  const env = definedOnly(process.env);
  const transport = new StdioClientTransport({
    command,
    args,
    env,
    stderr: "pipe",
    maxBufferSize: MAX_MESSAGE_BYTES,
  });
  const lastLine = passOn(transport.stderr as Readable);
  let child: ChildProcess | null = null;
  let fault: Error | null = null;
  const start = transport.start.bind(transport);
  transport.start = () => {
    const told = transport.onerror;
    transport.onerror = (error) => {
      fault = error;
      told?.(error);
    };
    const { result, spawned } = spawning(start);
    child = spawned;
    return result;
  };
  return {
    transport: transport as unknown as McpTransport,
    describeEnd: () => describeEnd(shellWords([command, ...args]), child, fault, lastLine()),
    terminate: () => void child?.kill("SIGTERM"),
  };
}

/** The SDK says that a server ended, not how: the process that it starts is caught on the way. */
function spawning<T>(work: () => T): { readonly result: T; readonly spawned: ChildProcess | null } {
  let spawned: ChildProcess | null = null;
  const take = (message: unknown): void => {
    spawned = (message as { readonly process: ChildProcess }).process;
  };
  subscribe("child_process", take);
  try {
    const result = work();
    return { result, spawned };
  } finally {
    unsubscribe("child_process", take);
  }
}

/** Hands the server's standard error on; returns what tells the line of its end that says most. */
function passOn(stderr: Readable): () => string {
  let tail = "";
  stderr.on("data", (chunk: Buffer) => {
    process.stderr.write(chunk);
    tail = (tail + chunk.toString("utf8")).slice(-4096);
  });
  return () => {
    const lines = tail.trim().split(/\r?\n/).slice(-20);
    // A crash of Node ends with a brace and the version, below the error.
    return (lines.findLast((line) => /error|exception|panic|fatal/i.test(line)) ?? lines.at(-1) ?? "").trim();
  };
}

function describeEnd(command: string, child: ChildProcess | null, fault: Error | null, line: string): string {
  const last = line === "" ? "" : `; on standard error: ${line}`;
  return `the server (${command}) ${howItEnded(child, fault)}${last}`;
}

function howItEnded(child: ChildProcess | null, fault: Error | null): string {
  if (child?.signalCode) return `was killed by ${child.signalCode}`;
  if (child?.exitCode) return `ended with exit code ${child.exitCode}`;
  return fault === null ? "ended" : `ended: ${fault.message}`;
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  const entries = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}
