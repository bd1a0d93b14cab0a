import { describe, expect, it } from "vitest";
import { progressLine } from "../../../src/cli/toolfault/run-progress.ts";
import { createRunTally } from "../../../src/cli/toolfault/run-tally.ts";
import { chatError } from "../../../src/inference/chat-error.ts";

describe("progressLine", () => {
  it("says how far a run is, and leaves out what there is none of", () => {
    const tally = createRunTally({ priceIn: null, priceOut: null }, false);
    expect(progressLine(tally.counts(), 5, 1441, 0)).toBe("asking: 5/1,441, 0.0/s, 0 tokens");
    const counts = { ...tally.counts(), answeredNow: 30, promptTokens: 12_000, completionTokens: 345 };
    tally.failed("a", chatError("no", { reason: "timeout", fatal: false, attempts: 1 }));
    const { failed } = tally.counts();
    expect(progressLine({ ...counts, failed, cost: 0.01234 }, 5, 1441, 20)).toBe(
      "asking: 35/1,441, 1.5/s, 12,345 tokens, cost 0.0123, 1 failed",
    );
  });
});
