import { FEWEST_UNITS } from "../../math/beyond-noise.ts";
import { type RobustnessAnalysis, settingOf } from "./analysis.ts";
import { CONDITION } from "./conditions.ts";
import { UNSCORED } from "./episode-store.ts";
import { type MainSetting, settingText } from "./main-setting.ts";
import type { GapRow, PassRateDelta, RobustnessCondition } from "./robustness-result.ts";

/** Rows that the tables leave out. */
export interface ExcludedRows {
  readonly unscored: number;
  readonly otherSettings: number;
}

/** What each condition is called in sentences. */
export const CONDITION_TITLES: Readonly<Record<RobustnessCondition, string>> = {
  clean: "clean",
  injected: "injected",
  injectedAlt: "injected with alternatives",
};

/** Counts rows without a result, and rows of injected conditions at another severity. */
export function excludedRows({ store }: RobustnessAnalysis, { main }: MainSetting): ExcludedRows {
  const { rows, passed, cell } = store.columns;
  const isOther = store.cells.cells.map(
    ({ condition, setting }) =>
      (condition === CONDITION.injected || condition === CONDITION.injectedAlt) && setting !== main,
  );
  let [unscored, otherSettings] = [0, 0];
  for (let row = 0; row < rows; row++) {
    if (passed[row] === UNSCORED) unscored += 1;
    else if (isOther[cell[row] as number]) otherSettings += 1;
  }
  return { unscored, otherSettings };
}

/** What needs attention, a sentence each. */
export function robustnessWarnings(
  analysis: RobustnessAnalysis,
  setting: MainSetting,
  gap: readonly GapRow[],
  excluded: ExcludedRows,
): string[] {
  const { rows } = analysis.store.columns;
  return [
    ...(excluded.unscored === 0
      ? []
      : [`${excluded.unscored} of ${rows} rows have no result (completed is missing) and are left out.`]),
    ...settingWarnings(analysis, setting, excluded),
    ...capped(gap.flatMap(pairWarnings)),
    ...fewTasks(gap),
    ...mixedClean(analysis),
    ...cleanFaults(analysis),
  ];
}

function settingWarnings(
  { store }: RobustnessAnalysis,
  { main, all }: MainSetting,
  { otherSettings }: ExcludedRows,
): string[] {
  if (all.length < 2) return [];
  return [
    `Injected rows have ${all.length} severities: all tables but the sensitivity rest on ${settingText(settingOf(store, main))}, without ${otherSettings} rows of the others.`,
  ];
}

/** Sentences on single pairs that are kept. */
const MOST_PAIRS = 20;

function capped(sentences: readonly string[]): string[] {
  const more = sentences.length - MOST_PAIRS;
  if (more <= 0) return [...sentences];
  return [
    ...sentences.slice(0, MOST_PAIRS),
    `${more} more of such remarks on pairs: see their unpaired tasks.`,
  ];
}

/** The name of a pair in sentences. */
function pairName({ model, subset }: Pick<GapRow, "model" | "subset">): string {
  return subset === null ? model : `${model} on ${subset}`;
}

function pairWarnings(row: GapRow): string[] {
  const name = pairName(row);
  if (row.clean.denominator === 0) return [`${name}: no clean episodes, so no difference.`];
  if (row.injected.denominator === 0 && row.injectedAlt.denominator === 0)
    return [`${name}: no injected episodes, so no difference.`];
  return [
    ...unpairedWarning(name, "injected", row.delta, row.injected.denominator),
    ...unpairedWarning(name, "injectedAlt", row.deltaAlt, row.injectedAlt.denominator),
  ];
}

function unpairedWarning(
  name: string,
  condition: RobustnessCondition,
  { onlyBaseline, onlyCandidate, pairedTasks }: PassRateDelta,
  episodes: number,
): string[] {
  if (episodes === 0 || onlyBaseline.count + onlyCandidate.count === 0) return [];
  const title = CONDITION_TITLES[condition];
  const sides = [
    onlyBaseline.count === 0 ? "" : `only clean: ${listed(onlyBaseline)}`,
    onlyCandidate.count === 0 ? "" : `only ${title}: ${listed(onlyCandidate)}`,
  ].filter((side) => side !== "");
  return [
    `${name}: the difference ${title} − clean rests on ${pairedTasks} paired tasks; ${sides.join("; ")}.`,
  ];
}

/** Names in a sentence: the first five. */
function listed({ count, names }: PassRateDelta["onlyBaseline"]): string {
  const shown = names.slice(0, 5);
  return count > shown.length ? `${shown.join(", ")} and ${count - shown.length} more` : shown.join(", ");
}

function fewTasks(gap: readonly GapRow[]): string[] {
  const few = gap.filter(({ delta }) => delta.value !== null && delta.pairedTasks < FEWEST_UNITS);
  if (few.length === 0) return [];
  const names = few.slice(0, 5).map(pairName).join(", ");
  const more = few.length > 5 ? ` and ${few.length - 5} more` : "";
  return [`Fewer than ${FEWEST_UNITS} paired tasks, so no verdict on noise: ${names}${more}.`];
}

/** Clean runs of both tool sets are pooled, which one should know. */
function mixedClean({ store, models, subsetsOf, cellsOf }: RobustnessAnalysis): string[] {
  const mixed = models.some((model) =>
    subsetsOf(model).some((subset) => {
      const kinds = cellsOf(model, subset, "clean", -1).map((cell) => store.cells.cells[cell]?.condition);
      return kinds.includes(CONDITION.clean) && kinds.includes(CONDITION.cleanAlt);
    }),
  );
  return mixed ? ["Clean episodes with and without alternative tools (alt) are counted together."] : [];
}

function cleanFaults({ store }: RobustnessAnalysis): string[] {
  const { rows, cell, faultSet } = store.columns;
  if (faultSet === null) return [];
  const isClean = store.cells.cells.map(
    ({ condition }) => condition === CONDITION.clean || condition === CONDITION.cleanAlt,
  );
  let count = 0;
  for (let row = 0; row < rows; row++)
    if ((faultSet[row] as number) >= 0 && isClean[cell[row] as number]) count += 1;
  return count === 0 ? [] : [`${count} clean rows have a fault type, which is ignored.`];
}
