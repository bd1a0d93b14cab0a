import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/data/calls/canonical-json.ts";
import { matchActions } from "../../src/rewards/match-actions.ts";
import type { GoldAction, ToolCall } from "../../src/types.ts";

const call = (name: string, args: ToolCall["arguments"] = {}): ToolCall => ({ name, arguments: args });

describe("matchActions", () => {
  it("matches each call and each gold action once", () => {
    const f = call("f", { a: 1 });
    expect(matchActions([f, f, f], [f])).toBe(1);
    expect(matchActions([f], [f, f])).toBe(1);
    expect(matchActions([f, call("g"), f], [f, f, f])).toBe(2);
    expect(matchActions([], [f])).toBe(0);
    expect(matchActions([f], [])).toBe(0);
  });

  it("compares arguments as canonical JSON, all of them", () => {
    expect(matchActions([call("f", { b: [1.0], a: 2 })], [call("f", { a: 2.0, b: [1] })])).toBe(1);
    expect(matchActions([call("f", { a: 2, b: 1 })], [call("f", { a: 2 })])).toBe(0);
    expect(matchActions([call("f", { a: 2 })], [call("f", { a: 2, b: 1 })])).toBe(0);
    expect(matchActions([call("f", { a: [1, 2] })], [call("f", { a: [2, 1] })])).toBe(0);
    expect(matchActions([call("f", { a: "1" })], [call("f", { a: 1 })])).toBe(0);
  });

  it("never matches raw text, not even by name alone", () => {
    const broken = call("f", "{a:");
    expect(matchActions([broken], [broken])).toBe(0);
    expect(matchActions([broken], [{ ...call("f"), compareArgs: [] }])).toBe(0);
  });

  it("compares only the arguments of compareArgs", () => {
    const gold = (compareArgs: readonly string[]): GoldAction[] => [
      { ...call("f", { a: 1, b: 2 }), compareArgs },
    ];
    expect(matchActions([call("f", { a: 1, b: 9, c: 3 })], gold(["a"]))).toBe(1);
    expect(matchActions([call("f", { a: 1, b: 9 })], gold(["a", "b"]))).toBe(0);
    expect(matchActions([call("f", { b: 2 })], gold(["a"]))).toBe(0);
    expect(matchActions([call("f", { z: 0 })], gold([]))).toBe(1);
    expect(matchActions([call("g", { a: 1 })], gold([]))).toBe(0);
  });

  it("finds the maximum where taking the first match would not", () => {
    const loose: GoldAction = { ...call("f"), compareArgs: [] };
    const strict = call("f", { a: 1 });
    expect(matchActions([call("f", { a: 1 }), call("f", { a: 2 })], [loose, strict])).toBe(2);
    expect(matchActions([call("f", { a: 2 }), call("f", { a: 1 })], [strict, loose])).toBe(2);
  });

  const args = fc.record(
    { a: fc.constantFrom(1, 2), b: fc.constantFrom(1, 2) },
    { requiredKeys: [], noNullPrototype: true },
  );
  const calls = fc.array(fc.record({ name: fc.constantFrom("f", "g"), arguments: args }), { maxLength: 5 });
  const golds = fc.array(
    fc.record(
      {
        name: fc.constantFrom("f", "g"),
        arguments: args,
        compareArgs: fc.constantFrom([], ["a"], ["a", "b"]),
      },
      { requiredKeys: ["name", "arguments"], noNullPrototype: true },
    ),
    { maxLength: 4 },
  );

  it("is the largest of all matchings, in any order of calls and gold actions", () => {
    fc.assert(
      fc.property(calls, golds, (made, gold) => {
        const matched = matchActions(made, gold);
        expect(matched).toBe(bestMatching(made, gold));
        expect(matchActions(made.toReversed(), gold)).toBe(matched);
        expect(matchActions(made, gold.toReversed())).toBe(matched);
      }),
      { numRuns: 500 },
    );
  });

  it("never falls with one call more, and rises by one at most", () => {
    fc.assert(
      fc.property(calls, golds, (made, gold) => {
        const steps = made.map((_, index) => matchActions(made.slice(0, index + 1), gold));
        steps.forEach((matched, index) => {
          const rise = matched - (steps[index - 1] ?? 0);
          expect(rise === 0 || rise === 1).toBe(true);
        });
      }),
    );
  });
});

function bestMatching(calls: readonly ToolCall[], gold: readonly GoldAction[]): number {
  const [first, ...rest] = gold;
  if (first === undefined) return 0;
  const matched = calls.flatMap((one, index) =>
    matches(one, first) ? [1 + bestMatching(calls.toSpliced(index, 1), rest)] : [],
  );
  return Math.max(bestMatching(calls, rest), ...matched);
}

function matches(one: ToolCall, gold: GoldAction): boolean {
  const made = one.arguments as Record<string, unknown>;
  const wanted = gold.arguments as Record<string, unknown>;
  const names = gold.compareArgs ?? [...Object.keys(made), ...Object.keys(wanted)];
  return (
    one.name === gold.name &&
    names.every(
      (name) => name in made === name in wanted && canonicalJson(made[name]) === canonicalJson(wanted[name]),
    )
  );
}
