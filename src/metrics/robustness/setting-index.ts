import type { InjectionSetting } from "./robustness-result.ts";

/** Numbers the severities of all rows, from 0 in order of first appearance. */
export interface SettingIndex {
  /** The number of a severity; NaN = not said. */
  numberOf(pClean: number, budget: number, kMax: number): number;
  readonly settings: readonly InjectionSetting[];
}

/** Creates an empty {@link SettingIndex}. */
export function createSettingIndex(): SettingIndex {
  const settings: InjectionSetting[] = [];
  const known = new Map<string, number>();
  let last = [Number.NaN, Number.NaN, Number.NaN];
  let lastNumber = -1;
  return {
    settings,
    numberOf(pClean, budget, kMax) {
      const triple = [pClean, budget, kMax];
      if (lastNumber >= 0 && triple.every((value, i) => Object.is(value, last[i]))) return lastNumber;
      const key = triple.join(" ");
      lastNumber = known.get(key) ?? settings.length;
      last = triple;
      if (lastNumber === settings.length) {
        known.set(key, lastNumber);
        settings.push({ pClean: orNull(pClean), budget: orNull(budget), kMax: orNull(kMax) });
      }
      return lastNumber;
    },
  };
}

/** Order of severities: P(clean), then B, then K_max, ascending; what is not said comes last. */
export function compareSettings(a: InjectionSetting, b: InjectionSetting): number {
  return (
    compareNumbers(a.pClean, b.pClean) || compareNumbers(a.budget, b.budget) || compareNumbers(a.kMax, b.kMax)
  );
}

function compareNumbers(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a - b;
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
