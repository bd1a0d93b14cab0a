import { errorMessage } from "../../errors.ts";
import { corruptToolResult, type ToolResult } from "./corrupt-tool-result.ts";
import type { CallDecider, McpCall, McpCallResult, OpenCall } from "./mcp-call.ts";
import {
  asRecord,
  isMcpRequest,
  isMcpResponse,
  type McpId,
  type McpMessage,
  type McpRequest,
  type McpSendOptions,
  type McpTransport,
  metaOf,
  namesItsVersion,
} from "./mcp-message.ts";
import { OpenCalls } from "./open-calls.ts";
import { toolResultText } from "./tool-result-text.ts";

/** What a {@link FaultProxy} stands between, and whom it tells. */
export interface FaultProxyOptions {
  /** The end towards the client. */
  readonly client: McpTransport;
  /** The end towards the server. */
  readonly server: McpTransport;
  /**
   * Asked once, at the first message of the client that is more than a question for the server's version. Messages wait, in
   * their order, until it has answered.
   */
  readonly begin: () => CallDecider | Promise<CallDecider>;
  /** Told of every call when the client asks for it. */
  readonly onCall?: (call: McpCall) => void;
  /** Told of every call when it has its result, or when the client took it back (it then may be told of once more). */
  readonly onResult?: (call: McpCall) => void;
  /**
   * Makes a check of a tool's `outputSchema`, with which silent faults stay inside of it: clients refuse what is not, and the fault
   * would show. Default: schemas are not looked at.
   *
   * @throws anything for a schema that is none; it is then not looked at.
   */
  readonly createCheck?: (schema: object) => (structuredContent: unknown) => boolean;
  /** Says why the server is gone, for the client. */
  readonly describeEnd?: () => string;
  /** Told of messages that could not be read or sent. */
  readonly onError?: (error: Error) => void;
}

/** Which side ended a connection: `failure` = the proxy itself could not go on. */
export type ProxyEnd = { readonly by: "client" | "server" | "failure"; readonly reason: string };

/** A request of the client that the server has not answered yet. */
interface Pending {
  readonly request: McpRequest;
  readonly call: OpenCall | null;
}

/** JSON-RPC's code for a fault of the server's side that the protocol does not name. */
const SERVER_GONE = -32000;

/**
 * Passes the messages of a Model Context Protocol connection through as they are, in both directions, whatever their version
 * and method, and lets `tools/call` meet the faults of an injector.
 *
 * - A call that meets an explicit fault, or whose tool is blocked, never reaches the server: its result is the fault's text with
 *   `isError`.
 * - A call that meets a silent fault does, exactly once; the data of its result are changed on the way back. Results that are errors,
 *   and the intermediate ones of tasks and of calls that ask for input, pass as they are; what comes of them in the end is changed.
 * - When the server is gone, every request that waits and every later one is answered with an error that says so.
 *
 * It opens neither files nor connections: those are the transports'.
 */
export class FaultProxy {
  /** Fulfilled once a side is gone. */
  readonly ended: Promise<ProxyEnd>;
  readonly #options: FaultProxyOptions;
  readonly #pending: Map<McpId, Pending> = new Map();
  readonly #open: OpenCalls = new OpenCalls();
  /** The `outputSchema` of each tool, as the client was last told. */
  readonly #schemas: Map<string, object> = new Map();
  #decider: CallDecider | null = null;
  /** Messages that wait for the decider; null when none is being asked for. */
  #held: McpMessage[] | null = null;
  #calls = 0;
  #gone: string | null = null;
  #resolveEnd: (end: ProxyEnd) => void = () => undefined;

  constructor(options: FaultProxyOptions) {
    this.#options = options;
    this.ended = new Promise((resolve) => {
      this.#resolveEnd = resolve;
    });
  }

  /** Starts both transports. A server that does not start counts as gone. */
  async start(): Promise<void> {
    const { client, server, onError } = this.#options;
    client.onmessage = (message) => this.#fromClient(message);
    client.onclose = () => this.#resolveEnd({ by: "client", reason: "the client closed the connection" });
    client.onerror = (error) => onError?.(error);
    server.onmessage = (message) => this.#fromServer(message);
    server.onclose = () => this.#serverGone();
    try {
      // What goes wrong on the way is what the start throws.
      await server.start();
      server.onerror = (error) => onError?.(error);
    } catch (error) {
      this.#serverGone(`the server did not start: ${errorMessage(error)}`);
    }
    await client.start();
  }

  /** Why the server is gone; null while it is there. */
  get serverEnd(): string | null {
    return this.#gone;
  }

  /** The number of requests that wait for an answer. */
  get waiting(): number {
    return this.#pending.size;
  }

  #fromClient(message: McpMessage): void {
    if (this.#gone !== null) {
      if (isMcpRequest(message)) this.#refuse(message.id, this.#gone);
      return;
    }
    if (this.#held !== null) this.#held.push(message);
    else if (this.#decider === null && beginsEpisode(message)) this.#beginWith(message);
    else this.#handle(message);
  }

  #beginWith(message: McpMessage): void {
    this.#held = [message];
    const asked = async (): Promise<CallDecider> => this.#options.begin();
    asked().then(
      (decider) => {
        this.#decider = decider;
        const held = this.#held ?? [];
        this.#held = null;
        for (const each of held) this.#fromClient(each);
      },
      (error: unknown) => this.#giveUp("failure", errorMessage(error)),
    );
  }

  #handle(message: McpMessage): void {
    if (!isMcpRequest(message)) {
      if (message.method === "notifications/cancelled") this.#cancel(message);
      this.#toServer(message);
      return;
    }
    const call = this.#callOf(message);
    if (call !== null && call.decision.response !== null) {
      this.#answerWithFault(message, call, call.decision.response.text);
      return;
    }
    this.#pending.set(message.id, { request: message, call });
    this.#toServer(message);
  }

  /** The call that a request makes, goes on with, or asks for the result of; null for any other request. */
  #callOf(request: McpRequest): OpenCall | null {
    if (request.method === "tasks/result") return this.#open.ofTask(request.params?.taskId);
    const tool = request.params?.name;
    if (request.method !== "tools/call" || typeof tool !== "string" || this.#decider === null) return null;
    const asked = this.#open.ofAnswer(request);
    if (asked !== null) return asked;
    const decision = this.#decider.begin(tool);
    const call: OpenCall = {
      index: this.#calls++,
      tool,
      arguments: request.params?.arguments ?? {},
      injection: decision.record,
      decision,
      cancelled: false,
      result: null,
    };
    this.#options.onCall?.(call);
    return call;
  }

  #answerWithFault(request: McpRequest, call: OpenCall, text: string): void {
    const result = {
      content: [{ type: "text", text }],
      isError: true,
      ...(namesItsVersion(request) && { resultType: "complete" }),
    };
    this.#settle(call, { text, isError: true });
    this.#toClient({ jsonrpc: "2.0", id: request.id, result });
  }

  #cancel(message: McpMessage): void {
    const call = this.#pending.get(message.params?.requestId as McpId)?.call;
    if (call == null) return;
    call.cancelled = true;
    this.#options.onResult?.(call);
  }

  #fromServer(message: McpMessage): void {
    if (!isMcpResponse(message)) {
      this.#toClient(message, this.#relation(message));
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (pending?.request.method === "initialize") this.#agreeOnVersion(message);
    if (pending?.request.method === "tools/list") this.#learnSchemas(message);
    this.#toClient(pending?.call ? this.#resultOf(pending.request, pending.call, message) : message);
  }

  #agreeOnVersion(response: McpMessage): void {
    const version = response.result?.protocolVersion;
    if (typeof version !== "string") return;
    this.#options.server.setProtocolVersion?.(version);
    this.#options.client.setProtocolVersion?.(version);
  }

  #learnSchemas({ result }: McpMessage): void {
    if (!Array.isArray(result?.tools)) return;
    for (const tool of result.tools as readonly unknown[]) {
      const { name, outputSchema } = asRecord(tool) ?? {};
      if (typeof name !== "string") continue;
      const schema = asRecord(outputSchema);
      if (schema === null) this.#schemas.delete(name);
      else this.#schemas.set(name, schema);
    }
  }

  /** Whether structured content is what the tool declares. */
  #checkOf(tool: string): (structuredContent: unknown) => boolean {
    const schema = this.#schemas.get(tool);
    const { createCheck } = this.#options;
    if (schema === undefined || createCheck === undefined) return () => true;
    try {
      return createCheck(schema);
    } catch (error) {
      this.#report(error);
      return () => true;
    }
  }

  /** What the client gets of the server's answer to a call. */
  #resultOf(request: McpRequest, call: OpenCall, response: McpMessage): McpMessage {
    const { result, error } = response;
    if (result === undefined) {
      this.#settle(call, { text: `Error ${error?.code}: ${error?.message}`, isError: true });
      return response;
    }
    if (this.#open.keep(request, call, result)) return response;
    const seen = result.isError === true ? result : this.#corrupted(call, result);
    this.#settle(call, { text: toolResultText(seen), isError: result.isError === true });
    return seen === result ? response : { ...response, result: seen };
  }

  #corrupted(call: OpenCall, result: ToolResult): ToolResult {
    if (call.decision.fault === null) return result;
    const { decision, tool } = call;
    return corruptToolResult(
      result,
      (value, accepts) => decision.corrupt(value, accepts),
      this.#checkOf(tool),
    );
  }

  #settle(call: OpenCall, result: McpCallResult): void {
    call.result = result;
    this.#options.onResult?.(call);
  }

  /** Progress belongs to the request that asked for it, anything else to the only request that waits. */
  #relation(message: McpMessage): McpSendOptions {
    const token = message.params?.progressToken;
    if (message.method === "notifications/progress" && token !== undefined) {
      for (const [id, { request }] of this.#pending)
        if (metaOf(request).progressToken === token) return { relatedRequestId: id };
    }
    const [only] = this.#pending.keys();
    return this.#pending.size === 1 && only !== undefined ? { relatedRequestId: only } : {};
  }

  #toClient(message: McpMessage, options?: McpSendOptions): void {
    this.#options.client.send(message, options).catch((error: unknown) => this.#report(error));
  }

  #toServer(message: McpMessage): void {
    this.#options.server.send(message).catch((error: unknown) => {
      this.#report(error);
      if (!isMcpRequest(message) || !this.#pending.has(message.id)) return;
      this.#fail(message.id, `the server could not be asked: ${errorMessage(error)}`);
    });
  }

  #report(error: unknown): void {
    this.#options.onError?.(error instanceof Error ? error : new Error(String(error)));
  }

  #serverGone(reason: string = this.#options.describeEnd?.() ?? "the server ended"): void {
    this.#giveUp("server", reason);
  }

  #giveUp(by: "server" | "failure", reason: string): void {
    if (this.#gone !== null) return;
    this.#gone = reason;
    for (const id of [...this.#pending.keys()]) this.#fail(id, reason);
    const held = this.#held ?? [];
    this.#held = null;
    for (const message of held) if (isMcpRequest(message)) this.#refuse(message.id, reason);
    this.#resolveEnd({ by, reason });
  }

  /** Answers a request that the server will not answer. */
  #fail(id: McpId, reason: string): void {
    const call = this.#pending.get(id)?.call;
    this.#pending.delete(id);
    if (call != null) this.#settle(call, { text: `Error ${SERVER_GONE}: ${reason}`, isError: true });
    this.#refuse(id, reason);
  }

  #refuse(id: McpId, reason: string): void {
    this.#toClient({ jsonrpc: "2.0", id, error: { code: SERVER_GONE, message: reason } });
  }
}

/** Clients of 2026-07-28 ask a server for its version in a connection of its own: that is no episode. */
function beginsEpisode({ method }: McpMessage): boolean {
  const probe = method === "server/discover" || method === "ping" || method === "notifications/cancelled";
  return !probe && method !== undefined;
}
