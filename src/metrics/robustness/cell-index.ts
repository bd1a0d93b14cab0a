/** What the episodes of a cell have in common, as numbers of names (-1 = missing). */
export interface EpisodeCell {
  readonly model: number;
  readonly subset: number;
  /** As in `CONDITION`. */
  readonly condition: number;
  readonly setting: number;
}

/** Numbers the cells of all rows, from 0 in order of first appearance. */
export interface CellIndex {
  numberOf(model: number, subset: number, condition: number, setting: number): number;
  readonly cells: readonly EpisodeCell[];
}

/** Above every number of a model, a subset or a setting. */
const SPAN = 2 ** 24;

/** Creates an empty {@link CellIndex}. */
export function createCellIndex(): CellIndex {
  const cells: EpisodeCell[] = [];
  const byPair = new Map<number, Map<number, number>>();
  let last: EpisodeCell | undefined;
  let lastNumber = -1;
  return {
    cells,
    numberOf(model, subset, condition, setting) {
      // Rows of a cell stand together as a rule.
      const same =
        last?.model === model &&
        last.subset === subset &&
        last.condition === condition &&
        last.setting === setting;
      if (same) return lastNumber;
      const pair = model * SPAN + subset + 1;
      const inner = byPair.get(pair) ?? new Map<number, number>();
      byPair.set(pair, inner);
      const kind = (setting + 1) * 4 + condition;
      lastNumber = inner.get(kind) ?? cells.length;
      last = cells[lastNumber];
      if (last === undefined) {
        last = { model, subset, condition, setting };
        cells.push(last);
        inner.set(kind, lastNumber);
      }
      return lastNumber;
    },
  };
}
