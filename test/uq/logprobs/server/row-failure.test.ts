import { describe, expect, it } from "vitest";
import { chatError } from "../../../../src/inference/chat-error.ts";
import {
  knownServerFailure,
  rowFailure,
  rowReasonOf,
} from "../../../../src/uq/logprobs/server/row-failure.ts";

describe("knownServerFailure", () => {
  it.each([
    "This model's maximum context length is 4096 tokens. However, you requested 4097 tokens (4096 in the messages, 1 in the completion).",
    "The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller.",
    "Input length (5000) exceeds model's maximum context length (4096).",
    "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
    "Input length (5000 tokens) exceeds the maximum allowed length (4090 tokens).",
    "Requested token count exceeds the model's maximum context length of 4096 tokens.",
  ])("knows a text that is too long: %s", (words) => {
    expect(knownServerFailure(400, words)).toEqual({ reason: "too long", retry: false, fatal: false });
    expect(knownServerFailure(503, words)).toBeNull();
  });

  it.each([
    "Out of range float values are not JSON compliant",
    "Out of range float values are not JSON compliant: nan",
  ])("knows NaN: %s", (words) => {
    expect(knownServerFailure(500, words)).toEqual({ reason: "NaN log-probs", retry: false, fatal: false });
  });

  it("knows nothing of others", () => {
    expect(knownServerFailure(413, "")?.reason).toBe("too long");
    expect(knownServerFailure(400, "Conversation roles must alternate user/assistant")).toBeNull();
    expect(knownServerFailure(500, "Internal Server Error")).toBeNull();
  });
});

describe("rowReasonOf", () => {
  it("tells failures of one text from those of the server", () => {
    expect(rowReasonOf(rowFailure("too long", "…"))).toBe("too long");
    expect(rowReasonOf(rowFailure("wrong tokens", "…"))).toBeNull();
    expect(rowReasonOf(chatError("…", { reason: "timeout", fatal: false, attempts: 1 }))).toBeNull();
    expect(rowReasonOf(new Error("too long"))).toBeNull();
  });
});
