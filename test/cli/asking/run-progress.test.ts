import { describe, expect, it } from "vitest";
import { progressLine } from "../../../src/cli/asking/run-progress.ts";
import { createRunTally } from "../../../src/cli/asking/run-tally.ts";
import { chatError } from "../../../src/inference/chat-error.ts";

describe("progressLine", () => {
  it("says how far a run is, and leaves out what there is none of", () => {
    const tally = createRunTally({ priceIn: null, priceOut: null });
    expect(progressLine(tally.counts(), 5, 1441, 0)).toBe("asking: 5/1,441, 0.0/s, 0 tokens");
    const counts = { ...tally.counts(), answeredNow: 30, promptTokens: 12_000, completionTokens: 345 };
    tally.failed("a", chatError("no", { reason: "timeout", fatal: false, attempts: 1 }));
    const { failed } = tally.counts();
    expect(progressLine({ ...counts, failed, cost: 0.01234 }, 5, 1441, 20)).toBe(
      "asking: 35/1,441, 1.5/s, 12,345 tokens, cost 0.0123, 1 failed",
    );
  });

  it("estimates the time left once a tenth of what this run asks is done", () => {
    const { counts } = createRunTally({ priceIn: null, priceOut: null });
    const left = (answeredNow: number, failures: number, seconds: number): string | undefined => {
      const failed = { timeout: failures };
      const line = progressLine({ ...counts(), answeredNow, failed }, 900, 1000, seconds);
      return /about (.*) left/.exec(line)?.[1];
    };
    expect([left(0, 0, 5), left(9, 0, 5), left(10, 0, 5), left(8, 2, 5)]).toEqual([
      undefined,
      undefined,
      "45 s",
      "45 s",
    ]);
    expect([left(50, 0, 59.6), left(50, 0, 7500), left(99, 0, 1), left(100, 0, 9)]).toEqual([
      "1 min",
      "2 h 5 min",
      "1 s",
      undefined,
    ]);
    expect(progressLine(counts(), 7, 7, 1)).not.toContain("left");
  });
});
