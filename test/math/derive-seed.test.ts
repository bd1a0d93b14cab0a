import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { deriveSeed } from "../../src/math/derive-seed.ts";

interface SeedCase {
  readonly parts: readonly (string | number)[];
  readonly seed: number;
}

it("gives the seeds of an implementation of its own", () => {
  const golden = JSON.parse(readFileSync(new URL("../golden/fault-draws.json", import.meta.url), "utf8")) as {
    readonly seeds: readonly SeedCase[];
  };
  for (const { parts, seed } of golden.seeds) expect(deriveSeed(...parts), JSON.stringify(parts)).toBe(seed);
});

it("keeps parts apart", () => {
  const seeds = [deriveSeed("a", "b"), deriveSeed("ab"), deriveSeed("ab", ""), deriveSeed("b", "a")];
  expect(new Set(seeds).size).toBe(4);
});
