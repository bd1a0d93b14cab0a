import { describe, expect, it } from "vitest";
import { errorOfWorker, workerFailure } from "../../src/cli/worker-failure.ts";
import { CalibrantError, CalibrantRangeError } from "../../src/errors.ts";

const sent = (error: unknown): Error => errorOfWorker(structuredClone(workerFailure(error)));

describe("a failure that crosses threads", () => {
  it("keeps code, message and details", () => {
    const error = sent(new CalibrantError("schema", "a.jsonl: missing column ppl", { columns: ["x"] }));
    expect(error).toBeInstanceOf(CalibrantError);
    expect(error).toMatchObject({
      code: "schema",
      message: "a.jsonl: missing column ppl",
      details: { columns: ["x"] },
    });
    expect(sent(new CalibrantRangeError("data", "ppl must be at least 1"))).toMatchObject({ code: "data" });
  });

  it("stays an unexpected fault when it was one", () => {
    const error = sent(new TypeError("x is\n not a function"));
    expect(error).not.toBeInstanceOf(CalibrantError);
    expect(error.message).toBe("x is not a function");
  });
});
