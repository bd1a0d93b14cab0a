import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { NodeIncomingMessageLike } from "@modelcontextprotocol/node";
import { CalibrantError, errorMessage } from "../../errors.ts";
import { MAX_MESSAGE_BYTES } from "./backend.ts";
import { HttpRouter, type HttpRouterOptions } from "./http-router.ts";
import { loadMcpNode, loadMcpServer } from "./load-mcp.ts";
import type { Session } from "./session.ts";

/** Where and how to listen. */
export interface HttpFrontOptions extends HttpRouterOptions {
  readonly port: number;
  readonly host: string;
  /** Whether other machines may connect. */
  readonly allowRemote: boolean;
}

/** A server that listens. */
export interface HttpFront {
  readonly url: string;
  /** The sessions that were opened so far. */
  readonly sessions: readonly Session[];
  /** Takes no more connections and drops those that are open. */
  close(): void;
}

const PATH = "/mcp";
const LOOPBACK = ["localhost", "127.0.0.1", "::1", "[::1]"];

/**
 * Listens for clients over streamable HTTP, at `/mcp`. Each session of a client has a server and an episode of its own. Clients of
 * protocol 2026-07-28, which has no sessions, share one, or one for each name in the header `x-calibrant-episode`.
 *
 * @throws CalibrantError `usage` for an address that others can reach without `allowRemote`, `io` for a port that cannot be had.
 */
export async function httpFront(options: HttpFrontOptions): Promise<HttpFront> {
  if (!options.allowRemote && !LOOPBACK.includes(options.host)) {
    const message = `--host ${options.host} lets other machines run the server's tools: add --allow-remote if that is meant`;
    throw new CalibrantError("usage", message, { host: options.host });
  }
  const sdk = await loadMcpServer();
  const { toNodeHandler, localhostHostValidation, localhostOriginValidation } = await loadMcpNode();
  const router = new HttpRouter(options, sdk);
  const handle = toNodeHandler(
    { fetch: (request) => router.serve(request) },
    { maxRequestBodySize: MAX_MESSAGE_BYTES },
  );
  // Against DNS rebinding; which names a machine has that others may reach cannot be known, but browsers never get in.
  const hostIsRight = options.allowRemote ? () => true : localhostHostValidation();
  const originIsRight = localhostOriginValidation();
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (!hostIsRight(request, response) || !originIsRight(request, response)) return;
    if (new URL(request.url ?? "/", "http://localhost").pathname === PATH)
      void handle(request as unknown as NodeIncomingMessageLike, response);
    else response.writeHead(404).end(`the proxy is at ${PATH}\n`);
  });
  await listen(server, options);
  const idle = setInterval(() => router.dropIdle(), 1000).unref();
  return {
    url: urlOf(server),
    sessions: router.sessions,
    close() {
      clearInterval(idle);
      server.close();
      server.closeAllConnections();
    },
  };
}

async function listen(server: Server, { port, host }: HttpFrontOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => {
      reject(
        new CalibrantError("io", `cannot listen on ${host}:${port}: ${errorMessage(error)}`, { port, host }),
      );
    });
    server.listen(port, host, resolve);
  });
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}${PATH}`;
}
