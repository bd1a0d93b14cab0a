import { describe, expect, it } from "vitest";
import { callKey, hasReadableArguments } from "../../../src/data/calls/call-key.ts";

describe("callKey", () => {
  it("is the same for the same call however it is spelled", () => {
    const a = { name: "f", arguments: { x: 1, y: [1, 2] } };
    expect(callKey(a)).toBe(callKey({ name: "f", arguments: { y: [1.0, 2], x: 1.0 } }));
    expect(callKey(a)).not.toBe(callKey({ name: "f", arguments: { x: 1, y: [2, 1] } }));
    expect(callKey(a)).not.toBe(callKey({ name: "g", arguments: { x: 1, y: [1, 2] } }));
    expect(callKey(a)).not.toBe(callKey({ name: "f", arguments: { x: "1", y: [1, 2] } }));
  });

  it("compares raw text as text, and never with parsed arguments", () => {
    expect(callKey({ name: "f", arguments: "{x:" })).toBe(callKey({ name: "f", arguments: "{x:" }));
    expect(callKey({ name: "f", arguments: "{x: " })).not.toBe(callKey({ name: "f", arguments: "{x:" }));
    expect(callKey({ name: "f", arguments: "{}" })).not.toBe(callKey({ name: "f", arguments: {} }));
    expect(callKey({ name: 'f"', arguments: "" })).not.toBe(callKey({ name: "f", arguments: '"' }));
  });
});

describe("hasReadableArguments", () => {
  it("is false for raw text", () => {
    expect(hasReadableArguments({ name: "f", arguments: {} })).toBe(true);
    expect(hasReadableArguments({ name: "f", arguments: "{x:" })).toBe(false);
  });
});
