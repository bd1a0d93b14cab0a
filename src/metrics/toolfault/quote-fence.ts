/** A line of equals signs to put around quoted texts: five, or one more than the longest run of them in the texts. */
export function quoteFence(texts: readonly string[]): string {
  let length = 5;
  for (const text of texts)
    for (const run of text.match(/={5,}/g) ?? []) length = Math.max(length, run.length + 1);
  return "=".repeat(length);
}
