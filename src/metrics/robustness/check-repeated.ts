import { CalibrantError } from "../../errors.ts";
import { CONDITION } from "./conditions.ts";
import { type EpisodeStore, storedPlace } from "./episode-store.ts";
import type { OrderedEpisodes } from "./order-episodes.ts";

/** Repeated episodes that a message lists. */
const LISTED = 5;

/**
 * Checks that no episode is there twice: two rows of one cell (model, subset, condition, severity) with one task and seed.
 *
 * @throws CalibrantError `data` listing the first five of them.
 */
export function checkRepeated(store: EpisodeStore, ordered: OrderedEpisodes): void {
  const { task, seed } = store.columns;
  const { order, offsets } = ordered;
  const repeated: (readonly [first: number, again: number])[] = [];
  let count = 0;
  // For each seed the last place in `order` with it, and where its run of one task began.
  const seenAt = new Int32Array(store.seeds.size + 1).fill(-1);
  for (let cell = 0; cell + 1 < offsets.length; cell++) {
    let begin = offsets[cell] as number;
    const end = offsets[cell + 1] as number;
    for (let i = begin; i < end; i++) {
      const row = order[i] as number;
      if (task[row] !== task[order[begin] as number]) begin = i;
      const slot = (seed[row] as number) + 1;
      const before = seenAt[slot] as number;
      if (before >= begin) {
        count++;
        if (repeated.length < LISTED) repeated.push([order[before] as number, row]);
      } else seenAt[slot] = i;
    }
  }
  if (count > 0) throw repeatedError(store, repeated, count);
}

const CONDITION_NAMES: readonly string[] = Object.keys(CONDITION);

function repeatedError(
  store: EpisodeStore,
  repeated: readonly (readonly [number, number])[],
  count: number,
): CalibrantError {
  const episodes = repeated.map(
    ([first, again]) => `${episodeName(store, again)} (${rowsOf(store, first, again)})`,
  );
  const more = count > episodes.length ? `; and ${count - episodes.length} more` : "";
  const subject = count === 1 ? "1 row repeats" : `${count} rows repeat`;
  return new CalibrantError(
    "data",
    `${subject} an episode that is there already: keep one row each, or tell runs apart by the column seed: ${episodes.join("; ")}${more}`,
    { count, episodes },
  );
}

function episodeName({ columns, cells, models, subsets, tasks, seeds }: EpisodeStore, row: number): string {
  const cell = cells.cells[columns.cell[row] as number];
  const named = [
    `model ${JSON.stringify(models.key(cell?.model ?? -1))}`,
    cell === undefined || cell.subset < 0 ? "" : `subset ${JSON.stringify(subsets.key(cell.subset))}`,
    `condition ${CONDITION_NAMES[cell?.condition ?? 0]}`,
    `task_id ${JSON.stringify(tasks.key(columns.task[row] as number))}`,
    (columns.seed[row] as number) < 0 ? "no seed" : `seed ${seeds.key(columns.seed[row] as number)}`,
  ];
  return named.filter((part) => part !== "").join(", ");
}

function rowsOf(store: EpisodeStore, first: number, again: number): string {
  return `${storedPlace(store, first)} and ${storedPlace(store, again)}`;
}
