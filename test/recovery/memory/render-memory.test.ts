import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CalibrantError } from "../../../src/errors.ts";
import { BayesianToolMemory } from "../../../src/recovery/memory/bayesian-tool-memory.ts";
import type { EpisodeOutcome } from "../../../src/recovery/memory/episode-outcome.ts";
import { learnMemory } from "../../../src/recovery/memory/learn-memory.ts";
import type { FallbackMap } from "../../../src/recovery/memory/memory-data.ts";
import type { MetFault } from "../../../src/types.ts";

const met = (tool: string, fault: MetFault, recovered: boolean, target?: string): EpisodeOutcome => ({
  faults: [{ tool, fault }],
  switches: target === undefined ? [] : [{ source: tool, target }],
  recovered,
});

const fallbacks: FallbackMap = {
  get_order: [{ tool: "list_orders", note: "all orders of a user;\n  a summary" }, { tool: "find_order" }],
  get_user: [{ tool: "get_user_by_order", note: "by order number" }],
};
const episodes = [
  met("get_user", "stale", false),
  met("get_order", "blocked", true, "list_orders"),
  met("get_order", "blocked", true, "list_orders"),
  met("get_order", "timeout", true),
  met("get_order", "timeout", true),
  met("get_order", "timeout", false),
];
const memory = learnMemory(episodes, { fallbacks, constraints: ["Retry.", "Verify\nfields."] });

const WHOLE = `## Tool memory

How earlier episodes ended that met a failure of a tool, or switched to another tool. Estimates are shares of episodes that ended recovered, not the chance that one retry or one switch works.

### After a failure
get_order
- timeout: recovered in 2 of 3 episodes (estimated 60%, 95% interval 19% to 93%)
- blocked: recovered in 2 of 2 episodes (estimated 75%, 95% interval 29% to 99%)
get_user
- stale: recovered in 0 of 1 episode (estimated 33%, 95% interval 1% to 84%)

### After a switch to another tool
- get_order -> list_orders: recovered in 2 of 2 episodes (estimated 75%, 95% interval 29% to 99%)

### Alternatives
- get_order: list_orders (all orders of a user; a summary); find_order
- get_user: get_user_by_order (by order number)

### Rules
1. Retry.
2. Verify fields.`;

describe("render", () => {
  it("is a block of beliefs, switches, alternatives and rules, whatever the order of episodes", () => {
    expect(memory.render()).toBe(WHOLE);
    const reversed = learnMemory([...episodes].reverse(), { fallbacks, constraints: memory.constraints });
    expect(reversed.render()).toBe(WHOLE);
  });

  it("says that nothing was observed, and gives the default rules", () => {
    const text = new BayesianToolMemory().render();
    expect(text).toMatch(
      /^## Tool memory\n\nNo failure of a tool has been observed yet\.\n\n### Rules\n1\. Retry/,
    );
    expect(text).toMatch(
      /2\. Verify every field before an irreversible operation.*\n3\. Escalate only when every path/,
    );
    expect(new BayesianToolMemory({ constraints: [] }).render().split("\n")).toHaveLength(3);
  });

  it("names only the tools that the agent has", () => {
    const text = memory.render({ tools: ["get_order", "find_order"], level: 0.5 });
    expect(text).not.toMatch(/list_orders|get_user/);
    expect(text).toContain("### Alternatives\n- get_order: find_order\n");
    expect(text).toContain("timeout: recovered in 2 of 3 episodes (estimated 60%, 50% interval 46% to 76%)");
    expect(text).not.toContain("After a switch");
  });

  it("leaves out beliefs with fewer episodes than asked for", () => {
    const text = memory.render({ minObserved: 3 });
    expect(text.match(/^- .*recovered in/gm)).toHaveLength(1);
    expect(text).not.toContain("left out");
  });

  it("drops the least observed pairs first, switches before failures, until it fits", () => {
    const size = (text: string): number => text.length;
    const order = [
      "- stale: recovered",
      "- get_order -> list_orders: recovered",
      "- blocked: recovered",
      "- timeout: recovered",
    ];
    let text = memory.render({ maxTokens: WHOLE.length, countTokens: size });
    expect(text).toBe(WHOLE);
    for (let dropped = 1; dropped <= order.length; dropped++) {
      text = memory.render({ maxTokens: text.length - 1, countTokens: size });
      const left = order.filter((line) => text.includes(line));
      expect(left).toEqual(order.slice(dropped));
      const said =
        dropped === 1
          ? "1 less observed entry is left out."
          : `${dropped} less observed entries are left out.`;
      expect(text).toContain(`\n\n${said}\n\n### Alternatives`);
      expect(text).toContain("2. Verify fields.");
    }
  });

  it("is an error, with the tokens needed, where nothing more can be dropped", () => {
    const failed = (maxTokens: number): CalibrantError => {
      try {
        memory.render({ maxTokens });
      } catch (error) {
        return error as CalibrantError;
      }
      throw new Error("it fitted");
    };
    const { code, message, details } = failed(10);
    expect([code, typeof details.needed]).toEqual(["option", "number"]);
    expect(message).toContain(`maxTokens must be at least ${details.needed},`);
    expect(memory.render({ maxTokens: details.needed as number })).toContain("4 less observed");
    expect(failed((details.needed as number) - 1).details.needed).toBe(details.needed);
  });

  it("fits the budget by the default estimate, and shows as much as it can", () => {
    const pair = fc.record({
      tool: fc.constantFrom("a", "b", "c", "get_the_details_of_an_order"),
      fault: fc.constantFrom<MetFault>("timeout", "stale", "blocked", "partial"),
    });
    const outcome = fc.record({
      faults: fc.array(pair, { maxLength: 3 }),
      switches: fc.constant([]),
      recovered: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(outcome, { maxLength: 30 }), fc.integer({ min: 0, max: 400 }), (list, room) => {
        const learned = learnMemory(list, { constraints: [] });
        const n = learned.beliefs().recovery.length;
        const maxTokens = 100 + room;
        const text = learned.render({ maxTokens });
        expect(Math.ceil(text.length / 4)).toBeLessThanOrEqual(maxTokens);
        const shown = text.match(/^- /gm)?.length ?? 0;
        if (shown < n) expect(text).toContain(`${n - shown} less observed`);
        else expect(text).toBe(learned.render());
        expect(Math.ceil(learned.render().length / 4) <= maxTokens).toBe(shown === n);
      }),
    );
  });

  it("quotes names that would break the block, two names never alike", () => {
    const tools = ["a b", "a\nb", "a\u2028b", "### Rules", "a\\u{a}b", "a\u202eb", "get_user.v2", "übung"];
    const text = learnMemory(tools.map((tool) => met(tool, "timeout", true))).render();
    const shown = text.split("\n").filter((_, i, lines) => lines[i + 1]?.startsWith("- timeout"));
    expect(new Set(shown).size).toBe(tools.length);
    expect(shown).toContain('"a\\nb"');
    expect(shown).toContain('"a\\u{2028}b"');
    expect(shown).toContain('"### Rules"');
    expect(shown).toContain("übung");
  });

  it("refuses options that cannot be", () => {
    const bad: readonly (readonly [object, RegExp])[] = [
      [{ maxTokens: -1 }, /maxTokens must be a whole number from 0 on, got -1/],
      [{ maxTokens: 1.5 }, /maxTokens/],
      [{ minObserved: Number.NaN }, /minObserved .* got NaN/],
      [{ level: 1 }, /level/],
      [{ tools: "a" }, /tools must be a list of names, got a$/],
      [{ maxToken: 5 }, /did you mean maxTokens/],
      [
        { maxTokens: 5, countTokens: () => Number.NaN },
        /countTokens must return a number from 0 on, got NaN/,
      ],
    ];
    for (const [options, message] of bad) expect(() => memory.render(options)).toThrow(message);
  });
});
