import { describe, expect, it } from "vitest";
import { toolResultText } from "../../../src/recovery/mcp/tool-result-text.ts";

describe("toolResultText", () => {
  it("keeps texts and names everything else", () => {
    const content = [
      { type: "text", text: "a" },
      { type: "image", mimeType: "image/png", data: "AAAA" },
      { type: "audio", mimeType: "audio/wav", data: "AA==" },
      { type: "resource_link", uri: "file:///x" },
      { type: "resource", resource: { uri: "u", text: "inside" } },
      { type: "resource", resource: { uri: "u", mimeType: "m", blob: "AAA=" } },
      { type: "hologram" },
    ];
    expect(toolResultText({ content }).split("\n")).toEqual([
      "a",
      "[image image/png 3 bytes]",
      "[audio audio/wav 1 bytes]",
      "[resource_link file:///x]",
      "inside",
      "[resource u m 2 bytes]",
      "[hologram]",
    ]);
    expect(toolResultText({ content: [], structuredContent: { a: 1 } })).toBe('{"a":1}');
    expect(toolResultText({})).toBe("");
  });
});
