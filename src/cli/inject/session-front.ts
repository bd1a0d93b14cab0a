import {
  isMcpRequest,
  isMcpResponse,
  type McpId,
  type McpMessage,
  type McpSendOptions,
  type McpTransport,
} from "../../recovery/mcp/mcp-message.ts";

/**
 * The SDK's transport of one HTTP session. What belongs to no single request goes to the client's standing stream; a client that
 * opened none gets it on the stream of its latest request, where it would be lost otherwise.
 */
export class SessionFront implements McpTransport {
  onmessage: McpTransport["onmessage"];
  onclose: McpTransport["onclose"];
  onerror: McpTransport["onerror"];
  readonly #inner: McpTransport;
  readonly #waiting: Set<McpId> = new Set();
  #standing = 0;

  constructor(inner: McpTransport) {
    this.#inner = inner;
  }

  /** Whether a request or a standing stream is open. */
  get isBusy(): boolean {
    return this.#standing > 0 || this.#waiting.size > 0;
  }

  /** Counts a standing stream until its connection closes. */
  standingStream(closed: AbortSignal): void {
    this.#standing += 1;
    closed.addEventListener("abort", () => {
      this.#standing -= 1;
    });
  }

  async start(): Promise<void> {
    this.#inner.onmessage = (message) => {
      if (isMcpRequest(message)) this.#waiting.add(message.id);
      this.onmessage?.(message);
    };
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = (error) => this.onerror?.(error);
    await this.#inner.start();
  }

  async send(message: McpMessage, options: McpSendOptions = {}): Promise<void> {
    if (isMcpResponse(message)) this.#waiting.delete(message.id);
    const latest = this.#standing > 0 ? undefined : [...this.#waiting].at(-1);
    const related = isMcpResponse(message) ? undefined : (options.relatedRequestId ?? latest);
    await this.#inner.send(message, related === undefined ? {} : { relatedRequestId: related });
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }
}
