import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callAgreement, callPairAgreement } from "../../src/rewards/call-agreement.ts";
import type { GoldAction, ToolCall } from "../../src/types.ts";

const call = (name: string, args: ToolCall["arguments"] = {}): ToolCall => ({ name, arguments: args });

describe("callPairAgreement", () => {
  it.each([
    ["no arguments on either side", call("f"), call("f"), 1],
    ["another name", call("g", { a: 1 }), call("f", { a: 1 }), 0],
    [
      "equal arguments in any order and spelling",
      call("f", { b: [1], a: 2 }),
      call("f", { a: 2.0, b: [1.0] }),
      1,
    ],
    ["one of two values equal", call("f", { a: 1, b: 2 }), call("f", { a: 1, b: 3 }), 0.5],
    ["an argument missing", call("f", { a: 1 }), call("f", { a: 1, b: 3 }), 0.5],
    ["an argument too many", call("f", { a: 1, b: 3 }), call("f", { a: 1 }), 0.5],
    ["arguments where the gold call has none", call("f", { a: 1 }), call("f"), 0],
    ["no arguments where the gold call has some", call("f"), call("f", { a: 1 }), 0],
    ["different names of arguments", call("f", { a: 1 }), call("f", { b: 1 }), 0],
    ["another order of an array", call("f", { a: [1, 2] }), call("f", { a: [2, 1] }), 0],
    ["broken arguments", call("f", "{a:"), call("f", { a: 1 }), 0],
    ["broken arguments where the gold call has none", call("f", "{"), call("f"), 0],
    ["broken arguments on both sides", call("f", "{"), call("f", "{"), 0],
    ["a __proto__ argument", call("f", JSON.parse('{"__proto__":1}')), call("f", {}), 0],
  ])("with %s", (_, predicted, gold, expected) => {
    expect(callPairAgreement(predicted, gold)).toBe(expected);
  });

  it("counts only the arguments that compareArgs names", () => {
    const gold = (compareArgs: readonly string[]): GoldAction => ({
      ...call("f", { a: 1, b: 2, c: 3 }),
      compareArgs,
    });
    const predicted = call("f", { a: 1, b: 9, d: 4 });
    expect(callPairAgreement(predicted, gold(["a"]))).toBe(1);
    expect(callPairAgreement(predicted, gold(["a", "b"]))).toBe(0.5);
    expect(callPairAgreement(predicted, gold(["a", "c", "d"]))).toBe(1 / 3);
    expect(callPairAgreement(predicted, gold([]))).toBe(1);
    expect(callPairAgreement(predicted, gold(["z"]))).toBe(1);
  });
});

describe("callAgreement", () => {
  it("pairs calls one to one for the best total, not greedily", () => {
    const gold = [call("f", { a: 1, b: 1 }), call("f", { a: 1, b: 2 })];
    // Greedily the first predicted call would take the first gold call and leave 0 for the second.
    const predicted = [call("f", { a: 1, b: 2 }), call("f", { a: 1, b: 9 })];
    expect(callAgreement(predicted, gold)).toBe((1 + 0.5) / 2);
    expect(callAgreement(predicted.toReversed(), gold)).toBe((1 + 0.5) / 2);
  });

  it("divides by the larger number of calls", () => {
    expect(callAgreement([call("f")], [call("f"), call("g")])).toBe(0.5);
    expect(callAgreement([call("f"), call("f"), call("g")], [call("f")])).toBe(1 / 3);
    expect(callAgreement([], [call("f")])).toBe(0);
    expect(callAgreement([call("f")], [])).toBe(0);
    expect(callAgreement([], [])).toBe(1);
  });

  const value = fc.constantFrom<unknown>(1, 2, "x", [1], null);
  const args = fc.dictionary(fc.constantFrom("a", "b", "c"), value, { maxKeys: 3, noNullPrototype: true });
  const calls = fc.array(fc.record({ name: fc.constantFrom("f", "g"), arguments: args }), { maxLength: 4 });

  it("is in [0, 1] and symmetric", () => {
    fc.assert(
      fc.property(calls, calls, (predicted, gold) => {
        const agreement = callAgreement(predicted, gold);
        expect(agreement).toBeGreaterThanOrEqual(0);
        expect(agreement).toBeLessThanOrEqual(1);
        expect(callAgreement(gold, predicted)).toBeCloseTo(agreement, 12);
      }),
    );
  });

  it("is 1 for the same calls in any order, and less with one call more", () => {
    const orders = calls.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(orders, ([gold, shuffled]) => {
        expect(callAgreement(shuffled, gold)).toBe(1);
        expect(callAgreement([...shuffled, call("h")], gold)).toBe(gold.length / (gold.length + 1));
      }),
    );
  });

  it("does not depend on the order of calls", () => {
    fc.assert(
      fc.property(calls, calls, (predicted, gold) => {
        const agreement = callAgreement(predicted, gold);
        expect(callAgreement(predicted.toReversed(), gold)).toBeCloseTo(agreement, 12);
        expect(callAgreement(predicted, gold.toReversed())).toBeCloseTo(agreement, 12);
      }),
    );
  });

  it("is the best of all pairings", () => {
    fc.assert(
      fc.property(calls, calls, (predicted, gold) => {
        const larger = Math.max(predicted.length, gold.length);
        if (larger === 0) return;
        expect(callAgreement(predicted, gold)).toBeCloseTo(bestPairing(predicted, gold) / larger, 12);
      }),
    );
  });
});

function bestPairing(predicted: readonly ToolCall[], gold: readonly GoldAction[]): number {
  const [first, ...rest] = gold;
  if (first === undefined) return 0;
  const paired = predicted.map(
    (one, index) => callPairAgreement(one, first) + bestPairing(predicted.toSpliced(index, 1), rest),
  );
  return Math.max(bestPairing(predicted, rest), ...paired);
}
