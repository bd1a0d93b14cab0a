import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deriveSeed } from "../../../src/math/derive-seed.ts";
import {
  checkScenarioMix,
  drawScenario,
  scenarioShares,
} from "../../../src/recovery/scenario/draw-scenario.ts";
import { planEpisodes, plannedEpisodeRow } from "../../../src/recovery/scenario/plan-episodes.ts";
import type { ScenarioTask } from "../../../src/recovery/scenario/scenario.ts";

const twoPaths = (taskId: string): ScenarioTask => ({
  taskId,
  paths: [{ tools: ["a", "w"] }, { tools: ["b", "w"] }],
});
const onePath = (taskId: string): ScenarioTask => ({ taskId, paths: [{ tools: ["a", "w"] }] });
const mix = { S1: 0.3, S2: 0.45, S3: 0.25 };

describe("drawScenario", () => {
  it("cuts [0, 1) by the shares in the order S1, S2, S3 and never draws a share of 0", () => {
    expect([0, 0.29, 0.3, 0.74, 0.7500001, 0.999].map((u) => drawScenario(mix, () => u))).toEqual([
      "S1",
      "S1",
      "S2",
      "S2",
      "S3",
      "S3",
    ]);
    const almost = { S1: 1 / 3, S2: 2 / 3 - 1e-12, S3: 0 };
    expect(drawScenario(almost, () => 1 - 2 ** -32)).toBe("S2");
    expect(drawScenario({ S1: 0, S2: 0, S3: 1 }, () => 0)).toBe("S3");
  });

  it("scales the mix to what the task supports, and says so, only when told to", () => {
    const task = onePath("t1");
    expect(scenarioShares(mix, { task, singlePath: "redraw" })).toEqual({
      shares: { S1: 0.3 / 0.55, S2: 0, S3: 0.25 / 0.55 },
      redrawn: true,
    });
    expect(scenarioShares({ S1: 0.5, S2: 0, S3: 0.5 }, { task })).toEqual({
      shares: { S1: 0.5, S2: 0, S3: 0.5 },
      redrawn: false,
    });
    expect(() => scenarioShares(mix, { task })).toThrow(
      "task t1 supports S1 and S3 only, but the mix holds S2",
    );
    expect(() => drawScenario({ S1: 0, S2: 1, S3: 0 }, () => 0, { task, singlePath: "redraw" })).toThrow(
      "task t1 supports S1 and S3 only, but the mix holds S2: leave the task out",
    );
  });

  it("refuses mixes that are none", () => {
    expect(() => checkScenarioMix({ S1: 30, S2: 45, S3: 25 })).toThrow("mix.S1 must be in [0, 1], got 30");
    expect(() => checkScenarioMix({ S1: 0.5, S2: 0.4, S3: 0 })).toThrow(
      "mix must sum to 1 (shares, not percents), got 0.9",
    );
    expect(() => checkScenarioMix({ S1: 1, S2: 0 } as typeof mix)).toThrow(
      "mix needs a share of S3, got undefined",
    );
    expect(() => checkScenarioMix({ ...mix, S1: Number.NaN })).toThrow("mix.S1 must be in [0, 1], got NaN");
    expect(() => checkScenarioMix({ ...mix, S4: 0 } as typeof mix)).toThrow("mix has no option S4");
  });
});

describe("planEpisodes", () => {
  it("makes 8 clean and 8 injected rollouts a prompt, one group, one seed and one scenario each", () => {
    const plan = planEpisodes([twoPaths("t1"), twoPaths("t2")], { seed: 5, mix, iteration: 3 });
    expect(plan).toHaveLength(32);
    expect(plan.map(({ condition }) => condition).slice(0, 16)).toEqual([
      ...Array(8).fill("clean"),
      ...Array(8).fill("injected"),
    ]);
    expect(new Set(plan.map(({ episodeId }) => episodeId)).size).toBe(32);
    expect(new Set(plan.map(({ seed }) => seed)).size).toBe(32);
    expect(new Set(plan.slice(16).map(({ groupId }) => groupId))).toEqual(new Set(["t2@3"]));
    expect(plan[0]).toEqual({
      episodeId: "t1@3#0",
      groupId: "t1@3",
      taskId: "t1",
      iteration: 3,
      rollout: 0,
      condition: "clean",
      scenario: null,
      seed: deriveSeed(5, 3, "t1", 0),
      blocked: [],
      blockedPath: null,
      openPath: null,
      redrawn: false,
    });
    const scenarios = plan
      .filter(({ condition }) => condition === "injected")
      .map(({ scenario }) => scenario);
    expect(new Set(scenarios)).toEqual(new Set(["S1", "S2", "S3"]));
    for (const { scenario, blocked } of plan)
      expect(blocked).toHaveLength(scenario === "S2" ? 1 : scenario === "S3" ? 3 : 0);
  });

  it("draws the scenarios by the mix, over rollouts", () => {
    const plan = planEpisodes([twoPaths("t")], { seed: 1, mix, clean: 0, injected: 4000 });
    for (const scenario of ["S1", "S2", "S3"] as const) {
      const share = plan.filter((episode) => episode.scenario === scenario).length / plan.length;
      expect(Math.abs(share - mix[scenario])).toBeLessThan(
        5 * Math.sqrt((mix[scenario] * (1 - mix[scenario])) / plan.length),
      );
    }
  });

  it("plans a task alike whatever the other tasks, their order and the number of rollouts are", () => {
    const ids = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        ids,
        fc.maxSafeInteger(),
        fc.option(fc.nat(), { nil: undefined }),
        (taskIds, seed, iteration) => {
          const options = { seed, mix, ...(iteration !== undefined && { iteration }) };
          const whole = planEpisodes(taskIds.map(twoPaths), options);
          const reversed = planEpisodes(taskIds.map(twoPaths).reverse(), { ...options, injected: 9 });
          for (const taskId of taskIds) {
            const alone = planEpisodes([twoPaths(taskId)], options);
            expect(whole.filter((episode) => episode.taskId === taskId)).toEqual(alone);
            expect(reversed.filter((episode) => episode.taskId === taskId).slice(0, 16)).toEqual(alone);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it("is the same for ever: a pinned plan", () => {
    const rows = planEpisodes([twoPaths("retail-7")], { seed: 42, mix, clean: 1, injected: 7 }).map(
      plannedEpisodeRow,
    );
    expect(rows[1]).toEqual({
      episode_id: "retail-7#1",
      group_id: "retail-7",
      task_id: "retail-7",
      iteration: null,
      rollout: 1,
      condition: "injected",
      scenario: "S1",
      seed: 1380738918,
      blocked: [],
      blocked_path: null,
      open_path: "a+w",
      redrawn: false,
    });
    expect(rows.map((row) => `${row.scenario} ${row.seed} ${row.blocked}`)).toEqual([
      "null 735506053 ",
      "S1 1380738918 ",
      "S1 1651411907 ",
      "S1 3066970974 ",
      "S1 890178485 ",
      "S2 3384123743 a",
      "S2 3271949791 a",
      "S3 1190579700 a,b,w",
    ]);
  });

  it("names the task that the mix does not suit, whatever the seed; redraws only when told to", () => {
    for (let seed = 0; seed < 20; seed++)
      expect(() =>
        planEpisodes([twoPaths("t1"), onePath("t2")], { seed, mix: { S1: 0.99, S2: 0.01, S3: 0 } }),
      ).toThrow("task t2 supports S1 and S3 only, but the mix holds S2");
    const plan = planEpisodes([twoPaths("t1"), onePath("t2")], { seed: 1, mix, singlePath: "redraw" });
    const injected = plan.filter(({ condition }) => condition !== "clean");
    expect(injected.every(({ redrawn, taskId }) => redrawn === (taskId === "t2"))).toBe(true);
    expect(injected.some(({ taskId, scenario }) => taskId === "t2" && scenario === "S2")).toBe(false);
    expect(planEpisodes([onePath("t2")], { seed: 1, mix, injected: 0 })).toHaveLength(8);
  });

  it("passes on escalation tools, what S2 blocks and the condition", () => {
    const options = { seed: 1, mix: { S1: 0, S2: 1, S3: 0 }, clean: 0, injected: 40 };
    const primary = planEpisodes([twoPaths("t")], {
      ...options,
      block: "primary",
      condition: "injected_alt",
    });
    expect(
      primary.every(({ blocked, condition }) => blocked[0] === "a" && condition === "injected_alt"),
    ).toBe(true);
    expect(new Set(planEpisodes([twoPaths("t")], options).map(({ blocked }) => blocked[0]))).toEqual(
      new Set(["a", "b"]),
    );
    const [all] = planEpisodes([twoPaths("t")], {
      ...options,
      mix: { S1: 0, S2: 0, S3: 1 },
      escalationTools: ["w"],
    });
    expect(all?.blocked).toEqual(["a", "b"]);
  });

  it("refuses impossible options", () => {
    const tasks = [twoPaths("t")];
    expect(() => planEpisodes([...tasks, ...tasks], { seed: 1, mix })).toThrow("two tasks have the id t");
    expect(() => planEpisodes(tasks, { seed: 0.5, mix })).toThrow("seed must be a whole number, got 0.5");
    expect(() => planEpisodes(tasks, { seed: 1, mix, clean: -1 })).toThrow(
      "clean must be a whole number from 0, got -1",
    );
    expect(() => planEpisodes(tasks, { seed: 1, mix, condition: "clean" as "injected" })).toThrow(
      "condition must be",
    );
    expect(() => planEpisodes(tasks, { seed: 1, mix, rollouts: 16 } as never)).toThrow(
      "planEpisodes has no option rollouts",
    );
  });
});
