import { InvalidArgumentError } from "commander";
import type { RobustnessOptions } from "../../metrics/robustness/robustness-options.ts";
import { parsePairs } from "../option-values.ts";

type Setting = NonNullable<RobustnessOptions["setting"]>;

const NAMES: ReadonlyMap<string, keyof Setting> = new Map([
  ["p_clean", "pClean"],
  ["budget", "budget"],
  ["k_max", "kMax"],
]);

/** `p_clean=0.8,budget=5,k_max=2` as a severity; numbers may be left out. */
export function parseSetting(text: string): Setting {
  const setting: { -readonly [K in keyof Setting]: Setting[K] } = {};
  for (const [name, value] of parsePairs(text)) {
    const key = NAMES.get(name);
    const number = Number(value);
    if (key === undefined || value === "" || !Number.isFinite(number))
      throw new InvalidArgumentError(`expected numbers for p_clean, budget, k_max, got ${name}=${value}.`);
    setting[key] = number;
  }
  return setting;
}
