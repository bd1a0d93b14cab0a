import type { GroupIndex } from "../../data/keys/group-index.ts";
import { CalibrantError } from "../../errors.ts";

/** Follows the groups of a pipe, whose rows must lie together because nothing can be read twice. */
export interface GroupOrder {
  /** Takes the groups of the next rows; returns how many rows, from the first of all, are in complete groups. */
  follow(groups: Int32Array): number;
}

/**
 * Creates a {@link GroupOrder}. Rows without a group (-1) are complete at once.
 *
 * @throws CalibrantError `data` (from `follow`) naming the group that comes back after another one began.
 */
export function createGroupOrder(index: GroupIndex): GroupOrder {
  let current = -1;
  let highest = -1;
  let rows = 0;
  let complete = 0;
  return {
    follow(groups) {
      for (let row = 0; row < groups.length; row += 1) {
        const group = groups[row] as number;
        if (group !== current) {
          // Groups are numbered by first appearance, so one that comes back has a number below the highest.
          if (group >= 0 && group <= highest) throw scattered(index.key(group), rows + row);
          current = group;
          highest = Math.max(highest, group);
          complete = rows + row;
        }
        if (group < 0) complete = rows + row + 1;
      }
      rows += groups.length;
      return complete;
    },
  };
}

function scattered(key: string, row: number): CalibrantError {
  return new CalibrantError(
    "data",
    `a pipe is read once, so the rows of a group must lie together: group_id ${key} comes back at row ${row}; sort by group_id, or give a file`,
    { group: key, row },
  );
}
