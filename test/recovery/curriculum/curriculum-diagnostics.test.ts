import { describe, expect, it } from "vitest";
import {
  createCurriculumDiagnostics,
  curriculumDiagnostics,
} from "../../../src/recovery/curriculum/curriculum-diagnostics.ts";
import type { Episode } from "../../../src/recovery/episodes/episode.ts";
import type { MetFault } from "../../../src/types.ts";

const BLANK: Episode = {
  faults: [],
  switches: [],
  recovered: null,
  escalated: false,
  turns: 4,
  calls: 3,
  repetition: 1,
  completed: null,
  reward: null,
  scenario: null,
  condition: null,
};
const met = (...kinds: MetFault[]): Episode["faults"] =>
  kinds.map((fault, call) => ({ tool: "f", fault, call }));
const SWITCH = [{ source: "f", target: "g" }];

const EPISODES: readonly (Episode | null)[] = [
  {
    ...BLANK,
    scenario: "S1",
    condition: "injected",
    completed: true,
    reward: 0.9,
    faults: met("timeout"),
    repetition: 2,
  },
  {
    ...BLANK,
    scenario: "S1",
    condition: "injected",
    completed: false,
    reward: 0.1,
    escalated: true,
    faults: met("stale"),
    switches: SWITCH,
    repetition: 3,
  },
  {
    ...BLANK,
    scenario: "S2",
    condition: "injected_alt",
    completed: true,
    reward: 1,
    faults: met("partial", "blocked"),
    switches: SWITCH,
    turns: 8,
  },
  { ...BLANK, scenario: "S2", completed: null, faults: met("auth_error"), repetition: 4 },
  {
    ...BLANK,
    scenario: "S3",
    condition: "injected",
    completed: false,
    reward: Number.NaN,
    escalated: true,
    faults: met("blocked"),
    turns: 10,
  },
  // Clean rollouts of a task count in none of the numbers by scenario, even where their rows have one.
  { ...BLANK, scenario: "S3", condition: "clean", completed: true, reward: 1 },
  { ...BLANK, condition: "clean", completed: true, reward: 0.6 },
  { ...BLANK, condition: "injected", completed: false, reward: 0 },
  null,
];

describe("curriculumDiagnostics", () => {
  it("gives every number with its denominator, and counts what is missing", () => {
    expect(curriculumDiagnostics(EPISODES)).toEqual({
      episodes: 8,
      unreadable: 1,
      missing: { completed: 1, reward: 2, scenario: 1 },
      pass_rate: 4 / 7,
      pass_rate_n: 7,
      mean_reward: 0.6,
      mean_reward_n: 6,
      switch_rate: 1 / 4,
      switch_rate_n: 4,
      escalation_rate: 2 / 8,
      escalation_rate_n: 8,
      s3_escalation_rate: 1,
      s3_escalation_rate_n: 1,
      solvable_escalation_rate: 1 / 4,
      solvable_escalation_rate_n: 4,
      repetition_rate: 2 / 8,
      repetition_rate_n: 8,
      mean_turns: 42 / 8,
      mean_turns_n: 8,
      pass_rate_s1: 1 / 2,
      pass_rate_s1_n: 2,
      pass_rate_s2: 1,
      pass_rate_s2_n: 1,
      pass_rate_s3: 0,
      pass_rate_s3_n: 1,
    });
  });

  it("is null, not 0, without episodes", () => {
    const { episodes, missing, ...numbers } = curriculumDiagnostics([]);
    expect([episodes, missing]).toEqual([0, { completed: 0, reward: 0, scenario: 0 }]);
    for (const [name, value] of Object.entries(numbers))
      expect([name, value]).toEqual([name, name.endsWith("_n") || name === "unreadable" ? 0 : null]);
  });

  it("may be asked at any time, and sums rewards without drift", () => {
    const accumulator = createCurriculumDiagnostics();
    for (let i = 0; i < 10_000; i++) accumulator.add({ ...BLANK, reward: 0.1 });
    expect(accumulator.finish().mean_reward).toBe(0.1);
    accumulator.add({ ...BLANK, reward: 0.1 + 10_001 });
    expect(accumulator.finish().mean_reward).toBe(1.1);
  });
});
