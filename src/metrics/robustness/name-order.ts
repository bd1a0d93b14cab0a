/**
 * Order of names as people read them, runs of digits by their number: `qwen-4b` before `qwen-32b`. The same on any machine,
 * whatever its language. A missing name (null) comes last.
 */
export function compareNames(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const [left, right] = [pieces(a), pieces(b)];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = comparePieces(left[i] as string, right[i] as string);
    if (difference !== 0) return difference;
  }
  return left.length - right.length || compareText(a, b);
}

/** Text and digits in turns: text stands at even places. */
function pieces(name: string): string[] {
  return name.split(/(\d+)/);
}

function comparePieces(a: string, b: string): number {
  const digits = /^\d/.test(a) && /^\d/.test(b);
  return digits ? Number(a) - Number(b) : compareText(a, b);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
