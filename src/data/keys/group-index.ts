import type { KeyColumn } from "../columns.ts";

/** Numbers the groups of a run in order of first appearance; grows with the number of groups. */
export interface GroupIndex {
  /** The group of each row, from 0; -1 where the key is missing. */
  add(column: KeyColumn | undefined, rows: number): Int32Array;
  /** The key of a group. */
  key(group: number): string;
  readonly size: number;
}

/** Creates an empty {@link GroupIndex}. */
export function createGroupIndex(): GroupIndex {
  const indexes = new Map<string, number>();
  const keys: string[] = [];
  return {
    add(column, rows) {
      if (column === undefined) return new Int32Array(rows).fill(-1);
      const local = new Int32Array(column.keys.length).fill(-1);
      const groups = new Int32Array(rows);
      for (let row = 0; row < rows; row += 1) {
        const code = column.codes[row] as number;
        if (code < 0) {
          groups[row] = -1;
          continue;
        }
        let group = local[code] as number;
        if (group < 0) {
          group = numberOf(column.keys[code] as string, indexes, keys);
          local[code] = group;
        }
        groups[row] = group;
      }
      return groups;
    },
    key: (group) => keys[group] as string,
    get size() {
      return keys.length;
    },
  };
}

function numberOf(key: string, indexes: Map<string, number>, keys: string[]): number {
  const known = indexes.get(key);
  if (known !== undefined) return known;
  const group = keys.length;
  indexes.set(key, group);
  keys.push(key);
  return group;
}
