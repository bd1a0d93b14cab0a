import { beforeAll, describe, expect, it } from "vitest";
import { replayDocument } from "../../../src/cli/inject/replay-document.ts";
import {
  type ReplayCondition,
  type ReplayDifference,
  type ReplayNumbers,
  replayNumbers,
} from "../../../src/cli/inject/replay-result.ts";
import type { ReplayPolicyName } from "../../../src/recovery/world/replay-policies.ts";
import { type ReplayResult, replayRetail } from "../../../src/recovery/world/replay-retail.ts";
import { renderTablesTerminal } from "../../../src/report/tables/render-tables-terminal.ts";

/** The default replay, and other worlds with one evaluation seed. */
const SETTINGS = [
  { seed: 0, seeds: 3 },
  { seed: 17, seeds: 1 },
  { seed: 4021, seeds: 1 },
] as const;

describe.each(SETTINGS)("the retail world shows, seed $seed", ({ seed, seeds }) => {
  let all: ReplayNumbers;
  beforeAll(async () => {
    all = replayNumbers(await replayRetail({ seed, seeds }));
  });

  it("everyone passes without faults, and no one passes S3, not the oracle either", () => {
    const { rates } = all;
    for (const { condition, rate } of rates) {
      if (condition === "clean") expect(rate.value).toBe(1);
      if (condition === "S3") expect([rate.numerator, rate.denominator]).toEqual([0, rate.tasks * seeds]);
    }
  });

  it("retrying beats naive in S1, and in S2 where the policy's own path is open; where it is blocked, neither passes", () => {
    expectAbove(difference(all, "retry", "naive", "S1"));
    expectAbove(difference(all, "retry", "naive", "S2 other"));
    const blocked = difference(all, "retry", "naive", "S2 own").delta;
    expect([blocked.value, blocked.beyondNoise]).toEqual([0, false]);
    expect([passed(all, "retry", "S2 own"), passed(all, "naive", "S2 own")]).toEqual([0, 0]);
  });

  it("switching beats retrying in S2, and the oracle passes all that can be passed", () => {
    expectAbove(difference(all, "switch", "retry", "S2"));
    expectAbove(difference(all, "switch", "retry", "S2 own"));
    for (const condition of ["S1", "S2"] as const)
      expect(
        all.rates.find((one) => one.policy === "oracle" && one.condition === condition)?.rate.value,
      ).toBe(1);
  });

  it("memory raises the simple policy on held-out tasks, by each of its parts", () => {
    for (const policy of ["simple+static", "simple+learned", "simple+memory"] as const)
      for (const condition of ["S1", "S2", "mixed"] as const)
        expectAbove(difference(all, policy, "simple", condition));
  });

  it("counts every episode once in how it ended, and S2 in its two parts", () => {
    const { ends, rates } = all;
    for (const row of ends) expect(row.passed + row.escalated + row.wrong).toBe(row.episodes);
    const episodes = (condition: ReplayCondition): number =>
      rates.find((one) => one.policy === "naive" && one.condition === condition)?.rate.denominator ?? 0;
    expect(episodes("S2 own") + episodes("S2 other")).toBe(episodes("S2"));
    expect(episodes("mixed")).toBe(episodes("S1"));
  });
});

it("prints tables with a row for every policy, the same for the same seed", async () => {
  const text = (result: ReplayResult): string =>
    renderTablesTerminal(replayDocument(result, replayNumbers(result)));
  const options = { tasks: 40, seeds: 2, policies: ["naive", "retry"] } as const;
  const printed = text(await replayRetail(options));
  expect(printed).toBe(text(await replayRetail(options)));
  expect(printed).toMatch(/^naive +100\.0 \[/m);
  expect(printed).toContain("retry − naive");
  expect(printed).toContain("tasks: 40, of which");
});

function difference(
  { differences }: ReplayNumbers,
  policy: ReplayPolicyName,
  baseline: ReplayPolicyName,
  condition: ReplayCondition,
): ReplayDifference {
  return differences.find(
    (one) => one.policy === policy && one.baseline === baseline && one.condition === condition,
  ) as ReplayDifference;
}

function passed(
  { rates }: ReplayNumbers,
  policy: ReplayPolicyName,
  condition: ReplayCondition,
): number | null {
  return rates.find((one) => one.policy === policy && one.condition === condition)?.rate.numerator ?? null;
}

/** The interval of the difference lies above 0. */
function expectAbove({ delta, policy, baseline, condition }: ReplayDifference): void {
  expect([policy, baseline, condition, (delta.low ?? 0) > 0, delta.beyondNoise]).toEqual([
    policy,
    baseline,
    condition,
    true,
    true,
  ]);
}
