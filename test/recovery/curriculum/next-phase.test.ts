import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  curriculumConditions,
  type DecidingDiagnostics,
} from "../../../src/recovery/curriculum/curriculum-conditions.ts";
import type { CurriculumOptions } from "../../../src/recovery/curriculum/curriculum-options.ts";
import { CURRICULUM_PHASES, phaseRow } from "../../../src/recovery/curriculum/curriculum-phases.ts";
import {
  type CurriculumState,
  checkCurriculumState,
  initialCurriculum,
} from "../../../src/recovery/curriculum/curriculum-state.ts";
import { nextPhase } from "../../../src/recovery/curriculum/next-phase.ts";

/** Passes every condition of phases 1 to 4. */
const GOOD: DecidingDiagnostics = {
  mean_reward: 0.3,
  switch_rate: 0.3,
  pass_rate: 0.3,
  s3_escalation_rate: 0.6,
  mean_turns: 10.7,
  pass_rate_s1: 0.5,
  pass_rate_s2: 0.4,
  solvable_escalation_rate: 0.1,
};

function run(
  steps: readonly DecidingDiagnostics[],
  from: CurriculumState = initialCurriculum(),
  options: CurriculumOptions = {},
): CurriculumState {
  return steps.reduce<CurriculumState>((state, step) => nextPhase(state, step, options), from);
}

const inPhase = (phase: 1 | 2 | 3 | 4 | 5): CurriculumState =>
  run(Array.from({ length: [0, 3, 4, 5, 6][phase - 1] as number }, () => GOOD));

describe("CURRICULUM_PHASES", () => {
  it("is Table 9", () => {
    const rows = CURRICULUM_PHASES.map(({ phase, mix, max_injections: most }) => {
      return [phase, [mix.S1, mix.S2, mix.S3].map((share) => share * 100).join("/"), most];
    });
    expect(rows).toEqual([
      [1, "100/0/0", 2],
      [2, "80/20/0", 2],
      [3, "60/40/0", 5],
      [4, "40/50/10", 5],
      [5, "30/45/25", 5],
    ]);
    expect(phaseRow(4).focus).toBe("S3: no viable path");
    for (const { mix } of CURRICULUM_PHASES) expect(mix.S1 + mix.S2 + mix.S3).toBe(1);
  });
});

describe("nextPhase", () => {
  it("leaves phase 1 after three rewards above 0.25 in a row; a miss, or no reward, begins anew", () => {
    const streaks = [0.3, 0.25, 0.26, 0.9, null, 0.3, 0.3, 0.3].map((mean_reward) => ({ mean_reward }));
    let state = initialCurriculum();
    const seen = streaks.map((step) => {
      state = nextPhase(state, step);
      return [state.phase, state.streak];
    });
    expect(seen).toEqual([
      [1, 1],
      [1, 0],
      [1, 1],
      [1, 2],
      [1, 0],
      [1, 1],
      [1, 2],
      [2, 0],
    ]);
    expect([state.iteration, state.phase_iteration]).toEqual([8, 0]);
  });

  it("leaves phases 2 and 3 when switch rate and pass rate are both above 0.25", () => {
    for (const phase of [2, 3] as const) {
      const before = inPhase(phase);
      for (const miss of [
        { switch_rate: 0.25 },
        { pass_rate: 0.25 },
        { switch_rate: null },
        { pass_rate: Number.NaN },
      ])
        expect(nextPhase(before, { ...GOOD, ...miss })).toEqual({
          ...before,
          iteration: before.iteration + 1,
          phase_iteration: 1,
        });
      expect(nextPhase(before, {}).phase).toBe(phase);
      expect(nextPhase(before, { switch_rate: 0.251, pass_rate: 0.251 }).phase).toBe(phase + 1);
    }
  });

  it("leaves phase 4 when S3 episodes escalate, turns are few, and neither S1 nor S2 fell", () => {
    const before = inPhase(4);
    expect(before.baseline).toEqual({ pass_rate_s1: 0.5, pass_rate_s2: 0.4 });
    const misses: DecidingDiagnostics[] = [
      { s3_escalation_rate: 0.5 },
      { s3_escalation_rate: null },
      { mean_turns: 15 },
      { mean_turns: null },
      { pass_rate_s1: 0.44 },
      { pass_rate_s2: 0.34 },
      { pass_rate_s2: null },
    ];
    for (const miss of misses)
      expect([miss, nextPhase(before, { ...GOOD, ...miss }).phase]).toEqual([miss, 4]);
    // The tolerance itself is no regression.
    expect(nextPhase(before, { ...GOOD, pass_rate_s1: 0.45, pass_rate_s2: 0.35 }).phase).toBe(5);
    const strict = { regression: 0, turns: 20, s3Escalation: 0.9 };
    expect(nextPhase(before, { ...GOOD, mean_turns: 19, s3_escalation_rate: 0.95 }, strict).phase).toBe(5);
    expect(nextPhase(before, { ...GOOD, s3_escalation_rate: 0.95, pass_rate_s1: 0.49 }, strict).phase).toBe(
      4,
    );
  });

  it("takes a pass rate that was not there on entry from the first iteration that has it, which does not advance", () => {
    const entered = nextPhase(inPhase(3), { ...GOOD, pass_rate_s2: null });
    expect([entered.phase, entered.baseline.pass_rate_s2]).toEqual([4, null]);
    const filled = nextPhase(entered, { ...GOOD, pass_rate_s1: 0.7 });
    expect([filled.phase, filled.baseline]).toEqual([4, { pass_rate_s1: 0.5, pass_rate_s2: 0.4 }]);
    expect(nextPhase(filled, GOOD).phase).toBe(5);
  });

  it("stops phase 5 after three iterations of over-escalation in a row, and then stays as it is", () => {
    const over = { solvable_escalation_rate: 0.51 };
    const almost = run(
      [over, over, { solvable_escalation_rate: 0.5 }, over, over, {}, over, over],
      inPhase(5),
    );
    expect([almost.phase, almost.stopped, almost.streak, almost.reason]).toEqual([5, false, 2, null]);
    const stopped = nextPhase(almost, over);
    expect([stopped.phase, stopped.stopped, stopped.reason, stopped.iteration]).toEqual([
      5,
      true,
      "over_escalation",
      15,
    ]);
    expect(nextPhase(stopped, GOOD)).toBe(stopped);
    expect(run([over], inPhase(5), { overEscalation: 0.3, overEscalationIterations: 1 }).stopped).toBe(true);
    expect(run([GOOD, GOOD], inPhase(5)).stopped).toBe(false);
  });

  it("counts a batch with a name once, and one without a name always", () => {
    const once = nextPhase(initialCurriculum(), GOOD, { batch: "a" });
    expect([once.iteration, once.batch]).toEqual([1, "a"]);
    expect(nextPhase(once, GOOD, { batch: "a" })).toBe(once);
    expect(nextPhase(once, GOOD, { batch: "b" }).iteration).toBe(2);
    expect(nextPhase(nextPhase(once, GOOD), GOOD)).toMatchObject({ phase: 2, iteration: 3, batch: null });
  });

  it("never skips a phase, never goes back, is pure, and survives JSON, whatever it is told", () => {
    const rate = fc.oneof(
      fc.constant(null),
      fc.constant(Number.NaN),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constant(0.9),
    );
    const step = fc.record(
      {
        mean_reward: rate,
        switch_rate: rate,
        pass_rate: rate,
        s3_escalation_rate: rate,
        mean_turns: rate,
        pass_rate_s1: rate,
        pass_rate_s2: rate,
        solvable_escalation_rate: rate,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let state = initialCurriculum();
        for (const diagnostics of steps) {
          const frozen = JSON.stringify(state);
          const next = nextPhase(JSON.parse(frozen), diagnostics);
          expect(JSON.stringify(state)).toBe(frozen);
          expect(nextPhase(state, diagnostics)).toEqual(next);
          checkCurriculumState(JSON.parse(JSON.stringify(next)));
          expect([0, 1]).toContain(next.phase - state.phase);
          expect(next.iteration - state.iteration).toBe(state.stopped ? 0 : 1);
          const met = curriculumConditions(state, diagnostics).every((condition) => condition.met);
          if (next.phase > state.phase) expect(met).toBe(true);
          state = next;
        }
      }),
    );
  });

  it("refuses numbers, options and states that cannot be", () => {
    const start = initialCurriculum();
    expect(() => nextPhase(start, { pass_rate: 45 })).toThrow(
      "the diagnostics: pass_rate must be a number in [0, 1], or null where it is missing, got 45",
    );
    expect(() => nextPhase(start, { mean_rewards: 1 } as DecidingDiagnostics)).toThrow(
      "did you mean mean_reward?",
    );
    expect(() => nextPhase(start, {}, { passRate: 25 })).toThrow(
      "nextPhase: passRate must be a number in [0, 1], got 25",
    );
    expect(() => nextPhase(start, {}, { rewardIterations: 0 })).toThrow(
      "must be a whole number from 1 on, got 0",
    );
    expect(() => nextPhase(start, {}, { turn: 1 } as CurriculumOptions)).toThrow(
      "nextPhase has no option turn: did you mean turns?",
    );
    const states: [object, string][] = [
      [{ ...start, phase: 6 }, "s.json: phase must be 1, 2, 3, 4 or 5, got 6"],
      [
        { ...start, version: 2 },
        "s.json: version must be 1 (another version of Calibrant may have written it), got 2",
      ],
      [{ ...start, streak: 1 }, "s.json: streak must be at most phase_iteration, 0, got 1"],
      [{ ...start, stopped: true }, "s.json: reason must be over_escalation where stopped is true, got null"],
      [{ phase: 1 }, "s.json is no state of a curriculum: it lacks version, iteration"],
      [{ ...start, phases: [] }, "s.json is no state of a curriculum: it has phases"],
      [[], "s.json must be an object with version, phase"],
    ];
    for (const [state, message] of states)
      expect(() => checkCurriculumState(state, "s.json")).toThrow(message);
  });
});

describe("curriculumConditions", () => {
  it("shows each condition of the phase with what was seen", () => {
    expect(curriculumConditions(inPhase(4), { ...GOOD, mean_turns: 16, pass_rate_s2: null })).toEqual([
      {
        diagnostic: "s3_escalation_rate",
        relation: ">",
        threshold: 0.5,
        value: 0.6,
        met: true,
        iterations: 1,
      },
      { diagnostic: "mean_turns", relation: "<", threshold: 15, value: 16, met: false, iterations: 1 },
      { diagnostic: "pass_rate_s1", relation: ">=", threshold: 0.45, value: 0.5, met: true, iterations: 1 },
      {
        diagnostic: "pass_rate_s2",
        relation: ">=",
        threshold: 0.35000000000000003,
        value: null,
        met: false,
        iterations: 1,
      },
    ]);
    expect(curriculumConditions(initialCurriculum(), {})).toEqual([
      { diagnostic: "mean_reward", relation: ">", threshold: 0.25, value: null, met: false, iterations: 3 },
    ]);
  });
});
