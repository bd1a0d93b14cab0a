import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FLOOR_STEP, floorModule } from "../../../../src/cli/doctor/bench/floor-module.ts";
import { createMemoryFloor, type MemoryFloor } from "../../../../src/cli/doctor/bench/memory-floor.ts";
import { webAssembly } from "../../../../src/uq/logprobs/wasm/web-assembly.ts";

const BYTES = 33 * FLOOR_STEP;

/** What the floor fills its memory with: the words count up. */
function sumFrom(word: number, words: number): number {
  let sum = 0;
  for (let i = word; i < word + words; i++) sum = (sum + i) | 0;
  return sum;
}

describe("the module that reads memory", () => {
  it("is a module", () => {
    expect(webAssembly()?.validate(floorModule())).toBe(true);
  });

  let floor: MemoryFloor;
  beforeAll(async () => {
    floor = await createMemoryFloor(BYTES - 1, 3, 1);
  });
  afterAll(() => floor.dispose());

  it.each([0, 1, 2])("adds up every word of buffer %i", (index) => {
    expect(floor.how).toBe("wasm");
    expect(floor.read(index, 1)).toBe(sumFrom((index * BYTES) / 4, BYTES / 4));
  });
});
