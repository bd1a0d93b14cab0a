import { type RobustnessAnalysis, settingOf } from "./analysis.ts";
import type { MainSetting } from "./main-setting.ts";
import { pairedDelta } from "./pass-rate-delta.ts";
import type { RobustnessSystem, Sensitivity, SensitivityRow } from "./robustness-result.ts";
import { comparedSystems, systemCounts, systemWith } from "./system-rates.ts";

/** Pass rates at every severity of injected rows without alternatives; empty where rows do not state it. */
export function sensitivityTable(
  analysis: RobustnessAnalysis,
  systems: readonly RobustnessSystem[],
  { main, all }: MainSetting,
): Sensitivity {
  const chosen = settingOf(analysis.store, main);
  const rows = all
    .filter((number) => number >= 0)
    .map((number) => sensitivityRow(analysis, systems, number))
    .filter(({ rates }) => rates.some(({ denominator }) => denominator > 0));
  const sameLimits = (row: SensitivityRow): boolean =>
    row.budget === chosen.budget && row.kMax === chosen.kMax;
  const sameShare = (row: SensitivityRow): boolean => row.pClean === chosen.pClean;
  return {
    pClean: rows.filter(sameLimits),
    limits: rows.filter(sameShare),
    other: rows.filter((row) => !sameLimits(row) && !sameShare(row)),
  };
}

function sensitivityRow(
  analysis: RobustnessAnalysis,
  systems: readonly RobustnessSystem[],
  setting: number,
): SensitivityRow {
  const sides = systems.map((system) =>
    systemCounts(analysis, system, (model, subset) =>
      analysis.countsOf(analysis.cellsOf(model, subset, "injected", setting)),
    ),
  );
  const base = systemWith(systems, sides, "base");
  const last = systemWith(systems, sides, "rl") ?? systemWith(systems, sides, "btm");
  const compared = base !== undefined && last !== undefined;
  return {
    ...settingOf(analysis.store, setting),
    rates: sides.map(({ rate }) => rate),
    delta: compared ? pairedDelta(comparedSystems(analysis, base, last), analysis.intervals) : null,
  };
}
