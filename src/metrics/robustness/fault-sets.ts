import { faultName } from "./fault-types.ts";

/** Numbers the sets of fault types that episodes have, from 0. */
export interface FaultSets {
  /** The number of the set of these names; -1 for no fault. */
  numberOf(names: readonly string[]): number;
  /** The fault types of each set, as numbers of `types`. */
  readonly sets: readonly (readonly number[])[];
  readonly types: readonly string[];
}

/** Creates an empty {@link FaultSets}. */
export function createFaultSets(): FaultSets {
  const types: string[] = [];
  const typeNumbers = new Map<string, number>();
  const sets: (readonly number[])[] = [];
  const known = new Map<string, number>();
  const byWords = new Map<string, number>();
  const numberOf = (names: readonly string[]): number => {
    const members = new Set<number>();
    for (const text of names) {
      const name = faultName(text);
      if (name === null) continue;
      const type = typeNumbers.get(name) ?? types.push(name) - 1;
      typeNumbers.set(name, type);
      members.add(type);
    }
    if (members.size === 0) return -1;
    const set = [...members].sort((a, b) => a - b);
    const key = set.join();
    const number = known.get(key) ?? sets.push(set) - 1;
    known.set(key, number);
    return number;
  };
  return {
    sets,
    types,
    numberOf(names) {
      const [only] = names;
      if (names.length !== 1 || only === undefined) return numberOf(names);
      const number = byWords.get(only) ?? numberOf(names);
      byWords.set(only, number);
      return number;
    },
  };
}
