import { randomUUID } from "node:crypto";
import { errorMessage } from "../../errors.ts";
import type { McpTransport } from "../../recovery/mcp/mcp-message.ts";
import { MAX_MESSAGE_BYTES } from "./backend.ts";
import type { loadMcpServer } from "./load-mcp.ts";
import type { Session } from "./session.ts";
import { SessionFront } from "./session-front.ts";
import { SharedFront } from "./shared-front.ts";

/** The header with which a client without sessions (protocol 2026-07-28) names its episode. */
const EPISODE_HEADER = "x-calibrant-episode";

type ServerModule = Awaited<ReturnType<typeof loadMcpServer>>;
type LegacyTransport = InstanceType<ServerModule["WebStandardStreamableHTTPServerTransport"]>;

/** Where requests go. */
interface Route<Front extends { readonly isBusy: boolean }> {
  readonly front: Front;
  readonly session: Session;
  lastUse: number;
  /** Whether its server is gone; it then only tells so. */
  isDone: boolean;
}

/** A client of a protocol with sessions. */
interface LegacyRoute extends Route<SessionFront> {
  readonly transport: LegacyTransport;
}

/** What the router needs to know. */
export interface HttpRouterOptions {
  /** A session without any open request or stream for so long is over, in milliseconds; 0 = never. */
  readonly idleMs: number;
  /**
   * Opens the session of a client.
   *
   * @param name - the name that the client gave its episode; null = none.
   */
  readonly open: (front: McpTransport, name: string | null) => Promise<Session>;
}

/** Finds the session of every request. */
export class HttpRouter {
  readonly sessions: Session[] = [];
  readonly #options: HttpRouterOptions;
  readonly #sdk: ServerModule;
  readonly #legacy: Map<string, LegacyRoute> = new Map();
  /** By the name of the episode; "" = none given. */
  readonly #shared: Map<string, Route<SharedFront>> = new Map();
  readonly #opening: Map<string, Promise<Route<SharedFront>>> = new Map();

  constructor(options: HttpRouterOptions, sdk: ServerModule) {
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
    const shared = await this.#sharedRoute(request.headers.get(EPISODE_HEADER) ?? "");
    return shared.front.serve(route, request);
  }

  /** Ends the sessions whose clients have not been heard of for long. */
  dropIdle(): void {
    for (const route of this.#legacy.values()) {
      if (!this.#isIdle(route)) continue;
      if (route.isDone) this.#forget(route);
      else route.session.stop("client");
    }
    for (const [name, route] of this.#shared) {
      if (!this.#isIdle(route)) continue;
      // The next request begins another episode, with a server of its own.
      this.#shared.delete(name);
      route.session.stop("client");
    }
  }

  #isIdle(route: Route<SessionFront | SharedFront>): boolean {
    const now = Date.now();
    if (route.front.isBusy) route.lastUse = now;
    return this.#options.idleMs > 0 && now - route.lastUse > this.#options.idleMs;
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
        const each: LegacyRoute = { transport, front, session, lastUse: Date.now(), isDone: false };
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

  #sharedRoute(name: string): Promise<Route<SharedFront>> | Route<SharedFront> {
    const known = this.#shared.get(name);
    if (known !== undefined) {
      known.lastUse = Date.now();
      return known;
    }
    const opening = this.#opening.get(name) ?? this.#openShared(name);
    this.#opening.set(name, opening);
    return opening;
  }

  async #openShared(name: string): Promise<Route<SharedFront>> {
    try {
      const front = new SharedFront(
        ({ classification }) => new this.#sdk.PerRequestHTTPServerTransport({ classification }),
      );
      const session = await this.#options.open(front, name === "" ? null : name);
      this.sessions.push(session);
      await session.start();
      const route = { front, session, lastUse: Date.now(), isDone: false };
      this.#shared.set(name, route);
      return route;
    } finally {
      this.#opening.delete(name);
    }
  }

  #forget({ transport }: LegacyRoute): void {
    this.#legacy.delete(transport.sessionId ?? "");
    transport.close().catch(() => undefined);
  }
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
