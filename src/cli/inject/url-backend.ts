import { CalibrantError, errorMessage } from "../../errors.ts";
import {
  isMcpRequest,
  isMcpResponse,
  type McpId,
  type McpMessage,
  type McpTransport,
  namesItsVersion,
} from "../../recovery/mcp/mcp-message.ts";
import type { Backend } from "./backend.ts";
import { loadMcpClient } from "./load-mcp.ts";
import { nodeFetch } from "./node-fetch.ts";

/** How long the server has to hear that the session is over, in milliseconds. */
const GOODBYE_MS = 1000;

/** A server that runs already and is spoken to over streamable HTTP. */
export async function urlBackend(url: URL, headers: Readonly<Record<string, string>>): Promise<Backend> {
  const { StreamableHTTPClientTransport, SdkHttpError, SdkError } = await loadMcpClient();
  const inner = new StreamableHTTPClientTransport(url, { requestInit: { headers }, fetch: nodeFetch() });
  const transport = new UrlTransport(inner, url, (error) => {
    if (error instanceof SdkHttpError)
      return { status: error.status, text: String(error.data.text ?? error.statusText) };
    return error instanceof SdkError ? { status: 0, text: error.message } : null;
  });
  return { transport, describeEnd: () => transport.end, terminate: () => undefined };
}

type Inner = InstanceType<typeof import("@modelcontextprotocol/client").StreamableHTTPClientTransport>;

/** What an HTTP server answered instead of a message; null = it could not be reached. */
type ReadAnswer = (error: unknown) => { readonly status: number; readonly text: string } | null;

/** A request on its way. */
interface Sent {
  readonly abort: AbortController;
  /** Whether the request is of a protocol in which closing its stream takes it back. */
  readonly byStream: boolean;
}

/**
 * The SDK's client transport for streamable HTTP, with what its protocol layer does otherwise: requests without an answer are
 * answered with an error, and a server that cannot be reached ends the connection.
 */
class UrlTransport implements McpTransport {
  onmessage: McpTransport["onmessage"];
  onclose: McpTransport["onclose"];
  onerror: McpTransport["onerror"];
  /** Why the connection ended. */
  end = "the connection to the server ended";
  readonly #inner: Inner;
  readonly #url: URL;
  readonly #readAnswer: ReadAnswer;
  readonly #sent: Map<McpId, Sent> = new Map();
  #closed = false;

  constructor(inner: Inner, url: URL, readAnswer: ReadAnswer) {
    this.#inner = inner;
    this.#url = url;
    this.#readAnswer = readAnswer;
  }

  async start(): Promise<void> {
    this.#inner.onmessage = (message) => this.#deliver(message as McpMessage);
    this.#inner.onerror = (error) => {
      if (!this.#closed && this.#readAnswer(error) === null) this.onerror?.(error);
    };
    await this.#inner.start();
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  async send(message: McpMessage): Promise<void> {
    const taken = message.method === "notifications/cancelled" ? this.#sent.get(cancelledId(message)) : null;
    if (taken?.byStream === true) {
      this.#sent.delete(cancelledId(message));
      taken.abort.abort();
      return;
    }
    if (isMcpRequest(message)) await this.#ask(message, message.id);
    else await this.#post(message, {});
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const goodbye = this.#inner.terminateSession().catch(() => undefined);
    await Promise.race([goodbye, new Promise((resolve) => setTimeout(resolve, GOODBYE_MS).unref())]);
    await this.#inner.close();
    this.onclose?.();
  }

  async #ask(message: McpMessage, id: McpId): Promise<void> {
    const abort = new AbortController();
    this.#sent.set(id, { abort, byStream: namesItsVersion(message) });
    await this.#post(message, {
      requestSignal: abort.signal,
      onRequestStreamEnd: () => this.#refuse(id, "the server closed the connection without an answer"),
    });
  }

  async #post(message: McpMessage, options: Parameters<Inner["send"]>[1]): Promise<void> {
    try {
      await this.#inner.send(message as Parameters<Inner["send"]>[0], options);
    } catch (error) {
      const { id } = message;
      if (this.#closed || (id !== undefined && isMcpRequest(message) && !this.#sent.has(id))) return;
      const answer = this.#readAnswer(error);
      if (answer === null) this.#lose(error);
      else if (!isMcpRequest(message)) this.onerror?.(error as Error);
      else this.#answerWith(message.id, answer);
    }
  }

  /** The server's own error where there is one in the body. */
  #answerWith(id: McpId, { status, text }: { readonly status: number; readonly text: string }): void {
    const body = messageIn(text);
    if (body?.error !== undefined) this.#deliver({ jsonrpc: "2.0", id, error: body.error });
    else this.#refuse(id, `the server answered ${status === 0 ? text : `HTTP ${status}: ${text}`}`);
  }

  #refuse(id: McpId, reason: string): void {
    if (!this.#sent.has(id)) return;
    const message = `${reason} (${this.#url.href})`;
    this.#deliver({ jsonrpc: "2.0", id, error: { code: -32000, message } });
  }

  #deliver(message: McpMessage): void {
    if (isMcpResponse(message)) this.#sent.delete(message.id);
    this.onmessage?.(message);
  }

  #lose(error: unknown): void {
    this.#closed = true;
    const cause = error instanceof Error && error.cause !== undefined ? `: ${errorMessage(error.cause)}` : "";
    this.end = `the server at ${this.#url.href} cannot be reached: ${errorMessage(error)}${cause}`;
    this.#sent.clear();
    this.#inner.close().catch(() => undefined);
    this.onclose?.();
  }
}

function cancelledId(message: McpMessage): McpId {
  return message.params?.requestId as McpId;
}

function messageIn(text: string): McpMessage | null {
  try {
    return JSON.parse(text) as McpMessage;
  } catch {
    return null;
  }
}

/**
 * Headers from texts such as `Authorization: Bearer …`.
 *
 * @throws CalibrantError `usage` for a text that is no header.
 */
export function parseHeaders(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(":");
      const name = text.slice(0, Math.max(at, 0)).trim();
      // The value may be a secret, and is not repeated.
      if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) {
        throw new CalibrantError("usage", `--header must be "Name: value", got ${name || "no colon"}`);
      }
      return [name, text.slice(at + 1).trim()];
    }),
  );
}
