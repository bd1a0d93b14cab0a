import { expect, it } from "vitest";
import { FLAG_BIT, PERPLEXITY_FLAGS, perplexityFlags } from "../../src/uq/perplexity-flags.ts";

it("names every bit, in order", () => {
  expect(perplexityFlags(0)).toEqual([]);
  expect(perplexityFlags(2 ** PERPLEXITY_FLAGS.length - 1)).toEqual([...PERPLEXITY_FLAGS]);
  expect(perplexityFlags(FLAG_BIT.negInf | FLAG_BIT.empty)).toEqual(["empty", "neg-inf"]);
});

it("has a bit for every name", () => {
  const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const names = Object.entries(FLAG_BIT).map(([name, bit]) => [kebab(name), perplexityFlags(bit)[0]]);
  for (const [name, flag] of names) expect(flag).toContain(name);
  expect(names.length).toBe(PERPLEXITY_FLAGS.length);
});
