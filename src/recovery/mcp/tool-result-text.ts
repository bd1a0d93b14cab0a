import type { ToolResult } from "./corrupt-tool-result.ts";
import { asRecord } from "./mcp-message.ts";

/**
 * A result of `tools/call` as the text that a conversation keeps of it: the text blocks, one under the other, and a short
 * placeholder for every other block, such as `[image image/png 1234 bytes]`. Structured content that no text block repeats is
 * its JSON. A result without any of them is "".
 */
export function toolResultText(result: ToolResult): string {
  const content = Array.isArray(result.content) ? (result.content as readonly unknown[]) : [];
  if (content.length === 0 && result.structuredContent !== undefined)
    return JSON.stringify(result.structuredContent);
  return content.map(blockText).join("\n");
}

function blockText(block: unknown): string {
  const { type, text, data, mimeType, uri, resource } = asRecord(block) ?? {};
  if (type === "text" && typeof text === "string") return text;
  if (type === "resource") return resourceText(asRecord(resource) ?? {});
  const parts = [type, mimeType, uri].filter((part) => typeof part === "string");
  if (typeof data === "string") parts.push(`${base64Bytes(data)} bytes`);
  return `[${parts.join(" ") || "unknown block"}]`;
}

function resourceText({ uri, text, blob, mimeType }: Readonly<Record<string, unknown>>): string {
  if (typeof text === "string") return text;
  const parts = ["resource", uri, mimeType].filter((part) => typeof part === "string");
  if (typeof blob === "string") parts.push(`${base64Bytes(blob)} bytes`);
  return `[${parts.join(" ")}]`;
}

function base64Bytes(data: string): number {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return Math.floor((data.length * 3) / 4) - padding;
}
