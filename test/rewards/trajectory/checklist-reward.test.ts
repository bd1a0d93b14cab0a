import { describe, expect, it } from "vitest";
import { checklistReward } from "../../../src/rewards/trajectory/checklist-reward.ts";

const met = (weight: number): object => ({ weight, satisfied: true });
const unmet = (weight: number): object => ({ weight, satisfied: false });

describe("checklistReward", () => {
  it.each<[string, unknown, number]>([
    ["one turn", [[met(0.25), unmet(0.75)]], 0.25],
    ["the mean over turns", [[met(0.25), unmet(0.75)], [met(1)]], 0.625],
    ["the mean over checklists", [[[met(1)]], [[unmet(1)], [unmet(0.5), met(0.5)]]], (1 + 0.25) / 2],
    [
      "objects that hold the lists",
      { checklists: [{ turns: [{ criteria: [{ weight: 1, satisfied: 1 }] }] }] },
      1,
    ],
    ["one checklist as an object", { turns: [[met(0.25), unmet(0.75)], { criteria: [met(1)] }] }, 0.625],
    ["a turn without criteria asks for nothing", [[met(1)], []], 1],
  ])("%s", (_name, value, expected) => expect(checklistReward(value)).toBeCloseTo(expected, 15));

  it.each<[string, unknown]>([
    ["nothing", null],
    ["no turns", []],
    ["only turns without criteria", [[], []]],
    ["weights that do not sum to 1", [[met(0.5), unmet(0.4)]]],
    ["a negative weight", [[met(1.5), unmet(-0.5)]]],
    ["a criterion that is neither met nor unmet", [[{ weight: 1, satisfied: null }]]],
    ["a word for a boolean", [[{ weight: 1, satisfied: "true" }]]],
    ["a number", 0.5],
  ])("is none for %s", (_name, value) => expect(checklistReward(value)).toBeNaN());
});
