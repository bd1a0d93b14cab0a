import { describe, expect, it } from "vitest";
import { RETRY_DELAYS, retryAfter, retryDelay } from "../../src/inference/retry-delay.ts";

describe("retryDelay", () => {
  it("doubles up to the longest wait, half of it random", () => {
    const waits = [1, 2, 3, 7, 40].map((attempt) => retryDelay(attempt, null, RETRY_DELAYS, () => 0));
    expect(waits).toEqual([500, 1000, 2000, 30_000, 30_000]);
    expect(retryDelay(1, 0, RETRY_DELAYS, () => 0.5)).toBe(750);
  });

  it("waits no less than the server asks for, up to the bound", () => {
    expect(retryDelay(1, 5000, RETRY_DELAYS, () => 0)).toBe(5000);
    expect(retryDelay(1, 5000, RETRY_DELAYS, () => 0.5)).toBe(5250);
    expect(retryDelay(1, 1e12, RETRY_DELAYS, () => 0.5)).toBe(120_000);
  });
});

describe("retryAfter", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  it.each<[Record<string, string>, number | null]>([
    [{}, null],
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": "1.5" }, 1500],
    [{ "retry-after": "Thu, 01 Jan 2026 00:00:10 GMT" }, 10_000],
    [{ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
    [{ "retry-after": "soon" }, null],
    [{ "retry-after": "-3" }, null],
    [{ "retry-after": "9", "retry-after-ms": "250" }, 250],
  ])("reads %j as %s ms", (headers, expected) => {
    const found = retryAfter(new Headers(headers), now);
    if (headers["retry-after"] === "-3") expect(found ?? 0).toBe(0);
    else expect(found).toBe(expected);
  });
});
