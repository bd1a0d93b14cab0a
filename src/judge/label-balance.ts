import { ACTIONS, type Action } from "../types.ts";

/** How many accepted annotations have each action. */
export type LabelCounts = Readonly<Record<Action, number>>;

/** Label counts, and which actions have clearly fewer or more labels than an even share. */
export interface LabelBalance {
  readonly counts: LabelCounts;
  readonly under: readonly Action[];
  readonly over: readonly Action[];
}

/** Fewer labels than these say nothing about balance. */
const FEWEST_LABELS = 8;

/**
 * Which actions are under- and over-represented among `n` labels: fewer than 80 % and more than 120 % of the even share
 * `n / 4`. None of either while there are fewer than 8 labels.
 *
 * @param counts - whole numbers of at least 0.
 */
export function labelBalance(counts: LabelCounts): LabelBalance {
  const total = ACTIONS.reduce((sum, action) => sum + counts[action], 0);
  const when = (holds: (count: number) => boolean): Action[] =>
    total < FEWEST_LABELS ? [] : ACTIONS.filter((action) => holds(counts[action]));
  // In whole numbers: 80 % of a quarter is a fifth, 120 % of a quarter three tenths.
  return {
    counts,
    under: when((count) => 5 * count < total),
    over: when((count) => 10 * count > 3 * total),
  };
}
