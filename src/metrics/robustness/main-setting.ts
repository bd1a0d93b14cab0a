import { CalibrantError } from "../../errors.ts";
import { settingOf } from "./analysis.ts";
import { CONDITION } from "./conditions.ts";
import type { EpisodeStore } from "./episode-store.ts";
import type { InjectionSetting } from "./robustness-result.ts";
import { compareSettings } from "./setting-index.ts";

/** The default severity of Bench2Robust (Table 7). */
const PAPER: InjectionSetting = { pClean: 0.6, budget: 5, kMax: 2 };

/** The severity of the main tables, and the others. */
export interface MainSetting {
  /** Its number; -1 where rows state none. */
  readonly main: number;
  /** Numbers of all severities of injected rows, the main one among them, in order. */
  readonly all: readonly number[];
}

/**
 * Chooses the severity behind the tables that do not vary it: the one asked for; else, of those that injected rows have,
 * P(clean) 0.60 with B 5 and K_max 2, or the one with most rows.
 *
 * @param asked numbers left out match any
 * @throws CalibrantError `option` when no injected row has what was asked for.
 */
export function chooseSetting(store: EpisodeStore, asked: Partial<InjectionSetting>): MainSetting {
  const rows = rowsBySetting(store);
  const all = [...rows.keys()].sort((a, b) => compareSettings(settingOf(store, a), settingOf(store, b)));
  const wanted = (Object.keys(PAPER) as (keyof InjectionSetting)[]).filter((name) => asked[name] != null);
  const matching = all.filter((number) =>
    wanted.every((name) => settingOf(store, number)[name] === asked[name]),
  );
  if (matching.length === 0 && wanted.length > 0) throw unknownSetting(store, all, asked);
  const paper = matching.find((number) => compareSettings(settingOf(store, number), PAPER) === 0);
  const most = Math.max(...matching.map((number) => rows.get(number) as number));
  const main = paper ?? matching.find((number) => rows.get(number) === most) ?? -1;
  return { main, all };
}

/** A severity in words: `P(clean) 0.6, B 5, K_max 2`. */
export function settingText({ pClean, budget, kMax }: InjectionSetting): string {
  const parts = [
    pClean === null ? "" : `P(clean) ${pClean}`,
    budget === null ? "" : `B ${budget}`,
    kMax === null ? "" : `K_max ${kMax}`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? "not stated" : parts.join(", ");
}

function rowsBySetting({ cells, columns }: EpisodeStore): ReadonlyMap<number, number> {
  const perCell = new Float64Array(cells.cells.length);
  for (let row = 0; row < columns.rows; row++) {
    const cell = columns.cell[row] as number;
    perCell[cell] = (perCell[cell] as number) + 1;
  }
  const rows = new Map<number, number>();
  for (const [number, { condition, setting }] of cells.cells.entries()) {
    const injected = condition === CONDITION.injected || condition === CONDITION.injectedAlt;
    if (injected) rows.set(setting, (rows.get(setting) ?? 0) + (perCell[number] as number));
  }
  return rows;
}

function unknownSetting(
  store: EpisodeStore,
  all: readonly number[],
  asked: Partial<InjectionSetting>,
): CalibrantError {
  const there = all.map((number) => settingText(settingOf(store, number))).join("; ");
  const text = settingText({ pClean: null, budget: null, kMax: null, ...asked });
  return new CalibrantError(
    "option",
    `setting: no injected row has it; there ${all.length === 1 ? "is" : "are"} ${there || "no injected rows"}; got ${text}`,
    { asked },
  );
}
