import type { CurriculumCondition, DecidingName } from "../../recovery/curriculum/curriculum-conditions.ts";
import type { CurriculumDiagnostics } from "../../recovery/curriculum/curriculum-diagnostics.ts";
import { phaseRow } from "../../recovery/curriculum/curriculum-phases.ts";
import { formatCount, formatNumber, MISSING } from "../../report/format-number.ts";
import type { CurriculumResult } from "./curriculum-result.ts";

type MeanName = DecidingName | "escalation_rate" | "repetition_rate" | "pass_rate_s3";

const NAMES: Readonly<Record<MeanName, string>> = {
  pass_rate: "pass rate",
  pass_rate_s1: "pass rate, S1",
  pass_rate_s2: "pass rate, S2",
  pass_rate_s3: "pass rate, S3",
  mean_reward: "mean reward",
  switch_rate: "switch rate",
  escalation_rate: "escalation rate",
  s3_escalation_rate: "escalation rate, S3",
  solvable_escalation_rate: "escalation rate, S1 and S2",
  repetition_rate: "repetition rate",
  mean_turns: "mean turns",
};
const WIDTH = Math.max(...Object.values(NAMES).map((name) => name.length));

/** The result for a terminal. */
export function curriculumText(result: CurriculumResult): string {
  const { phase, diagnostics } = result;
  const lines = [
    `${formatCount(diagnostics.episodes)} ${diagnostics.episodes === 1 ? "episode" : "episodes"}, phase ${phase} of 5 (${phaseRow(phase).focus})`,
    ...diagnosticLines(diagnostics),
    "",
    ...outcomeLines(result),
  ];
  return `${lines.join("\n")}\n`;
}

function diagnosticLines(diagnostics: CurriculumDiagnostics): string[] {
  return (Object.keys(NAMES) as MeanName[]).map((name) => {
    const value = shown(diagnostics[name]).padStart(8);
    return `  ${NAMES[name].padEnd(WIDTH)}${value}  of ${formatCount(diagnostics[`${name}_n`])}`;
  });
}

function outcomeLines(result: CurriculumResult): string[] {
  const { state, next, iteration, phase, conditions } = result;
  const lines: string[] = [];
  if (result.applied) {
    lines.push(`Iteration ${iteration}. ${phase === 5 ? "To stop" : `To leave phase ${phase}`}:`);
    lines.push(...conditions.map((condition) => conditionLine(condition, result)));
  } else if (!state.stopped) {
    lines.push(`These episodes were counted before, as iteration ${iteration}: the state stays as it is.`);
  }
  if (next === null) {
    const sustained = "solvable episodes were handed over to a person for too many iterations in a row";
    return [
      ...lines,
      `The curriculum has stopped after iteration ${iteration} (${state.reason}): ${sustained}.`,
    ];
  }
  const { S1, S2, S3 } = next.mix;
  const mix = [S1, S2, S3].map((share) => Math.round(share * 100)).join("/");
  const moved = result.advanced ? "Advanced. " : "";
  return [
    ...lines,
    `${moved}Next iteration: phase ${next.phase} (${next.focus}), S1/S2/S3 ${mix}, at most ${next.max_injections} injections an episode.`,
  ];
}

function conditionLine(
  condition: CurriculumCondition,
  { state, advanced, stopped }: CurriculumResult,
): string {
  const { diagnostic, relation, threshold, value, met, iterations } = condition;
  const verdict = met ? "met" : value === null ? "missing" : "not met";
  const limit = threshold === null ? "the value on entry, not known yet" : shown(threshold);
  const count = advanced || stopped ? iterations : state.streak;
  const streak = iterations === 1 ? "" : `, ${count} of ${iterations} iterations in a row`;
  return `  ${verdict.padEnd(8)} ${NAMES[diagnostic]} ${shown(value)} ${relation} ${limit}${streak}`;
}

function shown(value: number | null): string {
  return value === null ? MISSING : formatNumber(value);
}

/** What keeps the curriculum from being moved on: numbers that no episode tells, rows that hold none. */
export function curriculumWarnings({ diagnostics, conditions }: CurriculumResult): string[] {
  const warnings = conditions
    .filter(({ value }) => value === null)
    .map(({ diagnostic }) => `no ${NAMES[diagnostic]}: ${WHY_MISSING[diagnostic]}`);
  if (diagnostics.unreadable > 0)
    warnings.push(`rows whose messages hold no conversation were left out: ${diagnostics.unreadable}`);
  return warnings;
}

const WHY_MISSING: Readonly<Record<DecidingName, string>> = {
  mean_reward:
    "no episode has a reward; add it with calibrant score --reward bench2robust, or name it with --columns reward=…",
  switch_rate: "no episode met a visible failure or a block",
  pass_rate: "no episode has an outcome (completed)",
  pass_rate_s1: "no episode of the scenario S1 has an outcome (completed)",
  pass_rate_s2: "no episode of the scenario S2 has an outcome (completed)",
  s3_escalation_rate: "no episode has the scenario S3",
  solvable_escalation_rate: "no episode has the scenario S1 or S2",
  mean_turns: "no episode has turns",
};
