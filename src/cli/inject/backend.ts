import type { McpTransport } from "../../recovery/mcp/mcp-message.ts";

/** The server's side of a session. */
export interface Backend {
  readonly transport: McpTransport;
  /** How the server ended, in words; to be asked once it has. */
  describeEnd(): string;
  /** Tells a server that was started here to stop, without waiting. */
  terminate(): void;
}

/** Most bytes of one message: what a string of the engine can hold, about. The SDK's own limit is 10 MiB. */
export const MAX_MESSAGE_BYTES: number = 500 * 2 ** 20;
