import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binomialWindow } from "../../../src/math/binomial-window.ts";
import { seededRandom } from "../../../src/math/seeded-random.ts";
import { assignScenario, supportedScenarios } from "../../../src/recovery/scenario/assign-scenario.ts";
import { pathName, type ScenarioTask, type ToolPath } from "../../../src/recovery/scenario/scenario.ts";

const tool = fc.constantFrom("a", "b", "c", "d", "human");
const anyTask = fc
  .array(fc.array(tool, { minLength: 1, maxLength: 5 }), { maxLength: 5 })
  .map((paths): ScenarioTask => ({ taskId: "t", paths: paths.map((tools, i) => ({ id: `p${i}`, tools })) }));
const human = { escalationTools: ["human"] };

const toolsOf = (task: ScenarioTask, name: string | null): readonly string[] =>
  task.paths.find((path) => pathName(path) === name)?.tools ?? [];
const isBlocked = (tools: readonly string[], blocked: readonly string[]): boolean =>
  tools.some((name) => blocked.includes(name));
/** Whether a block can stop the one path and spare the other. */
const stops = (blocked: ToolPath, open: ToolPath): boolean =>
  blocked.tools.some((name) => name !== "human" && !open.tools.includes(name));

describe("assignScenario", () => {
  it("blocks the drawn path and leaves another fully open in S2, or refuses, by the model", () => {
    fc.assert(
      fc.property(anyTask, fc.integer(), fc.constantFrom("random", "primary"), (task, seed, block) => {
        const options = { ...human, block: block as "random" | "primary" };
        const eligible = block === "primary" ? task.paths.slice(0, 1) : task.paths;
        const possible = eligible.some((path) => task.paths.some((other) => stops(path, other)));
        expect(supportedScenarios(task, options).includes("S2")).toBe(possible);
        if (!possible) {
          expect(() => assignScenario(task, "S2", seededRandom(seed), options)).toThrow(
            /^task t: S2 needs a path/,
          );
          return;
        }
        const { blocked, blockedPath, openPath } = assignScenario(task, "S2", seededRandom(seed), options);
        expect(isBlocked(toolsOf(task, blockedPath), blocked)).toBe(true);
        expect(isBlocked(toolsOf(task, openPath), blocked)).toBe(false);
        expect(blocked.every((name) => toolsOf(task, blockedPath).includes(name))).toBe(true);
        expect(blocked).toEqual([...new Set(blocked)].sort());
        expect(blocked).not.toContain("human");
        if (block === "primary") expect(blockedPath).toBe("p0");
      }),
    );
  });

  it("leaves no path open in S3, touches no escalation tool, and blocks nothing in S1", () => {
    fc.assert(
      fc.property(anyTask, (task) => {
        const never = (): number => expect.fail("no draw");
        expect(assignScenario(task, "S1", never, human).blocked).toEqual([]);
        if (!supportedScenarios(task, human).includes("S3")) {
          expect(() => assignScenario(task, "S3", never, human)).toThrow(/^task t: S3 needs paths/);
          return;
        }
        const { blocked } = assignScenario(task, "S3", never, human);
        const all = new Set(task.paths.flatMap(({ tools }) => tools));
        all.delete("human");
        expect(blocked).toEqual([...all].sort());
        expect(task.paths.every(({ tools }) => isBlocked(tools, blocked))).toBe(true);
      }),
    );
  });

  it("draws the blocked path uniformly, and counts paths with the same tools once", () => {
    const task = {
      taskId: "t",
      paths: [
        { tools: ["a", "x"] },
        { tools: ["x", "a", "a"] },
        { tools: ["b", "x"] },
        { tools: ["c", "x", "human"] },
        // Holds all of "b", "x": it can be blocked, but not while blocking "b+x" leaves it open.
        { tools: ["b", "x", "d"] },
      ],
    };
    const draws = 20_000;
    const counts = new Map<string | null, number>();
    for (let seed = 0; seed < draws; seed++) {
      const { blockedPath } = assignScenario(task, "S2", seededRandom(seed), human);
      counts.set(blockedPath, (counts.get(blockedPath) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual(["a+x", "b+x", "b+x+d", "c+x+human"]);
    const [low, high] = binomialBounds(draws, 1 / 4, 1e-6);
    for (const count of counts.values()) {
      expect(count).toBeGreaterThanOrEqual(low);
      expect(count).toBeLessThanOrEqual(high);
    }
  });

  it("names what it blocks and what stays open", () => {
    const paths = [
      { id: "by email", tools: ["email", "cancel"] },
      { id: "by name", tools: ["name", "zip", "cancel"] },
    ];
    const task = { taskId: "t", paths };
    expect(assignScenario(task, "S1", () => 0)).toEqual({
      scenario: "S1",
      blocked: [],
      blockedPath: null,
      openPath: "by email",
    });
    expect(assignScenario(task, "S2", () => 0.999)).toEqual({
      scenario: "S2",
      blocked: ["name", "zip"],
      blockedPath: "by name",
      openPath: "by email",
    });
    expect(assignScenario(task, "S3", () => 0)).toEqual({
      scenario: "S3",
      blocked: ["cancel", "email", "name", "zip"],
      blockedPath: null,
      openPath: null,
    });
  });

  it("refuses what it cannot do, naming the task", () => {
    const one = { taskId: "t9", paths: [{ tools: ["a"] }] };
    const none = { taskId: "t9", paths: [] };
    const random = (): number => 0;
    expect(() => assignScenario(one, "S2", random)).toThrow("task t9: S2 needs a path that can be blocked");
    expect(() => assignScenario(none, "S2", random)).toThrow(/task t9: S2 .* its paths: none/);
    expect(() => assignScenario(none, "S3", random)).toThrow(
      "task t9: S3 needs paths that can all be blocked, but it has no paths",
    );
    expect(() => assignScenario(one, "S3", random, { escalationTools: ["a"] })).toThrow(
      "only escalation tools are on a",
    );
    expect(() => assignScenario(one, "S4" as "S1", random)).toThrow(
      "scenario must be one of S1, S2, S3, got S4",
    );
    expect(() => assignScenario({ taskId: "t9", paths: [{ tools: [] }] }, "S1", random)).toThrow(
      "task t9, path 0: tools",
    );
    expect(() => assignScenario(one, "S1", random, { escalation: [] } as object)).toThrow(
      "has no option escalation",
    );
  });
});

/** The exact central interval of a binomial count that misses with probability at most `miss` on each side. */
function binomialBounds(n: number, p: number, miss: number): [number, number] {
  const { first, probability } = binomialWindow(n, p);
  let low = 0;
  for (let below = probability[0] as number; below < miss; below += probability[low] as number) low++;
  let high = probability.length - 1;
  for (let above = probability[high] as number; above < miss; above += probability[high] as number) high--;
  return [first + low, first + high];
}
