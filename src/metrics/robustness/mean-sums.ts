import { grown } from "../../math/growable.ts";

/** Sums of a column by cell. */
export interface MeanSums {
  /** Adds a value to the sum of a cell; NaN adds nothing. */
  add(cell: number, value: number): void;
  /** The mean of all values of some cells; null without any. */
  meanOf(cells: readonly number[]): number | null;
}

/**
 * Creates empty {@link MeanSums}. Whole numbers are summed exactly, others with compensation (Neumaier 1974), so the order of
 * rows does not show.
 */
export function createMeanSums(): MeanSums {
  let sums = new Float64Array(0);
  let errors = new Float64Array(0);
  let counts = new Float64Array(0);
  return {
    add(cell, value) {
      if (Number.isNaN(value)) return;
      sums = grown(sums, cell + 1);
      errors = grown(errors, cell + 1);
      counts = grown(counts, cell + 1);
      const sum = sums[cell] as number;
      const total = sum + value;
      const rounded = total - sum;
      sums[cell] = total;
      errors[cell] = (errors[cell] as number) + (sum - (total - rounded) + (value - rounded));
      counts[cell] = (counts[cell] as number) + 1;
    },
    meanOf(cells) {
      let [sum, count] = [0, 0];
      for (const cell of cells) {
        sum += (sums[cell] ?? 0) + (errors[cell] ?? 0);
        count += counts[cell] ?? 0;
      }
      return count === 0 ? null : sum / count;
    },
  };
}
