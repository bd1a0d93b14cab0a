import { describe, expect, it } from "vitest";
import { ahead } from "../../../src/cli/logprobs/ahead.ts";

describe("ahead", () => {
  async function* numbers(seen: string[], fails = false): AsyncGenerator<number> {
    try {
      for (let i = 0; i < 3; i += 1) {
        seen.push(`make ${i}`);
        yield i;
      }
      if (fails) throw new Error("no more");
    } finally {
      seen.push("closed");
    }
  }

  it("makes the next value while one is used", async () => {
    const seen: string[] = [];
    for await (const value of ahead(numbers(seen))) {
      await Promise.resolve();
      seen.push(`use ${value}`);
    }
    expect(seen).toEqual(["make 0", "make 1", "use 0", "make 2", "use 1", "closed", "use 2"]);
  });

  it("throws when the turn comes, and closes when it is left early", async () => {
    const used: number[] = [];
    const all = async (): Promise<void> => {
      for await (const value of ahead(numbers([], true))) used.push(value);
    };
    await expect(all()).rejects.toThrow("no more");
    expect(used).toEqual([0, 1, 2]);
    const seen: string[] = [];
    for await (const _ of ahead(numbers(seen))) break;
    expect(seen).toEqual(["make 0", "make 1", "closed"]);
  });
});
