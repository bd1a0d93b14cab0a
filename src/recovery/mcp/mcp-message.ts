/** The id of a JSON-RPC request. */
export type McpId = string | number;

/**
 * A JSON-RPC 2.0 message of the Model Context Protocol, of any version: a request (`id` and `method`), a notification (`method`), or
 * a response (`id` and `result` or `error`).
 */
export interface McpMessage {
  readonly jsonrpc: "2.0";
  readonly id?: McpId;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: McpError;
}

/** The error of a response. */
export interface McpError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A message that is to be answered. */
export type McpRequest = McpMessage & { readonly id: McpId; readonly method: string };

/** Where a message to the client belongs. */
export interface McpSendOptions {
  /** The client's request that a notification or a request of the server belongs to. */
  readonly relatedRequestId?: McpId;
}

/**
 * One end of a connection: the part of the official SDK's `Transport` that a proxy needs, so that its transports for stdio and
 * streamable HTTP can be given, and any other as well.
 */
export interface McpTransport {
  /** Begins to read; messages come from then on. */
  start(): Promise<void>;
  /** Sends one message; resolves once it is handed over. */
  send(message: McpMessage, options?: McpSendOptions): Promise<void>;
  /** Ends the connection. */
  close(): Promise<void>;
  /** Told the version that client and server agreed on. */
  setProtocolVersion?(version: string): void;
  /** Called with every message of the other side. */
  onmessage?: ((message: McpMessage) => void) | undefined;
  /** Called once the other side is gone, or after `close`. */
  onclose?: (() => void) | undefined;
  /** Called with what went wrong and did not end the connection. */
  onerror?: ((error: Error) => void) | undefined;
}

/** The key of `params._meta` with which a request of protocol 2026-07-28 or later names its version. */
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

/** Whether a message wants an answer. */
export function isMcpRequest(message: McpMessage): message is McpRequest {
  return message.method !== undefined && message.id !== undefined;
}

/** Whether a message is an answer. */
export function isMcpResponse(message: McpMessage): message is McpMessage & { readonly id: McpId } {
  return message.method === undefined && message.id !== undefined;
}

/** The `_meta` of a message's parameters; empty when there is none. */
export function metaOf(message: McpMessage): Readonly<Record<string, unknown>> {
  return asRecord(message.params?._meta) ?? {};
}

/** Whether a request is of a protocol without a handshake (2026-07-28 and later), which every request names. */
export function namesItsVersion(request: McpMessage): boolean {
  return typeof metaOf(request)[VERSION_KEY] === "string";
}

/** A value as an object with keys; null for anything else. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> | null {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, unknown>>) : null;
}
