/**
 * The order in which slices are shown: by the values of the slicing columns, a column whose values are all numbers
 * ascending, any other in order of first appearance.
 *
 * @param values the values of a slice, in the order of the slicing columns
 */
export function orderSlices(count: number, values: (slice: number) => readonly string[]): number[] {
  const slices = Array.from({ length: count }, (_, slice) => slice);
  const columns = values.length === 0 || count === 0 ? 0 : values(0).length;
  const ranks = Array.from({ length: columns }, (_, column) =>
    columnRanks(slices.map((slice) => values(slice)[column] as string)),
  );
  return slices.sort((a, b) => {
    for (const rank of ranks) {
      const difference = (rank[a] as number) - (rank[b] as number);
      if (difference !== 0) return difference;
    }
    return 0;
  });
}

/** What each value is ordered by: itself when all are numbers, else when it appeared first. */
function columnRanks(values: readonly string[]): number[] {
  const numbers = values.map((value) => (value.trim() === "" ? Number.NaN : Number(value)));
  if (numbers.every((value) => !Number.isNaN(value))) return numbers;
  const first = new Map<string, number>();
  for (const value of values) if (!first.has(value)) first.set(value, first.size);
  return values.map((value) => first.get(value) as number);
}
