import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../src/math/seeded-random.ts";
import { randomRawText, randomTurnInput } from "../reference/random-response.ts";
import { referenceNormalise } from "../reference/reference-normalise.ts";
import { referenceTurn, type TurnInput } from "../reference/released-reference.ts";

const TURNS = new URL("../../../shared/cases/trust/released_turn.json", import.meta.url);
const NORMALISED = new URL("../../../shared/cases/trust/released_normalise.json", import.meta.url);

interface Vector<Input, Expected> {
  readonly name: string;
  readonly input: Input;
  readonly expected: Expected;
}

const vectorsOf = <Input, Expected>(file: URL): Vector<Input, Expected>[] =>
  JSON.parse(readFileSync(file, "utf8"), (_key, value: unknown) =>
    value === "NaN" || value === "Infinity" || value === "-Infinity" ? Number(value) : value,
  ) as Vector<Input, Expected>[];

describe.skipIf(!existsSync(TURNS))("the reference of the released turn", () => {
  it("agrees with every golden vector", () => {
    const vectors = vectorsOf<TurnInput, unknown>(TURNS);
    expect(vectors.length).toBeGreaterThan(100);
    for (const { name, input, expected } of vectors) expect(referenceTurn(input), name).toEqual(expected);
  });
});

describe.skipIf(!existsSync(NORMALISED))("the reference of the released normalisation", () => {
  it("agrees with every golden vector", () => {
    const vectors = vectorsOf<string, string>(NORMALISED);
    expect(vectors.length).toBeGreaterThan(30);
    for (const { name, input, expected } of vectors) expect(referenceNormalise(input), name).toBe(expected);
  });
});

describe("the generator of hostile responses", () => {
  it("reaches every action, both sides of each term and every outcome of the normalisation", () => {
    const random = seededRandom(7);
    const seen = new Map<string, number>();
    const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
    for (let index = 0; index < 2000; index++) {
      const turn = referenceTurn(randomTurnInput(random));
      count(`action ${turn.pred_action}`);
      count(`consistent ${turn.self_consistent}, tag ${turn.category_match}, class ${turn.r_cls}`);
      if (turn.r_align !== null && turn.r_align > 0 && turn.r_align < 1) count(`aligned ${turn.pred_action}`);
      const text = referenceNormalise(randomRawText(random));
      count(
        /^<think>.*<\/think>\n[a-z_]+<[ABCD]>\n<answer>.*<\/answer>$/su.test(text) ? "three lines" : "pass 1",
      );
      if (text.includes("<tool_call>\n{")) count("rendered call");
    }
    for (const [what, times] of seen) expect(times, what).toBeGreaterThan(1);
    const actions = ["direct_answer", "tool_call", "request_for_info", "cannot_answer"];
    for (const action of actions) expect(seen.get(`aligned ${action}`) ?? 0, action).toBeGreaterThan(10);
    expect(seen.get("three lines") ?? 0).toBeGreaterThan(200);
    expect(seen.get("pass 1") ?? 0).toBeGreaterThan(100);
    expect(seen.get("rendered call") ?? 0).toBeGreaterThan(200);
  });
});
