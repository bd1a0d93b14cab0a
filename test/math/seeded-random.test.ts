import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../src/math/seeded-random.ts";

interface Golden {
  readonly first: readonly { readonly seed: number; readonly integers: readonly number[] }[];
  readonly later: { readonly seed: number; readonly skipped: number; readonly integer: number };
}

const golden = JSON.parse(
  readFileSync(new URL("../golden/seeded-random.json", import.meta.url), "utf8"),
) as Golden;

describe("seededRandom", () => {
  it.each(golden.first)("gives Mulberry32's numbers for seed $seed", ({ seed, integers }) => {
    const random = seededRandom(seed);
    expect(integers.map(() => random())).toEqual(integers.map((integer) => integer / 2 ** 32));
  });

  it("still does after many draws", () => {
    const { seed, skipped, integer } = golden.later;
    const random = seededRandom(seed);
    for (let draw = 0; draw < skipped; draw += 1) random();
    expect(random()).toBe(integer / 2 ** 32);
  });

  it("counts the low 32 bits of the seed", () => {
    expect(seededRandom(2 ** 32 + 5)()).toBe(seededRandom(5)());
    expect(seededRandom(-1)()).toBe(seededRandom(2 ** 32 - 1)());
  });

  it("stays in [0, 1), and every generator is its own", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (seed) => {
        const [one, other] = [seededRandom(seed), seededRandom(seed)];
        const numbers = Array.from({ length: 20 }, () => one());
        expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
        expect(Array.from({ length: 20 }, () => other())).toEqual(numbers);
      }),
    );
  });

  it("is about uniform", () => {
    const random = seededRandom(3);
    const counts = new Float64Array(10);
    for (let draw = 0; draw < 50_000; draw += 1) {
      const bin = Math.floor(random() * 10);
      counts[bin] = (counts[bin] as number) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 5000)).toBeLessThan(300);
  });
});
