const ISO_TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|[+-]\d\d:?\d\d)?)?$/i;

/**
 * The time that a text of ISO 8601 names, in milliseconds since 1970; NaN for any other text. A time without a zone is
 * UTC: `Date.parse` would take it for the time of whatever place the program runs in.
 */
export function utcTime(text: string): number {
  const [, date, time = "00:00", zone = "Z"] = ISO_TIME.exec(text.trim()) ?? [];
  if (date === undefined) return Number.NaN;
  const offset = /^(Z|UTC)$/i.test(zone) ? "Z" : `${zone.slice(0, 3)}:${zone.slice(-2)}`;
  return Date.parse(`${date}T${time}${offset}`);
}
