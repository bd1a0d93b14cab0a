import type { McpTransport } from "../../recovery/mcp/mcp-message.ts";
import { MAX_MESSAGE_BYTES } from "./backend.ts";
import { loadMcpStdioServer } from "./load-mcp.ts";

/** The client that started this process, spoken to over standard input and output. */
export async function stdioFront(): Promise<McpTransport> {
  const { StdioServerTransport } = await loadMcpStdioServer();
  // A client that was killed leaves a broken pipe; that must end the episode, not the process on the spot.
  process.stdout.removeAllListeners("error");
  const transport = new StdioServerTransport(process.stdin, process.stdout, {
    maxBufferSize: MAX_MESSAGE_BYTES,
  });
  return transport as unknown as McpTransport;
}
