import { CalibrantError } from "../../errors.ts";

const LISTED = 10;

/**
 * The items that `--ids` and then `--limit` leave, in the dataset's order.
 *
 * @throws CalibrantError `usage` for an id that is not in the dataset.
 */
export function selectItems<T extends { readonly id: string }>(
  items: readonly T[],
  ids: readonly string[] | null,
  limit: number | null,
): readonly T[] {
  const wanted = ids === null ? null : new Set(ids);
  const chosen = wanted === null ? items : items.filter(({ id }) => wanted.has(id));
  if (wanted !== null && chosen.length < wanted.size) {
    const there = new Set(chosen.map(({ id }) => id));
    const unknown = [...wanted].filter((id) => !there.has(id));
    const more = unknown.length > LISTED ? `, and ${unknown.length - LISTED} more` : "";
    throw new CalibrantError(
      "usage",
      `--ids: not in the dataset: ${unknown.slice(0, LISTED).join(", ")}${more}`,
      { unknown },
    );
  }
  return limit === null ? chosen : chosen.slice(0, limit);
}
