import { CalibrantError } from "../errors.ts";
import type { NumericArray } from "../types.ts";

/** A one-to-one assignment of rows to columns. */
export interface Assignment {
  /** Sum of the weights of the assigned pairs, added in row order. */
  readonly total: number;
  /** The column of each row, -1 where there are more rows than columns; shape (rows). */
  readonly columnOf: Int32Array;
}

/**
 * The one-to-one assignment of rows to columns with the largest total weight; min(rows, columns) pairs are made.
 * Hungarian algorithm with potentials (shortest augmenting paths), O(s² l) for s = the smaller side, l = the larger.
 * With weights 0 and 1 the total is the size of a maximum bipartite matching.
 *
 * @param weights - row-major, shape (rows · columns), finite. Rows or columns may be 0: total 0.
 * @throws CalibrantError `length-mismatch` for another length, `data` for a weight that is not finite.
 */
export function maxAssignment(weights: NumericArray, rows: number, columns: number): Assignment {
  if (weights.length !== rows * columns) {
    throw new CalibrantError(
      "length-mismatch",
      `weights must have rows * columns = ${rows * columns} entries, got ${weights.length}`,
    );
  }
  for (let i = 0; i < weights.length; i += 1) {
    if (!Number.isFinite(weights[i])) {
      throw new CalibrantError("data", `weights must be finite: entry ${i} is ${weights[i]}`, { index: i });
    }
  }
  const wide = rows <= columns;
  const partnerOfLarger = assignSmaller(weights, wide ? rows : columns, wide ? columns : rows, wide);
  const columnOf = new Int32Array(rows).fill(-1);
  partnerOfLarger.forEach((partner, index) => {
    if (partner < 0) return;
    if (wide) columnOf[partner] = index;
    else columnOf[index] = partner;
  });
  let total = 0;
  for (let row = 0; row < rows; row += 1) {
    const column = columnOf[row] as number;
    if (column >= 0) total += weights[row * columns + column] as number;
  }
  return { total, columnOf };
}

/** For each member of the larger side its partner on the smaller side, or -1. */
function assignSmaller(weights: NumericArray, small: number, large: number, wide: boolean): Int32Array {
  const cost = (s: number, l: number): number => -(weights[wide ? s * large + l : l * small + s] as number);
  // Slot `large` stands for the member of the smaller side that is being placed.
  const partner = new Int32Array(large + 1).fill(-1);
  const smallPotential = new Float64Array(small);
  const largePotential = new Float64Array(large + 1);
  const slack = new Float64Array(large);
  const cameFrom = new Int32Array(large);
  const reached = new Uint8Array(large + 1);
  for (let placed = 0; placed < small; placed += 1) {
    partner[large] = placed;
    slack.fill(Number.POSITIVE_INFINITY);
    reached.fill(0);
    let at = large;
    do {
      reached[at] = 1;
      const s = partner[at] as number;
      let step = Number.POSITIVE_INFINITY;
      let nearest = -1;
      for (let l = 0; l < large; l += 1) {
        if (reached[l] === 1) continue;
        const reduced = cost(s, l) - (smallPotential[s] as number) - (largePotential[l] as number);
        if (reduced < (slack[l] as number)) {
          slack[l] = reduced;
          cameFrom[l] = at;
        }
        if ((slack[l] as number) < step) {
          step = slack[l] as number;
          nearest = l;
        }
      }
      for (let l = 0; l <= large; l += 1) {
        if (reached[l] === 1) {
          smallPotential[partner[l] as number] = (smallPotential[partner[l] as number] as number) + step;
          largePotential[l] = (largePotential[l] as number) - step;
        } else if (l < large) {
          slack[l] = (slack[l] as number) - step;
        }
      }
      at = nearest;
    } while ((partner[at] as number) >= 0);
    while (at !== large) {
      const previous = cameFrom[at] as number;
      partner[at] = partner[previous] as number;
      at = previous;
    }
  }
  return partner.subarray(0, large);
}
