const LISTED = 10;

/** Ids for a message: the first ten, and how many more. */
export function namesText(ids: readonly (string | number)[]): string {
  const more = ids.length > LISTED ? `, and ${ids.length - LISTED} more` : "";
  return `${ids.slice(0, LISTED).join(", ")}${more}`;
}
