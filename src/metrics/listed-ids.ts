/** Ids as a message lists them: the first ones, and how many more there are. */
export function listedIds(ids: readonly string[], most: number = 20): string {
  const shown = ids.slice(0, most).join(", ");
  return ids.length > most ? `${shown} and ${ids.length - most} more` : shown;
}
