import type { InboundModernRoute, PerRequestHTTPServerTransport } from "@modelcontextprotocol/server";
import {
  isMcpRequest,
  isMcpResponse,
  type McpId,
  type McpMessage,
  type McpSendOptions,
  type McpTransport,
  metaOf,
} from "../../recovery/mcp/mcp-message.ts";

/** The key of `params._meta` that names the subscription of a notification. */
const SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId";

/** One HTTP request. */
interface Exchange {
  readonly transport: PerRequestHTTPServerTransport;
  /** What the client calls its request. */
  readonly id: McpId;
  readonly progressToken: unknown;
}

/**
 * All HTTP clients of protocol 2026-07-28, which has no sessions, as one end of one connection. Clients number their requests
 * independently, so that requests get numbers of our own on the way, and their own again on the way back.
 */
export class SharedFront implements McpTransport {
  onmessage: McpTransport["onmessage"];
  onclose: McpTransport["onclose"];
  onerror: McpTransport["onerror"];
  readonly #exchanges: Map<McpId, Exchange> = new Map();
  readonly #createTransport: (route: InboundModernRoute) => PerRequestHTTPServerTransport;
  #count = 0;

  constructor(createTransport: (route: InboundModernRoute) => PerRequestHTTPServerTransport) {
    this.#createTransport = createTransport;
  }

  /** Whether a request is open. */
  get isBusy(): boolean {
    return this.#exchanges.size > 0;
  }

  async start(): Promise<void> {
    // Every exchange starts its own transport.
  }

  /** Serves one HTTP request. */
  async serve(route: InboundModernRoute, request: Request): Promise<Response> {
    const transport = this.#createTransport(route);
    const number = ++this.#count;
    transport.onerror = (error) => this.onerror?.(error);
    transport.onmessage = (message) => this.#take(number, message as McpMessage, transport);
    transport.onclose = () => this.#drop(number);
    await transport.start();
    try {
      return await transport.handleMessage(route.message, { request });
    } catch {
      // The client closed the connection; there is nobody to answer.
      return new Response(null, { status: 499 });
    }
  }

  async send(message: McpMessage, options: McpSendOptions = {}): Promise<void> {
    const subscription = metaOf(message)[SUBSCRIPTION_KEY] as McpId | undefined;
    const number = isMcpResponse(message) ? message.id : (options.relatedRequestId ?? subscription);
    const exchange = number === undefined ? undefined : this.#exchanges.get(number);
    if (exchange === undefined) return;
    if (isMcpResponse(message)) this.#exchanges.delete(message.id);
    const sent = withClientsNames(message, exchange) as unknown as Parameters<
      typeof exchange.transport.send
    >[0];
    await exchange.transport.send(sent, { relatedRequestId: exchange.id });
  }

  async close(): Promise<void> {
    for (const { transport } of [...this.#exchanges.values()]) await transport.close();
    this.onclose?.();
  }

  #take(number: number, message: McpMessage, transport: PerRequestHTTPServerTransport): void {
    if (!isMcpRequest(message)) {
      // Without sessions the request that a posted cancellation means cannot be known.
      if (message.method !== "notifications/cancelled") this.onmessage?.(message);
      return;
    }
    const { progressToken } = metaOf(message);
    this.#exchanges.set(number, { transport, id: message.id, progressToken });
    const meta = { ...metaOf(message), ...(progressToken !== undefined && { progressToken: number }) };
    this.onmessage?.({ ...message, id: number, params: { ...message.params, _meta: meta } });
  }

  /** A client takes its request back by closing the connection. */
  #drop(number: number): void {
    if (!this.#exchanges.delete(number)) return;
    this.onmessage?.({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: number, reason: "the client closed the connection" },
    });
  }
}

/** A message of the server with the names that the client gave. */
function withClientsNames(message: McpMessage, { id, progressToken }: Exchange): McpMessage {
  if (isMcpResponse(message)) return { ...message, id };
  const meta = metaOf(message);
  const params = {
    ...message.params,
    ...(message.method === "notifications/progress" && { progressToken }),
    ...(meta[SUBSCRIPTION_KEY] !== undefined && { _meta: { ...meta, [SUBSCRIPTION_KEY]: id } }),
  };
  return message.params === undefined ? message : { ...message, params };
}
