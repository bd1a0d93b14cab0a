/**
 * The name most like `text`, for "did you mean": at most a third of the longer one's letters away in insertions,
 * deletions and replacements (Levenshtein), letter case ignored. Null when none is that near; the first of equals.
 */
export function nearestName(text: string, names: readonly string[]): string | null {
  let nearest: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const distance = editDistance(text.toLowerCase(), name.toLowerCase());
    if (distance >= least || distance > Math.ceil(Math.max(text.length, name.length) / 3)) continue;
    least = distance;
    nearest = name;
  }
  return nearest;
}

function editDistance(a: string, b: string): number {
  let above = Int32Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const row = new Int32Array(b.length + 1).fill(i, 0, 1);
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(replaced, (above[j] as number) + 1, (row[j - 1] as number) + 1);
    }
    above = row;
  }
  return above[b.length] as number;
}
