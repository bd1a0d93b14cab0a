/** A source of uniform numbers in [0, 1). */
export type Random = () => number;

/** An integer from 0 to `most`, both included. */
export function upTo(random: Random, most: number): number {
  return Math.floor(random() * (most + 1));
}

/** True with the given probability. */
export function chance(random: Random, probability: number): boolean {
  return random() < probability;
}

/** One element of a non-empty list. */
export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}
