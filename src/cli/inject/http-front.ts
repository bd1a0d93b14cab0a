import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { NodeIncomingMessageLike } from "@modelcontextprotocol/node";
import { CalibrantError, errorMessage } from "../../errors.ts";
import type { McpTransport } from "../../recovery/mcp/mcp-message.ts";
import { MAX_MESSAGE_BYTES } from "./backend.ts";
import { loadMcpNode, loadMcpServer } from "./load-mcp.ts";
import type { Session } from "./session.ts";
import { SessionFront } from "./session-front.ts";
import { SharedFront } from "./shared-front.ts";

/** Where and how to listen. */
export interface HttpFrontOptions {
  readonly port: number;
  readonly host: string;
  /** Whether other machines may connect. */
  readonly allowRemote: boolean;
  /** A session without any open request or stream for so long is over, in milliseconds; 0 = never. */
  readonly idleMs: number;
  /**
   * Opens the session of a client.
   *
   * @param name - the name that the client gave its episode; null = none.
   */
  readonly open: (front: McpTransport, name: string | null) => Promise<Session>;
}

/** A server that listens. */
export interface HttpFront {
  readonly url: string;
  /** The sessions that were opened so far. */
  readonly sessions: readonly Session[];
  /** Takes no more connections and drops those that are open. */
  close(): void;
}

/** The header with which a client without sessions (protocol 2026-07-28) names its episode. */
const EPISODE_HEADER = "x-calibrant-episode";
const PATH = "/mcp";
const LOOPBACK = ["localhost", "127.0.0.1", "::1", "[::1]"];

type ServerModule = Awaited<ReturnType<typeof loadMcpServer>>;
type LegacyTransport = InstanceType<ServerModule["WebStandardStreamableHTTPServerTransport"]>;

/** A client of a protocol with sessions. */
interface LegacySession {
  readonly transport: LegacyTransport;
  readonly front: SessionFront;
  readonly session: Session;
  lastUse: number;
  /** Whether its server is gone; it then only tells so. */
  isDone: boolean;
}

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
  const router = new Router(options, sdk);
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

/** Finds the session of every request. */
class Router {
  readonly sessions: Session[] = [];
  readonly #options: HttpFrontOptions;
  readonly #sdk: ServerModule;
  readonly #legacy: Map<string, LegacySession> = new Map();
  readonly #shared: Map<string, Promise<SharedFront>> = new Map();

  constructor(options: HttpFrontOptions, sdk: ServerModule) {
    this.#options = options;
    this.#sdk = sdk;
  }

  async serve(request: Request): Promise<Response> {
    if (request.method !== "POST") return this.#serveLegacy(request, undefined);
    if (!this.#sdk.isJsonContentType(request.headers.get("content-type")))
      return refusal(415, -32000, "Unsupported Media Type: Content-Type must be application/json");
    let body: unknown;
    try {
      body = JSON.parse(await request.text());
    } catch (error) {
      return refusal(400, -32700, `Parse error: ${errorMessage(error)}`);
    }
    const header = (name: string): string | undefined => request.headers.get(name) ?? undefined;
    const protocolVersionHeader = header("mcp-protocol-version");
    const mcpMethodHeader = header("mcp-method");
    const mcpNameHeader = header("mcp-name");
    const route = this.#sdk.classifyInboundRequest({
      httpMethod: request.method,
      body,
      ...(protocolVersionHeader !== undefined && { protocolVersionHeader }),
      ...(mcpMethodHeader !== undefined && { mcpMethodHeader }),
      ...(mcpNameHeader !== undefined && { mcpNameHeader }),
    });
    if (route.kind === "reject")
      return refusal(route.httpStatus, route.code, route.message, route.data, idOf(body));
    if (route.kind === "legacy") return this.#serveLegacy(request, body);
    const front = await this.#sharedFront(request.headers.get(EPISODE_HEADER) ?? "");
    return front.serve(route, request);
  }

  /** Ends the sessions whose clients have not been heard of for long. */
  dropIdle(): void {
    const { idleMs } = this.#options;
    const now = Date.now();
    for (const each of this.#legacy.values()) {
      if (each.front.isBusy) each.lastUse = now;
      else if (idleMs > 0 && now - each.lastUse > idleMs) {
        if (each.isDone) this.#forget(each);
        else each.session.stop("client");
      }
    }
  }

  async #serveLegacy(request: Request, body: unknown): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    const found = id === null ? undefined : this.#legacy.get(id);
    if (id !== null && found === undefined)
      return refusal(404, -32001, "Session not found", undefined, idOf(body));
    const transport = found?.transport ?? (await this.#openLegacy(request));
    if (found !== undefined) found.lastUse = Date.now();
    const response = await transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
    if (request.method === "GET" && response.ok) found?.front.standingStream(request.signal);
    return response;
  }

  /** A session that never gets its `initialize` is forgotten with its request. */
  async #openLegacy(request: Request): Promise<LegacyTransport> {
    const transport = new this.#sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: MAX_MESSAGE_BYTES,
      onsessioninitialized: async (id) => {
        const front = new SessionFront(transport as unknown as McpTransport);
        const session = await this.#options.open(front, request.headers.get(EPISODE_HEADER));
        const each = { transport, front, session, lastUse: Date.now(), isDone: false };
        this.#legacy.set(id, each);
        this.sessions.push(session);
        session.done.then(
          ({ by }) => {
            if (by === "server") each.isDone = true;
            else this.#forget(each);
          },
          () => this.#forget(each),
        );
        await session.start();
      },
    });
    return transport;
  }

  #sharedFront(name: string): Promise<SharedFront> {
    const known = this.#shared.get(name);
    if (known !== undefined) return known;
    const opening = (async () => {
      const front = new SharedFront(
        ({ classification }) => new this.#sdk.PerRequestHTTPServerTransport({ classification }),
      );
      const session = await this.#options.open(front, name === "" ? null : name);
      this.sessions.push(session);
      await session.start();
      return front;
    })();
    this.#shared.set(name, opening);
    return opening;
  }

  #forget({ transport }: LegacySession): void {
    this.#legacy.delete(transport.sessionId ?? "");
    transport.close().catch(() => undefined);
  }
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

function refusal(
  status: number,
  code: number,
  message: string,
  data?: unknown,
  id: unknown = null,
): Response {
  const error = { code, message, ...(data !== undefined && { data }) };
  return Response.json({ jsonrpc: "2.0", id, error }, { status });
}

/** The id of a request in a body; null where there is none. */
function idOf(body: unknown): unknown {
  return (body as { readonly id?: unknown } | null | undefined)?.id ?? null;
}
