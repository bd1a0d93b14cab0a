import { CalibrantError } from "../../errors.ts";
import { listedIds } from "../listed-ids.ts";
import type { When2CallItem } from "./when2call-item.ts";

/**
 * The number of each item by its id.
 *
 * @throws CalibrantError `data`, once, listing every id that two items share.
 */
export function itemIndex(items: readonly Pick<When2CallItem, "id">[]): ReadonlyMap<string, number> {
  const index = new Map<string, number>();
  const twice = new Set<string>();
  items.forEach(({ id }, item) => {
    if (index.has(id)) twice.add(id);
    else index.set(id, item);
  });
  if (twice.size === 0) return index;
  const ids = [...twice].sort();
  throw new CalibrantError("data", `items: an id stands for one item, found twice: ${listedIds(ids)}`, {
    ids,
  });
}
